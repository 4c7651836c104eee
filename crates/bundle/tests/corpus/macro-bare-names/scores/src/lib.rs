#[macro_use]
pub extern crate limits;
#[macro_use]
mod helpers;
pub use limits::{clamped, clamped as bounded};

/// The same name as a macro of another crate.
#[macro_export(local_inner_macros)]
macro_rules! inner {
    ($x:expr) => { $x * 100 };
}
#[macro_export(local_inner_macros)]
macro_rules! score {
    ($x:expr) => { inner!($x) + deepest!($x) };
}
#[macro_export]
macro_rules! deepest {
    ($x:expr) => { $crate::limits::clamped!($x) };
}
/// Makes macros that its callers export.
#[macro_export]
macro_rules! make_macro {
    ($name:ident, $value:expr) => {
        #[macro_export]
        macro_rules! $name {
            () => { $value };
        }
    };
}
make_macro!(made, 7);
macro_rules! make_fixed {
    () => {
        #[macro_export]
        macro_rules! fixed {
            () => { 600 };
        }
    };
}

pub mod within {
    pub fn all() -> i32 {
        clamped!(50) + helped!(1) + inside() + made!()
    }
    make_macro!(made_within, 5000);
    make_fixed!();
    fn inside() -> i32 {
        mod nested {
            pub const N: i32 = 3;
        }
        clamped!(nested::N)
    }
}
