use macro_dollar_crate::{counter, doubled, maximum};

counter!(Turns, 10);

fn main() {
    let mut turns = Turns::default();
    println!("{} {}", doubled!(1, 2, 3), macro_dollar_crate::deep::inside());
    println!("{} {}", maximum!(3, 9, 4), turns.next());
    println!("{}", macro_dollar_crate::doubled!(50));
    println!("{}", macro_dollar_crate::tripled!(7));
}
