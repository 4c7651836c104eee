//! What a page asks of the games, and what it is told: a position, an analysis, a table at which a person plays.
//!
//! Two programs answer it: the server of `crownhead-web`, and a page without a server by this crate as WebAssembly
//! (`.ci/wasm` builds it). What is said in both is declared here, once. [`Session`] is all of it for one page; it keeps
//! no time and starts no thread: clock and chance are handed in. HTTP, bots of a ladder and records are the server's.

mod analysis;
mod challenge;
mod computer;
#[cfg(target_arch = "wasm32")]
mod exports;
mod plies;
mod position;
mod session;
mod table;
mod table_view;

pub use analysis::{Findings, analyse};
pub use challenge::{Challenge, OPPONENTS, Opponent, Order};
pub use plies::{BoardView, Ply, plies, squares};
pub use position::{LegalMove, PositionView, Setup, describe, legal, unknown_game};
pub use session::{Reply, Request, Session};
pub use table_view::{Said, TableView, VerdictView};
