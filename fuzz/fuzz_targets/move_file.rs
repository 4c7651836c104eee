//! Files of chess moves: whatever stands in one, a game is played out of it, and each bad line is told with a reason.
#![no_main]

use crownhead::game::Game;
use crownhead::games::chess::{Chess, rules::TWO_PLAYER};
use crownhead_referee::seat::{BadLine, MoveFile, Reported};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let tell = |line: usize, bad: BadLine| {
        assert!(line > 0 && !bad.to_string().is_empty());
        Reported::GoOn
    };
    let mut file = MoveFile::new(bytes, tell);
    let mut game = Game::<Chess>::new(TWO_PLAYER);
    while game.result().is_none() {
        let Some(mv) = file.next_move(&game) else {
            break;
        };
        game.play(mv).expect("a move that is read is legal");
    }
});
