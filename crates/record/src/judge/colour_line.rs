//! The line that tells a bot its colour. The contest's statement and its live site differ on it.

use clap::ValueEnum;
use serde::Deserialize;

/// Which letter tells a bot that it plays red.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourLine {
    /// `r`, as the contest's statement says
    #[default]
    Statement,
    // Observed: public bots read it so.
    /// `w`, as the contest's site sends
    Live,
}

/// Added to the reason if a bot answers only after the live site's letter.
pub const KNOWS_THE_LIVE_LINE: &str = "This looks like a bot that knows `w` for red, as the live site sends: \
     `--colour-line live` sends it (`colour_line = \"live\"` in a ladder.toml)";

impl ColourLine {
    /// The letter that is sent for the side with this letter.
    pub fn letter(self, own: char) -> char {
        match (self, own) {
            (ColourLine::Live, 'r') => 'w',
            _ => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ColourLine::{Live, Statement};

    #[test]
    fn only_reds_letter_differs_on_the_live_site() {
        assert_eq!(Live.letter('r'), 'w');
        assert_eq!(Live.letter('b'), 'b');
        assert_eq!(Statement.letter('r'), 'r');
    }
}
