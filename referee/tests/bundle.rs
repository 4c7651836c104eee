//! `crownhead bundle`: the contest bot and crates of strangers in one file, compiled as the arena does.

mod common;

use common::{Workshop, crownhead};
use crownhead::board::Side;
use crownhead::games::checkers::{Checkers, rules};
use crownhead::position::Position;
use crownhead::protocol::{write_colour, write_turn};
use crownhead_contest::bot::{Settings, player};
use crownhead_contest::conversation::converse;
use predicates::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The workspace that the contest bot lives in.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// Compiles one file as the arena does, with nothing but the standard library.
fn compile(source: &Path, optimised: bool) -> PathBuf {
    let program = source.with_extension(if optimised { "fast" } else { "checked" });
    let mut command = Command::new("rustc");
    command
        .args(["--edition", "2021", "-o"])
        .arg(&program)
        .arg(source);
    if optimised {
        command.arg("-O");
    }
    let output = command
        .output()
        .expect("rustc is there: it has compiled this test");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    program
}

/// What a bot has played and how it has searched.
#[derive(PartialEq, Debug)]
struct Played {
    moves: String,
    /// A line for each turn: depth, score, nodes and principal variation, without the clock's figures.
    searches: Vec<String>,
}

impl Played {
    fn new(output: Vec<u8>, errors: Vec<u8>) -> Played {
        let searches = String::from_utf8(errors).unwrap();
        Played {
            moves: String::from_utf8(output).unwrap(),
            searches: searches.lines().map(without_clock).collect(),
        }
    }
}

/// A line on a search without `4.85 Mn/s 85 ms`.
fn without_clock(line: &str) -> String {
    let Some((search, variation)) = line.split_once(" ms pv ") else {
        return line.to_string();
    };
    let (search, _time) = search.rsplit_once(" Mn/s ").unwrap();
    let (search, _speed) = search.rsplit_once(' ').unwrap();
    format!("{search} pv {variation}")
}

/// What a program does when it reads `input`.
fn run(program: &Path, arguments: &[&str], input: &str) -> Played {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    Played::new(output.stdout, output.stderr)
}

/// Black's end of a game in which each side always plays the middle of its moves.
fn dialogue() -> String {
    let mut text = String::new();
    write_colour('b', &mut text);
    let mut position = Checkers::start(&rules::CONTEST);
    for _ in 0..60 {
        let moves = position.legal_moves();
        let Some(&middle) = moves.get(moves.len() / 2) else {
            break;
        };
        if position.side_to_move() == Side::Black {
            write_turn(&position, &moves, &mut text);
        }
        position = position.play_unchecked(middle);
    }
    text
}

#[test]
fn the_contest_bot_in_one_file_searches_and_plays_as_the_workspace_does() {
    let workshop = Workshop::new();
    let file = workshop.path("submission.rs");
    crownhead()
        .current_dir(workspace())
        .args(["bundle", "-o", file.to_str().unwrap()])
        .assert()
        .success()
        .stdout("")
        .stderr(predicate::str::is_match(r"(?m)^games::checkers::movegen +\d").unwrap())
        .stderr(predicate::str::is_match(r"(?m)^characters +\d+ \d{3} of 100 000").unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.encode_utf16().count() <= 100_000);
    for left_out in "#[cfg(test)] /// clap perft from_fen #[test]".split(' ') {
        assert!(!text.contains(left_out), "{left_out} is in the bundle");
    }
    let first_lines: Vec<_> = text.lines().skip(1).take(2).collect();
    assert_eq!(
        first_lines,
        [
            "const TURN_MS: u64 = 100;",
            "const FIRST_TURN_MS: u64 = 100;"
        ],
        "people look on top for what they may change"
    );

    let input = dialogue();
    let (mut moves, mut searches) = (Vec::new(), Vec::new());
    let settings = Settings {
        turn: Duration::from_millis(100),
        first_turn: Duration::from_millis(100),
        depth: Some(6),
        nodes: None,
    };
    converse(
        &mut player(&settings),
        input.as_bytes(),
        &mut moves,
        &mut searches,
    )
    .unwrap();
    let of_workspace = Played::new(moves, searches);
    assert!(of_workspace.moves.lines().count() > 20);
    let with_nodes = |line: &&String| line.starts_with("depth 6/") && line.contains(" nodes ");
    assert!(of_workspace.searches.iter().filter(with_nodes).count() > 10);
    let (checked, fast) = (compile(&file, false), compile(&file, true));
    for program in [&checked, &fast] {
        assert_eq!(run(program, &["--depth", "6"], &input), of_workspace);
    }

    // Times are generous: other tests want the cores too.
    let bot = format!("'{}' --turn-ms 40 --first-turn-ms 60", fast.display());
    let options = "--games 2 --time 2s --first-turn 5s --seed 5".split(' ');
    let arguments: Vec<&str> = [&bot, "greedy"].into_iter().chain(options).collect();
    let result = workshop.match_json(&arguments);
    assert_eq!(result["faults"], serde_json::json!([]));
    assert_eq!(result["bots"][0]["total"]["wins"], 2, "{result}");
}

