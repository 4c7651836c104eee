//! A player at the bot's end of the protocol: with an honest referee, with one that shows the board another
//! way, with one that lists other moves, and with one that breaks the protocol.

use crownhead::board::{BoardSize, Side, Square};
use crownhead::games::checkers::{rules, Checkers};
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use crownhead::protocol::{write_colour, write_turn};
use crownhead_contest::bot::{player, Settings};
use crownhead_contest::conversation::converse;
use crownhead_contest::orientation::Orientation;
use crownhead_contest::{Player, PlayerTurn};
use proptest::prelude::*;
use std::time::Duration;

/// Plays the last move it is offered, and remembers what it was shown.
#[derive(Default)]
struct TakesLast {
    shown: Vec<Checkers>,
}

impl Player<Checkers> for TakesLast {
    fn choose(&mut self, turn: &PlayerTurn<'_, Checkers>) -> <Checkers as Position>::Move {
        self.shown.push(*turn.position);
        turn.moves[turn.moves.len() - 1]
    }
}

/// What a player answers to this input, and what it says to people.
fn talk(player: &mut dyn Player<Checkers>, input: &[u8]) -> (Result<String, String>, String) {
    let (mut replies, mut log) = (Vec::new(), Vec::new());
    let end = converse(player, input, &mut replies, &mut log);
    let text = |bytes| String::from_utf8(bytes).expect("the bot writes text");
    let replies = text(replies);
    let result = end.map(|()| replies).map_err(|error| error.to_string());
    (result, text(log))
}

/// The lines of one turn as a referee shows it that sees the board this way.
fn shown(position: &Checkers, way: Orientation) -> String {
    let mut text = String::new();
    // Showing undoes reading, and each way undoes itself.
    let rows = way.rows(&position.rows());
    for line in rows.lines() {
        text.push_str(line);
        text.push_str(" \r\n");
    }
    let moves = position.legal_moves();
    text.push_str(&format!("{}\r\n", moves.len()));
    for mv in moves {
        text.push_str(&way.name(BoardSize::default(), &position.move_name(mv)));
        text.push_str(" \r\n");
    }
    text
}

/// The position after so many moves from the start, each picked by a number.
fn reached(picks: &[usize]) -> Checkers {
    picks.iter().fold(
        Checkers::start(&rules::CONTEST),
        |position, pick| match position.legal_moves()[..] {
            [] => position,
            ref moves => position.play_unchecked(moves[pick % moves.len()]),
        },
    )
}

#[test]
fn every_letter_of_the_live_site_seats_the_bot_on_its_side() {
    for (letter, side) in [
        ("b", Side::Black),
        ("r ", Side::White),
        ("w\r", Side::White),
    ] {
        let mut start = rules::CONTEST;
        start.moves_first = side;
        let position = Checkers::start(&start);
        let mut player = TakesLast::default();
        let input = format!("{letter}\n{}", shown(&position, Orientation::default()));
        let (replies, log) = talk(&mut player, input.as_bytes());
        assert_eq!((replies.unwrap().lines().count(), log.as_str()), (1, ""));
        assert_eq!(player.shown, [position]);
    }
}

#[test]
fn a_board_shown_from_row_1_up_is_read_from_row_1_up() {
    let position = Checkers::start(&rules::CONTEST);
    let mut usual = String::new();
    write_turn(&position, &position.legal_moves(), &mut usual);
    let mut lines: Vec<&str> = usual.lines().collect();
    lines[..8].reverse();
    let input = format!("b\n{}\n", lines.join("\n"));
    let mut player = TakesLast::default();
    let (replies, log) = talk(&mut player, input.as_bytes());
    assert_eq!(
        replies.unwrap().trim_end(),
        *lines.last().unwrap(),
        "names are as they were"
    );
    assert_eq!(log, "reading the board with row 1 first\n");
    assert_eq!(player.shown, [position]);
}

#[test]
fn where_black_moves_down_the_board_is_turned_round_and_the_answer_too() {
    let way =
        Orientation::all().find(|way| way.to_string().ends_with("row 8 first, board turned round"));
    let position = Checkers::start(&rules::CONTEST);
    let input = format!("b\n{}", shown(&position, way.unwrap()));
    assert!(
        input.contains("F6E5"),
        "black's C3D4 as this referee calls it: {input}"
    );
    let mut player = TakesLast::default();
    let (replies, _) = talk(&mut player, input.as_bytes());
    assert!(input.contains(replies.unwrap().trim_end()));
    assert_eq!(player.shown, [position]);
}

