//! The invariants of ARCHITECTURE.md that can be read off the sources, and the diagram of docs/dev/design.md.
//!
//! The sources are searched as text, without comments and tests: enough to find a dependency that runs
//! upwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The packages, by the folder of their sources.
const PACKAGES: [&str; 14] = [
    "src",
    "bots/src",
    "bots/contest/src",
    "crates/sandbox/src",
    "crates/bundle/src",
    "crates/stats/src",
    "crates/record/src",
    "crates/external/src",
    "crates/arena/src",
    "crates/ladder/src",
    "crates/train/src",
    "crates/browser/src",
    "crates/web/src",
    "referee/src",
];

/// A source file without its comments and tests.
struct Source {
    /// Its path within the workspace.
    path: String,
    code: String,
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources below `folder`, a path within the workspace.
fn sources(folder: &str) -> Vec<Source> {
    let mut folders = vec![workspace().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}")) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend(Some(path).filter(|path| !path.ends_with("tests")));
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                found.extend(source(&path));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// The file at `path`, unless it holds tests alone.
fn source(path: &PathBuf) -> Option<Source> {
    if path.file_stem().is_some_and(|stem| stem == "tests") {
        return None;
    }
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = text.lines().map(|line| match line.trim_start() {
        comment if comment.starts_with("//") => "",
        _ => line.split(" // ").next().unwrap_or_default(),
    });
    let within = path.strip_prefix(workspace()).unwrap();
    Some(Source {
        path: within.to_str().unwrap().replace('\\', "/"),
        code: lines.collect::<Vec<_>>().join("\n"),
    })
}

/// The names that follow `prefix` in `code`, those in braces each: `store` and `cli` of
/// `crate::{store, cli::Failure}`.
fn names_after<'a>(code: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    let name = |text: &'a str| {
        let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        &text[..end.unwrap_or(text.len())]
    };
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(name(rest));
            continue;
        };
        let mut depth = 0;
        let mut begins = true;
        for (place, character) in list.char_indices() {
            match character {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                character if begins && !character.is_whitespace() => {
                    names.insert(name(&list[place..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    names
}

/// Which modules at the top of a package name which others.
fn arrows(package: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Source { path, code } in sources(package) {
        let within = &path[package.len() + 1..];
        let top = within.split('/').next().unwrap().trim_end_matches(".rs");
        if ["lib", "main", "bin"].contains(&top) {
            continue;
        }
        // From a file at the top, `super` is the crate; from one in a folder, `super::super`; and so on.
        let depth = within.trim_end_matches("/mod.rs").split('/').count();
        let to_crate = format!(" {}", "super::".repeat(depth));
        for prefix in ["crate::", &to_crate] {
            let named = names_after(&code, prefix).into_iter().map(String::from);
            arrows.entry(top.into()).or_default().extend(named);
        }
    }
    let tops: BTreeSet<String> = arrows.keys().cloned().collect();
    for (top, named) in &mut arrows {
        named.retain(|name| name != top && tops.contains(name));
    }
    arrows
}

/// A circle among `arrows`, if there is one: the modules along it.
fn circle(arrows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut left = arrows.clone();
    // Removes modules that depend on none of the remaining ones, until only circles remain.
    while let Some(ground) = left
        .iter()
        .find(|(_, named)| named.iter().all(|name| !left.contains_key(name)))
        .map(|(top, _)| top.clone())
    {
        left.remove(&ground);
    }
    let mut path = vec![left.keys().next()?.clone()];
    loop {
        let last = path.last().unwrap();
        let next = left[last].iter().find(|name| left.contains_key(*name));
        let next = next.unwrap().clone();
        if let Some(begin) = path.iter().position(|name| *name == next) {
            path.drain(..begin);
            path.push(next);
            return Some(path);
        }
        path.push(next);
    }
}

/// The sources of `folders` that hold one of `words`.
fn naming(folders: &[&str], words: &[&str]) -> BTreeSet<String> {
    let all = folders.iter().flat_map(|folder| sources(folder));
    all.filter(|source| words.iter().any(|word| source.code.contains(word)))
        .map(|source| source.path)
        .collect()
}

/// Asserts that only paths which begin with one of `allowed` are among `found`, and that each of those does.
fn assert_only(found: &BTreeSet<String>, allowed: &[&str], what: &str) {
    let others: Vec<_> = found
        .iter()
        .filter(|path| !allowed.iter().any(|start| path.starts_with(start)))
        .collect();
    assert!(others.is_empty(), "{what}: {others:?}");
    for start in allowed {
        let used = found.iter().any(|path| path.starts_with(start));
        assert!(used, "{what}: no longer in {start}; is the folder renamed?");
    }
}

#[test]
fn arrows_between_the_modules_of_a_package_run_downwards_without_a_circle() {
    for package in PACKAGES {
        let arrows = arrows(package);
        assert_eq!(circle(&arrows), None, "in {package}: {arrows:#?}");
    }
}

#[test]
fn a_circle_is_found_where_there_is_one() {
    let arrow = |from: &str, to: &[&str]| {
        let to = to.iter().map(|name| name.to_string()).collect();
        (from.to_string(), to)
    };
    let two = BTreeMap::from([arrow("cli", &["judge"]), arrow("judge", &["seat"])]);
    let mut three = BTreeMap::from([arrow("seat", &["judge", "ground"]), arrow("ground", &[])]);
    three.extend(two);
    assert_eq!(circle(&three).unwrap(), ["judge", "seat", "judge"]);
    three.remove("seat");
    assert_eq!(circle(&three), None);
    let grouped = "use crate::{store::{Store, StoreError}, cli};\nuse crate::judge;";
    let names: Vec<_> = names_after(grouped, "crate::").into_iter().collect();
    assert_eq!(names, ["cli", "judge", "store"]);
}

#[test]
fn the_library_has_no_dependencies_does_no_io_and_reads_no_clock() {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    assert!(
        !manifest.contains("\n[dependencies]"),
        "the library has dependencies"
    );
    let forbidden = [
        "std::io",
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "std::time",
        "std::thread",
        "Instant",
        "static mut",
        "thread_local!",
        "OnceLock",
        "Atomic",
        "println!",
        "eprint",
    ];
    for word in forbidden {
        assert_eq!(naming(&["src"], &[word]), BTreeSet::new(), "{word}");
    }
}

#[test]
fn the_search_names_no_game_and_a_game_neither_the_search_nor_another_game() {
    assert_eq!(naming(&["src/search"], &["games"]), BTreeSet::new());
    assert_eq!(
        naming(&["src/games"], &["crate::search", "search::"]),
        BTreeSet::new()
    );
    let games = ["checkers", "everchess", "chess"];
    for game in games {
        for other in games.iter().filter(|&&other| other != game) {
            let folder = format!("src/games/{game}");
            let named = [format!("games::{other}"), format!("super::{other}")];
            let named = named.each_ref().map(String::as_str);
            assert_eq!(
                naming(&[&folder], &named),
                BTreeSet::new(),
                "{game} and {other}"
            );
        }
    }
}

/// What Cargo's manifests say: which package of the workspace needs which.
#[test]
fn walls_stand_where_the_map_has_them() {
    let needs = |package: &str, other: &str| {
        let manifest = fs::read_to_string(workspace().join(package).join("Cargo.toml")).unwrap();
        let (_, needed) = manifest.split_once("[dependencies]").unwrap();
        let needed = needed.split("\n[").next().unwrap();
        needed
            .lines()
            .any(|line| line.split(['.', ' ']).next() == Some(other))
    };
    assert!(needs("crates/ladder", "rusqlite"));
    for (package, other) in [
        ("bots", "crownhead-record"),
        ("crates/record", "crownhead-sandbox"),
        ("crates/stats", "crownhead"),
        ("crates/stats", "crownhead-record"),
        ("crates/record", "rusqlite"),
        ("crates/arena", "rusqlite"),
        ("crates/arena", "crownhead-ladder"),
        ("referee", "postgres"),
        ("crates/ladder", "axum"),
        ("crates/web", "rusqlite"),
        ("crates/train", "crownhead-arena"),
        ("referee", "rusqlite"),
        ("referee", "axum"),
    ] {
        assert!(!needs(package, other), "{package} needs {other}");
    }
}

#[test]
fn only_five_files_are_of_unsafe_code() {
    let found = naming(&PACKAGES, &["#![allow(unsafe_code)]"]);
    let files = [
        "crates/browser/src/exports.rs",
        "crates/sandbox/src/linux/sys.rs",
        "crates/sandbox/src/unix/macos.rs",
        "crates/sandbox/src/windows/sys.rs",
        "src/network/avx2.rs",
    ];
    assert_only(&found, &files, "unsafe code");
}

/// What differs between systems. The library's page size is its own: it has no dependencies.
#[test]
fn only_the_sandbox_knows_which_system_it_runs_on() {
    let words = [
        "cfg(unix",
        "cfg(windows",
        "target_os",
        "std::os::",
        "rustix",
        "windows_sys",
    ];
    let found = naming(&PACKAGES, &words);
    let allowed = ["crates/sandbox/src/", "src/search/huge_pages.rs"];
    assert_only(&found, &allowed, "system code");
}

#[test]
fn only_the_command_line_prints() {
    let printing = ["println!", "print!(", "stdout()", "stderr()"];
    let found = naming(&PACKAGES[3..], &printing);
    assert_only(&found, &["referee/src/"], "printing");
}

#[test]
fn every_test_that_the_design_of_the_sandbox_names_exists() {
    let page = fs::read_to_string(workspace().join("docs/dev/sandbox-design.md")).unwrap();
    let table = page.split("## Attack by attack").nth(1).unwrap();
    let named: BTreeSet<&str> = table
        .split('`')
        .filter(|word| word.contains("::"))
        .collect();
    let mut tests = BTreeSet::new();
    let mut folders = vec![workspace().join("referee/tests")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let module = match path.file_name().unwrap() == "mod.rs" {
                true => path.parent().unwrap().file_name().unwrap(),
                false => path.file_stem().unwrap(),
            };
            let module = module.to_string_lossy();
            let code = fs::read_to_string(&path).unwrap_or_default();
            let after = code.split("#[test]\nfn ").skip(1);
            let names = after.filter_map(|rest| Some(rest.split_once('(')?.0));
            tests.extend(names.map(|name| format!("{module}::{name}")));
        }
    }
    let missing: Vec<&&str> = named
        .iter()
        .filter(|name| !tests.contains(**name))
        .collect();
    assert!(named.len() > 20 && missing.is_empty(), "{missing:?}");
}

#[test]
fn every_type_of_the_class_diagram_stands_in_the_code() {
    let text = fs::read_to_string(workspace().join("docs/dev/design.md")).unwrap();
    let (_, diagram) = text.split_once("```mermaid").expect("a diagram");
    let (diagram, _) = diagram.split_once("```").expect("its end");
    let all: String = PACKAGES
        .iter()
        .flat_map(|package| sources(package))
        .map(|source| source.code)
        .collect();
    let declared: BTreeSet<&str> = ["trait ", "struct ", "enum ", "type "]
        .iter()
        .flat_map(|keyword| names_after(&all, keyword))
        .collect();
    // The text after a colon is prose.
    let drawn: BTreeSet<&str> = diagram
        .lines()
        .map(|line| line.split(" : ").next().unwrap())
        .flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        .collect();
    assert!(
        drawn.len() > 20,
        "the diagram was not understood: {drawn:?}"
    );
    let missing: Vec<_> = drawn.difference(&declared).collect();
    assert!(missing.is_empty(), "drawn and not declared: {missing:?}");
}
