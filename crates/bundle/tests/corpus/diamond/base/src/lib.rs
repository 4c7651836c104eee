#[derive(PartialEq, Debug)]
pub struct Value(i32);
impl Value {
    pub fn new(x: i32) -> Value {
        Value(x)
    }
    pub fn get(&self) -> i32 {
        self.0
    }
}
pub trait Unneeded {}
impl Unneeded for Value {}
