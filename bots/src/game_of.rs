//! Every game of the library as an object: the one implementation of [`BoardGame`], and of [`Searcher`].

use crate::board::{Board, BoardGame, BoardPlayer, Found, PlayerSpec, Replayed, Searcher, Subject};
use crate::players::{player_of, PositionPlayer};
use crate::position_board::{BoardPosition, PositionBoard};
use crownhead::evaluate::{Evaluate, NetworkInputs};
use crownhead::game::Game;
use crownhead::perft::perft;
use crownhead::rules::RuleBook;
use crownhead::search::{search, Parameters, Root, TranspositionTable};
use crownhead::{BoardSize, Cell, Position, PositionError, Rows, Side};
use crownhead_contest::conversation::converse_on_standard_streams;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The evaluation of a game without one: every position is even, and a search sees only wins and losses.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoEvaluation;

impl<G: Position> Evaluate<G> for NoEvaluation {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, _position: &G) -> i32 {
        0
    }
}

/// A game by the type of its positions, and the evaluation that its search uses.
#[derive(Debug)]
pub struct GameOf<G, E = NoEvaluation>(PhantomData<fn() -> (G, E)>);

impl<G, E> GameOf<G, E> {
    /// The game.
    pub const NEW: GameOf<G, E> = GameOf(PhantomData);
}

impl<G, E> BoardGame for GameOf<G, E>
where
    G: BoardPosition,
    E: Evaluate<G> + Default + Debug + Send + 'static,
{
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn size(&self) -> BoardSize {
        G::SIZE
    }

    fn rule_books(&self) -> &'static [RuleBook] {
        G::RULE_BOOKS
    }

    fn colour_letter(&self, player: usize) -> char {
        G::side_letter(Side::BOTH[player])
    }

    fn start(&'static self, rules: RuleBook) -> Box<dyn Board> {
        let game = Game::<G>::new(rules);
        Box::new(PositionBoard {
            rules_of_game: self,
            game,
        })
    }

    fn set_up(
        &'static self,
        rows: &[String],
        player: usize,
        rules: RuleBook,
    ) -> Result<Box<dyn Board>, PositionError> {
        let rows = Rows::from_lines(G::SIZE, rows.iter().map(String::as_str))?;
        let position = G::from_rows(&rows, Side::BOTH[player])?;
        Ok(Box::new(PositionBoard {
            rules_of_game: self,
            game: Game::from_position(position, rules),
        }))
    }

    fn symbol(&self, letter: u8) -> Option<(usize, char)> {
        G::symbol(letter).map(|(side, symbol)| (side.index(), symbol))
    }

    fn is_playing_square(&self, cell: Cell) -> bool {
        G::is_playing_square(cell)
    }

    fn square_name(&self, cell: Cell) -> String {
        G::square_name(cell)
    }

    fn searcher(&self, mebibytes: usize) -> Box<dyn Searcher> {
        Box::new(PositionSearcher::<G, E> {
            evaluation: E::default(),
            table: TranspositionTable::new(mebibytes),
            game: PhantomData,
        })
    }

    fn perft(&self, board: &dyn Board, depth: u32) -> u64 {
        perft(PositionBoard::<G>::of(board).game().position(), depth)
    }

    fn player(&self, spec: &PlayerSpec) -> Box<dyn BoardPlayer> {
        Box::new(PositionPlayer(player_of::<G, E>(spec)))
    }

    fn converse(&self, spec: &PlayerSpec) -> ExitCode {
        converse_on_standard_streams(&mut *player_of::<G, E>(spec))
    }

    fn read_network(&self, file: &Path) -> Result<Arc<str>, String> {
        let in_file = |problem: String| format!("`{}`: {problem}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| in_file(error.to_string()))?;
        let problem = E::by_network(&text).err();
        let no_network = |problem| in_file(format!("no network for {}: {problem}", G::NAME));
        problem.map_or(Ok(text.into()), |problem| Err(no_network(problem)))
    }

    fn network_inputs(&self, board: &dyn Board) -> Option<NetworkInputs> {
        E::network_inputs(PositionBoard::<G>::of(board).game().position())
    }

    fn replay(&self, rules: &RuleBook, moves: &[u8], visit: &mut dyn FnMut(Replayed)) -> bool {
        let mut position = G::start(rules);
        for &number in moves {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(usize::from(number)) else {
                return false;
            };
            visit(Replayed {
                inputs: E::network_inputs(&position),
                mover: position.side_to_move().index(),
                legal_moves: legal.len(),
                is_quiet: position.captures(mv) == 0 && !position.is_threatened(),
            });
            position = position.play_unchecked(mv);
        }
        true
    }
}

/// The search of positions `G` by evaluation `E`.
struct PositionSearcher<G, E> {
    evaluation: E,
    table: TranspositionTable,
    game: PhantomData<fn() -> G>,
}

impl<G, E> Searcher for PositionSearcher<G, E>
where
    G: BoardPosition,
    E: Evaluate<G> + Send,
{
    fn search(
        &mut self,
        subject: &Subject<'_>,
        depth: u32,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Found> {
        let game = PositionBoard::<G>::of(subject.board).game();
        let position = game.position();
        let named = subject.root_moves.iter();
        let root_moves = named.filter_map(|name| position.parse_move(name).ok());
        let root_moves: Vec<G::Move> = root_moves.collect();
        let earlier = game.positions().take(game.moves().len());
        let earlier = earlier.filter(|_| subject.knows_past);
        let past: Vec<u64> = earlier.map(G::hash).collect();
        let root = Root {
            root_moves: &root_moves,
            past: &past,
            turns: game.turn() - 1,
            turns_without_capture: game.turns_without_capture(),
            ..Root::new(position, game.rules(), &self.evaluation)
        };
        let parameters = Parameters::default();
        let report = search(&root, &parameters, &mut self.table, depth, stop, |_| {})?;
        let mut after = position.clone();
        let line = report.principal_variation.iter().map(|&mv| {
            let name = after.move_name(mv);
            after = after.play_unchecked(mv);
            name
        });
        Some(Found {
            depth: report.depth,
            selective_depth: report.selective_depth,
            score: report.score,
            nodes: report.nodes,
            principal_variation: line.collect(),
        })
    }

    fn clear(&mut self) {
        self.table.clear();
    }
}

#[cfg(test)]
mod tests {
    use crate::{PositionBoard, Subject, CHECKERS};
    use crownhead::games::checkers::rules;
    use crownhead::games::everchess::EverChess;

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

    #[test]
    fn a_search_finds_the_same_again_once_it_is_cleared() {
        let board = CHECKERS.start(rules::CONTEST);
        let mut searcher = CHECKERS.searcher(1);
        let subject = Subject::new(board.as_ref());
        let mut once = || {
            searcher.clear();
            searcher.search(&subject, 5, &mut |_| false)
        };
        let found = once().unwrap();
        assert_eq!(found.depth, 5);
        assert!(board.legal_moves().contains(&found.best()));
        assert_eq!(once(), Some(found));
    }

    #[test]
    fn it_chooses_among_the_moves_that_it_is_given() {
        let board = CHECKERS.start(rules::CONTEST);
        let root_moves = ["G3H4".to_string()];
        let subject = Subject {
            root_moves: &root_moves,
            ..Subject::new(board.as_ref())
        };
        let mut searcher = CHECKERS.searcher(1);
        let found = searcher.search(&subject, 4, &mut |_| false);
        assert_eq!(found.unwrap().best(), "G3H4");
    }
}
