pub mod deep {
    pub mod deeper {
        /// Deep, but at the crate's root by `#[macro_export]`.
        #[macro_export]
        macro_rules! doubled {
            ($x:expr) => {
                $crate::deep::twice($x)
            };
            ($x:expr, $($more:expr),+) => {
                $crate::doubled!($x) + $crate::doubled!($($more),+)
            };
        }
        #[macro_export]
        macro_rules! unneeded_macro {
            () => {};
        }
    }
    pub fn twice(x: i32) -> i32 {
        x * 2
    }
    pub fn inside() -> i32 {
        crate::doubled!(4) + crate::doubled!(1)
    }
}
#[macro_export]
macro_rules! maximum {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+) => {{ let (a, b) = ($x, $crate::maximum!($($rest),+)); if a > b { a } else { b } }};
}
#[macro_export]
macro_rules! counter {
    ($name:ident, $start:expr) => {
        struct $name(i32);
        impl $name {
            fn next(&mut self) -> i32 {
                self.0 += $crate::STEP;
                self.0
            }
        }
        impl Default for $name {
            fn default() -> Self {
                $name($start)
            }
        }
    };
}
pub const STEP: i32 = 5;
#[macro_export(local_inner_macros)]
macro_rules! tripled {
    ($x:expr) => { once!($x) + once!($x) + once!($x) };
}
#[macro_export]
macro_rules! once {
    ($x:expr) => { $x };
}
