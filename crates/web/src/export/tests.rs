//! A site as files: the contents of the folder, and which folders are accepted.

use super::*;
use crate::tests::contest::{FILES, TestContest};
use crate::tests::records::{ONE, TWO, record, site_of, three_games};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

/// A site that was written.
struct Written {
    folder: TempDir,
    done: Exported,
}

impl Written {
    fn new(lines: &[impl ToString]) -> Written {
        let (mut site, _file) = site_of(lines);
        let folder = tempfile::tempdir().unwrap();
        let done = export(&mut site, folder.path()).unwrap();
        Written { folder, done }
    }

    fn text(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(&format!("data/{name}.json"))).unwrap()
    }
}

/// The files below this folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}

/// A game between these two whose opening cannot be played, so that it is not shown.
fn no_game(number: u64, players: [&str; 2]) -> Value {
    record(number, players, &["A1A1"], json!([1, 0]), "no-moves")
}

#[test]
fn however_many_games_there_are_they_fit_their_files() {
    for games in [0_usize, 1, 99, 6_130, 100_000, 1_000_000] {
        for room in [6, 11, 100, 989] {
            assert!(
                games.div_ceil(chunk_size(games, room)) <= room,
                "{games} in {room}"
            );
        }
    }
    assert_eq!(chunk_size(1100, 11), 100);
    assert_eq!(chunk_size(70, 0), 70);
    assert_eq!(chunk_size(25, 100), SMALLEST_CHUNK, "no file for each game");
}

#[test]
fn a_site_is_written_with_all_that_its_pages_ask_for() {
    let written = Written::new(&three_games());
    let page = written.text("index.html");
    assert!(page.contains(r#"data-mode="static""#));
    for (name, _, text) in assets::files() {
        assert_eq!(written.text(name), text);
    }
    for name in ["app.js", "style.css", "icon.svg"] {
        assert!(page.contains(name), "{name}");
    }
    let library = written.text("library.js");
    assert!(library.starts_with("globalThis.crownheadLibrary = 'AGFzbQ"));

    assert_eq!(written.json("site")["games"], 3);
    let standings = written.json("standings");
    assert_eq!(standings["rows"].as_array().unwrap().len(), 2);
    assert_ne!(written.json("history"), Value::Null);
    let bots = [0, 1].map(|bot| written.json(&format!("bot/{bot}"))["name"].clone());
    assert_eq!(bots, [ONE, TWO]);
    assert_eq!(
        written.json("contents"),
        json!({
            "edition": 0, "size": 2000, "lists": 1, "bots": [ONE, TWO], "openings": ["A3B4", "C3D4"], "chunks": [1],
        })
    );
    let row =
        |id: u64, players: [u64; 2], points: [f64; 2], ended: &str, turns: u64, opening: u64| {
            json!([id, players, points, [], ended, turns, opening, false])
        };
    assert_eq!(
        written.json("list/0"),
        json!([
            row(1, [0, 1], [1.0, 0.0], "no-moves", 3, 0),
            row(2, [1, 0], [0.5, 0.5], "turn-limit", 3, 0),
            row(3, [0, 1], [1.0, 0.0], "illegal-reply", 2, 1),
        ])
    );

    let files = files(written.folder.path());
    let bytes = files.iter().map(|file| file.metadata().unwrap().len());
    let done = Exported {
        files: files.len(),
        bytes: bytes.sum(),
        games: 3,
        left_out: 0,
    };
    assert_eq!(written.done, done);
}

#[test]
fn games_are_written_with_their_record() {
    let lines = three_games();
    let written = Written::new(&lines);
    let games = written.json("games/0");
    for (id, line) in [("1", &lines[0]), ("2", &lines[1]), ("3", &lines[3])] {
        let game = &games[id];
        assert_eq!(game["id"].to_string(), id);
        assert_eq!(game["line"], *line);
        assert!(game["pdn"].as_str().unwrap().contains("[Black "));
    }
}

#[test]
fn data_in_the_page_cannot_end_its_script() {
    let written = Written::new(&[no_game(1, [ONE, TWO])]);
    let page = written.text("index.html");
    let (_, about) = page.split_once(r#"id="site">"#).unwrap();
    let (about, _) = about.split_once("</script>").unwrap();
    assert!(!about.contains('<'), "{about}");
    let about: Value = serde_json::from_str(about).unwrap();
    assert_eq!(about["bots"], json!([ONE, TWO]));
}

#[test]
fn a_game_that_cannot_be_shown_is_left_out() {
    let players = [ONE, TWO];
    let failed = |number| {
        record(
            number,
            players,
            &["C3D4", "H8H8"],
            json!([1, 0]),
            "illegal-reply",
        )
    };
    let broken = |number| no_game(number, players);
    let written = Written::new(&[failed(1), broken(2), failed(3), failed(4), broken(5)]);
    assert_eq!((written.done.games, written.done.left_out), (3, 2));
    let games = written.json("games/0");
    let ids: Vec<&String> = games.as_object().unwrap().keys().collect();
    assert_eq!(ids, ["1", "3", "4"]);
}

#[test]
fn lists_of_games_have_their_part_of_the_games_each() {
    let games = (1..=2001).map(|number| no_game(number, [ONE, TWO]));
    let written = Written::new(&games.collect::<Vec<_>>());
    let contents = written.json("contents");
    assert_eq!(contents["lists"], 2);
    let chunks = contents["chunks"].as_array().unwrap();
    assert_eq!(
        (chunks.len(), &chunks[..3]),
        (201, &[1, 11, 21].map(Value::from)[..])
    );
    let last = written.json("list/1");
    assert_eq!(last.as_array().unwrap().len(), 1);
    assert_eq!(last[0][0], 2001);
}

#[test]
fn games_of_a_contest_have_their_viewer_once() {
    let contest = TestContest::new();
    let mut game = contest.game();
    let mut lines = Vec::new();
    for number in [3, 4] {
        game.number = number;
        lines.push(serde_json::to_string(&game).unwrap());
    }
    let hash = contest.referee().hash;
    contest.write("view/assets/logo.png", "changed since the last game");
    game.referee = Some(contest.referee());
    lines.push(serde_json::to_string(&game).unwrap());
    let written = Written::new(&lines);
    let game = written.json("games/0")["5"].clone();
    let folder = format!("{VIEWERS}/{}/", contest.referee().hash);
    assert_eq!(game["viewer"]["folder"], folder);
    for (name, text) in FILES {
        assert_eq!(written.text(&format!("{folder}{name}")), text);
    }
    assert!(!written.folder.path().join(VIEWERS).join(hash).exists());
}

#[test]
fn only_a_new_folder_or_an_earlier_export_is_written_into() {
    let (mut site, _file) = site_of(&[no_game(1, [ONE, TWO])]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/site");
    let write = |name: &str| {
        let path = path.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "mine").unwrap();
    };
    let refused = |path: &Path| {
        let refused = OutputFolder::begin(path).err();
        refused.is_some_and(|why| why.to_string().contains("it holds other files"))
    };
    // Half of an export's mark.
    for name in ["app.js", "data/site.json"] {
        write(name);
        assert!(refused(&path), "{name}");
        std::fs::remove_dir_all(&path).unwrap();
    }
    let first = export(&mut site, &path).unwrap();
    write("data/games/9.json");
    write("viewer/00/player.html");
    let again = export(&mut site, &path).unwrap();
    assert_eq!(again, first);
    assert_eq!(files(&path).len(), first.files, "nothing is left of before");
    assert!(!refused(&path));
}
