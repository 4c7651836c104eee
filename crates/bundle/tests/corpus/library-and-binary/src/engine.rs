use crate::engine::parts::Part;
pub struct Engine {
    parts: Vec<Part>,
}
impl Engine {
    pub fn new(count: usize) -> Self {
        Engine { parts: (0..count).map(Part).collect() }
    }
    pub fn run(&self) -> usize {
        self.parts.iter().map(|part| part.0).sum()
    }
}
mod parts {
    pub struct Part(pub usize);
}
