compile_error!("nobody asks for the book");

pub fn pages() -> u8 {
    1
}
