#[macro_use]
mod macros;
mod user;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

fn main() {
    println!("{} {}", square!(7), user::go());
    check!(user::BASE => 30);
}
