//! The shapes that cross from Rust to JavaScript: they are declared in Rust alone, and whatever a page reads of an answer
//! must stand in it. Every browser of these tests watches that.

use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::PathBuf;

/// Fields of answers that Rust leaves out if they are empty. They are `undefined` then.
const OPTIONAL: &[&str] = &[
    "bot.faults[].words.base64",
    "bot.faults[].words.cut",
    "bot.versions",
    "game.analysis",
    "game.players[].stderr_after",
    "game.players[].stderr_before",
    "game.referee",
    "game.referee.failed",
    "game.referee.frames",
    "game.referee.frames[].show",
    "game.referee.frames[].summary",
    "game.referee.frames[].tooltips",
    "game.referee.frames[].view",
    "game.referee.scores",
    "game.turns[].limit_us",
    "game.turns[].opening",
    "game.turns[].said",
    "game.turns[].sent",
    "game.turns[].stderr",
    "game.turns[].stderr.base64",
    "game.turns[].stderr.cut",
    "game.turns[].stderr.text",
    "game.turns[].work_us",
    "contents.chunks",
    "live.runs[].progress.sprt",
    "site.variants[].playing_squares",
];

/// Answers of several kinds, distinguished by these fields: a turn that has no move or no reply, a game
/// without a board or without its contest's viewer, an event before there is news.
const KINDS: &[&str] = &[
    "events.generation",
    "game.pdn",
    "game.turns[].asked",
    "game.turns[].move",
    "game.turns[].reply",
    "game.turns[].set",
    "game.turns[].side",
    "game.turns[].squares",
    "game.viewer.folder",
    "library.analysis",
    "library.answer",
    "library.error",
    "library.table",
    "live.runs",
];

/// What is neither in the answer that was read nor may be missing.
pub(super) fn undeclared(missing: &[String]) -> Vec<&String> {
    let known = |read: &str| OPTIONAL.iter().chain(KINDS).any(|known| *known == read);
    let is_figure = |read: &str| read.starts_with("game.turns[].said.");
    missing
        .iter()
        .filter(|read| !known(read) && !is_figure(read))
        .collect()
}

/// What has every page begin with the script that watches (Chrome DevTools Protocol,
/// `Page.addScriptToEvaluateOnNewDocument`).
pub(super) fn watch() -> Value {
    json!({ "source": include_str!("reads.js") })
}

/// The names that fields have in JSON, of all structs that leave some out, in the sources of these crates.
fn fields_left_out() -> HashSet<String> {
    let mut names = HashSet::new();
    for krate in ["arena", "browser", "ladder", "record", "web"] {
        let root = format!("{}/../crates/{krate}/src", env!("CARGO_MANIFEST_DIR"));
        let mut folders = vec![PathBuf::from(root)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    names.extend(left_out_in(&std::fs::read_to_string(path).unwrap()));
                }
            }
        }
    }
    names
}

/// The fields that have `skip_serializing_if` among their attributes, by their names in JSON.
fn left_out_in(source: &str) -> Vec<String> {
    let (mut found, mut attributes) = (Vec::new(), String::new());
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[") {
            attributes += line;
            continue;
        }
        if line.starts_with("///") {
            continue;
        }
        if attributes.contains("skip_serializing_if") {
            let renamed = attributes.split_once("rename = \"");
            let renamed = renamed.and_then(|(_, name)| name.split('"').next());
            let field = line
                .split(':')
                .next()
                .and_then(|field| field.rsplit(' ').next());
            found.extend(renamed.or(field).map(String::from));
        }
        attributes.clear();
    }
    found
}

#[test]
fn optional_fields_of_the_page_are_those_that_rust_leaves_out() {
    let fields = fields_left_out();
    let unknown: Vec<&&str> = OPTIONAL
        .iter()
        .filter(|read| {
            let name = read.rsplit('.').next().unwrap_or(read);
            !fields.contains(name)
        })
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
