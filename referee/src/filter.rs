//! Which games are listed, as options: those of [`GameFilter`], which pages have too.

use super::progress::note;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_record::text::printable;
use crownhead_record::{
    Condition, FigureCheck, GameFacts, GameFigures, GameFilter, GameRecord, GameSummary,
    ResultFilter, TerminationFilter,
};
use std::collections::BTreeSet;

/// Options of commands that list games.
#[derive(Clone, Default, Debug, Args)]
pub(super) struct FilterOptions {
    /// Only games of this bot
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    bot: Option<String>,
    /// Only its games against this one
    #[arg(long, value_name = "NAME", requires = "bot", help_heading = HEADING)]
    opponent: Option<String>,
    /// Only its games on this side, as the game calls it, or in the seat of this number, from 1
    #[arg(long, value_name = "SIDE", requires = "bot", help_heading = HEADING)]
    side: Option<String>,
    /// Only games that came out so: won, drawn or lost by --bot; draw; none if void; or the side that has won
    #[arg(long, value_name = "RESULT", help_heading = HEADING)]
    result: Option<ResultFilter>,
    /// Only games that ended so, such as no-moves or timeout; `fault` means by any fault
    #[arg(long, value_name = "ENDING", help_heading = HEADING)]
    termination: Option<TerminationFilter>,
    /// Only games that began with these moves, such as 'A3B4 B6A5', or with 'seed 7'; - means the usual start
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, help_heading = HEADING)]
    opening: Option<String>,
    /// Only games of so many turns or more, those of the opening included
    #[arg(long, value_name = "N", help_heading = HEADING)]
    min_turns: Option<u32>,
    /// Only games of so many turns or fewer
    #[arg(long, value_name = "N", help_heading = HEADING)]
    max_turns: Option<u32>,
    /// Only games in which a figure that bots said is so, such as 'map_size > 20', 'kind = small' or 'mybot.money >= 5'
    /// (of that bot alone); the operators are = != < <= > >=; given again, all must be met
    #[arg(long = "where", value_name = "CONDITION", help_heading = HEADING)]
    conditions: Vec<Condition>,
}

const HEADING: &str = "Which games";

/// A filter that sees which figures games have.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    wanted: &'a GameFilter,
    check: FigureCheck<'a>,
    /// The bots of the games that it was shown.
    bots: BTreeSet<String>,
    /// What games call their sides, in the order in which they were seen.
    sides: Vec<String>,
}

impl FilterOptions {
    /// What is asked for.
    ///
    /// # Errors
    /// When a result is a bot's and no bot is named.
    pub(super) fn wanted(&self) -> Result<GameFilter, Failure> {
        let of_bot = self.result.as_ref().is_some_and(ResultFilter::is_of_bot);
        if of_bot && self.bot.is_none() {
            return Err(usage(
                "--result: it is a bot that has won, drawn or lost: add --bot NAME, or ask for a side or draw",
            ));
        }
        Ok(GameFilter {
            bot: self.bot.clone(),
            opponent: self.opponent.clone(),
            side: self.side.clone(),
            result: self.result.clone(),
            termination: self.termination,
            opening: self.opening.clone(),
            min_turns: self.min_turns,
            max_turns: self.max_turns,
            conditions: self.conditions.clone(),
        })
    }
}

impl<'a> Filter<'a> {
    /// A filter that no game has gone through yet.
    pub(super) fn new(wanted: &'a GameFilter) -> Filter<'a> {
        let check = FigureCheck::new(&wanted.conditions);
        Filter {
            wanted,
            check,
            sides: Vec::new(),
            bots: BTreeSet::new(),
        }
    }

    /// Whether the game is one that is asked for.
    pub(super) fn admits(&mut self, game: &GameRecord) -> bool {
        let summary = GameSummary::of(game);
        let figures = GameFigures::of(game);
        let players: Vec<&str> = summary.players.iter().map(String::as_str).collect();
        for player in &players {
            if !self.bots.contains(*player) {
                self.bots.insert((*player).into());
            }
        }
        let sides = game.players.iter().map(|player| player.side.clone());
        let sides: Vec<String> = sides.collect();
        for side in &sides {
            if !self.sides.contains(side) {
                self.sides.push(side.clone());
            }
        }
        self.check.look(&players, &figures);
        self.wanted.admits(&GameFacts {
            players: &players,
            sides: &sides,
            points: summary.points.as_deref(),
            termination: summary.termination,
            turns: summary.turns,
            opening: &summary.opening,
            figures: &figures,
        })
    }

    /// Tells of the figures that were asked for and that no game had.
    ///
    /// # Errors
    /// When a side was asked for that no game had.
    pub(super) fn check_known(&self) -> Result<(), Failure> {
        for told in self.check.unknown() {
            note(format_args!("--where: {told}"));
        }
        let sides = self.sides.iter().map(String::as_str);
        match self.wanted.unknown_side(sides) {
            Some(told) if !self.sides.is_empty() => Err(usage(told)),
            _ => Ok(()),
        }
    }

    /// # Errors
    /// When a bot was asked for that played in none of the games.
    pub(super) fn expect_bots(&self) -> Result<(), Failure> {
        expect_bots(self.wanted, &self.bots)
    }
}

/// # Errors
/// When the bots that a filter names are not among these.
pub(super) fn expect_bots(wanted: &GameFilter, known: &BTreeSet<String>) -> Result<(), Failure> {
    for (option, name) in [("--bot", &wanted.bot), ("--opponent", &wanted.opponent)] {
        let Some(name) = name.as_ref().filter(|name| !known.contains(*name)) else {
            continue;
        };
        let names: Vec<&str> = known.iter().map(String::as_str).take(NAMED).collect();
        let more = match known.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" or one of {more} more"),
        };
        let expected = match names.as_slice() {
            [] => "no game was played".into(),
            names => format!("expected {}{more}", names.join(" or ")),
        };
        return Err(usage(format_args!(
            "{option}: no bot is named `{}`; {expected}",
            printable(name)
        )));
    }
    Ok(())
}

/// How many bots are named where one is not known.
const NAMED: usize = 10;
