use re_exports::prelude::*;
pub use re_exports::shadowed;

mod user {
    pub use super::shadowed as hidden;
    pub(crate) use crate::Kind;
}

fn main() {
    let kind: user::Kind = build();
    if let Two(n) = kind {
        println!("{n} {:?} {}", One, user::hidden());
    }
    let mut map = Map::new();
    map.insert(1, Order::Less);
    println!("{map:?} {:?}", re_exports::make());
}
