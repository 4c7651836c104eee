//! Reads games.

use super::super::{GameRecord, PlayerRecord, StartRecord, TurnRecord, VERSION};
use super::tokens::{DASHES, Misread, PdnError, Place, Token, tokens};
use crate::Termination;
use crate::judge::{TimeLimits, profile};
use crownhead::board::Square;
use crownhead::game::Game;
use crownhead::games::checkers::{Checkers, CheckersMove, square_of_pdn};
use crownhead::notation::{Notation, rule_book};
use crownhead::position::Position;
use crownhead::rules::RuleBook;
use std::collections::HashMap;
use std::time::Duration;

/// The games of a PDN file in their order, with each move checked. Games are numbered by their place.
///
/// A game that cannot be read leaves the others readable. Its error has the line and column of the bad text or the
/// illegal move. Unless the headers say otherwise, a game has the contest's rules, and its ending is not stated.
pub fn read_pdn(text: &str) -> impl Iterator<Item = Result<GameRecord, PdnError>> {
    let mut tokens = tokens(text).peekable();
    let drafts = std::iter::from_fn(move || {
        let mut draft = Draft::default();
        // Headers after moves begin the next game.
        while let Some((place, token)) =
            tokens.next_if(|(_, token)| !(draft.begun && matches!(token, Ok(Token::Header(..)))))
        {
            match token {
                Ok(Token::Header(name, value)) => drop(draft.headers.insert(name, (place, value))),
                Ok(Token::Comment(comment)) => draft.time(&comment),
                Ok(Token::Word(word)) => {
                    draft.begun = true;
                    if let Some(scores) = scores_of(&word) {
                        draft.scores = scores;
                        break;
                    }
                    if draft.error.is_none() {
                        draft.error = draft.word(place, &word).err();
                    }
                }
                Err(error) => drop(draft.error.get_or_insert(error)),
            }
        }
        // Remaining text at the end, such as a comment, is not a game.
        let is_game = draft.begun || !draft.headers.is_empty() || draft.error.is_some();
        is_game.then_some(draft)
    });
    (1..).zip(drafts).map(|(number, draft)| {
        let game = draft.finish(number);
        game.map_err(|(place, reason)| place.of_game(number, reason))
    })
}

/// The other games that PDN knows, by their `GameType` (PDN standard 3.0, pdn.fmjd.org/gametype.html).
const OTHER_GAMES: [(u32, &str); 15] = [
    (0, "chess"),
    (1, "Chinese chess"),
    (20, "international draughts"),
    (22, "Italian draughts"),
    (23, "American pool checkers"),
    (24, "Spanish draughts"),
    (25, "Russian draughts"),
    (26, "Brazilian draughts"),
    (27, "Canadian draughts"),
    (28, "Portuguese draughts"),
    (29, "Czech draughts"),
    (30, "Turkish draughts"),
    (31, "Thai draughts"),
    (40, "Frisian draughts"),
    (41, "Spantsiretti draughts"),
];
/// English draughts, which is checkers.
pub(super) const GAME_TYPE: u32 = 21;

/// Why games of this `GameType`, such as `20` or `20,W,10,10,N2,0`, are not read. `None` if they are read, or if the
/// type is not a number, as some programs write it.
fn other_game(game_type: &str) -> Option<String> {
    let mut parts = game_type
        .trim()
        .split(|letter: char| !letter.is_ascii_digit());
    let number: u32 = parts.next()?.parse().ok()?;
    let known = OTHER_GAMES.iter().find(|(known, _)| *known == number);
    let name = known.map_or("another game", |(_, name)| name);
    (number != GAME_TYPE).then(|| {
        format!(
            "GameType {number} is {name}; expected English draughts, which is GameType {GAME_TYPE}"
        )
    })
}

/// The scores in a word that ends a game; Black's come first.
fn scores_of(word: &str) -> Option<Option<[f64; 2]>> {
    match word {
        "1-0" | "2-0" => Some(Some([1.0, 0.0])),
        "0-1" | "0-2" => Some(Some([0.0, 1.0])),
        "1/2-1/2" | "1-1" => Some(Some([0.5, 0.5])),
        "*" | "0-0" => Some(None),
        _ => None,
    }
}

/// A game that is being read.
#[derive(Default)]
struct Draft {
    /// Whether a word of the moves has been read.
    begun: bool,
    error: Option<Misread>,
    headers: HashMap<String, (Place, String)>,
    /// The game so far, once its first word has been read.
    game: Option<Game<Checkers>>,
    start: Option<StartRecord>,
    names: Vec<String>,
    times: Vec<Duration>,
    scores: Option<[f64; 2]>,
    /// Remarks directly after moves, without a space or braces. They are not read.
    left_out: Vec<String>,
}

