//! What a page asks of the games, and the answers: a position, an analysis, a table at which a person plays.
//!
//! The page has this crate as WebAssembly (`.ci/wasm` builds it). [`Session`] is all of it for one page; it keeps no time
//! and starts no thread: clock and chance are handed in. `crownhead-web` uses the [boards](BoardView) of recorded games
//! natively.

mod analysis;
mod computer;
#[cfg(target_arch = "wasm32")]
mod exports;
mod plies;
mod position;
mod session;
mod table;

pub use analysis::Findings;
pub use plies::{BoardView, Ply, plies};
pub use position::{LegalMove, PositionView, Setup, unknown_game};
pub use session::{Reply, Request, Session};
pub use table::{Challenge, Opponent, Order, Said, TableView, VerdictView};
