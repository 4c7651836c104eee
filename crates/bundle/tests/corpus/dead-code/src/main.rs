//! Most of this is never used, in circles too.
use std::fmt;

trait UnneededTrait {
    type UnneededType;
    fn unneeded(&self) -> Self::UnneededType;
}
struct UnneededNode {
    unneeded: Option<Box<UnneededNode>>,
    other: unneeded_module::UnneededOther,
}
impl UnneededTrait for UnneededNode {
    type UnneededType = u8;
    fn unneeded(&self) -> u8 {
        self.unneeded.as_ref().map_or(0, |inner| inner.unneeded())
    }
}
impl fmt::Display for UnneededNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.unneeded())
    }
}
mod unneeded_module {
    use super::{UnneededNode, Used};
    pub struct UnneededOther;
    impl UnneededOther {
        pub fn unneeded(self) -> UnneededNode {
            UnneededNode { unneeded: None, other: self }
        }
    }
    impl UnneededOther {
        pub const UNNEEDED: Used = Used;
    }
}
type Unneeded = UnneededNode;
fn unneeded(n: Unneeded) -> Unneeded {
    if n.unneeded.is_some() { unneeded(n) } else { n.other.unneeded() }
}
struct Used;
impl Used {
    fn name(&self) -> &'static str {
        use inner::*;
        go()
    }
}
mod inner {
    pub fn go() -> &'static str {
        "used"
    }
    pub fn unneeded() -> super::Unneeded {
        super::unneeded_module::UnneededOther.unneeded()
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Side {
    Left,
    UnneededLast,
}
#[derive(Clone, PartialEq)]
enum Answer {
    Unneeded,
    Number(u8),
}
// Never made, but the next one's number shows.
#[derive(Clone, Copy)]
enum Level {
    Low,
    Middle,
    High,
}

fn main() {
    println!("{}", Used.name());
    println!("{:?} {}", Side::Left, Answer::Number(3) == Answer::Number(4));
    println!("{} {}", Level::Low as u8, Level::High as u8);
}