#[test]
fn what_was_found_once_is_kept_and_told_once() {
    let way = Orientation::all().last().unwrap();
    let mut input = String::from("b\n");
    for picks in [&[][..], &[1, 2], &[1, 2, 3, 4]] {
        input.push_str(&shown(&reached(picks), way));
    }
    let (replies, log) = talk(&mut TakesLast::default(), input.as_bytes());
    assert_eq!(replies.unwrap().lines().count(), 3);
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn of_a_list_that_differs_only_listed_moves_are_chosen_and_people_are_told() {
    let position = Checkers::start(&rules::CONTEST);
    let mut input = String::from("b\n");
    for line in position.rows().lines() {
        input.push_str(line);
        input.push('\n');
    }
    input.push_str("3\nA3A4\nC3B4\nB2B3\n");
    for player in [
        &mut TakesLast::default() as &mut dyn Player<Checkers>,
        &mut contest_bot(),
    ] {
        let (replies, log) = talk(player, input.as_bytes());
        assert_eq!(replies.unwrap(), "C3B4\n");
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
        let (replies, log) = talk(&mut contest_bot(), input.as_bytes());
        assert_eq!(replies.unwrap(), "A1B2\n");
        assert!(log.contains("depth ") && log.contains(" pv A1B2"), "{log}");
    }
}

#[test]
fn without_a_legal_listed_move_the_first_of_the_list_is_played() {
    let input = format!("b\n{}2\nnorth\nsouth\n", "xxxxxxxx\n".repeat(8));
    let (replies, log) = talk(&mut contest_bot(), input.as_bytes());
    assert_eq!(replies.unwrap(), "north\n");
    assert_eq!(
        log,
        "no listed move makes sense here; playing the first, north\n"
    );
}

#[test]
fn the_end_of_input_ends_the_conversation_without_an_error_wherever_it_comes() {
    let mut whole = String::new();
    write_colour('b', &mut whole);
    whole.push_str(&shown(&reached(&[]), Orientation::default()));
    for length in 1..whole.len() - 3 {
        let (replies, _) = talk(&mut TakesLast::default(), &whole.as_bytes()[..length]);
        // Cut inside the last name, the list is complete but for a letter; then it is no legal move.
        assert!(replies.is_ok(), "{:?}", &whole[..length]);
    }
}

#[test]
fn a_turn_without_moves_and_a_board_without_rows_are_errors() {
    let (error, _) = talk(
        &mut contest_bot(),
        format!("b\n{}0\n", "........\n".repeat(8)).as_bytes(),
    );
    assert_eq!(
        error.unwrap_err(),
        "a turn without a legal move; expected at least one"
    );
    let (error, _) = talk(
        &mut contest_bot(),
        format!("b\n{}1\nA3B4\n", "...\n".repeat(8)).as_bytes(),
    );
    assert!(error.unwrap_err().contains("board line 1"));
}

/// The bot as it is submitted, but quick.
fn contest_bot() -> impl Player<Checkers> {
    player(&Settings {
        turn: Duration::from_millis(100),
        first_turn: Duration::from_millis(100),
        depth: Some(2),
        nodes: None,
    })
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
    fn any_position_is_understood_whichever_way_it_is_shown(
        picks in proptest::collection::vec(0..50usize, 0..120),
        way in 0..8usize,
    ) {
        let position = reached(&picks);
        prop_assume!(position.count_moves() > 0);
        let way = Orientation::all().nth(way).unwrap();
        let letter = Checkers::side_letter(position.side_to_move());
        let text = shown(&position, way);
        let mut player = TakesLast::default();
        let (replies, log) = talk(&mut player, format!("{letter}\n{text}").as_bytes());
        let reply = replies.unwrap();
        let listed: Vec<&str> = text.lines().skip(9).map(str::trim_end).collect();
        prop_assert!(listed.contains(&reply.trim_end()), "{reply} {listed:?}");
        prop_assert!(!log.contains("the list is not"), "{}", log);
        prop_assert_eq!(player.shown[0].count_moves(), position.count_moves());
    }

    #[test]
    fn any_bytes_end_the_conversation_cleanly_or_in_one_line_of_error(
        input in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        match talk(&mut contest_bot(), &input).0 {
            Ok(replies) => prop_assert_eq!(replies, "", "no turn was complete"),
            Err(error) => prop_assert_eq!(error.lines().count(), 1),
        }
    }

    #[test]
    fn whatever_resembles_the_protocol_is_answered_from_its_list_or_refused(
        lines in proptest::collection::vec(nearly_a_line(), 0..40),
    ) {
        let input = format!("b\n{}", lines.join("\n"));
        let (result, _) = talk(&mut contest_bot(), input.as_bytes());
        for reply in result.unwrap_or_default().lines() {
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
        let (result, _) = talk(&mut contest_bot(), input.as_bytes());
        let reply = result.unwrap();
        prop_assert!(moves.iter().any(|mv| mv == reply.trim_end()), "{}", reply);
    }
}
