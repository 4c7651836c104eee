use dice;
use dice as bones;
use dice::{self as same, roll};

mod inner {
    extern crate alloc;
    use dice;
    pub fn go() -> alloc::string::String {
        alloc::format!("{}{}", dice::roll(), ::dice::faces::COUNT)
    }
}

fn main() {
    println!("{} {} {}", bones::roll(), same::roll(), roll());
    println!("{} {}", dice::faces::COUNT, inner::go());
    let dice = 3;
    println!("{dice}");
}
