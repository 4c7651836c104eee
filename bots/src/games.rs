//! The games that bots play, and picking one of them by name.
//!
//! A command line picks a game once, by [`GameName`]; everything behind it is generic and compiled once per game.

use clap::ValueEnum;
use crownhead::evaluate::Evaluate;
use crownhead::explain::Explain;
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead::notation::{rule_book, Notation};
use crownhead::perft::BulkPerft;
use crownhead::rules::RuleBook;

/// A game that the built-in bots play: one that has an evaluation.
pub trait Played: Explain + BulkPerft + 'static {
    /// The evaluation that the searching bot uses.
    type Judge: Evaluate<Self> + Default + Sync;
}

impl Played for Checkers {
    type Judge = checkers::Learned;
}

impl Played for EverChess {
    type Judge = everchess::Learned;
}

impl Played for Chess {
    type Judge = chess::PieceSquares;
}

/// A game by its name.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum GameName {
    /// English draughts
    #[default]
    Checkers,
    /// Eight pawns a side
    Everchess,
    /// Chess without castling, promotion and en passant
    Chess,
}

/// Generic code to run in the game that is picked.
pub trait GameVisitor {
    /// What [`GameVisitor::run`] returns.
    type Output;

    /// Runs in game `G`.
    fn run<G: Played>(self) -> Self::Output;
}

impl GameName {
    /// The game of this name in records and on the command line.
    pub fn find(name: &str) -> Option<GameName> {
        GameName::value_variants()
            .iter()
            .copied()
            .find(|game| game.name() == name)
    }

    /// Its name in records and on the command line.
    pub fn name(self) -> &'static str {
        struct Name;
        impl GameVisitor for Name {
            type Output = &'static str;
            fn run<G: Played>(self) -> &'static str {
                G::NAME
            }
        }
        self.choose(Name)
    }

    /// Dispatch: runs `visitor` in this game.
    pub fn choose<V: GameVisitor>(self, visitor: V) -> V::Output {
        match self {
            GameName::Checkers => visitor.run::<Checkers>(),
            GameName::Everchess => visitor.run::<EverChess>(),
            GameName::Chess => visitor.run::<Chess>(),
        }
    }
}

/// The rule book of `G` called `name`, or its first without a name.
///
/// # Errors
/// For an unknown name; the message lists the known ones.
pub fn rules_of<G: Notation>(name: Option<&str>) -> Result<RuleBook, String> {
    let Some(name) = name else {
        return Ok(G::RULE_BOOKS[0]);
    };
    rule_book::<G>(name).copied().ok_or_else(|| {
        let names: Vec<&str> = G::RULE_BOOKS.iter().map(|book| book.name).collect();
        format!(
            "{} has no rule book `{name}`; expected {}",
            G::NAME,
            names.join(" or ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{rules_of, GameName};
    use clap::ValueEnum;
    use crownhead::games::checkers::Checkers;

    #[test]
    fn a_game_is_found_by_the_name_the_command_line_has_for_it() {
        for &game in GameName::value_variants() {
            let typed = game.to_possible_value().expect("every game can be picked");
            assert_eq!(typed.get_name(), game.name());
            assert_eq!(GameName::find(game.name()), Some(game));
        }
        assert_eq!(GameName::find("go"), None);
    }

    #[test]
    fn an_unknown_rule_book_is_refused_with_those_there_are() {
        assert_eq!(
            rules_of::<Checkers>(None).map(|book| book.name),
            Ok("contest")
        );
        assert_eq!(
            rules_of::<Checkers>(Some("coffee")).unwrap_err(),
            "checkers has no rule book `coffee`; expected contest or classroom"
        );
    }
}
