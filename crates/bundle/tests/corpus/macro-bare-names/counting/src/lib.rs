//! Macros that call others of their crate by bare names.
#[macro_export(local_inner_macros)]
macro_rules! count {
    () => { zero!() };
    ($first:expr $(, $rest:expr)*) => { inner!($first) + count!($($rest),*) + hidden_one!() };
    (@with $callback:ident, $x:expr) => { $callback!($x) };
    (@not $x:expr) => { if !($x) { zero!() } else { negated!{$x} } };
    (@define $name:ident) => {
        macro_rules! $name { ($y:expr) => { local!($y) }; }
    };
}
#[macro_export]
macro_rules! inner {
    ($x:expr) => {{
        let _ = $x;
        1
    }};
}
#[doc(hidden)]
#[macro_export]
macro_rules! zero {
    () => { $crate::deep::ZERO };
}
pub mod deep {
    pub const ZERO: i32 = 0;
    #[macro_export]
    macro_rules! hidden_one {
        () => { 1 };
    }
    pub use hidden_one;
    #[macro_export]
    macro_rules! negated {
        ($x:expr) => { -($x as i32) };
    }
    pub use crate::negated as opposite;
    pub mod deeper {
        /// Found by the name of the crate, which is what the caller calls it.
        #[macro_export]
        macro_rules! by_crate {
            ($x:expr) => { ::counting::inner!($x) + <i32>::from(counting::deep::ZERO) };
        }
    }
}
pub use crate::deep::hidden_one as one;
/// Called like the crate.
#[macro_export]
macro_rules! counting {
    ($($x:expr),*) => { $crate::count!($($x),*) };
}
#[macro_export(local_inner_macros)]
macro_rules! unneeded_macro {
    () => { zero!() };
}
