fn main() {
    let left = diamond_left::make(3);
    println!("{}", diamond_right::show(&left));
    println!("{}", left == diamond_base::Value::new(6));
}
