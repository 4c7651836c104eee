//! Writes games.

use super::super::{GameRecord, RebuildError, RecordedResult};
use super::read::GAME_TYPE;
use crate::text::printable;
use crownhead::board::Side;
use crownhead::games::checkers::{Checkers, CheckersMove, pdn_of_square};
use crownhead_bots::{CHECKERS, PositionBoard};
use std::fmt::Write;

/// The longest line of moves.
const WIDTH: usize = 100;

/// One game, with an empty line at its end.
///
/// # Errors
/// When the record is not a game of checkers, or cannot be replayed.
pub fn write_pdn(game: &GameRecord) -> Result<String, RebuildError> {
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
        let value = printable(value).replace('\\', "\\\\").replace('"', "\\\"");
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
    // Other programs assume that Black moves first, from the usual position.
    if game.start.is_some() || rebuilt.rules().moves_first == Side::White {
        let start = rebuilt.positions().next().expect("a game has a position");
        header("SetUp", "1");
        header("FEN", &start.to_fen());
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
