//! The web application: a ladder's or a record file's standings and games, replay, play and analysis.
//!
//! [`Site`] is what is shown, read from a ladder's folder or a file of games. [`serve`] answers browsers over HTTP, the
//! only async code of Crownhead; [`export()`] writes the same pages as files, and [`single_file`] one game as one file.
//! The page itself, in `crates/web/page`, is embedded and holds no rules. People play and analyse in it, with the library
//! as WebAssembly. So a server only reads. Prints nothing and knows no SQL.

mod assets;
mod bot_page;
mod connections;
mod data;
mod error;
mod export;
mod guard;
mod http;
mod index;
mod ladder_folder;
mod live;
mod record_file;
mod site;
mod standings;
#[cfg(test)]
mod tests;
mod variant;
mod view;
mod viewers;

pub use assets::single_file;
pub use error::SiteError;
pub use export::{Exported, export};
pub use http::{Options, PORT, serve};
pub use site::Site;
