//! A position of the library as an object: the one implementation of [`Board`].

use crate::board::{Board, BoardGame, Ended};
use crownhead::game::{Ending, Game};
use crownhead::rules::RuleBook;
use crownhead::{protocol, Cell, Explain, Outcome, Refusal, Side};
use std::any::Any;
use std::fmt::Debug;

/// A position that can be on a board: it can explain itself and owns its data.
pub trait BoardPosition: Explain<Move: Send + Sync> + Send + Sync + 'static {}

impl<G: Explain<Move: Send + Sync> + Send + Sync + 'static> BoardPosition for G {}

/// A game of a library's position.
#[derive(Clone, Debug)]
pub struct PositionBoard<G: Explain> {
    pub(crate) rules_of_game: &'static dyn BoardGame,
    pub(crate) game: Game<G>,
}

impl<G: BoardPosition> PositionBoard<G> {
    /// The game on this board.
    ///
    /// # Panics
    /// When it is another game.
    pub fn of(board: &dyn Board) -> &PositionBoard<G> {
        let own = board.as_any().downcast_ref();
        own.unwrap_or_else(|| panic!("the board is no game of {}", G::NAME))
    }

    /// The game.
    pub fn game(&self) -> &Game<G> {
        &self.game
    }

    fn position(&self) -> &G {
        self.game.position()
    }

    fn named(&self, name: &str) -> Option<G::Move> {
        self.position().parse_move(name).ok()
    }

    /// How the game ended, in a sentence.
    fn describe(&self, outcome: Outcome, ending: Ending) -> String {
        let game = &self.game;
        match ending {
            Ending::Goal | Ending::NoMoves => self.position().describe_end(outcome, game.rules()),
            Ending::WithoutCapture => {
                let turns = game.turns_without_capture();
                format!("{turns} turns without a capture: a draw")
            }
            Ending::TurnLimit => format!("{} turns were played: a draw", game.turn() - 1),
        }
    }
}

impl<G: BoardPosition> Board for PositionBoard<G> {
    fn game(&self) -> &'static dyn BoardGame {
        self.rules_of_game
    }

    fn rules(&self) -> &RuleBook {
        self.game.rules()
    }

    fn duplicate(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }

    fn player_names(&self) -> Vec<&'static str> {
        self.rules().side_names.to_vec()
    }

    fn mover(&self) -> usize {
        self.position().side_to_move().index()
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.position().rows();
        rows.lines().map(str::to_string).collect()
    }

    fn legal_moves(&self) -> Vec<String> {
        let position = self.position();
        let moves = position.legal_moves().into_iter();
        moves.map(|mv| position.move_name(mv)).collect()
    }

    fn find_move(&self, text: &str) -> Option<String> {
        Some(self.position().move_name(self.named(text)?))
    }

    fn squares_of(&self, name: &str) -> Vec<Cell> {
        let named = self.named(name);
        named.map_or_else(Vec::new, |mv| self.position().move_squares(mv))
    }

    fn refusal(&self, text: &str) -> Refusal {
        self.position().refusal(text, self.rules())
    }

    fn note(&self) -> Option<String> {
        self.position().note(self.rules())
    }

    fn turn_text(&self) -> String {
        let mut text = String::new();
        protocol::write_turn(self.position(), &self.position().legal_moves(), &mut text);
        text
    }

    fn play(&mut self, name: &str) -> bool {
        self.named(name)
            .is_some_and(|mv| self.game.play(mv).is_ok())
    }

    fn undo(&mut self) -> bool {
        self.game.undo()
    }

    fn redo(&mut self) -> bool {
        self.game.redo()
    }

    fn turn(&self) -> u32 {
        self.game.turn()
    }

    fn whole_turn(&self) -> u32 {
        self.game.whole_turn()
    }

    fn turns_without_capture(&self) -> u32 {
        self.game.turns_without_capture()
    }

    fn turns_since_zeroing(&self) -> u32 {
        self.game.turns_since_zeroing()
    }

    fn moves(&self) -> Vec<String> {
        let steps = self.game.positions().zip(self.game.moves());
        steps.map(|(position, mv)| position.move_name(mv)).collect()
    }

    fn last_move(&self) -> Vec<Cell> {
        let before = self.game.positions().rev().nth(1);
        let played = before.zip(self.game.last_move());
        played.map_or_else(Vec::new, |(before, mv)| before.move_squares(mv))
    }

    fn result(&self) -> Option<Ended> {
        let (outcome, ending) = self.game.result()?;
        let score = |side| match outcome {
            Outcome::Draw => 0.5,
            Outcome::Win(winner) => f64::from(winner == side),
        };
        Some(Ended {
            scores: Side::BOTH.map(score).to_vec(),
            ending,
            reason: self.describe(outcome, ending),
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
