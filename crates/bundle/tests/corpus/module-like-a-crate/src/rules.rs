pub fn name() -> &'static str {
    "the module"
}
pub fn other() -> String {
    format!("{} and {}", crate::rules::name(), ::rules::name())
}
