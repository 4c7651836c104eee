pub fn name() -> &'static str {
    crate::inner::NAME
}
mod inner {
    pub const NAME: &str = "the crate";
}