impl Draft {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|(_, value)| value.as_str())
    }

    /// A header's value as a number or another plain value.
    fn parsed<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Misread> {
        let Some((place, value)) = self.headers.get(name) else {
            return Ok(None);
        };
        let parsed = value.parse().map(Some);
        parsed.map_err(|_| {
            place.error(format!(
                "`{value}` is no value of {name}; expected a number"
            ))
        })
    }

    fn seconds(&self, name: &str) -> Result<Option<Duration>, Misread> {
        let seconds = self.parsed::<f64>(name)?;
        let time = |seconds| Duration::try_from_secs_f64(seconds).ok().map(rounded);
        Ok(seconds.and_then(time))
    }

    fn begin(&mut self) -> Result<&mut Game<Checkers>, Misread> {
        if self.game.is_none() {
            if let Some((place, game_type)) = self.headers.get("GameType") {
                other_game(game_type).map_or(Ok(()), |reason| Err(place.error(reason)))?;
            }
            let mut rules = Checkers::RULE_BOOKS[0];
            if let Some((place, name)) = self.headers.get("Rules") {
                rules = *rule_book::<Checkers>(name).ok_or_else(|| {
                    place.error(format!(
                        "no rule book `{name}`; expected contest or classroom"
                    ))
                })?;
            }
            // Length rules no longer matter when a game is written down.
            rules.length.max_turns = None;
            rules.length.max_turns_without_capture = None;
            self.game = Some(match self.headers.get("FEN") {
                Some((place, fen)) => {
                    let position = Checkers::from_fen(&crowned(fen))
                        .map_err(|error| place.error(error.to_string()))?;
                    let usual = position == Checkers::start(&rules);
                    self.start = (!usual).then(|| StartRecord::of_checkers(&position));
                    Game::from_position(position, rules)
                }
                None => Game::new(rules),
            });
        }
        Ok(self.game.as_mut().expect("it has just begun"))
    }

    /// Takes a word of the moves: a move, its number or its value.
    fn word(&mut self, place: Place, word: &str) -> Result<(), Misread> {
        let position = *self.begin()?.position();
        let number = word.trim_end_matches('.');
        if number.bytes().all(|byte| byte.is_ascii_digit()) || word.starts_with('$') {
            return Ok(());
        }
        let (word, remark) = without_remark(word);
        let game = self.begin()?;
        let mv = find_move(&position, word, game.rules());
        let mv = mv.map_err(|reason| place.error(reason))?;
        game.play(mv).expect("a legal move");
        self.names.push(mv.to_string());
        self.times.push(Duration::ZERO);
        if !remark.is_empty() {
            self.left_out.push(format!("“{remark}” after {word}"));
        }
        Ok(())
    }

    /// Takes the time of the last move from a comment, if that is what it is.
    fn time(&mut self, comment: &str) {
        let seconds = comment
            .trim()
            .strip_prefix("[%emt ")
            .and_then(|rest| rest.strip_suffix(']'));
        let seconds = seconds.and_then(|seconds| seconds.trim().parse().ok());
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        if let (Some(time), Some(last)) = (time, self.times.last_mut()) {
            *last = rounded(time);
        }
    }

    fn scores(&self) -> Option<[f64; 2]> {
        match self.header("Winner") {
            Some("Black") => Some([1.0, 0.0]),
            Some("White") => Some([0.0, 1.0]),
            Some("Nobody") => Some([0.5, 0.5]),
            // PDN 3.0 ends every game with `*`, and has the result in its header.
            _ => self.scores.or_else(|| scores_of(self.header("Result")?)?),
        }
    }

    /// Why the game ended, and which parts of it were not read.
    fn reason(&self) -> String {
        let reason = self.header("Reason");
        let mut reason = reason
            .unwrap_or("the game was read from PDN, which does not say how it ended")
            .to_string();
        if !self.left_out.is_empty() {
            reason += &format!("; left out: {}", self.left_out.join(", "));
        }
        reason
    }

    fn finish(mut self, number: u64) -> Result<GameRecord, Misread> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.begin()?;
        let game = self.game.as_ref().expect("it has begun");
        let plies = self
            .parsed::<usize>("OpeningPlies")?
            .unwrap_or(0)
            .min(self.names.len());
        let mut turns: Vec<TurnRecord> = game
            .positions()
            .zip(&self.names)
            .zip(&self.times)
            .skip(plies)
            .map(|((position, name), &time)| {
                TurnRecord::new(position.side_to_move().index(), Some(name.clone()), time)
            })
            .collect();
        if let Some(time) = self.seconds("LastTurnTime")? {
            let reply = self.header("LastReply").map(Into::into);
            turns.push(TurnRecord::new(
                game.position().side_to_move().index(),
                reply,
                time,
            ));
        }
        let termination = self.header("Termination");
        let termination = termination.and_then(|word| serde_json::from_value(word.into()).ok());
        let usual = TimeLimits::default();
        let player = |(colour, side): (&str, &str)| {
            let command = self.header(&format!("{colour}Command"));
            PlayerRecord::new(
                side,
                self.header(colour).unwrap_or("?"),
                command.unwrap_or_default(),
            )
        };
        Ok(GameRecord {
            version: VERSION,
            game: Checkers::NAME.into(),
            rules: game.rules().name.into(),
            number,
            seed: self.parsed("Seed")?.unwrap_or(0),
            referee: None,
            players: ["Black", "White"]
                .into_iter()
                .zip(game.rules().side_names)
                .map(player)
                .collect(),
            limits: TimeLimits {
                first_turn: self.seconds("FirstTurnLimit")?.unwrap_or(usual.first_turn),
                turn: self.seconds("TurnLimit")?.unwrap_or(usual.turn),
            },
            profile: self
                .header("Profile")
                .unwrap_or(profile::STRICT.name)
                .into(),
            clock: self
                .header("Clock")
                .and_then(|clock| serde_json::from_value(clock.into()).ok())
                .unwrap_or_default(),
            suspect: false,
            replayed: false,
            options: Default::default(),
            max_turns: self.parsed("MaxTurns")?,
            start: self.start.clone(),
            opening: self.names[..plies].to_vec(),
            turns,
            figures: Default::default(),
            scores: self.scores().map(Into::into),
            termination: termination.unwrap_or(Termination::NotStated),
            reason: self.reason(),
        })
    }
}

