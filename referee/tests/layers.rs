//! Within the referee, arrows run downwards only: each folder of `src` names those below it and no other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders and files of `src`, the lowest first.
const LAYERS: [&str; 18] = [
    "seed", "judge", "table", "room", "record", "openings", "stats", "seat", "draw",
    "bundle", "bench", "settings", "runner", "store", "ladder", "plot", "cli", "lib",
];

#[test]
fn no_module_of_the_referee_names_one_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut upwards = BTreeSet::new();
    for file in sources(&src) {
        let path = file.strip_prefix(&src).unwrap().to_str().unwrap();
        let own = layer(path.split('/').next().unwrap().trim_end_matches(".rs"));
        let text = std::fs::read_to_string(&file).unwrap();
        for named in named_modules(&text) {
            if layer(named) > own {
                upwards.insert(format!("{path} names crate::{named}"));
            }
        }
    }
    assert!(upwards.is_empty(), "{upwards:#?}");
}

fn layer(module: &str) -> usize {
    let module = if module == "main" { "lib" } else { module };
    let place = LAYERS.iter().position(|layer| *layer == module);
    place.unwrap_or_else(|| panic!("`{module}` has no place among the layers"))
}

/// The modules that code names from the crate's root; comments and unit tests may look anywhere.
fn named_modules(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().take_while(|line| *line != "#[cfg(test)]");
    code.filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .next()
        })
        .map(Option::unwrap_or_default)
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
    found
}
