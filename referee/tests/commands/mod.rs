//! The commands as a person types them: what they print, what they refuse, and the statuses that they end with. Ladders
//! have tests of their own.

mod bench;
mod bundle;
mod chess;
mod figures;
mod first_steps;
mod js_globals;
mod kept;
mod manual;
mod match_;
mod match_options;
mod messages;
mod output_files;
mod play;
mod readme;
mod resume;
mod screen;
mod seeds;
mod show_and_replay;
mod sprt;
mod starts;
mod tables;
mod train;
mod versions;
