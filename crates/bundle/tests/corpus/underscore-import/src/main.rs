use std::fmt::Write as _;
use verdicts::{Judge as _, Panel};

fn main() {
    let mut text = String::new();
    write!(text, "{}", Panel.verdict()).unwrap();
    println!("{text}");
    local::go();
}

mod local {
    use verdicts::{Judge as _, Panel};
    pub fn go() {
        println!("{}", Panel.verdict().len());
    }
}
