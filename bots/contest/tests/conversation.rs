//! The line protocol at the bot's end, on streams in memory: spelling, line ends, hostile input, failing streams.

use crownhead::board::{BoardSize, Square};
use crownhead::games::checkers::{rules, Checkers};
use crownhead::network::Network;
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use crownhead::protocol::write_turn;
use crownhead_contest::alphabeta::{AlphaBeta, SearchLimits};
use crownhead_contest::conversation::converse;
use crownhead_contest::{Player, PlayerTurn};
use proptest::prelude::*;
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
fn a_stream_that_fails_ends_the_conversation_with_its_error() {
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
    assert_eq!(error.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

/// The lines of the first turn of a game.
fn first_turn() -> String {
    let start = Checkers::start(&rules::CONTEST);
    let mut text = String::new();
    write_turn(&start, &start.legal_moves(), &mut text);
    text
}

/// A conversation on this input: how it ended, the replies, and the log.
fn talk(input: &str) -> (io::Result<()>, String, String) {
    talk_to(&mut TakesFirst, input.as_bytes())
}

fn talk_to(player: &mut dyn Player<Checkers>, input: &[u8]) -> (io::Result<()>, String, String) {
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let result = converse(player, input, &mut output, &mut log);
    (
        result,
        String::from_utf8(output).unwrap(),
        String::from_utf8(log).unwrap(),
    )
}

/// The bot as it is submitted, but quick.
fn contest_bot() -> AlphaBeta<Checkers, Network<Checkers>> {
    let limits = SearchLimits {
        time: None,
        depth: Some(2),
        nodes: None,
    };
    AlphaBeta::new(Network::default(), rules::CONTEST, limits)
}

#[test]
fn if_the_list_differs_only_listed_moves_are_chosen_and_people_are_warned() {
    let rows = Checkers::start(&rules::CONTEST).rows();
    let input = format!("b\n{rows}\n3\nA3A4\nC3B4\nB2B3\n");
    for player in [
        &mut TakesFirst as &mut dyn Player<Checkers>,
        &mut contest_bot(),
    ] {
        let (_, reply, log) = talk_to(player, input.as_bytes());
        assert_eq!(reply, "C3B4\n");
        assert!(
            log.contains("7 moves here, 3 listed; choosing from the 1 that both have"),
            "{log}"
        );
    }
}

#[test]
fn the_searching_bot_finds_the_best_of_the_moves_that_are_listed() {
    // E1D2 is legal too, but the list lacks it. E1F2 gives the man away to G3.
    let mut rows = ["........"; 8];
    rows[0] = ".......r";
    rows[5] = "......r.";
    rows[7] = "b...b...";
    for list in ["E1F2\nA1B2", "A1B2\nE1F2"] {
        let input = format!("b\n{}\n2\n{list}\n", rows.join("\n"));
        let (_, reply, log) = talk_to(&mut contest_bot(), input.as_bytes());
        assert_eq!(reply, "A1B2\n");
        assert!(log.contains("depth ") && log.contains(" pv A1B2"), "{log}");
    }
}

#[test]
fn without_a_legal_listed_move_the_first_of_the_list_is_played() {
    let input = format!("b\n{}2\nnorth\nsouth\n", "xxxxxxxx\n".repeat(8));
    let (_, reply, log) = talk_to(&mut contest_bot(), input.as_bytes());
    assert_eq!(reply, "north\n");
    assert_eq!(
        log,
        "no listed move makes sense here; playing the first, north\n"
    );
}

/// Lines that come close to being the protocol.
fn nearly_a_line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[.bBrR]{8} ?\r?",
        2 => "[1-3]",
        2 => "([A-H][1-8]){2,4}",
        1 => "[brw]",
        1 => ".{0,12}",
        1 => "[0-9]{1,30}",
    ]
}

proptest! {
    #[test]
    fn any_bytes_end_the_conversation_cleanly_or_in_one_line_of_error(
        input in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        let (result, output, _) = talk_to(&mut TakesFirst, &input);
        prop_assert_eq!(output, "", "no turn was complete");
        if let Err(error) = result {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn input_that_resembles_the_protocol_is_answered_from_its_list_or_refused(
        lines in proptest::collection::vec(nearly_a_line(), 0..40),
    ) {
        let input = format!("b\n{}", lines.join("\n"));
        let (_, output, _) = talk(&input);
        for reply in output.lines() {
            prop_assert!(lines.iter().any(|line| line.trim_end() == reply));
        }
    }

    #[test]
    fn any_board_with_any_list_is_answered_from_the_list(
        pieces in proptest::collection::vec(0..10usize, 64),
        moves in proptest::collection::vec("([A-H][1-8]){2,4}", 1..12),
    ) {
        let mut rows = Rows::empty(BoardSize::default());
        for (square, piece) in Square::all().zip(pieces) {
            // Pieces stand on playing squares alone, or no board would be one of checkers.
            if (square.column() + square.row()) % 2 == 0 {
                rows.put(square, *b"bBrR".get(piece).unwrap_or(&b'.'));
            }
        }
        let input = format!("r\n{rows}\n{}\n{}\n", moves.len(), moves.join("\n"));
        let (_, reply, _) = talk_to(&mut contest_bot(), input.as_bytes());
        prop_assert!(moves.iter().any(|mv| mv == reply.trim_end()), "{}", reply);
    }
}
