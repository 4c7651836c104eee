mod fourth;
pub fn name() -> String {
    format!("third and {}", fourth::NAME)
}
