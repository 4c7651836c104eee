//! What a referee may send, as a bot reads it: no line is too strange, and a turn that is understood can be played.
#![no_main]

use crownhead::board::Side;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead::position::Position;
use crownhead::protocol::{Request, RequestReader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut reader = RequestReader::new();
    for line in text.lines() {
        match reader.push(line) {
            Ok(Some(Request::Turn(turn))) => {
                for side in Side::BOTH {
                    let Ok(position) = Checkers::from_rows(&turn.rows, side) else {
                        continue;
                    };
                    for name in &turn.moves {
                        if let Ok(mv) = position.parse_move(name) {
                            let _ = position.play(mv).expect("a move that is found is legal").to_fen();
                        }
                    }
                }
            }
            Ok(_) => {}
            Err(error) => {
                let _ = error.to_string();
                break;
            }
        }
    }
});
