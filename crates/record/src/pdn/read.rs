//! Reads games.

use super::super::{GameRecord, PlayerRecord, StartRecord, TurnRecord};
use super::tokens::{DASHES, Misread, PdnError, Place, Token, tokens};
use crate::Termination;
use crownhead::board::Square;
use crownhead::game::Game;
use crownhead::games::checkers::{Checkers, CheckersMove, square_of_pdn};
use crownhead::notation::{Notation, rule_book};
use crownhead::position::Position;
use crownhead::rules::RuleBook;
use crownhead_bots::{PositionBoard, checkers_board};
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

/// English draughts, which is checkers.
pub(super) const GAME_TYPE: u32 = 21;

/// The number of this `GameType`, such as `20` or `20,W,10,10,N2,0`. `None` if it is not a number, as some programs write
/// it.
fn game_type(value: &str) -> Option<u32> {
    let mut parts = value.trim().split(|letter: char| !letter.is_ascii_digit());
    parts.next()?.parse().ok()
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
    /// The turn of each move.
    turns: Vec<TurnRecord>,
    scores: Option<[f64; 2]>,
}

impl Draft {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|(_, value)| value.as_str())
    }

    fn begin(&mut self) -> Result<&mut Game<Checkers>, Misread> {
        if self.game.is_none() {
            if let Some((place, value)) = self.headers.get("GameType")
                && game_type(value).is_some_and(|number| number != GAME_TYPE)
            {
                return Err(place.error(format!(
                    "GameType {value} is another game; expected English draughts, which is GameType {GAME_TYPE}"
                )));
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
                    let board = checkers_board(fen.trim().trim_end_matches('.'))
                        .map_err(|error| place.error(error.to_string()))?;
                    let position = *PositionBoard::<Checkers>::of(&*board).game().position();
                    let usual = position == Checkers::start(&rules);
                    self.start = (!usual).then(|| StartRecord::of(&*board));
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
        let game = self.begin()?;
        let mv = find_move(&position, word, game.rules());
        let mv = mv.map_err(|reason| place.error(reason))?;
        game.play(mv).expect("a legal move");
        let (mover, reply) = (position.side_to_move().index(), mv.to_string());
        let turn = TurnRecord::new(mover, Some(reply), Duration::ZERO);
        self.turns.push(turn);
        Ok(())
    }

    fn scores(&self) -> Option<[f64; 2]> {
        // PDN 3.0 ends every game with `*`, and has the result in its header.
        self.scores.or_else(|| scores_of(self.header("Result")?)?)
    }

    fn finish(mut self, number: u64) -> Result<GameRecord, Misread> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.begin()?;
        let game = self.game.as_ref().expect("it has begun");
        let termination = self.header("Termination");
        let termination = termination.and_then(|word| serde_json::from_value(word.into()).ok());
        let players = ["Black", "White"].into_iter().zip(game.rules().side_names);
        let player =
            |(colour, side)| PlayerRecord::new(side, self.header(colour).unwrap_or("?"), "");
        let record = GameRecord::new(
            Checkers::NAME,
            game.rules().name,
            players.map(player).collect(),
        );
        Ok(GameRecord {
            number,
            start: self.start.clone(),
            scores: self.scores().map(Into::into),
            termination: termination.unwrap_or(Termination::NotStated),
            reason: "the game was read from PDN, which does not say how it ended".into(),
            turns: self.turns,
            ..record
        })
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

fn squares(word: &str) -> Option<Vec<Square>> {
    let numbers = word.split(DASHES);
    let squares: Option<Vec<Square>> = numbers
        .map(|number| square_of_pdn(number.parse().ok()?))
        .collect();
    squares.filter(|squares| squares.len() >= 2)
}
