//! Every game of the library as an object: the one implementation of [`GameRules`] and [`Board`].

use crate::analysis::{PositionSearcher, Searcher};
use crate::board::{player, Board, Cell, Ended, GameRules, Refused};
use crate::NoEvaluation;
use crownhead::evaluate::Evaluate;
use crownhead::game::{Ending, Game};
use crownhead::perft::{perft, perft_bulk, BulkPerft};
use crownhead::rules::RuleBook;
use crownhead::{protocol, Explain, Outcome, PositionError, Refusal, Rows, Side, Square};
use std::any::Any;
use std::fmt::{self, Debug};
use std::marker::PhantomData;

/// A position that may stand on a board: any that explains itself and owns what it is made of.
pub trait BoardPosition: Explain<Move: Send + Sync> + Send + Sync + 'static {}

impl<G: Explain<Move: Send + Sync> + Send + Sync + 'static> BoardPosition for G {}

/// A game by the type of its positions, and the evaluation that its search uses.
pub struct Rules<G, E = NoEvaluation> {
    about: &'static str,
    game: PhantomData<fn() -> (G, E)>,
}

impl<G, E> Rules<G, E> {
    /// The game; `about` says in a line what it is.
    pub const fn new(about: &'static str) -> Rules<G, E> {
        Rules {
            about,
            game: PhantomData,
        }
    }
}

impl<G: Explain, E> Debug for Rules<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(G::NAME)
    }
}

impl<G, E> GameRules for Rules<G, E>
where
    G: BoardPosition + BulkPerft,
    E: Evaluate<G> + Default + Send + 'static,
{
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn rule_books(&self) -> &'static [RuleBook] {
        G::RULE_BOOKS
    }

    fn colour_letter(&self, player: usize) -> char {
        G::side_letter(Side::BOTH[player])
    }

    fn start(&'static self, rules: RuleBook) -> Box<dyn Board> {
        Box::new(PositionBoard {
            rules_of_game: self,
            game: Game::<G>::new(rules),
        })
    }

    fn set_up(
        &'static self,
        rows: &[String],
        player: usize,
        rules: RuleBook,
    ) -> Result<Box<dyn Board>, PositionError> {
        let rows = Rows::from_lines(rows.iter().map(String::as_str))?;
        let position = G::from_rows(&rows, Side::BOTH[player])?;
        Ok(Box::new(PositionBoard {
            rules_of_game: self,
            game: Game::from_position(position, rules),
        }))
    }

    fn symbol(&self, letter: u8) -> Option<(usize, char)> {
        G::symbol(letter).map(|(side, symbol)| (player(side), symbol))
    }

    fn is_playing_square(&self, cell: Cell) -> bool {
        G::is_playing_square(Square::new(cell.column, cell.row))
    }

    fn square_name(&self, cell: Cell) -> String {
        G::square_name(Square::new(cell.column, cell.row))
    }

    fn searcher(&self, mebibytes: usize) -> Box<dyn Searcher> {
        Box::new(PositionSearcher::<G, E>::new(mebibytes))
    }

    fn perft(&self, board: &dyn Board, depth: u32, bulk: bool) -> u64 {
        let count = if bulk { perft_bulk::<G> } else { perft::<G> };
        count(PositionBoard::<G>::of(board).game().position(), depth)
    }
}

/// A game of a library's position.
#[derive(Clone, Debug)]
pub struct PositionBoard<G: Explain> {
    rules_of_game: &'static dyn GameRules,
    game: Game<G>,
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

    fn scores(outcome: Outcome) -> Vec<f64> {
        let score = |side| match outcome {
            Outcome::Draw => 0.5,
            Outcome::Win(winner) if winner == side => 1.0,
            Outcome::Win(_) => 0.0,
        };
        Side::BOTH.map(score).to_vec()
    }

