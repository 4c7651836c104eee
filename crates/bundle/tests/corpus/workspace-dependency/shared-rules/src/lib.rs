pub struct Rule {
    pub name: &'static str,
    pub article: u8,
}
pub static RULES: [Rule; 2] = [Rule { name: "capture", article: 4 }, Rule { name: "crown", article: 5 }];
pub fn length(text: &str) -> usize {
    text.chars().count()
}
pub fn unneeded() {}
