//! The referee: seats two players at a table, asks them for moves, judges every answer and keeps a record.
//!
//! One game is played by [`table::play`], which knows neither processes nor terminals: a [`seat::Seat`]
//! answers, [`judge`] says what the answer is worth, and a [`table::Observer`] shows or
//! [records](record) it. [`ladder`] sets up many tables and [`stats`] reads their records. The program
//! `crownhead` is [`cli`], which alone prints. [`bundle`] makes one source file of a bot.

pub mod bench;
pub mod bundle;
pub mod cli;
pub mod draw;
pub mod judge;
pub mod ladder;
pub mod openings;
pub mod plot;
pub mod record;
pub mod room;
pub mod seat;
pub mod stats;
pub mod store;
pub mod table;
pub mod train;
