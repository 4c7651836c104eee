pub fn pages() -> u8 {
    1
}
