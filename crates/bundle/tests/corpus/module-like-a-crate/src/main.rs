mod rules;

fn main() {
    println!("{} {}", rules::name(), self::rules::other());
}
