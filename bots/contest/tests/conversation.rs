//! The line protocol at the bot's end, on streams in memory: spelling, line ends, hostile input, failing streams.

use crownhead::games::checkers::{rules, Checkers};
use crownhead::position::Position;
use crownhead::protocol::write_turn;
use crownhead_contest::conversation::{converse, ConversationError};
use crownhead_contest::{Player, PlayerTurn};
use std::io::{self, Write};

/// Plays the first move it is offered.
struct TakesFirst;

impl<G: Position> Player<G> for TakesFirst {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        turn.moves[0]
    }
}

#[test]
fn a_reply_is_spelled_as_the_list_spells_it() {
    let text = first_turn().to_lowercase();
    let (result, output, log) = talk(&format!("b\n{text}"));
    assert!(result.is_ok());
    assert_eq!(log, "");
    assert!(
        text.lines()
            .skip(9)
            .any(|listed| listed == output.trim_end()),
        "{output:?}"
    );
}

#[test]
fn carriage_returns_and_trailing_blanks_are_no_part_of_a_line() {
    for end in ["\r\n", " \n", "\t\r\n"] {
        let text = format!("b\n{0}{0}", first_turn()).replace('\n', end);
        let (result, output, log) = talk(&text);
        assert!(result.is_ok());
        assert_eq!((output.lines().count(), log.as_str()), (2, ""), "{end:?}");
    }
}

#[test]
fn hostile_input_ends_the_conversation_with_a_sentence() {
    let board = "........\n".repeat(8);
    let cases = [
        (
            "\n".into(),
            "line 1: expected a colour, b, r or w; found \"\"",
        ),
        (
            "x".repeat(1 << 20),
            "line 1: expected a colour, b, r or w; found \"xxxx",
        ),
        (
            format!("b\n{board}0\n"),
            "a turn without a legal move; expected at least one",
        ),
        (
            format!("b\n{board}-1\n"),
            "line 10: expected the number of legal moves",
        ),
        (
            format!("b\n{board}99999999999999999999\n"),
            "line 10: expected the number of",
        ),
        (
            format!("b\n{}1\nA3B4\n", "tiny\n".repeat(8)),
            "line 11: board line 1 is \"tiny\"",
        ),
        (
            format!("b\n{}1\nA3B4\n", "\u{fffd}\n".repeat(8)),
            "line 11: board line 1 is",
        ),
    ];
    for (input, expected) in cases {
        let (result, output, _) = talk(&input);
        let error = result.expect_err("hostile").to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n') && error.len() < 200, "{error}");
        assert_eq!(output, "", "nothing is answered to nonsense");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_without_a_panic() {
    let mut output = Vec::new();
    let noise: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let result = converse::<Checkers>(&mut TakesFirst, &noise[..], &mut output, io::sink());
    assert!(matches!(result, Err(ConversationError::Protocol(_))));
    assert!(output.is_empty());
}

#[test]
fn the_end_of_input_is_no_error_wherever_it_comes() {
    let text = format!("b\n{}", first_turn());
    for end in 0..=text.len() {
        // Within a line, what has come of it is taken for all of it: a count may lack its last digit.
        if end > 0 && text.as_bytes()[end - 1] != b'\n' {
            continue;
        }
        let (result, output, _) = talk(&text[..end]);
        assert!(result.is_ok(), "{:?}", &text[..end]);
        assert_eq!(output.is_empty(), end < text.len());
    }
}

#[test]
fn a_stream_that_fails_says_that_the_conversation_broke_off() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let text = format!("b\n{}", first_turn());
    let error = converse::<Checkers>(&mut TakesFirst, text.as_bytes(), Closed, io::sink());
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "the conversation broke off: broken pipe");
}

/// The lines of the first turn of a game.
fn first_turn() -> String {
    let start = Checkers::start(&rules::CONTEST);
    let mut text = String::new();
    write_turn(&start, &start.legal_moves(), &mut text);
    text
}

/// A conversation on this input: how it ended, the replies, and the log.
fn talk(input: &str) -> (Result<(), ConversationError>, String, String) {
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let result = converse::<Checkers>(&mut TakesFirst, input.as_bytes(), &mut output, &mut log);
    (
        result,
        String::from_utf8(output).unwrap(),
        String::from_utf8(log).unwrap(),
    )
}
