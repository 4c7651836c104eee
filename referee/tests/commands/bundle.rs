//! `crownhead bundle`: the contest bot in one file, compiled as the arena does, and the command's options and
//! exit statuses. What the bundler makes of other crates is tested in `crownhead-bundle`.

use crate::common::{TestWorkspace, crownhead};
use crownhead::board::Side;
use crownhead::games::checkers::{Checkers, rules};
use crownhead::network::Network;
use crownhead::position::Position;
use crownhead::protocol::{write_colour, write_turn};
use crownhead_contest::alphabeta::{AlphaBeta, SearchLimits};
use crownhead_contest::conversation::converse;
use predicates::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The workspace that the contest bot lives in.
fn cargo_workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// Compiles one file with nothing but the standard library, as the arena does, but with assertions and not optimised: it
/// plays by nodes.
fn compile(source: &Path) -> PathBuf {
    let program = source.with_extension("checked");
    let mut command = Command::new("rustc");
    command
        .args(["--edition", "2021", "-Cdebug-assertions", "-o"])
        .arg(&program)
        .arg(source);
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
    let workspace = TestWorkspace::new();
    let file = workspace.path("submission.rs");
    crownhead()
        .current_dir(cargo_workspace())
        .args(["bundle", "-o", file.to_str().unwrap()])
        .assert()
        .success()
        .stdout("")
        .stderr(predicate::str::is_match(r"(?m)^crownhead::games::checkers::movegen +\d").unwrap())
        .stderr(predicate::str::is_match(r"(?m)^\d+,\d{3} characters of 100,000").unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.encode_utf16().count() <= 100_000);
    for left_out in "#[cfg(test)] /// clap perft from_fen #[test]".split(' ') {
        assert!(!text.contains(left_out), "{left_out} is in the bundle");
    }
    let first_lines: Vec<_> = text.lines().skip(1).take(2).collect();
    assert_eq!(
        first_lines,
        ["#![allow(nonstandard_style)]", "const TURN_MS: u64 = 100;"],
        "people look on top for what they may change"
    );

    let input = dialogue();
    let (mut moves, mut searches) = (Vec::new(), Vec::new());
    let limits = SearchLimits {
        time: None,
        depth: None,
        nodes: Some(2_000),
    };
    converse(
        &mut AlphaBeta::new(Network::<Checkers>::default(), rules::CONTEST, limits),
        input.as_bytes(),
        &mut moves,
        &mut searches,
    )
    .unwrap();
    let of_workspace = Played::new(moves, searches);
    assert!(of_workspace.moves.lines().count() > 20);
    let with_nodes = |line: &&String| line.starts_with("depth ") && line.contains(" nodes ");
    assert!(of_workspace.searches.iter().filter(with_nodes).count() > 10);
    let program = compile(&file);
    assert_eq!(run(&program, &["--nodes", "2000"], &input), of_workspace);

    // Times are generous: other tests want the cores too.
    let bot = format!("'{}' --nodes 500", program.display());
    let options = "--games 2 --time 30s --first-turn 30s --seed 5".split(' ');
    let arguments: Vec<&str> = [&bot, "greedy"].into_iter().chain(options).collect();
    let result = workspace.match_json(&arguments);
    assert_eq!(result["faults"], serde_json::json!([]));
    assert_eq!(result["bots"][0]["total"]["wins"], 2, "{result}");
}

/// A bot of one file; gives its manifest.
pub(super) fn write_bot(workspace: &TestWorkspace, main: &str) -> PathBuf {
    let manifest = workspace.path("Cargo.toml");
    let package = "[package]\nname = \"my-bot\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(&manifest, package).unwrap();
    std::fs::create_dir(workspace.path("src")).unwrap();
    std::fs::write(workspace.path("src/main.rs"), main).unwrap();
    manifest
}

/// `crownhead bundle` on this manifest.
fn bundle(manifest: &Path) -> assert_cmd::Command {
    let mut command = crownhead();
    command.arg("bundle").arg("--manifest-path").arg(manifest);
    command
}

#[test]
fn without_a_file_the_bundle_goes_to_standard_output() {
    let workspace = TestWorkspace::new();
    let manifest = write_bot(&workspace, "/// Starts.\nfn main() { let _ = 1 + 1; }");
    for (options, expected) in [
        (&[][..], "\nfn main() {\n    let _ = 1 + 1;\n}\n"),
        (&["--compact"], "\nfn main(){let _=1+1;}\n"),
    ] {
        let check = bundle(&manifest).args(options).assert().success();
        check.stdout(predicate::str::ends_with(expected));
    }
}

#[test]
fn a_check_says_whether_the_contest_would_accept_the_file_and_writes_nothing() {
    let workspace = TestWorkspace::new();
    let manifest = write_bot(&workspace, "fn main() { let _ = 1 + 1; }");
    let accepted = bundle(&manifest).arg("--check").assert().success();
    accepted.stdout("").stderr(predicate::str::contains(
        "accepted: short enough, and compiles as edition 2021",
    ));
    std::fs::write(
        workspace.path("src/main.rs"),
        "fn main() { const { assert!(usize::BITS == 7) } }",
    )
    .unwrap();
    let refused = bundle(&manifest).arg("--check").assert().code(1);
    refused
        .stdout("")
        .stderr(predicate::str::contains("src/main.rs:1: "));
}

#[test]
fn a_bundle_above_the_limit_is_not_written() {
    let workspace = TestWorkspace::new();
    // Each of these counts twice, as the contest counts.
    let long = format!("fn main() {{ println!(\"{}\"); }}", "😀".repeat(50_000));
    let manifest = write_bot(&workspace, &long);
    let file = workspace.path("one.rs");
    let refused = bundle(&manifest).arg("-o").arg(&file).assert().code(1);
    refused
        .stderr(predicate::str::contains("100,092 characters of 100,000"))
        .stderr(predicate::str::contains("nothing was written"));
    assert!(!file.exists());
}

#[test]
fn unusable_arguments_are_status_2_and_a_bot_that_cannot_be_one_file_is_status_1() {
    let workspace = TestWorkspace::new();
    let manifest = write_bot(&workspace, "fn main() { let x: u8 = true; }");
    let file = workspace.path("one.rs");
    let mut broken = bundle(&manifest);
    let mut other = bundle(&manifest);
    for (command, status, expected) in [
        (&mut broken, 1, "does not compile"),
        (other.args(["--bin", "other"]), 2, "there are: my-bot"),
        (
            &mut bundle(Path::new("/no/such/Cargo.toml")),
            2,
            "cargo cannot read the package",
        ),
    ] {
        let refused = command.arg("-o").arg(&file).assert().code(status);
        refused.stderr(predicate::str::contains(expected));
        assert!(!file.exists(), "nothing is written");
    }
}