/// Times are whole microseconds.
fn rounded(time: Duration) -> Duration {
    Duration::from_micros(((time.as_nanos() + 500) / 1000) as u64)
}

/// A move, and the remark that follows it without a space, as in `8-11Redoversteppedthetimecontrol`.
fn without_remark(word: &str) -> (&str, &str) {
    match word.find(|letter: char| letter.is_alphabetic() && !DASHES.contains(&letter)) {
        Some(at) if squares(&word[..at]).is_some() => word.split_at(at),
        _ => (word, ""),
    }
}

/// The legal move that a word such as `11-15`, `15x24` or `15x24x31` means.
///
/// A jump may be written with only its first and last squares, if no other jump has the same ones.
fn find_move(position: &Checkers, word: &str, rules: &RuleBook) -> Result<CheckersMove, String> {
    let path = squares(word.trim_end_matches(['!', '?', '*', '+', '#']))
        .ok_or_else(|| format!("`{word}` is no move; expected, for example, 11-15 or 15x24"))?;
    let moves = position.legal_moves();
    if let Some(&exact) = moves
        .iter()
        .find(|mv| mv.squares().eq(path.iter().copied()))
    {
        return Ok(exact);
    }
    let ends = |mv: &&CheckersMove| {
        path.len() == 2
            && mv.squares().next() == Some(path[0])
            && mv.squares().last() == Some(path[1])
    };
    let same: Vec<&CheckersMove> = moves.iter().filter(ends).collect();
    match same.as_slice() {
        [only] => Ok(**only),
        [] => {
            let side = rules.side_name(position.side_to_move());
            Err(format!("`{word}` is no legal move of {side} here"))
        }
        _ => Err(format!(
            "`{word}` may be several jumps; expected every square, such as 15x24x31"
        )),
    }
}

/// The FEN with every man on its crowning row replaced by a king, as problems are set up.
fn crowned(fen: &str) -> String {
    let field = |field: &str| {
        let (side, list) = field.trim().split_at_checked(1).unwrap_or((field, ""));
        let far_row = if side.eq_ignore_ascii_case("w") {
            1..=4
        } else {
            29..=32
        };
        let king = |item: &str| match item.trim().parse::<u8>() {
            Ok(number) if far_row.contains(&number) => format!("K{number}"),
            _ => item.to_string(),
        };
        side.to_string() + &list.split(',').map(king).collect::<Vec<_>>().join(",")
    };
    fen.trim()
        .trim_end_matches('.')
        .split(':')
        .map(field)
        .collect::<Vec<_>>()
        .join(":")
}

fn squares(word: &str) -> Option<Vec<Square>> {
    let numbers = word.split(DASHES);
    let squares: Option<Vec<Square>> = numbers
        .map(|number| square_of_pdn(number.parse().ok()?))
        .collect();
    squares.filter(|squares| squares.len() >= 2)
}
