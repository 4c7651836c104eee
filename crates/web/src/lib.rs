//! The web application: a ladder's or a record file's standings and games, replay, play and analysis.
//!
//! [`Site`] is what is shown, read from a ladder's folder or a file of games. [`serve`] answers browsers over HTTP, the
//! only async code of Crownhead; [`export()`] writes the same pages as files, and [`single_file`] one game as one file.
//! The page itself, in `crates/web/page`, is embedded and holds no rules: moves are generated and judged here, by the
//! library. Prints nothing and knows no SQL.

mod analysis;
mod assets;
mod bot_page;
mod connections;
mod download;
mod export;
mod external_view;
mod game_analysis;
mod game_list;
mod guard;
mod http;
mod index;
mod kept;
mod ladder_folder;
mod live;
mod losses;
mod pdn_file;
mod play;
mod player_view;
mod priority;
mod record_file;
mod seats;
mod sessions;
mod site;
mod standings;
mod steering;
mod table;
#[cfg(test)]
mod test_contest;
#[cfg(test)]
mod test_records;
mod variant;
mod view;
mod viewers;

pub use assets::single_file;
pub use axum::{body::Body, extract::Request};
pub use export::{Exported, export};
pub use http::{Answer, CannotListen, InProcess, Options, PORT, serve};
pub use site::Site;
pub use view::ViewError;
