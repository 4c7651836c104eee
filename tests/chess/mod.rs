//! Two-player chess: agreement with a slow, obvious generator, its own endings, and every refusal.

mod agreement;
mod refusals;
mod set_up;
mod slow;

use crate::support::drawn::{after, board};
use crate::support::{learned, random_game};
use crownhead::board::{Side, Square};
use crownhead::evaluate::Evaluate;
use crownhead::games::chess::{rules, Chess, Piece, PieceKind};
use crownhead::network::Inputs;
use crownhead::notation::Notation;
use crownhead::position::{Outcome, Position};

fn start() -> Chess {
    Chess::start(&rules::TWO_PLAYER)
}

#[test]
fn mate_loses() {
    let mated = after(start(), "f2f3 e7e5 g2g4 d8h4");
    assert!(mated.in_check());
    assert_eq!(
        mated.checkers().squares().collect::<Vec<_>>(),
        ["H4".parse().unwrap()]
    );
    assert_eq!(mated.ended(), None);
    assert_eq!(
        mated.outcome(&rules::TWO_PLAYER),
        Some(Outcome::Win(Side::Black))
    );
}

#[test]
fn stalemate_draws() {
    let position = board::<Chess>(
        ".......k
         .....Q..
         ........
         ........
         ........
         ........
         ........
         K.......",
        Side::Black,
    );
    assert!(!position.in_check());
    assert_eq!(position.outcome(&rules::TWO_PLAYER), Some(Outcome::Draw));
}

#[test]
fn a_pawn_on_its_far_row_stays_a_pawn_that_cannot_move() {
    let position = board::<Chess>(
        "........
         P.......
         ....k...
         ........
         ........
         ........
         ........
         ....K...",
        Side::White,
    );
    let position = after(position, "a7a8 e6e5");
    let a8 = "a8".parse().unwrap();
    let pawn = Piece {
        side: Side::White,
        kind: PieceKind::Pawn,
    };
    assert_eq!(position.piece_at(a8), Some(pawn));
    assert!(position.moves_from(a8).is_empty());
}

#[test]
fn only_the_king_moves_out_of_a_double_check() {
    let position = board::<Chess>(
        "....k...
         ......p.
         ........
         ........
         .b..N...
         ........
         ........
         ....R..K",
        Side::White,
    );
    // The knight gives check and uncovers the rook's. Each of the two could be taken, but not both.
    let position = after(position, "e4f6");
    assert_eq!(position.checkers().count(), 2);
    let from = |square: &str| position.moves_from(square.parse().unwrap());
    assert!(from("g7").is_empty() && from("b4").is_empty());
    assert_eq!(u64::from(from("e8").count()), position.count_moves());
    assert_eq!(position.count_moves(), 3);
}

#[test]
fn knights_alone_jump_over_pieces() {
    let names: Vec<String> = start()
        .legal_moves()
        .into_iter()
        .map(|mv| mv.to_string())
        .filter(|name| !name.contains('2'))
        .collect();
    assert_eq!(names, ["b1a3", "b1c3", "g1f3", "g1h3"]);
}

/// The same position seen from the other side of the table.
fn turned(position: &Chess) -> Chess {
    let pieces = Square::all().filter_map(|square| {
        let Piece { side, kind } = position.piece_at(square)?;
        let turned = Square::new(square.column(), 7 - square.row());
        Some((
            turned,
            Piece {
                side: side.opponent(),
                kind,
            },
        ))
    });
    Chess::from_pieces(pieces, position.side_to_move().opponent()).unwrap()
}

#[test]
fn the_evaluation_favours_neither_side() {
    let network = learned();
    for position in (0..100).flat_map(|seed| random_game(&rules::TWO_PLAYER, seed)) {
        let turned = network.evaluate(&turned(&position));
        assert_eq!(network.evaluate(&position), turned, "{position:?}");
    }
}

#[test]
fn the_evaluation_counts_a_captured_piece() {
    let network = learned();
    let taken = network.evaluate(&after(start(), "e2e4 d7d5 e4d5"));
    assert!(taken < network.evaluate(&after(start(), "e2e4 d7d5 a2a3")) - 50);
}

#[test]
fn the_evaluation_prefers_the_king_near_a_lone_king() {
    let drawing = "........
         ...k....
         ........
         ........
         .....K..
         ........
         ........
         R.......";
    let near = board::<Chess>(drawing, Side::White);
    let far = drawing
        .replace("R.......", "R....K..")
        .replace(".....K..\n", "........\n");
    let far = board::<Chess>(&far, Side::White);
    assert!(learned().evaluate(&near) > learned().evaluate(&far));
    let beside = near.beside_network() - far.beside_network();
    let with_company = |position: &Chess| {
        let rows = position.rows().to_string();
        let rows = rows.replacen("........", ".......b", 1);
        board::<Chess>(&rows, Side::White).beside_network()
    };
    assert!(beside > 0 && with_company(&near) == 0 && with_company(&far) == 0);
}

#[test]
fn captures_of_valuable_pieces_by_cheap_ones_score_highest() {
    let position = board::<Chess>(
        "....k...
         ........
         ........
         ...q.p..
         ....P...
         ........
         ...Q....
         ....K...",
        Side::White,
    );
    let score = |mv: &str| position.move_score(position.parse_move(mv).unwrap());
    let order = ["e4d5", "d2d5", "e4f5", "d2d3"].map(score);
    assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
}
