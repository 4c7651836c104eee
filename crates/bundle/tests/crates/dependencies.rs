//! Dependencies: which are resolved, compiled, bundled, left out and refused.

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
fn a_crate_from_a_registry_is_refused_and_the_line_named_unless_it_is_offered() {
    let main = "mod chance; fn main() { println!(\"{}\", chance::pick()); }";
    let files = with_dice(main, &[]);
    refused(
        &files,
        None,
        &[
            "src/chance.rs:1 uses the crate `dice`, which is from a registry",
            "the contest offers the standard library and: none. Move what needs `dice` out",
        ],
    );
}

#[test]
fn a_crate_that_the_contest_offers_stays_an_import() {
    let main = "mod chance; fn main() { println!(\"{}\", chance::pick()); }";
    let files = with_dice(main, &[]);
    for check in [false, true] {
        let request = BundleRequest {
            offered: &["dice"],
            check,
            ..BundleRequest::default()
        };
        let bundle = bundle_in(&crate_of(&files), request).unwrap();
        assert!(bundle.text.contains("dice::roll()"), "{}", bundle.text);
        assert_eq!(bundle.checked.is_some(), check);
    }
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
    let beside = MANIFEST.replace(
        "[workspace]",
        "[dependencies]\ndice = { path = \"vendor/dice\" }\n[workspace]",
    );
    let unused =
        "use rolls::Roll;\n#[derive(Roll)]\nstruct Unneeded;\nfn main() { println!(\"1\"); }";
    let used = "use rolls::Roll;\n#[derive(Roll)]\nstruct Used;\nfn main() { Used.roll(); }";
    for (manifest, origin) in [
        (None, "from a registry"),
        (Some(beside.as_str()), "a crate of procedural macros"),
    ] {
        let dice = [
            ("vendor/dice/src/lib.rs", derive),
            ("vendor/dice/Cargo.toml", package),
        ];
        let own = manifest.map(|manifest| ("Cargo.toml", manifest));
        let others: Vec<_> = dice.into_iter().chain(own).collect();
        let bundle = bundle_in(
            &crate_of(&with_dice(unused, &others)),
            BundleRequest::default(),
        );
        let bundle = bundle.unwrap();
        assert!(!bundle.text.contains("Unneeded"), "{}", bundle.text);
        assert_eq!(output_of(&bundle), "1\n");
        let words = format!("src/main.rs:1 uses the crate `rolls`, which is {origin}");
        refused(&with_dice(used, &others), None, &[&words]);
    }
}

#[test]
fn a_crate_from_a_registry_that_only_other_modules_use_is_left_out() {
    let main = "mod chance; fn main() { let dice = 3; println!(\"{dice}\"); }";
    let files = with_dice(main, &[]);
    let bundle = bundle_in(&crate_of(&files), BundleRequest::default()).unwrap();
    assert!(!bundle.text.contains("chance"), "{}", bundle.text);
}

#[test]
fn what_cargo_says_of_its_progress_is_no_error() {
    let broken = ("vendor/dice/src/lib.rs", "pub fn roll() -> u8 { true }");
    let files = with_dice("mod chance; fn main() { chance::pick(); }", &[broken]);
    let error = bundle_in(&crate_of(&files), BundleRequest::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("cargo cannot read the package: error[E0308]"),
        "{error}"
    );
    assert!(!error.contains("Checking"), "{error}");
}

#[test]
fn dependencies_that_no_line_names_are_not_resolved() {
    let mut files = with_dice("fn main() { println!(\"7\"); }", &[]);
    files.retain(|(name, _)| !name.starts_with("vendor"));
    let bundle = bundle_in(&crate_of(&files), BundleRequest::default()).unwrap();
    assert_eq!(output_of(&bundle), "7\n");
    for main in [
        "fn main() { dice::roll(); }",
        "use dice::roll; fn main() {}",
        "extern crate dice; fn main() {}",
    ] {
        files.retain(|(name, _)| *name != "src/main.rs");
        files.push(("src/main.rs", main));
        refused(&files, None, &["cargo cannot read the package: ", "vendor"]);
    }
}

#[test]
fn a_library_that_is_not_called_like_its_package_is_found() {
    let package = "[package]\nname = \"dice\"\nversion = \"1.0.0\"\n[lib]\nname = \"cubes\"\n";
    let files = |main| {
        let mut files = with_dice(main, &[("vendor/dice/Cargo.toml", package)]);
        files.retain(|(name, _)| *name != "src/chance.rs");
        files
    };
    let unused =
        "fn main() { println!(\"7\"); } #[allow(dead_code)] fn never() -> u8 { cubes::roll() }";
    let bundle = bundle_in(&crate_of(&files(unused)), BundleRequest::default()).unwrap();
    assert_eq!(output_of(&bundle), "7\n");
    let used = "fn main() { println!(\"{}\", cubes::roll()); }";
    let words = "src/main.rs:1 uses the crate `cubes`, which is from a registry";
    refused(&files(used), None, &[words]);
}

#[test]
fn two_versions_of_a_crate_from_a_registry_are_not_mixed_up() {
    let package =
        |name, version| format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\n");
    let (old, cards) = (package("dice", "0.9.0"), package("cards", "1.0.0"));
    let manifest = "[package]\nname = \"my_bot\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
        [dependencies]\ncards = \"1\"\ndice = \"1\"\nolder = { package = \"dice\", version = \"0.9\" }\n[workspace]\n";
    // Each has what the others lack.
    let main = "fn main() { println!(\"7\"); }
        #[allow(dead_code)] fn never() -> u8 { dice::roll() + older::throw() + cards::draw() }";
    let files = with_dice(
        main,
        &[
            ("Cargo.toml", manifest),
            ("vendor/older/Cargo.toml", &old),
            ("vendor/older/src/lib.rs", "pub fn throw() -> u8 { 3 }"),
            ("vendor/older/.cargo-checksum.json", "{\"files\":{}}"),
            ("vendor/cards/Cargo.toml", &cards),
            ("vendor/cards/src/lib.rs", "pub fn draw() -> u8 { 9 }"),
            ("vendor/cards/.cargo-checksum.json", "{\"files\":{}}"),
        ],
    );
    let bundle = bundle_in(&crate_of(&files), BundleRequest::default()).unwrap();
    assert_eq!(output_of(&bundle), "7\n");
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

#[test]
fn dependencies_are_compiled_only_if_named_and_nothing_is_left_in_the_target_folder() {
    // It does not compile, and need not: the named path belongs to no crate.
    let broken = ("vendor/dice/src/lib.rs", "pub fn roll() -> u8 { true }");
    let main = "fn main() { other::name(); }";
    refused(
        &with_dice(main, &[broken]),
        None,
        &["does not compile", "`other`"],
    );

    let folder = crate_of(&with_dice("fn main() { println!(\"7\"); }", &[broken]));
    let unnamed = bundle_in(&folder, BundleRequest::default()).unwrap();
    assert_eq!(output_of(&unnamed), "7\n");

    std::fs::write(
        folder.path().join("vendor/dice/src/lib.rs"),
        "pub fn roll() -> u8 { 4 }",
    )
    .unwrap();
    let main = "use dice::roll; fn main() { println!(\"7\"); } #[allow(dead_code)] fn never() -> u8 { roll() }";
    std::fs::write(folder.path().join("src/main.rs"), main).unwrap();
    let offered = BundleRequest {
        offered: &["dice"],
        ..BundleRequest::default()
    };
    bundle_in(&folder, offered).unwrap();
    assert!(!folder.path().join("target").exists());
}
