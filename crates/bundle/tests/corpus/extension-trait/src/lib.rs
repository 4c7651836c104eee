pub mod prelude {
    pub use crate::bits::BitsExt;
    pub use crate::list::{ListExt, UnneededExt};
}
pub mod bits {
    pub trait BitsExt: Copy {
        fn lowest(self) -> Option<u32>;
    }
    impl BitsExt for u64 {
        fn lowest(self) -> Option<u32> {
            (self != 0).then(|| self.trailing_zeros())
        }
    }
}
pub mod list {
    pub trait ListExt<T> {
        fn second(&self) -> Option<&T>;
    }
    impl<T> ListExt<T> for Vec<T> {
        fn second(&self) -> Option<&T> {
            self.get(1)
        }
    }
    impl<T> ListExt<T> for [T] {
        fn second(&self) -> Option<&T> {
            self.get(1)
        }
    }
    pub trait UnneededExt {
        fn unneeded(&self) -> u8;
    }
    impl UnneededExt for str {
        fn unneeded(&self) -> u8 {
            1
        }
    }
}
