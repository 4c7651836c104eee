mod r#type;
use r#type::{r#match, Größe};

const TEXT: &str = r#"raw "quotes" \ and {braces}"#;

fn lifetimes<'long: 'short, 'short>(x: &'long str, y: &'short str) -> &'short str {
    if x.len() > y.len() { x } else { y }
}

fn main() {
    let r#loop = r#match(1);
    println!("{} {TEXT} {}", r#loop, lifetimes("längste", "b"));
    println!("{:?} {:?} {:?}", b"bytes\n", 'c', c"c".to_bytes());
    let sum = 'outer: loop {
        let mut sum = 0;
        for x in 0.. {
            sum += x;
            if sum > 20 {
                break 'outer sum;
            }
        }
    };
    println!("{sum} {} {}", 1.0e3_f64 .sqrt() as i32, (1, (2, 3)).1.1);
    println!("{:?} {}", Größe { r#in: 3 }, (1..=2).contains(&2));
}
