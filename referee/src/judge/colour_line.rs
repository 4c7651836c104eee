//! The line that tells a bot its colour, where the contest's statement and its live site differ.

use clap::ValueEnum;
use crownhead::board::Square;
use crownhead::notation::Notation;
use serde::Deserialize;

/// Which letter tells a bot that it plays red.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourLine {
    /// `r`, as the contest's statement says.
    #[default]
    Statement,
    /// `w`, as public bots read it on the live site (observed).
    Live,
}

/// Added to the reason when a bot's first reply was illegal.
pub(crate) const KNOWS_THE_LIVE_LINE: &str = "This looks like a bot that knows `w` for red, as the live site sends: \
     `--colour-line live` sends it (`colour_line = \"live\"` in a ladder.toml)";

impl ColourLine {
    /// The letter that is sent for a side whose own letter this is.
    pub fn letter(self, own: char) -> char {
        match (self, own) {
            (ColourLine::Live, 'r') => 'w',
            _ => own,
        }
    }

    /// Whether a bot whose first reply this is looks like one that knows the live site's letter: it was sent
    /// another, and takes the opponent's pieces for its own.
    pub fn looks_misread<G: Notation>(self, position: &G, reply: &str) -> bool {
        let own = G::side_letter(position.side_to_move());
        let square = |text: Option<&str>| text?.parse::<Square>().ok();
        let (Some(from), Some(_)) = (square(reply.get(..2)), square(reply.get(2..4))) else {
            return false;
        };
        let piece = G::symbol(position.rows().at(from));
        self.letter(own) != ColourLine::Live.letter(own)
            && piece.is_some_and(|(side, _)| side != position.side_to_move())
    }
}

#[cfg(test)]
mod tests {
    use super::ColourLine::{Live, Statement};
    use crownhead::board::Side;
    use crownhead::games::checkers::Checkers;
    use crownhead::games::chess::{Chess, rules};
    use crownhead::position::Position;

    #[test]
    fn only_reds_letter_differs_on_the_live_site() {
        assert_eq!(Live.letter('r'), 'w');
        assert_eq!(Live.letter('b'), 'b');
        assert_eq!(Statement.letter('r'), 'r');
    }

    #[test]
    fn a_bot_that_plays_blacks_pieces_as_red_knows_another_line() {
        let red = Checkers::from_fen("W:W21-32:B1-12").unwrap();
        assert!(Statement.looks_misread(&red, "A3B4"));
        assert!(Statement.looks_misread(&red, "a3b4"));
        assert!(!Live.looks_misread(&red, "A3B4"), "it was sent `w`");
        for other in ["B6C7", "B4A3", "A3", "A3 B4", "hello", "é3B4"] {
            assert!(!Statement.looks_misread(&red, other), "{other}");
        }
    }

    #[test]
    fn where_both_lines_are_the_same_nothing_is_misread() {
        let black = Checkers::from_fen("B:W21-32:B1-12").unwrap();
        assert!(!Statement.looks_misread(&black, "B6C5"));
        let white = Chess::start(&rules::TWO_PLAYER);
        assert_eq!(white.side_to_move(), Side::White);
        assert!(!Statement.looks_misread(&white, "e7e5"));
    }
}
