//! The colours of a board: a side's pieces in the colour of its name, on squares that set off both sides.
//!
//! All are entries of xterm's table of 256 colours above its first 16, which no theme of a terminal changes: black
//! is black and white is white, whatever the terminal's own foreground and background are.

use anstyle::{Ansi256Color, Style};
use crownhead::rules::RuleBook;
use crownhead_bots::Cell;

const BLACK: Ansi256Color = Ansi256Color(16);
const RED: Ansi256Color = Ansi256Color(124);
const BRIGHT_RED: Ansi256Color = Ansi256Color(203);
const WHITE: Ansi256Color = Ansi256Color(231);
const YELLOW: Ansi256Color = Ansi256Color(220);

/// The colours under the names of one rule book.
pub(super) struct Palette {
    /// Of the players' pieces.
    sides: [Ansi256Color; 2],
    squares: Squares,
}

struct Squares {
    /// A1's colour, and its neighbours'.
    shades: [Ansi256Color; 2],
    empty: Ansi256Color,
    mark: Ansi256Color,
}

/// Between black and white: greens of middle brightness.
const MIDDLE: Squares = Squares {
    shades: [Ansi256Color(65), Ansi256Color(101)],
    empty: Ansi256Color(108),
    mark: Ansi256Color(226),
};

/// Dark blue, under red and yellow.
const DARK: Squares = Squares {
    shades: [Ansi256Color(17), Ansi256Color(18)],
    empty: Ansi256Color(61),
    mark: WHITE,
};

/// Brighter than black and red.
const BRIGHT: Squares = Squares {
    shades: [Ansi256Color(180), Ansi256Color(223)],
    empty: Ansi256Color(137),
    mark: BLACK,
};

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
        self.sides[player].on(self.square(on)).bold()
    }

    pub(super) fn empty(&self, on: Cell) -> Style {
        self.squares.empty.on(self.square(on))
    }

    /// Of the brackets around a square.
    pub(super) fn mark(&self, on: Cell) -> Style {
        self.squares.mark.on(self.square(on)).bold()
    }

    fn square(&self, square: Cell) -> Ansi256Color {
        self.squares.shades[usize::from(square.column + square.row) % 2]
    }
}
