//! Short names in small files.

use super::*;

fn shortened(source: &str) -> String {
    let compiler = Compiler::new([]).unwrap();
    let file = shorten(&syn::parse_file(source).unwrap(), &compiler).unwrap();
    text::compact(&file)
}

#[test]
fn own_names_are_short_and_those_of_others_stay() {
    let text = shortened(
        "#[derive(Clone, Debug)] struct Quiet { inner: Vec<u32> }
        impl Quiet { fn first_of_all(&self) -> Option<&u32> { self.inner.iter().next() } }
        mod somewhere { pub fn new_one(number: u32) -> Vec<u32> { vec![number; 3] } }
        fn main() {
            let quiet = Quiet { inner: somewhere::new_one(7) };
            std::process::exit(quiet.clone().first_of_all().map_or(1, |found| *found as i32));
        }",
    );
    for long in [
        "Quiet",
        "inner",
        "first_of_all",
        "new_one",
        "number",
        "quiet",
        "Debug",
    ] {
        assert!(!text.contains(long), "{long}: {text}");
    }
    for kept in [
        "Clone",
        "Vec<u32>",
        ".iter().next()",
        "mod somewhere",
        "vec![",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
}

#[test]
fn names_that_are_printed_stay() {
    let text = shortened(
        "#[derive(Debug)] struct Printed { field: Inner } #[derive(Debug)] struct Inner;
        fn main() { let captured = Printed { field: Inner }; println!(\"{captured:?}\"); }",
    );
    for kept in ["struct Printed{field:Inner", "struct Inner", "let captured"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
}

#[test]
fn the_most_frequent_names_are_the_shortest_and_none_is_reserved() {
    let source: String = (0..3000)
        .map(|number| format!("fn name{number}() {{}}"))
        .collect();
    let tokens: TokenStream = format!("{source} fn f() {{ often; often }} often")
        .parse()
        .unwrap();
    let reserved: HashSet<String> = RESERVED.split_whitespace().map(String::from).collect();
    let names = names(tokens, &reserved);
    assert_eq!(names["often"], "a");
    let short: HashSet<&String> = names.values().collect();
    assert!(short.iter().all(|name| !reserved.contains(*name)));
    assert_eq!(names.len(), short.len());
}
