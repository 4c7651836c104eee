//! One of two binaries of its package.
use bot_with_modes::{play, Mode};

fn main() {
    for mode in [Mode::Fast, Mode::Slow { depth: 2 }] {
        println!("{}", play(mode));
    }
}
