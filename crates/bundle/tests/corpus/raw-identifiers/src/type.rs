#[derive(Debug)]
pub struct Größe {
    pub r#in: u8,
}
pub fn r#match(x: i32) -> i32 {
    x + -1 - -2
}
pub fn r#unneeded() {}
