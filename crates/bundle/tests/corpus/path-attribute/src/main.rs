#[path = "other/first.rs"]
mod first;
mod inline {
    #[path = "second_file.rs"]
    pub mod second;
}
#[path = "../outside/third.rs"]
mod third;
#[path = "other/first.rs"]
mod again;

fn main() {
    println!("{} {} {} {}", first::NAME, inline::second::NAME, third::name(), again::NAME);
}
