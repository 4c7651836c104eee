//! placeholder
use crownhead::games::checkers::Checkers;
use serde::{Deserialize, Serialize};

/// What kind of position it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The first dozen turns.
    Opening,
    /// Most men on the board, nothing to take.
    Middlegame,
    /// Few pieces, or kings on both sides.
    Endgame,
    /// One move is better than all others by far.
    Tactic,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 4] = [Kind::Opening, Kind::Middlegame, Kind::Endgame, Kind::Tactic];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Opening => "opening",
            Kind::Middlegame => "middlegame",
            Kind::Endgame => "endgame",
            Kind::Tactic => "tactic",
        }
    }
}

/// A position to search.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// What it is called: unlike any other.
    pub name: &'static str,
    /// What kind it is.
    pub kind: Kind,
    /// A FEN of draughts.
    pub fen: &'static str,
    /// The best move, where it is known.
    pub best: Option<&'static str>,
}

impl Position {
    /// The position itself.
    pub fn board(&self) -> Checkers {
        Checkers::from_fen(self.fen).expect("a FEN of the bench is sound")
    }
}

/// x
pub const POSITIONS: &[Position] = &[
    Position {
        name: "start",
        kind: Kind::Opening,
        fen: "B:W21-32:B1-12",
        best: None,
    },
    Position {
        name: "single corner",
        kind: Kind::Opening,
        fen: "B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12",
        best: None,
    },
    Position {
        name: "t",
        kind: Kind::Tactic,
        fen: "W:W11,17,20,22,23:B6,10,13,14",
        best: Some("C3D2"),
    },
];
