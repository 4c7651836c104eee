//! A trait at the root of the library.
pub trait Judge {
    const NAME: &'static str;
    fn score(&self) -> i32;
    fn twice(&self) -> i32 {
        2 * self.score()
    }
    fn unneeded(&self) -> i32 {
        3 * self.score()
    }
}
pub struct Counting(pub i32);
impl Judge for Counting {
    const NAME: &'static str = "counting";
    fn score(&self) -> i32 {
        self.0
    }
    fn unneeded(&self) -> i32 {
        0
    }
}
