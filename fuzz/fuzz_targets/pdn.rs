//! Portable Draughts Notation: what is read can be rebuilt or says why not, and what is written is read again.
#![no_main]

use crownhead::games::checkers::Checkers;
use crownhead_referee::record::{GameRecord, read_pdn, write_pdn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in read_pdn(text).flatten() {
        if game.rebuild::<Checkers>().is_err() {
            continue;
        }
        if let Ok(text) = write_pdn(&game) {
            let again = read_pdn(&text).next().expect("one game");
            let again = again.expect("what is written is read");
            let replies = |game: &GameRecord| -> Vec<_> {
                game.turns.iter().map(|turn| turn.reply.clone()).collect()
            };
            assert_eq!(replies(&again), replies(&game));
        }
    }
});
