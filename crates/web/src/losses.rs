//! The positions of a bot's last choice in games that it lost.

use super::index::Entry;
use super::site::Site;
use crownhead_bots::games;
use crownhead_browser::squares;
use crownhead_record::{GameRecord, Termination};
use serde::Serialize;

/// The most positions on the page.
const MOST: usize = 12;
/// The most lost games to search, because each record has to be read.
const LOOKED_AT: usize = 50;

/// The last position of a lost game in which the loser could choose a move.
#[derive(Debug, Serialize)]
pub(super) struct Loss {
    /// The game.
    id: u64,
    game: &'static str,
    rules: String,
    opponent: String,
    termination: Termination,
    /// The side of the loser, which is to move.
    side: &'static str,
    /// How many turns came before.
    turn: u32,
    /// The letters of the rows, the last row first.
    rows: String,
    /// The squares of the last move.
    marks: Vec<String>,
}

/// The positions of the latest lost games among these, which come with the bot's seats, the latest first.
pub(super) fn losses(site: &Site, played: &[(&Entry, usize)]) -> Vec<Loss> {
    let lost = played
        .iter()
        .filter(|(entry, seat)| entry.points_of(*seat) == Some(0.0));
    let found = lost.take(LOOKED_AT).filter_map(|&(entry, seat)| {
        // A record that cannot be read is left out.
        let (record, _) = site.record(entry).ok()?;
        loss(entry.id, &record, seat)
    });
    found.take(MOST).collect()
}

/// The position of one game; `None` if it has no board, or the loser never had a choice.
fn loss(id: u64, record: &GameRecord, seat: usize) -> Option<Loss> {
    let game = games::find(&record.game)?;
    let board = record.rebuild(game).ok()?;
    let opponent = record.players.iter().enumerate();
    let mut opponent = opponent.filter(|(other, _)| *other != seat);
    let moves = board.moves();
    let opening = record.opening.len();
    let mut turns = (opening..=moves.len()).rev().filter_map(|turn| {
        let number = u32::try_from(turn).ok()?;
        Some((number, board.before(number + 1)))
    });
    let (turn, position) = turns
        .find(|(_, position)| position.mover() == seat && !position.legal_moves().is_empty())?;
    let marks = match turn.checked_sub(1) {
        Some(last) => squares(board.before(turn).as_ref(), &moves[last as usize]),
        None => Vec::new(),
    };
    Some(Loss {
        id,
        game: game.name(),
        rules: record.rules.clone(),
        opponent: opponent.next()?.1.name.clone(),
        termination: record.termination,
        side: position.mover_name(),
        turn,
        rows: position.rows().concat(),
        marks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;
    use serde_json::json;

    /// Game 7 with these moves, of which black has won.
    fn won_by_black(moves: &[&str], termination: &str) -> GameRecord {
        let record = record(7, ["one", "two"], moves, json!([1, 0]), termination);
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn it_is_the_position_in_which_the_loser_was_asked_last() {
        let moves = ["A3B4", "B6A5", "C3D4", "H8H8"];
        let failed = loss(7, &won_by_black(&moves, "illegal-reply"), 1).unwrap();
        assert_eq!((failed.turn, failed.side), (3, "red"));
        assert_eq!(failed.marks, ["C3", "D4"]);
        // The men that moved are on B4 and D4.
        assert_eq!(&failed.rows[32..40], ".b.b....");
        let lost = loss(7, &won_by_black(&moves[..3], "turn-limit"), 0).unwrap();
        assert_eq!((lost.turn, lost.opponent.as_str()), (2, "two"));
        assert_eq!(lost.marks, ["B6", "A5"]);
        let none = won_by_black(&moves[..1], "illegal-reply");
        assert_eq!(
            loss(7, &none, 0).map(|loss| loss.turn),
            None,
            "it was never asked"
        );
    }

    #[test]
    fn a_side_that_has_no_move_left_lost_by_the_one_before() {
        let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
        let mut record = record(7, ["one", "two"], &moves, json!([1, 0]), "goal");
        record["game"] = json!("chess");
        record["rules"] = json!("two-player");
        let record = serde_json::from_value(record).unwrap();
        let mated = loss(7, &record, 1).unwrap();
        assert_eq!((mated.turn, mated.side), (2, "white"));
        assert_eq!(mated.marks, ["E7", "E5"]);
    }
}
