//! Positions that people set up or paste, and what a page needs to know of one: the legal moves above all.

use super::plies::{Board, Ply, squares};
use crownhead::board::Side;
use crownhead::explain::{Explain, Refusal};
use crownhead::games::checkers::Checkers;
use crownhead::notation::{Notation, Rows};
use crownhead::position::{Outcome, Position};
use crownhead::rules::RuleBook;
use crownhead_bots::games::{GameName, GameVisitor, Played, rules_of};
use serde::{Deserialize, Serialize};

/// A game under a rule book, as a page names it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Variant {
    pub(super) game: String,
    pub(super) rules: String,
}

impl Variant {
    /// The game, if there is one of this name.
    pub(super) fn game(&self) -> Result<GameName, String> {
        GameName::find(&self.game).ok_or_else(|| format!("no game is called `{}`", self.game))
    }

    pub(super) fn rules<G: Notation>(&self) -> Result<RuleBook, String> {
        rules_of::<G>(Some(&self.rules))
    }
}

/// What is asked of a position.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Question {
    #[serde(flatten)]
    variant: Variant,
    /// The position, as [`read`] has it; the start if there is none.
    #[serde(default)]
    position: String,
    /// A move to play in it.
    #[serde(default, rename = "move")]
    mv: Option<String>,
}

/// A position for the page.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    board: Board,
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
pub(super) struct LegalMove {
    name: String,
    squares: String,
}

/// The legal moves of a position.
pub(super) fn legal<G: Notation>(position: &G, moves: &[G::Move]) -> Vec<LegalMove> {
    let moves = moves.iter().map(|&mv| LegalMove {
        name: position.move_name(mv),
        squares: squares(position, mv),
    });
    moves.collect()
}

/// Answers a question about a position.
///
/// # Errors
/// With a sentence, when the text is no position or the move is not legal there.
pub(super) fn answer(question: Question) -> Result<Answer, String> {
    struct Ask(Question);
    impl GameVisitor for Ask {
        type Output = Result<Answer, String>;
        fn run<G: Played>(self) -> Result<Answer, String> {
            let rules = self.0.variant.rules::<G>()?;
            let before = read::<G>(&self.0.position, &rules)?;
            let Some(text) = &self.0.mv else {
                return Ok(tell(&before, &rules, None));
            };
            let mv = before
                .parse_move(text)
                .map_err(|_| before.refusal(text).advice(&rules))?;
            let after = before.play_unchecked(mv);
            Ok(tell(&after, &rules, Some(Ply::of(&before, mv, &after))))
        }
    }
    question.variant.game()?.choose(Ask(question))
}

fn tell<G: Explain>(position: &G, rules: &RuleBook, played: Option<Ply>) -> Answer {
    let moves = match position.ended() {
        Some(_) => Vec::new(),
        None => position.legal_moves(),
    };
    let note = match position.outcome(rules) {
        None => position.note(rules),
        Some(outcome) => Some(match (position.ended(), outcome) {
            (Some(_), Outcome::Win(side)) => format!("{} has won", rules.side_name(side)),
            (None, Outcome::Win(side)) => format!(
                "{}: {} has won",
                position.describe_no_moves(rules),
                rules.side_name(side)
            ),
            (_, Outcome::Draw) => format!("{}: a draw", position.describe_no_moves(rules)),
        }),
    };
    Answer {
        board: Board::of(position),
        text: write(position),
        legal: legal(position, &moves),
        note,
        played,
    }
}

/// The position that a text describes: FEN of draughts in checkers; in every game eight rows with slashes between,
/// row 8 first, digits for empty squares, and `b` or `w` for the side to move. Nothing means the start.
///
/// # Errors
/// With a sentence that says what was expected.
pub(super) fn read<G: Notation>(text: &str, rules: &RuleBook) -> Result<G, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(G::start(rules));
    }
    if G::NAME == Checkers::NAME && text.contains(':') {
        let position = Checkers::from_fen(text).map_err(|error| error.to_string())?;
        return from_rows(&position.rows(), position.side_to_move());
    }
    let mut fields = text.split_whitespace();
    let rows = fields.next().unwrap_or_default();
    let side = match fields.next() {
        Some("b") => Side::Black,
        // The contest's name of white.
        Some("w" | "r") => Side::White,
        _ => {
            let example = write(&G::start(rules));
            return Err(format!("expected a position such as {example}"));
        }
    };
    let rows: Vec<String> = rows.split('/').map(spread).collect();
    let rows =
        Rows::from_lines(rows.iter().map(String::as_str)).map_err(|error| error.to_string())?;
    from_rows(&rows, side)
}

fn from_rows<G: Notation>(rows: &Rows, side: Side) -> Result<G, String> {
    G::from_rows(rows, side).map_err(|error| error.to_string())
}

/// A row of FEN with a full stop for each empty square.
fn spread(row: &str) -> String {
    let letters = row.chars().map(|letter| match letter.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => letter.to_string(),
    });
    letters.collect()
}

/// The text that [`read`] reads as this position.
fn write<G: Notation>(position: &G) -> String {
    let (rows, side) = (position.rows(), position.side_to_move());
    if G::NAME == Checkers::NAME
        && let Ok(position) = Checkers::from_rows(&rows, side)
    {
        return position.to_fen();
    }
    let rows: Vec<String> = rows.lines().map(gather).collect();
    let side = if side == Side::Black { 'b' } else { 'w' };
    format!("{} {side}", rows.join("/"))
}

/// A row of FEN: empty squares as digits.
fn gather(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in row.chars().chain([' ']) {
        if letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &std::mem::take(&mut empty).to_string();
        }
        text.push(letter);
    }
    text.trim_end().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::chess::Chess;
    use crownhead::games::everchess::EverChess;

    fn reads_back<G: Played>() {
        let rules = &G::RULE_BOOKS[0];
        let mut position = G::start(rules);
        for _ in 0..6 {
            let text = write(&position);
            assert_eq!(read::<G>(&text, rules), Ok(position.clone()), "{text}");
            position = position.play_unchecked(position.legal_moves()[0]);
        }
    }

    #[test]
    fn what_is_written_reads_back_in_every_game() {
        reads_back::<Checkers>();
        reads_back::<EverChess>();
        reads_back::<Chess>();
    }

    fn ask(game: &str, rules: &str, position: &str, mv: Option<&str>) -> Result<Answer, String> {
        answer(Question {
            variant: Variant {
                game: game.into(),
                rules: rules.into(),
            },
            position: position.into(),
            mv: mv.map(String::from),
        })
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
        assert_eq!(
            mated.note.as_deref(),
            Some("black is checkmated: white has won")
        );
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
