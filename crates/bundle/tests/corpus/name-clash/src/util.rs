pub fn name() -> String {
    format!("util of {}", crate::step())
}
