pub const VALUE: i32 = 8;
