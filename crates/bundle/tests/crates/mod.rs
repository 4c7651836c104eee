//! Crates with everything that crates use, and crates that cannot be one file; only through the library.

mod dependencies;

use crownhead_bundle::{Bundle, BundleError, BundleRequest, bundle};
use std::process::Command;
use tempfile::TempDir;

/// A crate of these files; it lasts as long as the folder.
fn crate_of(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// Bundles the crate in `folder`, with the rest of the request as given.
fn bundle_in(folder: &TempDir, request: BundleRequest<'_>) -> Result<Bundle, BundleError> {
    bundle(&BundleRequest {
        manifest: Some(&folder.path().join("Cargo.toml")),
        ..request
    })
}

/// Compiles a bundle as the arena does, with only the standard library, and returns what it prints.
fn output_of(bundle: &Bundle) -> String {
    let folder = tempfile::tempdir().unwrap();
    let [source, program] = ["one.rs", "one"].map(|name| folder.path().join(name));
    std::fs::write(&source, &bundle.text).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2021", "-o"]);
    let output = rustc.arg(&program).arg(&source).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

const MANIFEST: &str = "\
[package]
name = \"my-bot\"
version = \"0.1.0\"
edition = \"2021\"
[features]
default = [\"loud\"]
loud = []
[workspace]
";

/// A crate that uses what crates use: a library beside the binary, folders, paths, macros, conditions.
const STRANGER: &[(&str, &str)] = &[
    ("Cargo.toml", MANIFEST),
    (
        "src/main.rs",
        "//! My bot.
         use my_bot::think::{self, Mind as _};
         use my_bot::greet;
         // A function called like a module at the library's root.
         use my_bot::think::tools;
         use std::fmt;
         /// Shown below.
         struct Shown(i32);
         impl fmt::Display for Shown {
             fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, \"<{}>\", self.0) }
         }
         fn main() {
             // a comment
             let mind = think::deep::Deep::new();
             #[allow(unused_mut)]
             let mut base = think::BASE;
             #[cfg(not(feature = \"loud\"))]
             { base += 1; }
             println!(\"{} {} {} {}\", tools(), greet(), Shown(mind.best()), my_bot::doubled!(base));
             #[cfg(feature = \"quiet\")]
             panic!(\"quiet\");
         }",
    ),
    (
        "src/lib.rs",
        "use std::fmt;
         #[macro_use]
         mod tools;
         pub mod think;
         pub mod unused { pub fn never() -> super::Other { super::Other } }
         pub struct Other;
         impl fmt::Debug for Other {
             fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) }
         }
         #[macro_export]
         macro_rules! doubled { ($x:expr) => { $crate::think::twice($x) } }
         pub fn greet() -> &'static str {
             const WORDS: &str = include_str!(\"words.txt\");
             let _ = square!(2);
             WORDS
         }",
    ),
    ("src/words.txt", "hello \"you\""),
    ("src/tools.rs", "macro_rules! square { ($x:expr) => { $x * $x } } macro_rules! unused { () => {} }"),
    (
        "src/think/mod.rs",
        "#[path = \"elsewhere/deepest.rs\"] pub mod deep;
         pub mod never;
         pub const BASE: i32 = 4;
         pub fn tools() -> i32 { 5 }
         pub fn twice(x: i32) -> i32 { 2 * x }
         pub fn thrice(x: i32) -> i32 { 3 * x }
         pub trait Mind {
             fn best(&self) -> i32;
             fn worst(&self) -> i32 { 0 }
         }
         #[cfg(test)]
         mod tests { #[test] fn works() {} }",
    ),
    (
        "src/think/elsewhere/deepest.rs",
        "//! Deep.
         use super::*;
         #[derive(Clone, Debug)]
         pub struct Deep { depth: i32 }
         impl Deep { pub fn new() -> Deep { Deep { depth: inner::START } } fn idle(&self) {} }
         impl Mind for Deep {
             fn best(&self) -> i32 { square!(self.depth) + helper() }
             fn worst(&self) -> i32 { thrice(1) }
         }
         #[cfg(feature = \"loud\")]
         fn helper() -> i32 { 1 }
         #[cfg(not(feature = \"loud\"))]
         fn helper() -> i32 { 100 }
         mod inner { pub const START: i32 = 6; pub const END: i32 = 9; }",
    ),
    ("src/think/never.rs", "pub fn nowhere() {}"),
];

#[test]
fn a_crate_becomes_one_file_that_does_the_same() {
    let folder = crate_of(STRANGER);
    let bundle = bundle_in(&folder, BundleRequest::default()).unwrap();
    assert_eq!(output_of(&bundle), "5 hello \"you\" <37> 8\n");
    assert_eq!((bundle.name.as_str(), bundle.compact), ("my_bot", false));
    for left_out in [
        "never",
        "nowhere",
        "thrice",
        "worst",
        "idle",
        "END",
        "Other",
        "unused",
        "quiet",
        "100",
        "comment",
        "//!",
        "include_str",
        "works",
    ] {
        let text = &bundle.text;
        assert!(
            !text.contains(left_out),
            "{left_out} is in the bundle:\n{text}"
        );
    }
}

#[test]
fn compact_text_does_the_same_in_less_room() {
    let folder = crate_of(STRANGER);
    let readable = bundle_in(&folder, BundleRequest::default()).unwrap();
    let request = BundleRequest {
        compact: true,
        ..BundleRequest::default()
    };
    let compact = bundle_in(&folder, request).unwrap();
    assert_eq!(output_of(&compact), output_of(&readable));
    let text = &compact.text;
    assert!(text.len() < readable.text.len() * 3 / 4, "{text}");
}

/// Bundles these files and expects a refusal that has these words.
fn refused(files: &[(&str, &str)], binary: Option<&str>, words: &[&str]) {
    let request = BundleRequest {
        binary,
        ..BundleRequest::default()
    };
    let error = bundle_in(&crate_of(files), request)
        .unwrap_err()
        .to_string();
    for words in words {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_check_finds_errors_that_only_a_full_compilation_shows() {
    let main =
        "fn main() { show::<3>(); }\nfn show<const N: usize>() {\n    const { assert!(N < 3) };\n}";
    let folder = crate_of(&[("Cargo.toml", MANIFEST), ("src/main.rs", main)]);
    bundle_in(&folder, BundleRequest::default()).unwrap();
    let check = BundleRequest {
        check: true,
        ..BundleRequest::default()
    };
    let error = bundle_in(&folder, check).unwrap_err().to_string();
    assert!(error.contains("src/main.rs:3: "), "{error}");
    assert!(error.contains("assertion failed"), "{error}");
}

#[test]
fn syntax_of_edition_2024_is_refused_with_the_contests_edition() {
    let manifest = MANIFEST.replace("2021", "2024");
    let main = "fn main() {\n    let x = Some(3);\n    if let Some(y) = x && y > 2 { println!(\"{y}\"); }\n}";
    refused(
        &[("Cargo.toml", &manifest), ("src/main.rs", main)],
        None,
        &[
            "src/main.rs:3: let chains",
            "if let Some(y) = x && y > 2",
            "The contest compiles edition 2021",
        ],
    );
}

#[test]
fn a_bot_that_does_not_compile_is_refused_with_the_compilers_words() {
    let main = ("src/main.rs", "fn main() {\n let x: u8 = true; }");
    refused(
        &[("Cargo.toml", MANIFEST), main],
        None,
        &["mismatched types", "src/main.rs:2:", "let x: u8 = true;"],
    );
}

#[test]
fn a_binary_that_is_not_there_is_refused_with_those_that_are() {
    let two = [
        ("Cargo.toml", MANIFEST),
        ("src/bin/one.rs", "fn main() {}"),
        ("src/bin/two.rs", "fn main() {}"),
    ];
    let there_are = "no binary named `three`; there are: one, two";
    refused(&two, Some("three"), &[there_are]);
    refused(&two, None, &["Name it with --bin; there are: one, two"]);
}

#[test]
fn the_binary_of_the_manifests_own_package_goes_before_those_of_its_workspace() {
    let member =
        |name| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let (one, two) = (member("one"), member("two"));
    let folder = crate_of(&[
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"2\"\nmembers = [\"one\", \"two\"]\n",
        ),
        ("one/Cargo.toml", &one),
        ("one/src/main.rs", "fn main() { println!(\"1\"); }"),
        ("two/Cargo.toml", &two),
        ("two/src/main.rs", "fn main() { println!(\"2\"); }"),
    ]);
    let manifest = folder.path().join("one/../two/Cargo.toml");
    let bundle = bundle(&BundleRequest {
        manifest: Some(&manifest),
        ..BundleRequest::default()
    });
    assert_eq!(output_of(&bundle.unwrap()), "2\n");
    let error = bundle_in(&folder, BundleRequest::default()).unwrap_err();
    assert!(error.to_string().contains("there are: one, two"), "{error}");
}
