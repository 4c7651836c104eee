//! The course of a game as one seat sees it: the boards it was shown and those it left behind.

use crownhead::board::Side;
use crownhead::position::Position;

/// What a player remembers of the game it is playing.
///
/// A bot is shown a board a turn and is not told what happened in between, nor how many turns were played.
/// Both follow from the boards: the opponent's move is the one that leads from what the bot left behind to
/// what it is shown.
#[derive(Clone, Debug)]
pub struct GameTracker<G: Position> {
    past: Vec<u64>,
    turns: u32,
    turns_without_capture: u32,
    /// The latest position known.
    latest: Option<G>,
}

/// The longest run of moves of one side that is looked for between two boards.
const LONGEST_RUN: u32 = 8;

impl<G: Position> GameTracker<G> {
    /// A game of which nothing has been seen.
    pub fn new() -> GameTracker<G> {
        GameTracker {
            past: Vec::new(),
            turns: 0,
            turns_without_capture: 0,
            latest: None,
        }
    }

    /// The player is shown `position`. Whether it follows from what was known; if not, another game has
    /// begun and the old one is forgotten.
    ///
    /// A game is taken to begin with the first board: at its first turn when the player's opponent has
    /// not moved, as in `first`, and at its second otherwise.
    pub fn shown(&mut self, position: &G, first: &G) -> bool {
        let latest = self.latest.take();
        let follows = latest.is_some_and(|latest| self.follow(&latest, position, LONGEST_RUN));
        if !follows {
            *self = GameTracker::new();
            self.turns = u32::from(position != first);
        }
        self.latest = Some(position.clone());
        follows
    }

    /// The player makes `mv` on the board that it was shown last.
    pub fn moved(&mut self, mv: G::Move) {
        if let Some(position) = self.latest.take() {
            let after = position.play_unchecked(mv);
            self.note(&position, mv);
            self.latest = Some(after);
        }
    }

    /// The hashes of the positions before the latest.
    pub fn past(&self) -> &[u64] {
        &self.past
    }

    /// How many turns were played before the latest position.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// How many of the latest turns went by without a capture.
    pub fn turns_without_capture(&self) -> u32 {
        self.turns_without_capture
    }

    fn note(&mut self, position: &G, mv: G::Move) {
        self.past.push(position.hash());
        self.turns += 1;
        self.turns_without_capture = match position.captures(mv) {
            0 => self.turns_without_capture + 1,
            _ => 0,
        };
    }

    /// Notes the moves of the opponent that lead from one position to the other, if there are any.
    fn follow(&mut self, from: &G, to: &G, run: u32) -> bool {
        if from == to {
            return true;
        }
        let player: Side = to.side_to_move();
        if run == 0 || from.side_to_move() == player {
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
    fn default() -> GameTracker<G> {
        GameTracker::new()
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
        let mut course = GameTracker::new();
        assert!(!course.shown(&start, &start));
        assert_eq!((course.turns(), course.past().len()), (0, 0));
        course.moved(start.parse_move("C3D4").unwrap());
        let black_moved = play(&start, "C3D4");
        let red_moved = play(&black_moved, "B6C5");
        assert!(course.shown(&red_moved, &start));
        assert_eq!((course.turns(), course.turns_without_capture()), (2, 2));
        assert_eq!(course.past(), [start.hash(), black_moved.hash()]);
        course.moved(red_moved.parse_move("D4B6").unwrap());
        let captured = play(&red_moved, "D4B6");
        let recaptured = play(&captured, "A7C5");
        assert!(course.shown(&recaptured, &start));
        assert_eq!((course.turns(), course.turns_without_capture()), (4, 0));
    }

    #[test]
    fn a_board_that_does_not_follow_begins_another_game() {
        let start = Checkers::start(&rules::CONTEST);
        let mut course = GameTracker::new();
        course.shown(&start, &start);
        course.moved(start.parse_move("C3D4").unwrap());
        let elsewhere = play(&start, "A3B4");
        assert!(!course.shown(&elsewhere, &start));
        assert_eq!((course.turns(), course.past().len()), (1, 0));
    }
}
