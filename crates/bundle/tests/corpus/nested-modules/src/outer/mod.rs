pub mod middle;
mod unneeded;
pub fn sum() -> i32 {
    middle::inner::VALUE + self::middle::VALUE
}
