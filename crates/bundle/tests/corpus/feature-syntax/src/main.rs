#[cfg(feature = "book")]
mod unneeded_book {
    pub use book::*;
}

fn main() {
    println!("{} {}", cfg!(feature = "default"), cfg!(feature = "slow"));
    println!("{} {} {}", engine::depth(), tables::pieces(), clock::of());
    println!("{:?} {}", [cfg!(feature = "logs"), cfg!(feature = "book")], logs::line());
    #[cfg(feature = "book")]
    println!("{}", unneeded_book::pages());
}
