#[unsafe(no_mangle)]
pub extern "C" fn exported(x: i32) -> i32 {
    x + 1
}
pub fn outcome(list: &[i32]) -> String {
    if let [first, .., last] = list {
        format!("{}", exported(first + last))
    } else {
        String::new()
    }
}
