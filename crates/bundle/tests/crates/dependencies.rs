//! Dependencies: which are compiled, bundled, left out and refused.

use super::{MANIFEST, bundle_in, crate_of, output_of, refused};
use crownhead_bundle::BundleRequest;

/// A crate "from a registry", in a folder so that no test needs a network.
const REGISTRY: &[(&str, &str)] = &[
    (
        ".cargo/config.toml",
        "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"vendor\"\n",
    ),
    (
        "vendor/dice/Cargo.toml",
        "[package]\nname = \"dice\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
    ),
    ("vendor/dice/src/lib.rs", "pub fn roll() -> u8 { 4 }"),
    ("vendor/dice/.cargo-checksum.json", "{\"files\":{}}"),
    (
        "Cargo.toml",
        "[package]\nname = \"my_bot\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [dependencies]\ndice = \"1\"\n[workspace]\n",
    ),
    ("src/chance.rs", "pub fn pick() -> u8 { dice::roll() }"),
];

/// The files of [`REGISTRY`], with this `src/main.rs`, and others in the place of those of the crate from the registry.
fn with_dice<'f>(main: &'f str, dice: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let there = |name: &str| dice.iter().any(|(other, _)| *other == name);
    let kept = REGISTRY.iter().filter(|(name, _)| !there(name)).copied();
    let main = ("src/main.rs", main);
    kept.chain(dice.iter().copied()).chain([main]).collect()
}

#[test]
fn a_crate_from_a_registry_is_refused_and_the_line_named_unless_dead_code_alone_uses_it() {
    let files = with_dice(
        "mod chance; fn main() { println!(\"{}\", chance::pick()); }",
        &[],
    );
    refused(
        &files,
        None,
        &[
            "src/chance.rs:1 uses the crate `dice`, which is from a registry",
            "the contest offers the standard library and: chrono, ",
            "Move what needs `dice` out",
        ],
    );
    let main = "mod chance; fn main() { let dice = 3; println!(\"{dice}\"); }";
    let bundle = bundle_in(&crate_of(&with_dice(main, &[])), BundleRequest::default()).unwrap();
    assert!(!bundle.text.contains("chance"), "{}", bundle.text);
}

#[test]
fn a_crate_that_the_contest_offers_stays_an_import() {
    let main = "mod chance; fn main() { println!(\"{}\", chance::pick()); }";
    let files: Vec<(String, String)> = with_dice(main, &[])
        .into_iter()
        .map(|(name, text)| (name.replace("dice", "rand"), text.replace("dice", "rand")))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let request = BundleRequest {
        check: true,
        ..BundleRequest::default()
    };
    let bundle = bundle_in(&crate_of(&files), request).unwrap();
    assert!(bundle.text.contains("rand::roll()"), "{}", bundle.text);
    assert!(bundle.checked.is_some());
}

#[test]
fn an_unused_type_with_code_derived_by_a_crate_that_is_not_bundled_is_left_out() {
    // As clap's does, the derived code keeps the compiler from reporting the type.
    let derive = "use proc_macro::{TokenStream, TokenTree};
        #[proc_macro_derive(Roll)]
        pub fn roll(item: TokenStream) -> TokenStream {
            let words = item.into_iter().filter(|token| matches!(token, TokenTree::Ident(_)));
            let name = words.last().unwrap();
            format!(\"#[allow(dead_code)] impl {name} {{ fn roll(self) -> Self {{ self }} }}\").parse().unwrap()
        }";
    let package = "[package]\nname = \"dice\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[lib]\nname = \"rolls\"\nproc-macro = true\n";
    let manifest = MANIFEST.replace(
        "[workspace]",
        "[dependencies]\ndice = { path = \"vendor/dice\" }\n[workspace]",
    );
    let dice = [
        ("vendor/dice/src/lib.rs", derive),
        ("vendor/dice/Cargo.toml", package),
        ("Cargo.toml", &manifest),
    ];
    let unused =
        "use rolls::Roll;\n#[derive(Roll)]\nstruct Unneeded;\nfn main() { println!(\"1\"); }";
    let folder = crate_of(&with_dice(unused, &dice));
    let bundle = bundle_in(&folder, BundleRequest::default()).unwrap();
    assert!(!bundle.text.contains("Unneeded"), "{}", bundle.text);
    assert_eq!(output_of(&bundle), "1\n");
    let used = "use rolls::Roll;\n#[derive(Roll)]\nstruct Used;\nfn main() { Used.roll(); }";
    let words = "src/main.rs:1 uses the crate `rolls`, which is a crate of procedural macros";
    refused(&with_dice(used, &dice), None, &[words]);
}

#[test]
fn an_error_of_cargo_comes_without_its_progress() {
    let broken = ("vendor/dice/src/lib.rs", "pub fn roll() -> u8 { true }");
    let files = with_dice("mod chance; fn main() { chance::pick(); }", &[broken]);
    let error = bundle_in(&crate_of(&files), BundleRequest::default()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("compile:\nerror[E0308]"), "{error}");
    assert!(!error.contains("Checking"), "{error}");
}

#[test]
fn a_crate_that_takes_the_place_of_one_from_a_registry_is_bundled() {
    let mine = ("my-dice/src/lib.rs", "pub fn roll() -> u8 { 6 }");
    let manifest = "[package]\nname = \"my_bot\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
        [dependencies]\ndice = \"1\"\n[patch.crates-io]\ndice = { path = \"my-dice\" }\n[workspace]\n";
    let package = "[package]\nname = \"dice\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    let files = with_dice(
        "mod chance; fn main() { println!(\"{}\", chance::pick()); }",
        &[
            mine,
            ("my-dice/Cargo.toml", package),
            ("Cargo.toml", manifest),
        ],
    );
    let bundle = bundle_in(&crate_of(&files), BundleRequest::default()).unwrap();
    assert_eq!(output_of(&bundle), "6\n");
}
