pub mod util;
pub fn step() -> &'static str {
    "b"
}
pub struct Board;
impl Board {
    pub fn name(&self) -> &'static str {
        "b's board"
    }
}
#[macro_export]
macro_rules! shout {
    ($x:expr) => {
        format!("{}? {}", $x, $crate::step())
    };
}
