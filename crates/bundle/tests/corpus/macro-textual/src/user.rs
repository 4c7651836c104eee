points! { Point { x, y } Other { z } }
pub const BASE: i32 = 30;
pub fn go() -> String {
    format!("{:?} {:?} {}", Point { x: 3, y: 4 }, Other { z: 5 }, crate::macros::helper())
}
