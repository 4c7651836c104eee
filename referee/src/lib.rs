//! The referee: seats two players at a table, asks them for moves, judges every answer and keeps a record.
//!
//! One game is played by [`table::play()`], which knows neither processes nor terminals: a [seat] answers within
//! what its [profile](judge::profile) allows, the table says what the reply is worth, and a [`table::Observer`]
//! shows or [records](record) it. [`runner`] plays many games at once, [`ladder`] keeps what many bots play over
//! days, and [`stats`] reads the records. The program `crownhead` is [`cli`], which alone prints. [`input`] reads
//! files and what people type. `crownhead_bundle`, a package of its own, makes one source file of a bot.

pub mod bench;
pub mod cli;
pub mod diagnosis;
pub mod draw;
pub mod input;
pub mod judge;
pub mod ladder;
pub mod openings;
pub mod plot;
pub mod record;
pub mod runner;
pub mod seat;
pub mod seed;
pub mod serve;
pub mod settings;
pub mod stats;
pub mod store;
pub mod table;
pub mod train;
