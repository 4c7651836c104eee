//! Writes games.

use super::super::{GameRecord, RebuildError, RecordedResult, StartRecord};
use super::read::GAME_TYPE;
use crownhead::board::{BoardSize, Side};
use crownhead::games::checkers::{Checkers, CheckersMove, pdn_of_square};
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use crownhead_bots::{CHECKERS, PositionBoard};
use std::fmt::Write;

/// A record cannot be written as PDN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PdnWriteError {
    /// It cannot be replayed.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
    /// Its first position is illegal.
    #[error("the game begins in a position that cannot be")]
    Start,
}

/// The longest line of moves.
const WIDTH: usize = 100;

/// One game, with an empty line at its end.
///
/// # Errors
/// When the record is not a game of checkers, or cannot be replayed.
pub fn write_pdn(game: &GameRecord) -> Result<String, PdnWriteError> {
    let board = game.rebuild(CHECKERS)?;
    let rebuilt = PositionBoard::<Checkers>::of(board.as_ref()).game();
    let result = match game.result() {
        Some(RecordedResult::White) => "0-1",
        Some(RecordedResult::Black) => "1-0",
        Some(RecordedResult::Draw) => "1/2-1/2",
        None => "*",
    };
    let mut text = String::new();
    let mut header = |name: &str, value: &str| {
        // A header is one line, whatever a name contains.
        let value: String = value.chars().map(escaped_if_control).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("writing to a string");
    };
    header("Event", "Crownhead");
    header("Round", &game.number.to_string());
    // PDN's White is red in the contest.
    for (player, name) in game.players.iter().zip(["Black", "White"]) {
        header(name, &player.name);
    }
    header("Result", result);
    header("GameType", &GAME_TYPE.to_string());
    header("Rules", &game.rules);
    let start = match &game.start {
        Some(start) => Some(position_of(start).ok_or(PdnWriteError::Start)?),
        // Other programs assume that Black moves first.
        None if rebuilt.rules().moves_first == Side::White => {
            Some(Checkers::start(rebuilt.rules()))
        }
        None => None,
    };
    if let Some(position) = start {
        header("SetUp", "1");
        header("FEN", &position.to_fen());
    }
    header("Termination", &game.termination.name());
    text.push('\n');
    // The reply that lost the game was not played.
    let mut words = Vec::new();
    for (ply, mv) in rebuilt.moves().enumerate() {
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(move_word(mv));
    }
    words.push(result.into());
    write_words(words, &mut text);
    Ok(text)
}

/// Writes words into lines.
fn write_words(words: Vec<String>, text: &mut String) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        width += word.len();
        text.push_str(&word);
    }
    text.push('\n');
}

fn position_of(start: &StartRecord) -> Option<Checkers> {
    let rows =
        Rows::from_lines(BoardSize::default(), start.rows.iter().map(String::as_str)).ok()?;
    Checkers::from_rows(&rows, *Side::BOTH.get(start.player)?).ok()
}

/// `11-15`, or `15x24x31`: every square that the piece visits, so that two different jumps never look the same.
fn move_word(mv: CheckersMove) -> String {
    let squares: Vec<String> = mv
        .squares()
        .map(|square| {
            pdn_of_square(square)
                .expect("pieces stand on playing squares")
                .to_string()
        })
        .collect();
    squares.join(if mv.is_jump() { "x" } else { "-" })
}

fn escaped_if_control(letter: char) -> String {
    if letter.is_control() {
        letter.escape_default().to_string()
    } else {
        letter.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_full_as_it_may_be_and_a_longer_word_has_one_of_its_own() {
        let written = |lengths: &[usize]| {
            let mut text = String::new();
            write_words(
                lengths.iter().map(|&length| "x".repeat(length)).collect(),
                &mut text,
            );
            text.lines().map(str::len).collect::<Vec<_>>()
        };
        assert_eq!(written(&[1, 2, 3]), [8]);
        assert_eq!(written(&[WIDTH - 2, 1, 1]), [WIDTH, 1]);
        assert_eq!(written(&[WIDTH - 1, 1]), [WIDTH - 1, 1]);
        assert_eq!(written(&[WIDTH + 5, WIDTH + 5]), [WIDTH + 5, WIDTH + 5]);
        assert_eq!(written(&[]), [0]);
    }
}
