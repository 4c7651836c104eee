#[macro_use]
extern crate counting;
#[macro_use(smaller)]
extern crate limits_again as limits;

use scores::{bounded, score};

macro_rules! square {
    ($x:expr) => { $x * $x };
}
const SIDES: i32 = square!(3);
const PLAIN: i32 = 4;

mod user {
    pub fn go() -> i32 {
        count!(1, 2) + counting!(3) + square!(2)
    }
    pub(crate) use square;
}

scores::make_macro!(own, 70);
count!(@define doubled);
macro_rules! local {
    ($x:expr) => { $x * 2 };
}

fn main() {
    println!("{} {}", count!(), count!(1, 2, 3));
    println!("{} {}", count!(@with inner, 5), count!(@with square, 5));
    println!("{} {}", count!(@not true), count!(@not false));
    println!("{} {} {}", user::go(), by_crate!(8), counting::deep::opposite!(6));
    println!("{} {} {}", counting::one!(), counting::deep::hidden_one!(), counting::by_crate!(1));
    println!("{} {} {}", score!(3), bounded!(40), scores::inner!(2));
    println!("{} {}", scores::deepest!(12), scores::limits::clamped!(13));
    println!("{} {} {}", scores::within::all(), scores::made!(), own!());
    println!("{} {}", scores::made_within!(), scores::fixed!());
    println!("{} {SIDES} {PLAIN}", doubled!(21));
}
