//! Filters games: [`GameFilter`] is the same for lists at a terminal and for pages. It looks at [`GameFacts`], whatever
//! their source; it reads no games.

use crate::Termination;
use crate::format_error::plain_format;
use crownhead_bots::winner;
use serde::de::Error;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Deserializer};
use std::convert::Infallible;
use std::fmt::Display;
use std::str::FromStr;

/// A filter. A game passes if every condition that is given holds.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(default)]
pub struct GameFilter {
    /// A bot that took part.
    pub bot: Option<String>,
    /// Another bot that took part.
    pub opponent: Option<String>,
    /// The bot's side, as the game calls it, or the number of its seat from 1.
    pub side: Option<String>,
    /// The result.
    #[serde(deserialize_with = "parsed")]
    pub result: Option<ResultFilter>,
    /// How it ended.
    #[serde(deserialize_with = "parsed")]
    pub termination: Option<TerminationFilter>,
    /// The opening, as [`opening_of`](crate::opening_of) words it; `-` means the usual start.
    pub opening: Option<String>,
    /// The smallest number of turns.
    pub min_turns: Option<u32>,
    /// The largest number of turns.
    pub max_turns: Option<u32>,
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResultFilter {
    /// The requested bot won it.
    Won,
    /// That bot neither won nor lost it.
    Drawn,
    /// That bot lost it.
    Lost,
    /// It was drawn.
    Draw,
    /// It is void.
    Void,
    /// This side won it, as the game calls it, or the seat of this number from 1.
    Side(String),
}

impl ResultFilter {
    /// Whether this is the result for a bot.
    pub fn is_of_bot(&self) -> bool {
        use ResultFilter::{Drawn, Lost, Won};
        matches!(self, Won | Drawn | Lost)
    }
}

impl FromStr for ResultFilter {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<ResultFilter, Infallible> {
        Ok(match text {
            "won" => ResultFilter::Won,
            "drawn" => ResultFilter::Drawn,
            "lost" => ResultFilter::Lost,
            "draw" => ResultFilter::Draw,
            "none" => ResultFilter::Void,
            side => ResultFilter::Side(side.into()),
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminationFilter {
    /// In this way.
    Is(Termination),
    /// By any fault.
    Fault,
}

impl FromStr for TerminationFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<TerminationFilter, String> {
        if text == "fault" {
            return Ok(TerminationFilter::Fault);
        }
        // An error lists the names that there are.
        let found = Termination::deserialize(StrDeserializer::<serde::de::value::Error>::new(text));
        found
            .map(TerminationFilter::Is)
            .map_err(|error| plain_format(&error.to_string()))
    }
}

fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(D::Error::custom)
}

/// The facts about a game that a filter needs.
#[derive(Clone, Copy, Debug)]
pub struct GameFacts<'a> {
    /// Who played, in the order of seats.
    pub players: &'a [&'a str],
    /// The game's names of the seats, if it has any.
    pub sides: &'a [String],
    /// The players' points; `None` if the game is void.
    pub points: Option<&'a [f64]>,
    /// How it ended.
    pub termination: Termination,
    /// Its turns, as [`GameSummary::turns`](crate::GameSummary::turns) counts them.
    pub turns: u32,
    /// The opening, as [`opening_of`](crate::opening_of) words it.
    pub opening: &'a str,
}

impl GameFacts<'_> {
    fn seat_of(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| *player == name)
    }

    /// Whether this word means the seat.
    fn is_side(&self, word: &str, seat: usize) -> bool {
        self.sides.get(seat).is_some_and(|side| side == word) || word == (seat + 1).to_string()
    }

    /// Whether the game has this result; if it is the result of a bot, for the bot in this seat.
    fn came_out(&self, result: &ResultFilter, own: Option<usize>) -> bool {
        let Some(points) = self.points else {
            return *result == ResultFilter::Void;
        };
        let own = own.map(|seat| points[seat]);
        match result {
            ResultFilter::Won => own == Some(1.0),
            ResultFilter::Lost => own == Some(0.0),
            ResultFilter::Drawn => own.is_some_and(|points| points > 0.0 && points < 1.0),
            ResultFilter::Draw => winner(points).is_none(),
            ResultFilter::Void => false,
            ResultFilter::Side(side) => winner(points).is_some_and(|seat| self.is_side(side, seat)),
        }
    }
}

impl GameFilter {
    /// Whether the game passes the filter.
    pub fn admits(&self, game: &GameFacts<'_>) -> bool {
        let own = self.bot.as_deref().and_then(|name| game.seat_of(name));
        holds(&self.bot, |_| own.is_some())
            && holds(&self.opponent, |name| game.seat_of(name).is_some())
            && holds(&self.side, |side| {
                own.is_none_or(|seat| game.is_side(side, seat))
            })
            && holds(&self.result, |result| game.came_out(result, own))
            && holds(&self.termination, |wanted| match wanted {
                TerminationFilter::Is(termination) => *termination == game.termination,
                TerminationFilter::Fault => game.termination.is_fault(),
            })
            && holds(&self.opening, |moves| {
                game.opening == if moves == "-" { "" } else { moves }
            })
            && holds(&self.min_turns, |&fewest| game.turns >= fewest)
            && holds(&self.max_turns, |&most| game.turns <= most)
    }

