//! Joins the page's scripts in order, and minifies them and the style sheet.

use std::path::Path;
use std::{env, fs};

/// The scripts of the page. While loading, each uses only the ones before it.
const SCRIPTS: [&str; 25] = [
    "dom",
    "data",
    "library",
    "variant",
    "pieces",
    "tree",
    "choice",
    "board",
    "charts",
    "words",
    "table",
    "filter",
    "turns",
    "game_analysis",
    "replay",
    "viewer",
    "referee",
    "game",
    "standings",
    "bot",
    "games",
    "live",
    "play",
    "analysis",
    "main",
];

fn main() {
    println!("cargo::rerun-if-changed=page");
    let read = |name: &str| {
        let path = Path::new("page").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let script: String = SCRIPTS
        .iter()
        .map(|name| read(&format!("{name}.js")))
        .collect();
    let style = read("style.css");
    let script = minifier::js::minify(&script).expect("page/*.js");
    let style = minifier::css::minify(&style).expect("page/style.css");
    let out = env::var("OUT_DIR").expect("cargo says where");
    let write = |name: &str, text: String| {
        fs::write(Path::new(&out).join(name), text).expect("cargo's folder can be written");
    };
    write("app.js", script.to_string());
    write("style.css", style.to_string());
}
