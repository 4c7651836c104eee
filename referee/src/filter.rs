//! Options that say which games of a file are listed. Pages filter by themselves, with the same words.

use crate::failure::{Failure, usage};
use clap::{Args, ValueEnum};
use crownhead_bots::winner;
use crownhead_record::format_error::unknown_name;
use crownhead_record::{GameRecord, GameSummary, Termination};
use std::collections::BTreeSet;

/// Which games are listed: those for which every condition that is given holds.
#[derive(Clone, PartialEq, Eq, Default, Debug, Args)]
pub(super) struct GameFilter {
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
    result: Option<String>,
    /// Only games that ended like this, such as no-moves, timeout, or fault (any fault)
    #[arg(long, value_name = "ENDING", help_heading = HEADING, value_parser = known_ending)]
    termination: Option<String>,
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

/// The results that a bot of a name has, not a game.
const OF_A_BOT: [&str; 3] = ["won", "drawn", "lost"];

/// Reads the name of an ending, or `fault` for all faults.
fn known_ending(text: &str) -> Result<String, String> {
    let endings = Termination::value_variants().iter();
    let names: Vec<String> = endings.map(|ending| ending.name()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match text == "fault" || names.contains(&text) {
        true => Ok(text.into()),
        false => Err(unknown_name("value", text, &names)),
    }
}

impl GameFilter {
    /// # Errors
    /// If the result is that of a bot and no bot is named.
    pub(super) fn expect_bot_of_result(&self) -> Result<(), Failure> {
        let result = self.result.as_deref().unwrap_or_default();
        if self.bot.is_none() && OF_A_BOT.contains(&result) {
            return Err(usage(
                "--result: it is a bot that has won, drawn or lost: add --bot NAME, or ask for a side or draw",
            ));
        }
        Ok(())
    }

    /// Whether the game passes the filter.
    pub(super) fn admits(&self, game: &GameRecord) -> bool {
        let seat_of = |name: &String| game.place_of(name);
        let own = self.bot.as_ref().and_then(seat_of);
        let GameSummary { turns, opening, .. } = GameSummary::of(game);
        holds(&self.bot, |_| own.is_some())
            && holds(&self.opponent, |name| seat_of(name).is_some())
            && holds(&self.side, |side| {
                own.is_none_or(|seat| is_side(side, seat, game))
            })
            && holds(&self.result, |result| came_out(result, own, game))
            && holds(&self.termination, |wanted| match wanted.as_str() {
                "fault" => game.termination.is_fault(),
                name => game.termination.name() == name,
            })
            && holds(&self.opening, |moves| {
                opening == if moves == "-" { "" } else { moves }
            })
            && holds(&self.min_turns, |&fewest| turns >= fewest)
            && holds(&self.max_turns, |&most| turns <= most)
    }

    /// Refuses a name that none of the games has, whose `bots` and `sides` these are.
    pub(super) fn expect_known(
        &self,
        bots: &BTreeSet<String>,
        sides: &[String],
    ) -> Result<(), Failure> {
        for (option, name) in [("--bot", &self.bot), ("--opponent", &self.opponent)] {
            if let Some(name) = name.as_ref().filter(|name| !bots.contains(*name)) {
                let known: Vec<&str> = bots.iter().map(String::as_str).collect();
                let told = unknown_name("bot", name, &known);
                let more = match known.is_empty() {
                    true => ". No game was played",
                    false => "",
                };
                return Err(usage(format_args!("`{option}`: {told}{more}")));
            }
        }
        let is_unknown = |word: &&String| {
            let seat = word.parse::<usize>().ok();
            !sides.contains(word) && seat.is_none_or(|seat| seat == 0 || seat > sides.len())
        };
        let known = sides.join(" or ");
        if sides.is_empty() {
            return Ok(());
        }
        if let Some(side) = self.side.as_ref().filter(is_unknown) {
            return Err(usage(format_args!(
                "no side is called `{side}`: expected {known}"
            )));
        }
        let of_a_side = |word: &&String| {
            !OF_A_BOT.contains(&word.as_str()) && !["draw", "none"].contains(&word.as_str())
        };
        match self.result.as_ref().filter(of_a_side).filter(is_unknown) {
            Some(side) => Err(usage(format_args!(
                "`{side}` is no result: expected won, drawn or lost by a bot, draw, none, or who has won: {known}"
            ))),
            None => Ok(()),
        }
    }
}

/// Whether an optional condition holds.
fn holds<T>(given: &Option<T>, test: impl FnOnce(&T) -> bool) -> bool {
    given.as_ref().is_none_or(test)
}

/// Whether this word means the seat.
fn is_side(word: &str, seat: usize, game: &GameRecord) -> bool {
    game.players[seat].side == word || word == (seat + 1).to_string()
}

/// Whether the game has this result; if it is the result of a bot, for the bot in this seat.
fn came_out(result: &str, own: Option<usize>, game: &GameRecord) -> bool {
    let Some(points) = &game.scores else {
        return result == "none";
    };
    let own = own.map(|seat| points[seat]);
    match result {
        "won" => own == Some(1.0),
        "lost" => own == Some(0.0),
        "drawn" => own.is_some_and(|points| points > 0.0 && points < 1.0),
        "draw" => winner(points).is_none(),
        side => winner(points).is_some_and(|seat| is_side(side, seat, game)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use crownhead_record::PlayerRecord;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(flatten)]
        filter: GameFilter,
    }

    fn filter(options: &[&str]) -> GameFilter {
        Line::try_parse_from(options).unwrap().filter
    }

    /// A game of these players, who had these points.
    fn game(players: [(&str, &str); 2], points: Option<[f64; 2]>) -> GameRecord {
        let player = |(side, name)| PlayerRecord::new(side, name, name);
        GameRecord {
            scores: points.map(Vec::from),
            termination: Termination::Crash,
            opening: ["A3B4", "B6A5"].map(String::from).into(),
            ..GameRecord::new("checkers", "contest", players.map(player).into())
        }
    }

    /// A game that `two` lost in the second seat by a crash.
    fn lost() -> GameRecord {
        game([("black", "one"), ("red", "two")], Some([1.0, 0.0]))
    }

    #[test]
    fn a_game_is_found_by_each_thing_that_holds_of_it_and_by_nothing_else() {
        let is_found = |options: &[&str]| filter(options).admits(&lost());
        for (name, holding, others) in [
            ("--bot", &["one", "two"][..], &["three"][..]),
            (
                "--result",
                &["black", "1"],
                &["red", "white", "2", "draw", "won", "none"],
            ),
            ("--termination", &["crash", "fault"], &["exit", "no-moves"]),
            ("--opening", &["A3B4 B6A5"], &["A3B4", "-"]),
            ("--min-turns", &["1", "2"], &["3"]),
            ("--max-turns", &["2", "3"], &["1"]),
        ] {
            for value in holding {
                assert!(is_found(&[name, value]), "{name} {value}");
            }
            for value in others {
                assert!(!is_found(&[name, value]), "{name} {value}");
            }
        }
        assert!(is_found(&["--bot", "one", "--opponent", "two"]));
        assert!(!is_found(&["--bot", "one", "--opponent", "three"]));
        for side in ["red", "2"] {
            assert!(is_found(&[
                "--bot", "two", "--side", side, "--result", "lost"
            ]));
            assert!(!is_found(&["--bot", "one", "--side", side]), "{side}");
        }
        assert!(!is_found(&["--bot", "two", "--side", "white"]));
        assert!(is_found(&["--bot", "two", "--result", "black"]));
    }

    #[test]
    fn a_name_that_there_is_not_is_refused_with_those_that_there_are() {
        let error = known_ending("crashed").unwrap_err();
        assert!(error.contains("`crash`"), "{error}");
    }

    #[test]
    fn a_side_that_the_game_does_not_have_is_refused_with_those_that_it_has() {
        let bots = ["one", "two"].map(String::from).into();
        let sides = ["black", "red"].map(String::from);
        let told = |options: &[&str]| match filter(options).expect_known(&bots, &sides) {
            Err(Failure::Usage(told)) => told,
            other => format!("{other:?}"),
        };
        let fine = "Ok(())";
        assert_eq!(
            told(&["--bot", "one", "--side", "white"]),
            "no side is called `white`: expected black or red"
        );
        let result = told(&["--result", "white"]);
        assert!(
            result.starts_with("`white` is no result: ") && result.ends_with("black or red"),
            "{result}"
        );
        for known in ["black", "red", "1", "2"] {
            assert_eq!(
                told(&["--bot", "one", "--side", known, "--result", known]),
                fine
            );
        }
        for seat in ["0", "3"] {
            assert_ne!(told(&["--bot", "one", "--side", seat]), fine);
        }
        assert_eq!(told(&["--result", "draw"]), fine);
    }

    #[test]
    fn a_game_came_out_for_a_bot_or_for_a_seat_or_is_void() {
        let results = ["won", "drawn", "lost", "draw", "none", "black", "red", "2"];
        let came_out = |points: Option<[f64; 2]>, seat| -> Vec<&str> {
            let game = game([("black", "one"), ("red", "two")], points);
            let holds = |word: &&str| came_out(word, seat, &game);
            results.into_iter().filter(holds).collect()
        };
        let points = Some([1.0, 0.0]);
        assert_eq!(came_out(points, Some(0)), ["won", "black"]);
        assert_eq!(came_out(points, Some(1)), ["lost", "black"]);
        assert_eq!(came_out(points, None), ["black"]);
        assert_eq!(came_out(Some([0.0, 1.0]), None), ["red", "2"]);
        assert_eq!(came_out(Some([0.5, 0.5]), Some(1)), ["drawn", "draw"]);
        assert_eq!(came_out(None, Some(0)), ["none"]);
    }
}
