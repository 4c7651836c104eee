pub mod inner;
pub const VALUE: i32 = 2;
