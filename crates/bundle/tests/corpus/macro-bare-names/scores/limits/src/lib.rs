#[macro_export]
macro_rules! clamped {
    ($x:expr) => { smaller!($x, $crate::LIMIT) };
}
#[macro_export]
macro_rules! smaller {
    ($x:expr, $y:expr) => { if $x < $y { $x } else { $y } };
}
pub const LIMIT: i32 = 9;
