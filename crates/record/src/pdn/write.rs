//! Writes games.

use super::super::{GameRecord, RebuildError, RecordedResult, StartRecord};
use super::read::GAME_TYPE;
use crownhead::board::{BoardSize, Side};
use crownhead::games::checkers::{Checkers, CheckersMove, pdn_of_square};
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use crownhead_bots::{CHECKERS, PositionBoard};
use std::fmt::Write;
use std::time::Duration;

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
    let (result, winner) = match game.result() {
        Some(RecordedResult::White) => ("0-1", Some("White")),
        Some(RecordedResult::Black) => ("1-0", Some("Black")),
        Some(RecordedResult::Draw) => ("1/2-1/2", Some("Nobody")),
        None => ("*", None),
    };
    let mut text = String::new();
    let mut header = |name: &str, value: &str| {
        // A header is one line, whatever a command or a reply contains.
        let value: String = value.chars().map(escaped_if_control).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("writing to a string");
    };
    header("Event", "Crownhead");
    header("Round", &game.number.to_string());
    for (side, name) in [(Side::Black, "Black"), (Side::White, "White")] {
        let player = &game.players[side.index()];
        header(name, &player.name);
        header(&format!("{name}Command"), &player.command);
        // PDN's White is red in the contest.
        header(&format!("{name}Side"), rebuilt.rules().side_name(side));
    }
    header("Result", result);
    if let Some(winner) = winner {
        header("Winner", winner);
    }
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
    header("OpeningPlies", &game.opening.len().to_string());
    header("Termination", &json_word(&game.termination));
    header("Reason", &game.reason);
    header("Seed", &game.seed.to_string());
    header("FirstTurnLimit", &seconds(game.limits.first_turn));
    header("TurnLimit", &seconds(game.limits.turn));
    header("Profile", &game.profile);
    header("Clock", &json_word(&game.clock));
    if let Some(turns) = game.max_turns {
        header("MaxTurns", &turns.to_string());
    }
    // The reply that lost the game was not played.
    let moves: Vec<CheckersMove> = rebuilt.moves().collect();
    let answered = moves.len() - game.opening.len();
    if let Some(last) = game.turns.get(answered) {
        header("LastTurnTime", &seconds(last.time));
        if let Some(reply) = &last.reply {
            header("LastReply", reply);
        }
    }
    text.push('\n');
    write_words(words(game, &moves, result), &mut text);
    Ok(text)
}

/// The moves with their numbers and times, and the result.
fn words(game: &GameRecord, moves: &[CheckersMove], result: &str) -> Vec<String> {
    // A game that was read from PDN may have no times.
    let timed = game.turns.iter().any(|turn| !turn.time.is_zero());
    let mut words = Vec::new();
    for (ply, &mv) in moves.iter().enumerate() {
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(move_word(mv));
        let asked = ply.checked_sub(game.opening.len());
        if let Some(asked) = asked.filter(|_| timed) {
            words.push(format!("{{[%emt {}]}}", seconds(game.turns[asked].time)));
        }
    }
    words.push(result.into());
    words
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

fn seconds(time: Duration) -> String {
    format!("{}.{:06}", time.as_secs(), time.subsec_micros())
}

/// A value's name in records.
fn json_word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).expect("plain data");
    value.as_str().unwrap_or_default().into()
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
