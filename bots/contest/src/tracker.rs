//! The game as one player can follow it: reconstructed from the boards it is shown and the moves it makes.

use crownhead::position::Position;

/// The positions so far of the game that a player is in, and its counters.
///
/// The protocol shows a bot one board a turn, neither the opponent's move nor the number of the turn. Both
/// follow from the boards: the opponent's move is the legal move that leads from the board after the bot's
/// move to the board it is shown.
#[derive(Clone, Debug)]
pub(crate) struct GameTracker<G: Position> {
    /// The hashes of the positions before `latest`.
    pub(crate) past: Vec<u64>,
    /// How many turns were played before it.
    pub(crate) turns: u32,
    /// How many of the last of them were without a capture.
    pub(crate) turns_without_capture: u32,
    /// The position after the last known move; `None` before the first board.
    latest: Option<G>,
}

/// How many consecutive moves of the opponent are searched for between two boards: in EverChess a side that
/// captures moves again, with another of its eight pawns.
const LONGEST_RUN: u32 = 8;

impl<G: Position> GameTracker<G> {
    /// Notes the board that the player is shown; returns whether the opponent can have moved to it.
    ///
    /// If not, this is the first board of another game, and the old game is forgotten. The board of `start`
    /// is then the game's first turn, any other its second: the opponent has moved once.
    pub(crate) fn shown(&mut self, position: &G, start: &G) -> bool {
        let latest = self.latest.take();
        let follows = latest.is_some_and(|latest| self.follow(&latest, position, LONGEST_RUN));
        if !follows {
            *self = GameTracker::default();
            self.turns = u32::from(position != start);
        }
        self.latest = Some(position.clone());
        follows
    }

    /// Notes the player's own move on the board that it was shown last.
    pub(crate) fn moved(&mut self, mv: G::Move) {
        if let Some(position) = self.latest.take() {
            let after = position.play_unchecked(mv);
            self.note(&position, mv);
            self.latest = Some(after);
        }
    }

    fn note(&mut self, position: &G, mv: G::Move) {
        self.past.push(position.hash());
        self.turns += 1;
        self.turns_without_capture = match position.captures(mv) {
            0 => self.turns_without_capture + 1,
            _ => 0,
        };
    }

    /// Notes the opponent's moves, `run` at most, that lead from one position to the other; returns whether
    /// there are any.
    fn follow(&mut self, from: &G, to: &G, run: u32) -> bool {
        if from == to {
            return true;
        }
        if run == 0 || from.side_to_move() == to.side_to_move() {
            return false;
        }
        let before = (self.past.len(), self.turns, self.turns_without_capture);
        for mv in from.legal_moves() {
            self.note(from, mv);
            if self.follow(&from.play_unchecked(mv), to, run - 1) {
                return true;
            }
            self.past.truncate(before.0);
            (self.turns, self.turns_without_capture) = (before.1, before.2);
        }
        false
    }
}

impl<G: Position> Default for GameTracker<G> {
    /// A game before its first board.
    fn default() -> GameTracker<G> {
        GameTracker {
            past: Vec::new(),
            turns: 0,
            turns_without_capture: 0,
            latest: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::{rules, Checkers};
    use crownhead::notation::Notation;

    fn play(position: &Checkers, name: &str) -> Checkers {
        position.play(position.parse_move(name).unwrap()).unwrap()
    }

    #[test]
    fn turns_and_captures_are_counted_from_the_boards_alone() {
        let start = Checkers::start(&rules::CONTEST);
        let mut tracker = GameTracker::default();
        assert!(!tracker.shown(&start, &start));
        assert_eq!((tracker.turns, tracker.past.len()), (0, 0));
        tracker.moved(start.parse_move("C3D4").unwrap());
        let black_moved = play(&start, "C3D4");
        let red_moved = play(&black_moved, "B6C5");
        assert!(tracker.shown(&red_moved, &start));
        assert_eq!((tracker.turns, tracker.turns_without_capture), (2, 2));
        assert_eq!(tracker.past, [start.hash(), black_moved.hash()]);
        tracker.moved(red_moved.parse_move("D4B6").unwrap());
        let captured = play(&red_moved, "D4B6");
        let recaptured = play(&captured, "A7C5");
        assert!(tracker.shown(&recaptured, &start));
        assert_eq!((tracker.turns, tracker.turns_without_capture), (4, 0));
    }

    #[test]
    fn a_board_that_no_move_leads_to_begins_another_game() {
        let start = Checkers::start(&rules::CONTEST);
        let mut tracker = GameTracker::default();
        tracker.shown(&start, &start);
        tracker.moved(start.parse_move("C3D4").unwrap());
        let elsewhere = play(&start, "A3B4");
        assert!(!tracker.shown(&elsewhere, &start));
        assert_eq!((tracker.turns, tracker.past.len()), (1, 0));
    }
}
