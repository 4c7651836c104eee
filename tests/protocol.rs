//! The line protocol: what the referee writes is what a bot reads, and hostile input does not break it.

use crate::support::random_game;
use crownhead::board::Side;
use crownhead::games::checkers::{rules, Checkers};
use crownhead::notation::Notation;
use crownhead::position::Position;
use crownhead::protocol::{write_colour, write_turn, Request, RequestReader};
use proptest::prelude::*;

/// All that a reader makes of a conversation.
fn requests(text: &str, end: &str) -> Vec<Request> {
    let mut reader = RequestReader::new(Checkers::SIZE, ['b', 'r']);
    let lines = text.lines().map(|line| format!("{line}{end}"));
    let read = lines.map(|line| reader.push(&line).expect("a line of the protocol"));
    read.flatten().collect()
}

proptest! {
    #[test]
    fn a_bot_reads_the_game_that_the_referee_writes(
        seed: u64,
        side in prop::sample::select(&Side::BOTH[..]),
        letter in prop::sample::select(&['r', 'w'][..]),
        end in prop::sample::select(&["", "\n", "\r\n", " \n"][..]),
    ) {
        let game = random_game::<Checkers>(&rules::CONTEST, seed);
        let turns: Vec<&Checkers> = game.iter().filter(|p| p.side_to_move() == side).collect();
        let mut text = String::new();
        write_colour(if side == Side::White { letter } else { 'b' }, &mut text);
        for position in &turns {
            write_turn(*position, &position.legal_moves(), &mut text);
        }

        let read = requests(&text, end);
        prop_assert_eq!(&read[0], &Request::Colour(side));
        prop_assert_eq!(read.len(), 1 + turns.len());
        for (request, position) in read[1..].iter().zip(turns) {
            let Request::Turn(turn) = request else {
                panic!("a second colour line");
            };
            let rebuilt = Checkers::from_rows(&turn.rows, side);
            prop_assert_eq!(rebuilt.as_ref(), Ok(position));
            let moves: Result<Vec<_>, _> =
                turn.moves.iter().map(|name| position.parse_move(name)).collect();
            prop_assert_eq!(moves, Ok(position.legal_moves()));
        }
    }

    #[test]
    fn a_list_in_any_order_keeps_that_order(seed: u64) {
        let game = random_game::<Checkers>(&rules::CONTEST, seed);
        let position = &game[game.len() / 2];
        let mut moves = position.legal_moves();
        moves.reverse();
        let mut text = "b\n".to_string();
        write_turn(position, &moves, &mut text);
        let names: Vec<String> = moves.iter().map(|&mv| position.move_name(mv)).collect();
        let read = requests(&text, "\n");
        let Some(Request::Turn(turn)) = read.last() else {
            panic!("no turn in {read:?}");
        };
        prop_assert_eq!(&turn.moves, &names);
    }

    #[test]
    fn hostile_lines_are_read_or_refused_in_few_words(
        colour in prop_oneof![Just("b".to_string()), "\\PC{0,500}"],
        lines in prop::collection::vec(prop_oneof!["[.brBR]{8}", "[0-9]{1,5}", "\\PC{0,500}"], 0..20),
    ) {
        let mut reader = RequestReader::new(Checkers::SIZE, ['b', 'r']);
        for (number, line) in (1..).zip(std::iter::once(colour).chain(lines)) {
            if let Err(error) = reader.push(&line) {
                prop_assert!(error.starts_with(&format!("line {number}: ")), "{}", error);
                // An excerpt of forty characters, each perhaps escaped, and a sentence around it.
                prop_assert!(error.chars().count() < 520, "{}", error);
                break;
            }
        }
    }
}
