pub fn line() -> String {
    format!("{} {}", cfg!(feature = "stamped"), cfg!(feature = "short"))
}
