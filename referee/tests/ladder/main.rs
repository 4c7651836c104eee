//! Ladders, each test with the real program: one run or many, in a file or in a database, damaged, killed, watched.

#[path = "../common/mod.rs"]
mod common;

mod bots;
#[path = "../common/cluster.rs"]
mod cluster;
mod config;
mod damage;
mod endurance;
mod machines;
mod postgres;
mod run;
mod screen;
mod serve;
mod workers;
