//! Portable Draughts Notation: what is read can be rebuilt or says why not, and what is written is read again.
#![no_main]

use crownhead::games::checkers::Checkers;
use crownhead_referee::record::{read_pdn, write_pdn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(games) = read_pdn(text) else { return };
    for game in games {
        if game.rebuild::<Checkers>().is_err() {
            continue;
        }
        if let Ok(text) = write_pdn(&game) {
            let again = read_pdn(&text).expect("what is written is read");
            let replies = |game: &crownhead_referee::record::GameRecord| -> Vec<_> {
                game.turns.iter().map(|turn| turn.reply.clone()).collect()
            };
            assert_eq!(again.len(), 1);
            assert_eq!(replies(&again[0]), replies(&game));
        }
    }
});
