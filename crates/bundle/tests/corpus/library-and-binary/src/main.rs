use library_and_binary::Engine;
mod engine {
    pub fn run() -> &'static str {
        "the binary's own engine"
    }
}
pub fn main() {
    println!("{} {}", Engine::new(5).run(), engine::run());
}
