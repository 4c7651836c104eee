pub mod faces {
    pub const COUNT: usize = 6;
}
pub fn roll() -> usize {
    faces::COUNT - 2
}
