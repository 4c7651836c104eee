mod util;

fn step() -> &'static str {
    "binary"
}

struct Board;
impl Board {
    fn name(&self) -> &'static str {
        "binary's board"
    }
}

macro_rules! shout {
    ($x:expr) => {
        format!("{}.", $x)
    };
}

fn main() {
    println!("{} {} {}", step(), clash_a::step(), clash_b::step());
    println!("{} {} {}", util::name(), clash_a::util::name(), clash_b::util::name());
    println!("{} {} {}", Board.name(), clash_a::Board.name(), clash_b::Board.name());
    println!("{} {} {}", shout!("x"), clash_a::shout!("x"), clash_b::shout!("x"));
}
