pub fn show(value: &base::Value) -> String {
    format!("<{}>", ::base::Value::get(value))
}
