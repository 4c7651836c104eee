//! The program `crownhead`.

fn main() {}
