//! Positions that people set up or paste, and what a page needs to know of one: the legal moves above all.

use super::plies::{BoardView, Ply, squares};
use crownhead::Ending;
use crownhead::rules::RuleBook;
use crownhead_board::{Board, GameRules};
use crownhead_record::{position_text, read_position};
use serde::{Deserialize, Serialize};

/// The games that are known.
pub type Games = [&'static dyn GameRules];

/// What people call the two sides: contest checkers' white is red.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideNames {
    black: String,
    white: String,
}

impl SideNames {
    /// Of the first two of these.
    pub fn of<'a>(sides: impl IntoIterator<Item = &'a str>) -> SideNames {
        let mut sides = sides.into_iter().map(String::from);
        let mut side = || sides.next().unwrap_or_default();
        SideNames {
            black: side(),
            white: side(),
        }
    }
}

/// A position of a game under a rule book, as a page names it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Setup {
    game: String,
    rules: String,
    /// The position, as [`read_position`] has it; the start if it is empty.
    #[serde(default)]
    pub position: String,
}

impl Setup {
    /// The game and the rule book.
    ///
    /// # Errors
    /// With a sentence, when there are none of these names.
    pub fn find(&self, games: &Games) -> Result<(&'static dyn GameRules, RuleBook), String> {
        let game = games.iter().find(|game| game.name() == self.game);
        let game = *game.ok_or_else(|| unknown_game(&self.game, games))?;
        Ok((game, game.rules(Some(&self.rules))?))
    }
}

/// That no game of this name is on the list, and which are.
pub fn unknown_game(name: &str, games: &Games) -> String {
    let known: Vec<&str> = games.iter().map(|game| game.name()).collect();
    format!(
        "no game is called `{name}` in this program, which knows {}",
        known.join(", ")
    )
}

/// What is asked of a position.
#[derive(Clone, Debug, Deserialize)]
pub struct Question {
    #[serde(flatten)]
    setup: Setup,
    /// A move to play in it.
    #[serde(rename = "move")]
    mv: Option<String>,
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
    /// The move that was played, if one was asked for.
    played: Option<Ply>,
}

/// A legal move, and where it leads over the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LegalMove {
    name: String,
    squares: Vec<String>,
}

/// These moves of a position.
pub fn legal(board: &dyn Board, names: &[String]) -> Vec<LegalMove> {
    let moves = names.iter().map(|name| LegalMove {
        name: name.clone(),
        squares: squares(board, name),
    });
    moves.collect()
}

/// Answers a question about a position.
///
/// # Errors
/// With a sentence, when the text is no position or the move is not legal there.
pub fn answer(question: &Question, games: &Games) -> Result<PositionView, String> {
    let (game, rules) = question.setup.find(games)?;
    let before = read_position(&question.setup.position, game, rules)?;
    let Some(text) = &question.mv else {
        return Ok(describe(before.as_ref(), None));
    };
    let name = before.find_move(text);
    let name = name.ok_or_else(|| before.refusal(text).advice)?;
    let mut after = before.duplicate();
    after.play(&name);
    let ply = Ply::of(before.as_ref(), &name, after.as_ref());
    Ok(describe(after.as_ref(), Some(ply)))
}

fn describe(board: &dyn Board, played: Option<Ply>) -> PositionView {
    // Length rules are no matter of a position.
    let ended = board.result();
    let ended = ended.filter(|ended| matches!(ended.ending, Ending::Goal | Ending::NoMoves));
    let note = ended.map(|ended| ended.reason);
    let note = note.or_else(|| board.note());
    PositionView {
        board: BoardView::of(board),
        text: position_text(board),
        legal: legal(board, &board.legal_moves()),
        note,
        played,
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::GAMES;
    use super::*;

    fn ask(
        game: &str,
        rules: &str,
        position: &str,
        mv: Option<&str>,
    ) -> Result<PositionView, String> {
        let question = Question {
            setup: Setup {
                game: game.into(),
                rules: rules.into(),
                position: position.into(),
            },
            mv: mv.map(String::from),
        };
        answer(&question, GAMES)
    }

    #[test]
    fn a_position_is_told_with_its_moves_and_an_illegal_one_is_refused_in_the_games_words() {
        let start = ask("checkers", "contest", "", None).unwrap();
        assert_eq!(start.legal.len(), 7);
        let after = ask("checkers", "contest", "", Some("a3b4")).unwrap();
        assert!(after.text.starts_with("W:"), "{}", after.text);
        let refused = ask("checkers", "contest", "", Some("A3A4")).unwrap_err();
        assert_eq!(refused, "no piece ever stands on A4");
        let mated = ask("chess", "two-player", "7k/6Q1/6K1/8/8/8/8/8 b", None).unwrap();
        assert_eq!(mated.note.as_deref(), Some("black is checkmated and loses"));
        assert!(mated.legal.is_empty());
    }

    #[test]
    fn a_text_that_is_no_position_is_told_what_was_expected() {
        let wrong = |game, rules, text| ask(game, rules, text, None).unwrap_err();
        assert!(wrong("chess", "two-player", "nonsense").contains("such as rnbqkbnr/"));
        assert!(wrong("checkers", "contest", "W:W1").contains("three fields"));
        assert!(wrong("chess", "two-player", "8/8 w").contains("8 lines"));
        assert!(wrong("go", "x", "").contains("no game is called"));
        assert!(wrong("chess", "coffee", "").contains("no rule book"));
    }
}
