pub fn of() -> String {
    let of = [
        cfg!(feature = "monotonic"),
        cfg!(feature = "ticks"),
        cfg!(feature = "tsc"),
        cfg!(feature = "hundredths"),
        cfg!(feature = "default"),
    ];
    format!("{of:?}")
}
