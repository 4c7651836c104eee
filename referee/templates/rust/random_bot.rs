//! A bot for the referee beside it: drops its disc into any column that has room.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::stdin;

fn main() {
    let mut lines = stdin().lines().map_while(Result::ok);
    // A turn is which player this bot is, "0" or "1", and six rows, then the columns with room.
    while let Some(columns) = lines.nth(7) {
        let columns: Vec<&str> = columns.split(' ').collect();
        // The standard library has no random numbers but those that its hash maps begin with.
        let random = RandomState::new().hash_one(0) as usize;
        println!("{}", columns[random % columns.len()]);
    }
}
