pub fn pieces() -> u8 {
    match (cfg!(feature = "five"), cfg!(feature = "tested")) {
        (true, true) => 6,
        (true, false) => 5,
        (false, _) => 4,
    }
}
