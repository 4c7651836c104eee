//! Small crates of many shapes (`tests/corpus`), each bundled, compiled as the arena does with and without
//! optimisation, and compared with what `cargo run` makes of it.
//!
//! Each has a binary called like its folder. What is called `unneeded` in them is dead code.

use crownhead_bundle::{BundleRequest, bundle};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What every program gets on its standard input.
const INPUT: &[u8] = b"1\n2\n300\n";

/// A copy of the corpus, for cargo writes a lock file beside it.
fn copy_of_corpus() -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus");
    let _ = std::fs::remove_dir_all(&to);
    copy(&from, &to);
    to
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// What a command prints when it reads [`INPUT`].
fn output_of(command: &mut Command) -> Result<String, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // A program need not read it.
    let _ = child.stdin.take().unwrap().write_all(INPUT);
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Checks the bundles of the crate `name`, compact or not; the error says what is wrong with one.
fn check(corpus: &Path, name: &str, forms: &[bool]) -> Result<(), String> {
    let manifest = corpus.join(name).join("Cargo.toml");
    let target = corpus.with_file_name("corpus-target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "run",
        "--quiet",
        "--offline",
        "--bin",
        name,
        "--manifest-path",
    ]);
    cargo.arg(&manifest).env("CARGO_TARGET_DIR", &target);
    let expected = output_of(&mut cargo)?;
    for &compact in forms {
        let request = BundleRequest {
            manifest: Some(&manifest),
            binary: Some(name),
            compact,
            ..BundleRequest::default()
        };
        let text = bundle(&request).map_err(|error| error.to_string())?.text;
        if text.to_lowercase().contains("unneeded") {
            return Err(format!("dead code is left:\n{text}"));
        }
        let program = target.join(format!("{name}-{compact}"));
        let source = program.with_extension("rs");
        std::fs::write(&source, &text).unwrap();
        // What is compact is compiled with optimisation, what is readable without.
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2021", "-Awarnings", "-o"]);
        rustc
            .arg(&program)
            .arg(&source)
            .args(compact.then_some("-O"));
        output_of(&mut rustc)?;
        let printed = output_of(&mut Command::new(&program))?;
        if printed != expected {
            return Err(format!("prints\n{printed}instead of\n{expected}\n{text}"));
        }
    }
    Ok(())
}

#[test]
fn crates_of_many_shapes_do_in_one_file_what_they_do_in_cargo() {
    let corpus = copy_of_corpus();
    let folders = std::fs::read_dir(&corpus)
        .unwrap()
        .map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.path().join("Cargo.toml").is_file());
    let mut names: Vec<String> = folders
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 25, "{names:?}");
    // Each crate in one of the two forms; `.ci/long` has both.
    let is_long = std::env::var_os("CROWNHEAD_CORPUS").is_some();
    let next = AtomicUsize::new(0);
    let worker = || -> Vec<String> {
        let mut wrong = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(name) = names.get(number) else {
                break;
            };
            let one = [number % 2 == 1];
            let forms = if is_long { &[false, true][..] } else { &one };
            if let Err(problem) = check(&corpus, name, forms) {
                wrong.push(format!("{name}: {problem}"));
            }
        }
        wrong
    };
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(worker);
        let mut wrong = worker();
        wrong.extend(other.join().unwrap());
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
