include!("tables/squares.rs");

mod inner {
    include!("tables/inner.rs");
}

const PRIMES: [u32; 5] = include!("tables/primes.in");

fn main() {
    println!("{:?} {:?} {}", SQUARES, PRIMES, inner::sum(&include!("tables/primes.in")));
    let last = { include!("tables/last.rs") };
    println!("{last}");
}
