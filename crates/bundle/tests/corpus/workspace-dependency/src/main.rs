use shared_rules::{Rule, RULES};

fn main() {
    for Rule { name, article } in &RULES {
        println!("{article} {name} {}", shared_rules::length(name));
    }
}
