use std::collections::HashMap;

unsafe extern "C" {
    safe fn abs(x: i32) -> i32;
}

fn words<'a>(text: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
    text.split(' ')
}

fn count(text: &str) -> Vec<(String, usize)> {
    let mut counts = HashMap::new();
    for word in words(text) {
        *counts.entry(word.to_string()).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort();
    counts
}

fn main() {
    let Some(first) = words("b a b").next() else {
        unreachable!()
    };
    println!("{first} {:?} {}", count("b a b"), abs(-4));
    println!("{}", lib_of_2024::outcome(&[1, 2, 3]));
}