/// Writes the files of a crate; gives its manifest.
fn write_crate(workshop: &Workshop, files: &[(&str, &str)]) -> PathBuf {
    for (name, text) in files {
        let path = workshop.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    workshop.path("Cargo.toml")
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
             base += 1;
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
fn a_crate_of_a_strangers_becomes_one_file_that_does_the_same() {
    let workshop = Workshop::new();
    let manifest = write_crate(&workshop, STRANGER);
    let file = workshop.path("one.rs");
    crownhead()
        .arg("bundle")
        .arg("--manifest-path")
        .arg(manifest)
        .arg("-o")
        .arg(&file)
        .assert()
        .success();
    assert_eq!(
        run(&compile(&file, false), &[], "").moves,
        "5 hello \"you\" <37> 8\n"
    );
    let text = std::fs::read_to_string(&file).unwrap();
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
        assert!(
            !text.contains(left_out),
            "{left_out} is in the bundle:\n{text}"
        );
    }
}

#[test]
fn compact_text_does_the_same_in_less_room_and_documentation_is_kept_on_request() {
    let workshop = Workshop::new();
    let manifest = write_crate(&workshop, STRANGER);
    let bundle = |name: &str, options: &[&str]| {
        let file = workshop.path(name);
        crownhead()
            .arg("bundle")
            .arg("--manifest-path")
            .arg(&manifest)
            .arg("-o")
            .arg(&file)
            .args(options)
            .assert()
            .success();
        (
            std::fs::read_to_string(&file).unwrap(),
            run(&compile(&file, false), &[], "").moves,
        )
    };
    let (readable, does) = bundle("readable.rs", &[]);
    let (compact, does_too) = bundle("compact.rs", &["--compact"]);
    let (documented, does_as_well) = bundle("documented.rs", &["--keep-docs"]);
    assert_eq!([does_too, does_as_well], [does.clone(), does]);
    assert!(compact.len() < readable.len() * 3 / 4, "{compact}");
    assert!(documented.contains("/// Shown below.") && !readable.contains("Shown below"));
}

/// Runs `crownhead bundle` on a crate and expects this status and these words.
fn refused(files: &[(&str, &str)], arguments: &[&str], status: i32, words: &[&str]) {
    let workshop = Workshop::new();
    let manifest = write_crate(&workshop, files);
    let file = workshop.path("one.rs");
    let mut check = crownhead()
        .arg("bundle")
        .arg("--manifest-path")
        .arg(manifest)
        .arg("-o")
        .arg(&file)
        .args(arguments)
        .assert()
        .code(status);
    for words in words {
        check = check.stderr(predicate::str::contains(*words));
    }
    assert!(!file.exists(), "nothing is written");
}

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

#[test]
fn a_crate_from_a_registry_is_refused_where_it_is_reached_and_the_module_named() {
    let mut files = REGISTRY.to_vec();
    files.push((
        "src/main.rs",
        "mod chance; fn main() { println!(\"{}\", chance::pick()); }",
    ));
    refused(
        &files,
        &[],
        1,
        &[
            "module `my_bot::chance` uses the crate `dice`, which is from a registry",
            "move what needs `dice` into a module that the binary does not reach",
        ],
    );
}

#[test]
fn a_crate_from_a_registry_that_only_other_modules_use_is_left_out() {
    let workshop = Workshop::new();
    let mut files = REGISTRY.to_vec();
    files.push((
        "src/main.rs",
        "mod chance; fn main() { let dice = 3; println!(\"{dice}\"); }",
    ));
    let manifest = write_crate(&workshop, &files);
    crownhead()
        .arg("bundle")
        .arg("--manifest-path")
        .arg(manifest)
        .assert()
        .success()
        .stdout(predicate::str::contains("chance").not());
}

#[test]
fn more_than_a_submission_may_have_is_not_written() {
    // Each of these counts twice, as the contest counts.
    let long = format!("fn main() {{ println!(\"{}\"); }}", "😀".repeat(50_000));
    refused(
        &[("Cargo.toml", MANIFEST), ("src/main.rs", &long)],
        &[],
        1,
        &[
            "100 093 of 100 000",
            "more than a submission may have; nothing was written",
        ],
    );
}

#[test]
fn what_cannot_be_one_file_is_refused_with_the_reason() {
    let manifest = ("Cargo.toml", MANIFEST);
    refused(
        &[
            manifest,
            ("src/lib.rs", "pub fn go() { step() } fn step() {}"),
            (
                "src/main.rs",
                "fn step() {} fn main() { step(); my_bot::go() }",
            ),
        ],
        &[],
        1,
        &["have a `step` at their root, and one file has one root"],
    );
    refused(
        &[manifest, ("src/main.rs", "mod lost; fn main() {}")],
        &[],
        1,
        &["declares the module `lost`, but there is no", "lost/mod.rs"],
    );
    refused(
        &[manifest, ("src/main.rs", "fn main() { let x: u8 = true; }")],
        &[],
        1,
        &["the bundle does not compile", "mismatched types"],
    );
    refused(
        &[manifest, ("src/main.rs", "fn main() {")],
        &[],
        1,
        &["main.rs: line 1:"],
    );
}

#[test]
fn a_binary_that_is_not_there_is_refused_with_those_that_are() {
    let two = [
        ("Cargo.toml", MANIFEST),
        ("src/bin/one.rs", "fn main() {}"),
        ("src/bin/two.rs", "fn main() {}"),
    ];
    refused(
        &two,
        &["--bin", "three"],
        2,
        &["no binary named `three`; there are: one, two"],
    );
    refused(&two, &[], 2, &["Name it with --bin; there are: one, two"]);
    crownhead()
        .args(["bundle", "--manifest-path", "/no/such/Cargo.toml"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cargo cannot read the package"));
}