    /// A sentence if it asks for a side, or for a winning side, that is none of these.
    pub fn unknown_side<'a>(&self, sides: impl IntoIterator<Item = &'a str>) -> Option<String> {
        let sides: Vec<&str> = sides.into_iter().collect();
        let is_unknown = |word: &str| {
            let seat = word.parse::<usize>().ok();
            !sides.contains(&word) && seat.is_none_or(|seat| seat == 0 || seat > sides.len())
        };
        let known = sides.join(" or ");
        if let Some(side) = self.side.as_deref().filter(|side| is_unknown(side)) {
            return Some(format!("no side is called `{side}`: expected {known}"));
        }
        match &self.result {
            Some(ResultFilter::Side(side)) if is_unknown(side) => Some(format!(
                "`{side}` is no result: expected won, drawn or lost by a bot, draw, none, or who has won: {known}"
            )),
            _ => None,
        }
    }
}

/// Whether an optional condition holds.
fn holds<T>(given: &Option<T>, test: impl FnOnce(&T) -> bool) -> bool {
    given.as_ref().is_none_or(test)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Whether a game of 40 turns that `two` lost in the second seat by a crash is found.
    fn is_found(filter: Value) -> bool {
        let game = GameFacts {
            players: &["one", "two"],
            sides: &["black".into(), "red".into()],
            points: Some(&[1.0, 0.0]),
            termination: Termination::Crash,
            turns: 40,
            opening: "A3B4 B6A5",
        };
        let filter: GameFilter = serde_json::from_value(filter).unwrap();
        filter.admits(&game)
    }

    #[test]
    fn a_game_is_found_by_each_thing_that_holds_of_it_and_by_nothing_else() {
        for (name, holding, others) in [
            ("bot", &["one", "two"][..], &["three"][..]),
            ("opponent", &["two"], &["three"]),
            (
                "result",
                &["black", "1"],
                &["red", "white", "2", "draw", "won", "none"],
            ),
            ("termination", &["crash", "fault"], &["exit", "no-moves"]),
            ("opening", &["A3B4 B6A5"], &["A3B4", "-"]),
        ] {
            for value in holding {
                assert!(is_found(json!({ name: value })), "{name} {value}");
            }
            for value in others {
                assert!(!is_found(json!({ name: value })), "{name} {value}");
            }
        }
        for (turns, found) in [(39, [true, false]), (40, [true, true]), (41, [false, true])] {
            let filters = [json!({"min_turns": turns}), json!({"max_turns": turns})];
            assert_eq!(filters.map(is_found), found, "{turns}");
        }
        for side in ["red", "2"] {
            assert!(is_found(
                json!({"bot": "two", "side": side, "result": "lost"})
            ));
            assert!(!is_found(json!({"bot": "one", "side": side})), "{side}");
        }
        assert!(!is_found(json!({"bot": "two", "side": "white"})));
        assert!(is_found(json!({"bot": "two", "result": "black"})));
    }

    #[test]
    fn a_name_that_there_is_not_is_refused_with_those_that_there_are() {
        let error = "crashed".parse::<TerminationFilter>().unwrap_err();
        assert!(error.to_string().contains("`crash`"), "{error}");
    }

    #[test]
    fn a_side_that_the_game_does_not_have_is_refused_with_those_that_it_has() {
        let unknown = |filter: Value| {
            let filter: GameFilter = serde_json::from_value(filter).unwrap();
            filter.unknown_side(["black", "red"])
        };
        let side = unknown(json!({"bot": "one", "side": "white"}));
        let told = "no side is called `white`: expected black or red";
        assert_eq!(side.as_deref(), Some(told));
        let result = unknown(json!({"result": "white"})).unwrap();
        assert!(
            result.starts_with("`white` is no result: ") && result.ends_with("black or red"),
            "{result}"
        );
        for known in ["black", "red", "1", "2"] {
            assert_eq!(unknown(json!({"side": known, "result": known})), None);
        }
        assert!(
            ["0", "3"]
                .iter()
                .all(|seat| unknown(json!({"side": seat})).is_some())
        );
        assert_eq!(unknown(json!({"result": "draw"})), None);
    }

    #[test]
    fn a_game_came_out_for_a_bot_or_for_a_seat_or_is_void() {
        let results = ["won", "drawn", "lost", "draw", "none", "black", "red", "3"];
        let came_out = |points: Option<&[f64]>, seat| -> Vec<&str> {
            let game = GameFacts {
                players: &["one", "two", "three"],
                sides: &["black".into(), "red".into()],
                points,
                termination: Termination::Scores,
                turns: 1,
                opening: "",
            };
            let holds = |word: &&str| game.came_out(&word.parse().unwrap(), seat);
            results.into_iter().filter(holds).collect()
        };
        let points = Some(&[1.0, 0.5, 0.0][..]);
        let seats = [0, 1, 2].map(|seat| came_out(points, Some(seat)));
        assert_eq!(
            seats,
            [["won", "black"], ["drawn", "black"], ["lost", "black"]]
        );
        assert_eq!(came_out(points, None), ["black"]);
        assert_eq!(came_out(Some(&[0.0, 1.0]), None), ["red"]);
        assert_eq!(came_out(Some(&[0.5, 0.5]), None), ["draw"]);
        assert_eq!(came_out(Some(&[0.0, 0.5, 1.0]), None), ["3"]);
        assert_eq!(came_out(None, Some(0)), ["none"]);
        let of_bot = |word: &&str| word.parse::<ResultFilter>().unwrap().is_of_bot();
        assert!(results[..3].iter().all(of_bot) && !results[3..].iter().any(of_bot));
    }
}
