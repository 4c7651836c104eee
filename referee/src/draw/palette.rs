//! The colours of a board: a side's pieces in the colour of its name, on squares that set off both sides.
//!
//! All are entries of xterm's table of 256 colours above its first 16, which no theme of a terminal changes: black
//! is black and white is white, whatever the terminal's own foreground and background are.

use anstyle::{Ansi256Color, Style};
use crownhead::rules::RuleBook;
use crownhead_bots::Cell;

const BLACK: u8 = 16;
const RED: u8 = 124;
const BRIGHT_RED: u8 = 203;
const WHITE: u8 = 231;
const YELLOW: u8 = 220;

/// The colours under the names of one rule book.
pub(super) struct Palette {
    /// Of the players' pieces.
    sides: [u8; 2],
    squares: Squares,
}

/// A1's colour, its neighbours', that of an empty square's point, and that of marks.
type Squares = [u8; 4];

/// Between black and white: greens of middle brightness.
const MIDDLE: Squares = [65, 101, 108, 226];

/// Dark blue, under red and yellow.
const DARK: Squares = [17, 18, 61, WHITE];

/// Brighter than black and red.
const BRIGHT: Squares = [180, 223, 137, BLACK];

impl Palette {
    pub(super) fn of(rules: &RuleBook) -> Palette {
        let has = |name| rules.side_names.contains(&name);
        Palette {
            sides: rules.side_names.map(|name| match name {
                "black" => BLACK,
                "red" if has("yellow") => BRIGHT_RED,
                "red" => RED,
                "yellow" => YELLOW,
                _ => WHITE,
            }),
            squares: match (has("red"), has("yellow")) {
                (_, true) => DARK,
                (true, false) => BRIGHT,
                (false, false) => MIDDLE,
            },
        }
    }

    pub(super) fn piece(&self, player: usize, on: Cell) -> Style {
        self.style(self.sides[player], on).bold()
    }

    pub(super) fn empty(&self, on: Cell) -> Style {
        self.style(self.squares[2], on)
    }

    /// Of the brackets around a square.
    pub(super) fn mark(&self, on: Cell) -> Style {
        self.style(self.squares[3], on).bold()
    }

    fn style(&self, colour: u8, on: Cell) -> Style {
        let square = self.squares[usize::from(on.column + on.row) % 2];
        Ansi256Color(colour).on(Ansi256Color(square))
    }
}
