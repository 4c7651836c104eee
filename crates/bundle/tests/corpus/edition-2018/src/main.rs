use std::convert::TryFrom;
use std::io::{self, BufRead};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut total = 0u32;
    for line in io::stdin().lock().lines() {
        total += line?.trim().parse::<u32>()?;
    }
    let small = u8::try_from(total).unwrap_or(u8::MAX);
    println!("{} {}", total, small);
    Ok(())
}
