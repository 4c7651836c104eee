//! FENs of draughts: what is read is written so that it is read again as the same position.
#![no_main]

use crownhead::games::checkers::Checkers;
use crownhead::position::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Checkers::from_fen(text) {
        Ok(position) => {
            assert_eq!(Checkers::from_fen(&position.to_fen()), Ok(position));
            for mv in position.legal_moves() {
                let _ = position.play_unchecked(mv);
            }
        }
        Err(error) => drop(error.to_string()),
    }
});
