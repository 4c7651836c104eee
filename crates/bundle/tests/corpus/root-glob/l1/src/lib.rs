pub use colour::*;
pub mod deep;
mod colour {
    #[derive(Debug)]
    pub enum Colour {
        Black,
        White,
    }
    pub struct UnneededColour;
}
pub const SIZE: u32 = 8;
pub struct Board {
    size: u32,
}
impl Board {
    pub fn new(size: u32) -> Board {
        Board { size }
    }
    pub fn area(&self) -> u32 {
        self.size * self.size
    }
    pub fn unneeded_edge(&self) -> u32 {
        self.size
    }
}
impl Default for UnneededColour {
    fn default() -> Self {
        UnneededColour
    }
}
