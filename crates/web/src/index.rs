//! All games of a site without their moves, small enough to be held in memory: a hundred thousand games take some ten
//! megabytes.

use crownhead::board::Side;
use crownhead_record::Termination;
use crownhead_record::{GameSummary, RecordedResult};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// How games between two bots, one black and one white, came out, as black saw it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub(super) struct Score {
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
}

impl Score {
    pub(super) fn count(&mut self, result: RecordedResult, side: Side) {
        match result.points(side) {
            1.0 => self.won += 1,
            0.0 => self.lost += 1,
            _ => self.drawn += 1,
        }
    }

    /// The same games as the other side saw them.
    pub(super) fn turned(self) -> Score {
        Score {
            won: self.lost,
            lost: self.won,
            ..self
        }
    }

    pub(super) fn plus(self, other: Score) -> Score {
        Score {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
        }
    }

    pub(super) fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// One game.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// What the page calls it: its number, or one of its own where several have the same.
    pub(super) id: u64,
    /// Where its record is, in the terms of the site's origin.
    pub(super) place: u64,
    /// Who played black and white, by number.
    pub(super) players: [u32; 2],
    pub(super) result: Option<RecordedResult>,
    pub(super) termination: Termination,
    pub(super) turns: u32,
    /// Where it began, by number.
    pub(super) opening: u32,
    /// Whether it was played again.
    pub(super) replayed: bool,
}

impl Entry {
    /// The side that the bot of this number had, if it played.
    pub(super) fn side_of(&self, bot: u32) -> Option<Side> {
        let place = self.players.iter().position(|&player| player == bot)?;
        Some(Side::BOTH[place])
    }
}

/// Texts by number.
#[derive(Default, Debug)]
pub(super) struct Names {
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    pub(super) fn all(&self) -> &[String] {
        &self.texts
    }
}

/// All games.
#[derive(Default, Debug)]
pub(super) struct Index {
    pub(super) bots: Names,
    pub(super) openings: Names,
    entries: Vec<Entry>,
    places: HashMap<u64, u32>,
    /// The highest number of a game.
    highest: u64,
    /// By black's and white's numbers.
    scores: BTreeMap<(u32, u32), Score>,
}

/// Which games are listed; what is not said is not asked for.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(default)]
pub(super) struct Filter {
    bot: Option<String>,
    opponent: Option<String>,
    /// The side that the bot had: `black` or `white`.
    side: Option<String>,
    /// `won`, `lost` or `drawn` by the bot; without a bot `black`, `white` or `draw`.
    result: Option<String>,
    /// By its name in records; `fault` means all that are one.
    termination: Option<String>,
    /// Its moves; `-` means the usual start.
    opening: Option<String>,
    /// Only games with a lower id.
    before: Option<u64>,
    limit: Option<usize>,
}

/// The most games in one answer.
const MOST_LISTED: usize = 500;

/// A list of games, the newest first.
#[derive(Debug, Serialize)]
pub(super) struct Listed<'a> {
    /// How many fit the filter in all.
    total: usize,
    games: Vec<ListedGame<'a>>,
}

/// A game in a list.
#[derive(Debug, Serialize)]
pub(super) struct ListedGame<'a> {
    id: u64,
    black: &'a str,
    white: &'a str,
    result: Option<RecordedResult>,
    termination: Termination,
    turns: u32,
    opening: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    replayed: bool,
}

impl Index {
    /// Adds a game, whose record is at `place`.
    pub(super) fn add(&mut self, game: &GameSummary, place: u64) {
        let players = [0, 1].map(|side| self.bots.number(&game.players[side]));
        let number = self.entries.len() as u32;
        let mut id = game.number;
        if let Some(&taken) = self.places.get(&id) {
            // Of a game that was played again, the one that counts has the number.
            let other = self.highest + 1;
            if self.entries[taken as usize].replayed && !game.replayed {
                self.entries[taken as usize].id = other;
                self.places.insert(other, taken);
            } else {
                id = other;
            }
            self.highest = other;
        }
        self.highest = self.highest.max(id);
        self.places.insert(id, number);
        if let Some(result) = game.result.filter(|_| !game.replayed) {
            let score = self.scores.entry((players[0], players[1])).or_default();
            score.count(result, Side::Black);
        }
        self.entries.push(Entry {
            id,
            place,
            players,
            result: game.result,
            termination: game.termination,
            turns: game.turns,
            opening: self.openings.number(&game.opening),
            replayed: game.replayed,
        });
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The game that the page calls so.
    pub(super) fn find(&self, id: u64) -> Option<&Entry> {
        let place = *self.places.get(&id)?;
        self.entries.get(place as usize)
    }

    /// How `bot` did against `opponent`, as black and as white.
    pub(super) fn between(&self, bot: u32, opponent: u32) -> [Score; 2] {
        let score = |black, white| self.scores.get(&(black, white)).copied();
        [
            score(bot, opponent).unwrap_or_default(),
            score(opponent, bot).unwrap_or_default().turned(),
        ]
    }

    /// How `bot` did in all its games.
    pub(super) fn of_bot(&self, bot: u32) -> Score {
        let own = self.scores.iter().filter_map(|(&(black, white), score)| {
            if black == bot {
                Some(*score)
            } else {
                (white == bot).then(|| score.turned())
            }
        });
        own.fold(Score::default(), Score::plus)
    }

    /// The games that fit, the newest first.
    pub(super) fn list(&self, filter: &Filter) -> Listed<'_> {
        let limit = filter.limit.unwrap_or(100).min(MOST_LISTED);
        let Some(wanted) = Wanted::of(self, filter) else {
            return Listed {
                total: 0,
                games: Vec::new(),
            };
        };
        let (mut total, mut games) = (0, Vec::new());
        for entry in self.entries.iter().rev().filter(|entry| wanted.fits(entry)) {
            total += 1;
            let comes = filter.before.is_none_or(|before| entry.id < before);
            if comes && games.len() < limit {
                games.push(self.listed(entry));
            }
        }
        Listed { total, games }
    }

