//! Viewers of contests: where a page finds one, and its files.

use super::*;
use crate::tests::contest::{FILES, TestContest};
use crate::tests::records::external_record;

#[test]
fn without_its_jar_a_game_has_no_viewer_and_a_sentence_why() {
    let viewers = Viewers::new("/nowhere".into());
    let mut record = external_record();
    let referee = record.referee.as_mut().unwrap();
    let shown = viewers.view(referee);
    let ViewerView::Missing { why } = &shown else {
        panic!("{shown:?}");
    };
    assert!(why.contains("`race.jar`"), "{why}");
    let ViewerView::Missing { why } = ViewerView::elsewhere(referee) else {
        panic!("a page that loads nothing has none");
    };
    assert!(why.contains("come with the referee, `race.jar`"), "{why}");
    assert_eq!(viewers.file("00", "player.html").unwrap(), None);
    referee
        .frames
        .iter_mut()
        .for_each(|frame| frame.view.clear());
    for shown in [viewers.view(referee), ViewerView::elsewhere(referee)] {
        assert_eq!(shown, ViewerView::missing(NO_PICTURES));
    }
}

/// Why this game is shown without its viewer.
fn missing(viewers: &Viewers, referee: &RefereeRecord) -> String {
    match viewers.view(referee) {
        ViewerView::Missing { why } => why,
        here => panic!("{here:?}"),
    }
}

#[test]
fn a_page_is_told_where_the_viewer_of_a_game_is_and_given_its_files() {
    let contest = TestContest::new();
    let viewers = Viewers::new(contest.folder().into());
    let mut referee = contest.referee();
    // With its path from the ladder's folder.
    referee.command = "race".into();
    assert_eq!(viewers.file(&referee.hash, "player.html").unwrap(), None);
    let here = ViewerView::Here {
        folder: format!("viewer/{}/", referee.hash),
        player: "player.html",
        drawer: "core/Drawer.js",
        libraries: [("PIXI6".into(), "lib/pixi6.js".into())].into(),
    };
    assert_eq!(viewers.view(&referee), here);
    for (name, text) in FILES {
        let bytes = viewers.file(&referee.hash, name).unwrap();
        assert_eq!(bytes.as_deref(), Some(text.as_bytes()), "{name}");
    }
    assert_eq!(viewers.file(&referee.hash, "none.js").unwrap(), None);
    assert_eq!(viewers.file("00", "player.html").unwrap(), None);
}

#[test]
fn a_viewer_is_looked_for_once_and_one_that_was_missing_is_not_looked_for_each_time() {
    let contest = TestContest::new();
    let referee = contest.referee();
    let viewers = Viewers::new(contest.folder().into());
    let first = viewers.open(&referee).unwrap();
    contest.write("view/config.js", "changed since");
    let again = viewers.open(&referee).unwrap();
    assert!(Arc::ptr_eq(&first, &again));
    // The game of another hash is not shown with it.
    let other = RefereeRecord {
        hash: "00".into(),
        ..referee
    };
    let why = missing(&viewers, &other);
    assert!(
        why.contains("has changed since the game was played"),
        "{why}"
    );
    assert_eq!(viewers.file("00", "player.html").unwrap(), None);

    let before = TestContest::new();
    let gone = RefereeRecord {
        command: before.folder().join("later").to_str().unwrap().into(),
        ..before.referee()
    };
    let why = missing(&viewers, &gone);
    assert!(!why.is_empty());
    let key = (gone.command.clone(), gone.hash.clone());
    // However long this test takes, no more than a moment has passed.
    let hour = Duration::from_secs(3600);
    viewers.lock().get_mut(&key).unwrap().0 += hour;
    std::fs::rename(before.folder().join("race"), &gone.command).unwrap();
    assert_eq!(
        missing(&viewers, &gone),
        why,
        "it was looked for a moment ago"
    );
    viewers.lock().get_mut(&key).unwrap().0 -= hour + RETRY;
    viewers.open(&gone).unwrap();
}

#[test]
fn viewers_are_kept_until_there_are_too_many() {
    let contest = TestContest::new();
    let viewers = Viewers::new(contest.folder().into());
    let referee = contest.referee();
    let first = viewers.open(&referee).unwrap();
    let open_others = |others: std::ops::Range<usize>| {
        for other in others {
            let hash = other.to_string();
            let other = RefereeRecord {
                hash,
                ..referee.clone()
            };
            viewers.open(&other).unwrap_err();
        }
    };
    open_others(1..MOST_KEPT);
    assert!(Arc::ptr_eq(&first, &viewers.open(&referee).unwrap()));
    assert_eq!(viewers.lock().len(), MOST_KEPT);
    open_others(MOST_KEPT..MOST_KEPT + 1);
    assert_eq!(viewers.lock().len(), 1);
}

#[test]
fn a_browser_is_told_what_each_file_of_a_viewer_is() {
    for (kind, names) in [
        ("text/html; charset=utf-8", &["player.html"][..]),
        (
            "text/javascript; charset=utf-8",
            &["core/a.js", "a.min.mjs"],
        ),
        ("text/css; charset=utf-8", &["a.css"]),
        ("application/json", &["sheet.json"]),
        ("image/png", &["a.b/c.png"]),
        ("image/jpeg", &["a.jpg", "a.jpeg"]),
        ("image/gif", &["a.gif"]),
        ("image/webp", &["a.webp"]),
        ("image/svg+xml", &["a.svg"]),
        ("text/xml; charset=utf-8", &["font.fnt", "a.xml"]),
        ("font/woff", &["a.woff"]),
        ("font/woff2", &["a.woff2"]),
        ("font/ttf", &["a.ttf"]),
        ("font/otf", &["a.otf"]),
        ("audio/mpeg", &["a.mp3"]),
        ("audio/ogg", &["a.ogg"]),
        ("application/octet-stream", &["a.bin", "html", "a.html.x"]),
    ] {
        for name in names {
            assert_eq!(content_type(name), kind, "{name}");
        }
    }
}
