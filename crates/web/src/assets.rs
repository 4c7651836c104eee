//! The page: one HTML file, one style sheet and one script, embedded in the program.
//!
//! The script is plain JavaScript, several files joined to one. It is not a module, because browsers load no modules
//! for a page that was opened as a file. Such a page says what it needs instead of showing games.

use super::error::SiteError;
use super::variant::variant;
use super::view::GameView;
use super::viewers::ViewerView;
use axum::body::Bytes;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use crownhead_arena::game_analysis::GameAnalysis;
use crownhead_record::GameRecord;
use serde::Serialize;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/style.css");
/// While loading, each file uses only the ones before it.
const SCRIPT: &str = concat!(
    include_str!("../page/dom.js"),
    include_str!("../page/data.js"),
    include_str!("../page/library.js"),
    include_str!("../page/variant.js"),
    include_str!("../page/pieces.js"),
    include_str!("../page/tree.js"),
    include_str!("../page/choice.js"),
    include_str!("../page/board.js"),
    include_str!("../page/charts.js"),
    include_str!("../page/words.js"),
    include_str!("../page/table.js"),
    include_str!("../page/filter.js"),
    include_str!("../page/turns.js"),
    include_str!("../page/game_analysis.js"),
    include_str!("../page/replay.js"),
    include_str!("../page/viewer.js"),
    include_str!("../page/referee.js"),
    include_str!("../page/game.js"),
    include_str!("../page/standings.js"),
    include_str!("../page/bot.js"),
    include_str!("../page/games.js"),
    include_str!("../page/live.js"),
    include_str!("../page/play.js"),
    include_str!("../page/analysis.js"),
    include_str!("../page/main.js"),
);

/// `crates/browser` as WebAssembly, as `.ci/wasm` builds it.
const LIBRARY: &[u8] = include_bytes!("../page/library.wasm");

/// The files beside the page: their names, content types and texts. The page loads the library when somebody plays or
/// analyses; as a script, a page that was opened as a file can load it, too.
pub(super) fn files() -> [(&'static str, &'static str, Bytes); 4] {
    const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
    let library = BASE64_STANDARD.encode(LIBRARY);
    let library = format!("globalThis.crownheadLibrary = '{library}';\n");
    let icon = include_str!("../page/icon.svg");
    [
        ("app.js", JAVASCRIPT, SCRIPT.into()),
        ("style.css", "text/css; charset=utf-8", STYLE.into()),
        ("icon.svg", "image/svg+xml; charset=utf-8", icon.into()),
        ("library.js", JAVASCRIPT, library.into()),
    ]
}

/// The placeholders in the page for its script and style sheet.
const LINKS: &str = r#"<link rel="stylesheet" href="style.css">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<script defer src="app.js"></script>"#;

/// The page. Its data come from a server (`live`), files (`static`) or itself (`single`).
pub(super) fn page(mode: &str) -> String {
    PAGE.replacen("<body>", &format!(r#"<body data-mode="{mode}">"#), 1)
}

/// The page of an exported site. It contains the data of all pages, so that play and analysis need no other data.
pub(super) fn static_page(about: &impl Serialize) -> String {
    let about = embedded(about);
    let data = format!("<script type=\"application/json\" id=\"site\">{about}</script>\n{LINKS}");
    page("static").replacen(LINKS, &data, 1)
}

/// One game, with its analysis if there is one, as one HTML file that needs nothing else. Only the hash allows its
/// script, and it can load nothing except the pictures that it contains.
///
/// # Errors
/// When the moves of the record are not a game.
pub fn single_file(game: &GameRecord, analysis: Option<GameAnalysis>) -> Result<String, SiteError> {
    let line = serde_json::to_string(game).expect("a record is plain data");
    let variant = embedded(&variant(&game.game, &game.rules));
    let view = GameView::new(game.number, game, line, analysis, ViewerView::elsewhere)?;
    let game = embedded(&view);
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; \
         style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n<style>{STYLE}</style>\n\
         <script type=\"application/json\" id=\"game\">{game}</script>\n\
         <script type=\"application/json\" id=\"variant\">{variant}</script>\n<script type=\"module\">{SCRIPT}</script>",
        hash(SCRIPT),
        hash(STYLE),
    );
    Ok(page("single").replacen(LINKS, &head, 1))
}

/// Data as JSON inside a script element, which only the letter `<` can end.
fn embedded(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).expect("plain data");
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::records::{TWO, three_games};
    use serde_json::Value;

    #[test]
    fn the_page_is_small_and_names_what_is_served() {
        assert!(PAGE.contains(LINKS), "the page links other files");
        let size = PAGE.len() + files()[..3].iter().map(|file| file.2.len()).sum::<usize>();
        assert!(size < 200_000, "{size} bytes");
        assert!(!SCRIPT.contains("</script"), "it could not stand in a page");
        assert!(
            !SCRIPT.contains("innerHTML"),
            "text is never read as markup"
        );
    }

    #[test]
    fn a_game_as_one_file_holds_all_that_it_shows_and_allows_its_own_script_alone() {
        let line = &three_games()[0];
        let record: GameRecord = serde_json::from_str(line).unwrap();
        let file = single_file(&record, None).unwrap();
        assert!(file.contains(r#"data-mode="single""#) && !file.contains(LINKS));
        let between = |begin: &str, end: &str| {
            let (_, rest) = file.split_once(begin).unwrap_or_else(|| panic!("{begin}"));
            rest.split_once(end).unwrap().0
        };
        let held = |id: &str| -> Value {
            let text = between(&format!(r#"id="{id}">"#), "</script>");
            assert!(!text.contains('<'), "{text}");
            serde_json::from_str(text).unwrap()
        };
        assert_eq!(held("variant")["rules"], "contest");
        let game = held("game");
        let saved: Value = serde_json::from_str(game["line"].as_str().unwrap()).unwrap();
        assert_eq!(saved["players"][1]["name"], TWO);
        assert!(game["pdn"].is_string());
        for (allowed, begin, end) in [
            (
                "script-src 'sha256-",
                "<script type=\"module\">",
                "</script>",
            ),
            ("style-src 'sha256-", "<style>", "</style>"),
        ] {
            let hash = BASE64_STANDARD.encode(Sha256::digest(between(begin, end)));
            assert_eq!(between(allowed, "'"), hash);
        }
        let mut broken: GameRecord = serde_json::from_str(line).unwrap();
        broken.opening = vec!["A1A1".into()];
        assert!(single_file(&broken, None).is_err());
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
