pub fn of() -> String {
    format!("{} {}", cfg!(feature = "monotonic"), cfg!(feature = "ticks"))
}
