pub const VALUE: i32 = super::super::super::plain::VALUE * 10;
pub fn path() -> &'static str {
    module_path!().rsplit("::").next().unwrap_or("")
}