    /// A game as lists show it.
    pub(super) fn listed(&self, entry: &Entry) -> ListedGame<'_> {
        ListedGame {
            id: entry.id,
            black: self.bots.text(entry.players[0]),
            white: self.bots.text(entry.players[1]),
            result: entry.result,
            termination: entry.termination,
            turns: entry.turns,
            opening: self.openings.text(entry.opening),
            replayed: entry.replayed,
        }
    }
}

/// A filter with names looked up.
struct Wanted<'a> {
    bot: Option<u32>,
    opponent: Option<u32>,
    opening: Option<u32>,
    side: Option<&'a str>,
    result: Option<&'a str>,
    termination: Option<&'a str>,
}

impl Wanted<'_> {
    /// `None` where a name is of none, so that no game fits.
    fn of<'a>(index: &Index, filter: &'a Filter) -> Option<Wanted<'a>> {
        let find = |names: &Names, text: &Option<String>| match text {
            Some(text) => names.find(text).map(Some),
            None => Some(None),
        };
        Some(Wanted {
            bot: find(&index.bots, &filter.bot)?,
            opponent: find(&index.bots, &filter.opponent)?,
            opening: match filter.opening.as_deref() {
                Some("-") => Some(index.openings.find("")?),
                _ => find(&index.openings, &filter.opening)?,
            },
            side: filter.side.as_deref(),
            result: filter.result.as_deref(),
            termination: filter.termination.as_deref(),
        })
    }

    fn fits(&self, entry: &Entry) -> bool {
        let side = match self.bot {
            Some(bot) => match entry.side_of(bot) {
                Some(side) => Some(side),
                None => return false,
            },
            None => None,
        };
        let plays = |bot: u32| entry.side_of(bot).is_some();
        self.opponent.is_none_or(plays)
            && self.opening.is_none_or(|opening| entry.opening == opening)
            && self.side.is_none_or(|wanted| {
                side.is_none_or(|side| wanted == ["black", "white"][side.index()])
            })
            && self
                .result
                .is_none_or(|wanted| wanted == result_word(entry, side))
            && self.termination.is_none_or(|wanted| match wanted {
                "fault" => entry.termination.is_fault(),
                wanted => termination_name(entry.termination) == wanted,
            })
    }
}

/// How a game came out, for the side that is asked for, or by the winner.
fn result_word(entry: &Entry, side: Option<Side>) -> &'static str {
    match (entry.result, side) {
        (None, _) => "none",
        (Some(result), Some(side)) => match result.points(side) {
            1.0 => "won",
            0.0 => "lost",
            _ => "drawn",
        },
        (Some(RecordedResult::Black), None) => "black",
        (Some(RecordedResult::White), None) => "white",
        (Some(RecordedResult::Draw), None) => "draw",
    }
}

/// The name that records have for it.
pub(super) fn termination_name(termination: Termination) -> String {
    let name = serde_json::to_value(termination).unwrap_or_default();
    name.as_str().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn game(number: u64, players: [&str; 2], result: RecordedResult) -> GameSummary {
        GameSummary {
            number,
            players: players.map(String::from),
            result: Some(result),
            termination: Termination::NoMoves,
            times: [Duration::ZERO; 2],
            turns: 40,
            opening: "A3B4".into(),
            replayed: false,
        }
    }

    fn ids(index: &Index, filter: &str) -> Vec<u64> {
        let filter = serde_json::from_str(filter).unwrap();
        index
            .list(&filter)
            .games
            .iter()
            .map(|game| game.id)
            .collect()
    }

    #[test]
    fn games_are_filtered_by_bot_side_result_and_end() {
        let mut index = Index::default();
        index.add(&game(1, ["a", "b"], RecordedResult::Black), 0);
        index.add(&game(2, ["b", "a"], RecordedResult::Black), 0);
        let crash = GameSummary {
            termination: Termination::Crash,
            ..game(3, ["c", "a"], RecordedResult::Draw)
        };
        index.add(&crash, 0);
        assert_eq!(ids(&index, "{}"), [3, 2, 1]);
        assert_eq!(ids(&index, r#"{"bot":"a","result":"won"}"#), [1]);
        assert_eq!(ids(&index, r#"{"bot":"a","result":"lost"}"#), [2]);
        assert_eq!(ids(&index, r#"{"bot":"a","side":"white"}"#), [3, 2]);
        assert_eq!(ids(&index, r#"{"bot":"a","opponent":"c"}"#), [3]);
        assert_eq!(ids(&index, r#"{"termination":"fault"}"#), [3]);
        assert_eq!(ids(&index, r#"{"termination":"no-moves"}"#), [2, 1]);
        assert_eq!(ids(&index, r#"{"bot":"nobody"}"#), [0; 0]);
        assert_eq!(ids(&index, r#"{"before":3,"limit":1}"#), [2]);
    }

    #[test]
    fn of_a_game_that_was_played_again_the_one_that_counts_has_the_number() {
        let mut index = Index::default();
        let first = GameSummary {
            replayed: true,
            ..game(1, ["a", "b"], RecordedResult::White)
        };
        index.add(&first, 10);
        index.add(&game(1, ["a", "b"], RecordedResult::Black), 20);
        assert_eq!(index.find(1).unwrap().place, 20);
        assert_eq!(index.find(2).unwrap().place, 10);
        let won = Score {
            won: 1,
            ..Score::default()
        };
        assert_eq!(index.between(0, 1), [won, Score::default()]);
        assert_eq!(index.of_bot(1), won.turned());
    }
}