    /// How the game ended, in a sentence.
    fn describe(&self, outcome: Outcome, ending: Ending) -> String {
        let (game, rules) = (&self.game, self.game.rules());
        match (ending, outcome) {
            (Ending::Goal, Outcome::Win(side)) => {
                format!("{} has reached the goal", rules.side_name(side))
            }
            (Ending::Goal, Outcome::Draw) => "the board is a draw".into(),
            (Ending::NoMoves, Outcome::Win(_)) => format!("{} and loses", self.describe_no_moves()),
            (Ending::NoMoves, Outcome::Draw) => format!("{}: a draw", self.describe_no_moves()),
            (Ending::WithoutCapture, _) => {
                let turns = game.turns_without_capture();
                format!("{turns} turns without a capture: a draw")
            }
            (Ending::TurnLimit, _) => format!("{} turns were played: a draw", game.turn() - 1),
        }
    }
}

fn cells(squares: Vec<Square>) -> Vec<Cell> {
    squares.into_iter().map(Cell::from).collect()
}

impl<G: BoardPosition> Board for PositionBoard<G> {
    fn game(&self) -> &'static dyn GameRules {
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
        player(self.position().side_to_move())
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
        named.map_or_else(Vec::new, |mv| cells(self.position().move_squares(mv)))
    }

    fn refusal(&self, text: &str) -> Refused {
        let refusal = self.position().refusal(text);
        Refused {
            clause: refusal.clause(self.rules()),
            advice: refusal.advice(self.rules()),
        }
    }

    fn note(&self) -> Option<String> {
        self.position().note(self.rules())
    }

    fn describe_no_moves(&self) -> String {
        self.position().describe_no_moves(self.rules())
    }

    fn write_turn(&self, text: &mut String) {
        protocol::write_turn(self.position(), &self.position().legal_moves(), text);
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
        let last = self.game.last_move();
        last.map_or_else(Vec::new, |mv| cells(self.position().move_squares(mv)))
    }

    fn result(&self) -> Option<Ended> {
        let (outcome, ending) = self.game.result()?;
        Some(Ended {
            scores: Self::scores(outcome),
            ending,
            reason: self.describe(outcome, ending),
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::{rules, Checkers, Learned};
    use crownhead::games::everchess::EverChess;

    static CHECKERS: Rules<Checkers, Learned> = Rules::new("English draughts");

    #[test]
    fn a_game_is_played_by_the_names_of_moves_and_taken_back() {
        let mut board = CHECKERS.start(rules::CONTEST);
        assert_eq!(board.mover_name(), "black");
        assert!(board.play("a3b4"), "in either case of letters");
        assert!(!board.play("A1A2"));
        assert!(board.play("B6A5"));
        assert_eq!(
            (board.turn(), board.moves()),
            (3, vec!["A3B4".into(), "B6A5".into()])
        );
        let earlier = board.before(2);
        assert_eq!((earlier.turn(), earlier.mover_name()), (2, "red"));
        assert!(board.undo() && board.undo() && !board.undo());
        assert_eq!(board.rows(), CHECKERS.start(rules::CONTEST).rows());
    }

    #[test]
    fn a_board_is_set_up_from_its_rows_and_says_how_it_ended() {
        let rows = "........\n........\n........\n........\n........\n........\n.r......\nb.......";
        let rows: Vec<String> = rows.lines().map(String::from).collect();
        let mut board = CHECKERS.set_up(&rows, 0, rules::CONTEST).unwrap();
        assert_eq!(board.rows(), rows);
        assert!(board.play("A1C3"));
        let ended = board.result().unwrap();
        assert_eq!(ended.scores, [1.0, 0.0]);
        assert_eq!(ended.reason, "red has no pieces left and loses");
        let odd = CHECKERS.set_up(&rows[1..], 0, rules::CONTEST);
        assert!(odd.unwrap_err().to_string().contains("8 lines"));
    }

    #[test]
    fn a_rule_book_is_found_by_its_name_or_refused_with_those_there_are() {
        assert_eq!(CHECKERS.rules(None).map(|book| book.name), Ok("contest"));
        assert_eq!(
            CHECKERS.rules(Some("coffee")).unwrap_err(),
            "checkers has no rule book `coffee`; expected contest or classroom"
        );
    }

    #[test]
    #[should_panic(expected = "no game of everchess")]
    fn a_board_is_not_taken_for_another_games() {
        PositionBoard::<EverChess>::of(CHECKERS.start(rules::CONTEST).as_ref());
    }
}
