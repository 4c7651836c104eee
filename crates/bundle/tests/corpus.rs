//! Small crates of many shapes (`tests/corpus`), each bundled, compiled as the arena does with and without
//! optimisation, and compared with what `cargo run` makes of it: for `.ci/long`.
//!
//! Each has a binary called like its folder. What is called `unneeded` in them is dead code.

use crownhead_bundle::{BundleRequest, bundle};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// Checks the bundles of the crate `name`, readable and compact; the error says what is wrong with one.
fn check(corpus: &Path, name: &str) -> Result<(), String> {
    let manifest = corpus.join(name).join("Cargo.toml");
    let target = corpus.with_file_name("corpus-target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline", "--bin", name]);
    cargo.arg("--manifest-path").arg(&manifest);
    let expected = output_of(cargo.env("CARGO_TARGET_DIR", &target))?;
    for compact in [false, true] {
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
        // The compact form is compiled with optimisation, the readable one without.
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2021", "-Awarnings", "-o"]);
        rustc.arg(&program).arg(&source);
        output_of(rustc.args(compact.then_some("-O")))?;
        let printed = output_of(&mut Command::new(&program))?;
        if printed != expected {
            return Err(format!("prints\n{printed}instead of\n{expected}\n{text}"));
        }
    }
    Ok(())
}

#[test]
#[ignore = "takes a minute: .ci/long"]
fn crates_of_many_shapes_do_in_one_file_what_they_do_in_cargo() {
    let corpus = copy_of_corpus();
    let entries = std::fs::read_dir(&corpus).unwrap().map(Result::unwrap);
    let crates = entries.filter(|entry| entry.path().join("Cargo.toml").is_file());
    let names: Vec<String> = crates
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert!(names.len() >= 20, "{names:?}");
    let wrong: Vec<String> = names
        .iter()
        .filter_map(|name| Some(format!("{name}: {}", check(&corpus, name).err()?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
