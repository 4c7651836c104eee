//! Positions that people set up or paste, and what a page needs to know of one: the legal moves above all.

use super::plies::{BoardView, Ply, plies, squares};
use crownhead::Ending;
use crownhead::rules::RuleBook;
use crownhead_bots::{Board, BoardGame, games};
use crownhead_record::text::excerpt;
use crownhead_record::{position_text, read_position};
use serde::{Deserialize, Serialize};

/// A position of a game under a rule book, as a page names it, and a line of moves from there.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Setup {
    game: String,
    rules: String,
    /// The position, as [`read_position`] has it; the start if it is empty.
    #[serde(default)]
    pub position: String,
    /// What has been played since.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Setup {
    /// The game and the rule book.
    ///
    /// # Errors
    /// With a sentence, when there are none of these names.
    pub(super) fn find(&self) -> Result<(&'static dyn BoardGame, RuleBook), String> {
        let game = games::find(&self.game).ok_or_else(|| unknown_game(&self.game))?;
        Ok((game, game.rules(Some(&self.rules))?))
    }

    /// The board of this game, by these rules, after the moves.
    ///
    /// # Errors
    /// With a sentence, when the text is no position or a move is not legal where it stands.
    pub(super) fn board(
        &self,
        game: &'static dyn BoardGame,
        rules: RuleBook,
    ) -> Result<Box<dyn Board>, String> {
        let mut board = read_position(&self.position, game, rules)?;
        for (number, text) in (1..).zip(&self.moves) {
            let Some(name) = board.find_move(text) else {
                let advice = board.refusal(text).advice;
                return Err(match self.moves.len() {
                    1 => advice,
                    _ => format!("move {number}, {}: {advice}", excerpt(text)),
                });
            };
            board.play(&name);
        }
        Ok(board)
    }
}

/// That no game of this name is on the list, and which are.
pub fn unknown_game(name: &str) -> String {
    let known: Vec<&str> = games::all().iter().map(|game| game.name()).collect();
    format!(
        "no game is called `{name}` in this program, which knows {}",
        known.join(", ")
    )
}

/// A position for the page.
#[derive(Debug, Serialize)]
pub struct PositionView {
    board: BoardView,
    /// The position as text, which is read again.
    text: String,
    legal: Vec<LegalMove>,
    /// What to know of it: a check, or that it is over.
    note: Option<String>,
    /// The moves that led to it.
    line: Vec<Ply>,
    /// The position from which they did.
    start: BoardView,
}

/// A legal move, and where it leads over the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LegalMove {
    name: String,
    squares: Vec<String>,
}

/// These moves of a position.
pub(super) fn legal(board: &dyn Board, names: &[String]) -> Vec<LegalMove> {
    let moves = names.iter().map(|name| LegalMove {
        name: name.clone(),
        squares: squares(board, name),
    });
    moves.collect()
}

/// Describes a position after its moves.
///
/// # Errors
/// With a sentence, when the text is no position or the move is not legal there.
pub(super) fn describe(setup: &Setup) -> Result<PositionView, String> {
    let (game, rules) = setup.find()?;
    let board = setup.board(game, rules)?;
    let board = board.as_ref();
    let (start, line) = plies(board);
    // Length rules are no matter of a position.
    let ended = board.result();
    let ended = ended.filter(|ended| matches!(ended.ending, Ending::Goal | Ending::NoMoves));
    let note = ended.map(|ended| ended.reason);
    let note = note.or_else(|| board.note());
    Ok(PositionView {
        board: BoardView::of(board),
        text: position_text(board),
        legal: legal(board, &board.legal_moves()),
        note,
        line,
        start,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(
        game: &str,
        rules: &str,
        position: &str,
        moves: &[&str],
    ) -> Result<PositionView, String> {
        let setup = Setup {
            game: game.into(),
            rules: rules.into(),
            position: position.into(),
            moves: moves.iter().map(|&name| name.into()).collect(),
        };
        describe(&setup)
    }

    #[test]
    fn a_position_is_reported_with_its_moves_and_an_illegal_one_is_refused_in_the_games_words() {
        let start = ask("checkers", "contest", "", &[]).unwrap();
        assert_eq!(start.legal.len(), 7);
        let after = ask("checkers", "contest", "", &["a3b4"]).unwrap();
        assert!(after.text.starts_with("W:"), "{}", after.text);
        let refused = ask("checkers", "contest", "", &["A3A4"]).unwrap_err();
        assert_eq!(refused, "no piece ever stands on A4");
        let third = ask("checkers", "contest", "", &["a3b4", "b6a5", "a3b4"]).unwrap_err();
        assert!(third.starts_with("move 3, a3b4: "), "{third}");
        let mated = ask("chess", "two-player", "7k/6Q1/6K1/8/8/8/8/8 b", &[]).unwrap();
        assert_eq!(mated.note.as_deref(), Some("black is checkmated and loses"));
        assert!(mated.legal.is_empty());
    }

    #[test]
    fn a_text_that_is_no_position_is_told_what_was_expected() {
        let wrong = |game, rules, text| ask(game, rules, text, &[]).unwrap_err();
        assert!(wrong("chess", "two-player", "nonsense").contains("such as `rnbqkbnr/"));
        assert!(wrong("checkers", "contest", "W:W1").contains("three fields"));
        assert!(wrong("chess", "two-player", "8/8 w").contains("8 lines"));
        assert!(wrong("go", "x", "").contains("no game is called"));
        assert!(wrong("chess", "coffee", "").contains("no rule book"));
    }
}
