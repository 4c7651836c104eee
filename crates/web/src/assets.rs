//! The page: one HTML file, one style sheet and one script, embedded in the program.
//!
//! The script is a plain JavaScript module, written in several files that are joined here in their order: no tool is
//! needed to build Crownhead, and a browser asks for one file.

use super::download::Download;
use super::view::View;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("../page/index.html");
pub(super) const STYLE: &str = include_str!("../page/style.css");
pub(super) const ICON: &str = include_str!("../page/icon.svg");
pub(super) const SCRIPT: &str = concat!(
    include_str!("../page/dom.js"),
    include_str!("../page/data.js"),
    include_str!("../page/pieces.js"),
    include_str!("../page/board.js"),
    include_str!("../page/charts.js"),
    include_str!("../page/words.js"),
    include_str!("../page/replay.js"),
    include_str!("../page/game.js"),
    include_str!("../page/standings.js"),
    include_str!("../page/bot.js"),
    include_str!("../page/workers.js"),
    include_str!("../page/games.js"),
    include_str!("../page/play.js"),
    include_str!("../page/analysis.js"),
    include_str!("../page/main.js"),
);

/// What stands in the page where its script and style sheet are named.
const LINKS: &str = r#"<link rel="stylesheet" href="style.css">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<script type="module" src="app.js"></script>"#;

/// The page, told where its data come from.
fn page(mode: &str, token: &str) -> String {
    let body = format!(r#"<body data-mode="{mode}" data-token="{token}">"#);
    PAGE.replacen("<body>", &body, 1)
}

/// The page of a server; `token` is what the page must carry to start something, empty where nothing can be started.
pub(super) fn live_page(token: &str) -> String {
    page("live", token)
}

/// The page of a folder of files.
pub(super) fn static_page() -> String {
    page("static", "")
}

/// One game as one HTML file that needs nothing else: its script is allowed by its hash alone, and it can load nothing.
pub fn single_file(game: &View, download: &Download) -> String {
    let (game, download) = (embedded(game), embedded(download));
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; \
         style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n<style>{STYLE}</style>\n\
         <script type=\"application/json\" id=\"game\">{game}</script>\n\
         <script type=\"application/json\" id=\"download\">{download}</script>\n<script type=\"module\">{SCRIPT}</script>",
        hash(SCRIPT),
        hash(STYLE),
    );
    page("single", "").replacen(LINKS, &head, 1)
}

/// Data as JSON within a script element: only the letter `<` can begin its end.
fn embedded(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).expect("plain data");
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_names_what_is_served() {
        assert!(PAGE.contains(LINKS), "the page links other files");
        let size = PAGE.len() + STYLE.len() + SCRIPT.len() + ICON.len();
        assert!(size < 200_000, "{size} bytes");
        assert!(!SCRIPT.contains("</script"), "it could not stand in a page");
        assert!(
            !SCRIPT.contains("innerHTML"),
            "text is never read as markup"
        );
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for text in [PAGE, STYLE, SCRIPT] {
            for (at, _) in text.match_indices("http") {
                let url = &text[at..text.len().min(at + 40)];
                assert!(
                    url.starts_with("http://www.w3.org/2000/svg") || !url.contains("://"),
                    "{url}"
                );
            }
        }
    }
}
