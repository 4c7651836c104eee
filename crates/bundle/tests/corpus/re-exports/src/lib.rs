mod deep {
    pub(crate) mod deeper {
        #[derive(Debug)]
        pub enum Kind {
            One,
            Two(u8),
        }
        pub fn make() -> Kind {
            Kind::Two(2)
        }
        pub fn shadowed() -> &'static str {
            "unneeded"
        }
        pub struct Unneeded;
    }
    pub use self::deeper::*;
}
pub use deep::*;
pub use std::cmp::Ordering as Order;
pub fn shadowed() -> &'static str {
    "by the root"
}
pub mod prelude {
    pub use super::deep::deeper::Kind::{self, *};
    pub use super::{make as build, Order};
    pub use std::collections::HashMap as Map;
}
