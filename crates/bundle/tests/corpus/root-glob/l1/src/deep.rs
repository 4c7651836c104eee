use super::*;
pub fn whisper(size: u32) -> String {
    format!("{size} {:?} {}", Colour::Black, Board::new(size).area())
}
