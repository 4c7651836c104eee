//! Names that are printed, captured, quoted or the standard library's: a compact file may not change them.
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
enum Printed {
    Nothing,
    Something { inside: Inner },
}
#[derive(Debug, Clone, PartialEq)]
struct Inner(u32);

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Distance {
    metres: u32,
}

trait Measured {
    fn length(&self) -> usize;
    fn is_longer(&self, other: &Self) -> bool {
        self.length() > other.length()
    }
}
impl Measured for String {
    fn length(&self) -> usize {
        self.len()
    }
}
impl fmt::Display for Distance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} m", self.metres)
    }
}

macro_rules! doubled {
    ($name:ident = $value:expr) => {
        let $name = 2 * $value;
    };
}

#[no_mangle]
pub extern "C" fn exported(number: i32) -> i32 {
    number + 1
}
mod imported {
    extern "C" {
        pub fn exported(number: i32) -> i32;
    }
}

fn longest<'text>(one: &'text str, other: &'text str) -> &'text str {
    if one.to_string().is_longer(&other.to_string()) { one } else { other }
}

fn main() {
    let (width, total) = (6, 3);
    doubled!(twice = total);
    println!("{total:>width$} {twice} {}", stringify!(total));
    println!("{:?} {:?}", Printed::Nothing, Printed::Something { inside: Inner(total) });
    // SAFETY: it is the function above.
    println!("{}", unsafe { imported::exported(total as i32) } + exported(1));
    let near = Distance { metres: 5 };
    println!("{near} {} {}", near < Distance { metres: 9 }, longest("a name", "another"));
    if cfg!(unix) && std::env::args().count() == 1 {
        'outer: for row in 0..3 {
            for column in 0..3 {
                if row * column == 2 {
                    println!("{row} {column}");
                    break 'outer;
                }
            }
        }
    }
}
