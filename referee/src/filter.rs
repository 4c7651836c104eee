//! Options that say which games are listed: those of [`GameFilter`], which pages have too.

use super::progress::note;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_record::format_error::unknown_name;
use crownhead_record::{
    GameFacts, GameFilter, GameRecord, GameSummary, ResultFilter, TerminationFilter,
};
use std::collections::BTreeSet;

/// Options of commands that list games.
#[derive(Clone, Default, Debug, Args)]
pub(super) struct FilterOptions {
    /// Only games of this bot
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    bot: Option<String>,
    /// Only games of --bot against this bot
    #[arg(long, value_name = "NAME", requires = "bot", help_heading = HEADING)]
    opponent: Option<String>,
    /// Only games of --bot on this side: its name, or the number of the seat from 1
    #[arg(long, value_name = "SIDE", requires = "bot", help_heading = HEADING)]
    side: Option<String>,
    /// Only won, drawn or lost (by --bot), draw, none (void), or the side that won
    #[arg(long, value_name = "RESULT", help_heading = HEADING)]
    result: Option<ResultFilter>,
    /// Only games that ended like this, such as no-moves, timeout, or fault (any fault)
    #[arg(long, value_name = "ENDING", help_heading = HEADING)]
    termination: Option<TerminationFilter>,
    /// Only games with this opening, such as 'A3B4 B6A5' or 'seed 7'; - is the start
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, help_heading = HEADING)]
    opening: Option<String>,
    /// Only games of N turns or more, including those of the opening
    #[arg(long, value_name = "N", help_heading = HEADING)]
    min_turns: Option<u32>,
    /// Only games of N turns or fewer, including those of the opening
    #[arg(long, value_name = "N", help_heading = HEADING)]
    max_turns: Option<u32>,
}

const HEADING: &str = "Which games";

/// A filter that also notes which bots and sides the games have.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    wanted: &'a GameFilter,
    /// The bots of the games that it has seen.
    bots: BTreeSet<String>,
    /// The names of the sides, in the order in which they were seen.
    sides: Vec<String>,
}

impl FilterOptions {
    /// The filter that the options describe.
    ///
    /// # Errors
    /// If the result is that of a bot and no bot is named.
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
        })
    }
}

impl<'a> Filter<'a> {
    /// A filter that has seen no game yet.
    pub(super) fn new(wanted: &'a GameFilter) -> Filter<'a> {
        Filter {
            wanted,
            sides: Vec::new(),
            bots: BTreeSet::new(),
        }
    }

    /// Whether the game passes the filter.
    pub(super) fn admits(&mut self, game: &GameRecord) -> bool {
        let summary = GameSummary::of(game);
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
        self.wanted.admits(&GameFacts {
            players: &players,
            sides: &sides,
            points: summary.points.as_deref(),
            termination: summary.termination,
            turns: summary.turns,
            opening: &summary.opening,
        })
    }

    /// # Errors
    /// If no game had the side that the options name.
    pub(super) fn check_known(&self) -> Result<(), Failure> {
        let sides = self.sides.iter().map(String::as_str);
        match self.wanted.unknown_side(sides) {
            Some(told) if !self.sides.is_empty() => Err(usage(told)),
            _ => Ok(()),
        }
    }

    /// Says so if none of the games was listed.
    pub(super) fn note_if_empty(&self, is_empty: bool) {
        if is_empty {
            note(match self.bots.is_empty() {
                true => "there are no games yet",
                false => "no game matches",
            });
        }
    }

    /// # Errors
    /// If a bot that the options name played in none of the games.
    pub(super) fn expect_bots(&self) -> Result<(), Failure> {
        expect_bots(self.wanted, &self.bots)
    }
}

/// # Errors
/// If the bots that a filter names are not among these.
pub(super) fn expect_bots(wanted: &GameFilter, known: &BTreeSet<String>) -> Result<(), Failure> {
    for (option, name) in [("--bot", &wanted.bot), ("--opponent", &wanted.opponent)] {
        let Some(name) = name.as_ref().filter(|name| !known.contains(*name)) else {
            continue;
        };
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        let told = unknown_name("bot", name, &names);
        let more = if known.is_empty() {
            ". No game was played"
        } else {
            ""
        };
        return Err(usage(format_args!("`{option}`: {told}{more}")));
    }
    Ok(())
}
