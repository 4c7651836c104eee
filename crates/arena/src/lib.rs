//! One game and many: the table, who sits at it, and games on every core.
//!
//! One game is played by [`table::play()`], which knows neither processes nor terminals: a [seat] answers within
//! what its [profile](crownhead_record::judge::profile) allows, the table says what the reply is worth, and a
//! [`table::Observer`] shows or records it. Where an external referee knows the game, it says what each bot is sent and
//! what the answers are worth ([`contest`]). [`runner`] plays many games at once, and [`diagnosis`] says why a bot
//! failed. Knows no folder, no configuration file and no database; prints nothing.

pub mod contest;
pub mod diagnosis;
pub mod environment;
pub mod game_analysis;
pub mod headings;
mod js_globals;
pub mod options;
pub mod runner;
pub mod seat;
pub mod settings;
pub mod table;
mod trust;
