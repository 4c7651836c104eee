//! The bot that is submitted to the contest; `crownhead bundle` makes one file of it.

use crownhead::games::checkers::{rules, Checkers};
use crownhead::network::Network;
use crownhead_contest::alphabeta::{AlphaBeta, SearchLimits};
use crownhead_contest::conversation::converse_on_standard_streams;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// The time limit of a turn in milliseconds (statement of the contest: 100).
const TURN_MS: u64 = 100;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let nodes = match &words[..] {
        [option, number] if option == "--nodes" => number.parse().ok(),
        _ => None,
    };
    if nodes.is_none() && !words.is_empty() {
        // A closed standard error leaves no place to report to.
        let _ = writeln!(io::stderr(), "error: the only option is --nodes N");
        return ExitCode::from(2);
    }
    // Nodes in place of the clock make games repeatable.
    let limits = SearchLimits {
        time: nodes.is_none().then_some(Duration::from_millis(TURN_MS)),
        depth: None,
        nodes,
    };
    let mut player = AlphaBeta::new(Network::default(), rules::CONTEST, limits);
    converse_on_standard_streams::<Checkers>(&mut player)
}
