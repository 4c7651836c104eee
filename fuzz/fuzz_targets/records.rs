//! Records of games, a JSON object a line: what is read can be rebuilt or says why not, and is written as it was read.
#![no_main]

use crownhead::games::checkers::Checkers;
use crownhead_referee::record::read_games;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for game in read_games(bytes) {
        match game {
            Ok(game) => {
                let _ = game.rebuild::<Checkers>().map_err(|error| error.to_string());
                let text = serde_json::to_string(&game).expect("a record is plain data");
                let again = read_games(text.as_bytes()).next().expect("one line is one game");
                assert_eq!(again.expect("what is written is read"), game);
            }
            Err(error) => {
                let _ = error.to_string();
            }
        }
    }
});
