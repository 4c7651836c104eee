//! Files of games as a site reads them.

use super::*;
use crate::tests::records;
use serde_json::{Value, json};
use std::io::Write;
use tempfile::{NamedTempFile, TempDir};

/// A record of this number between these two, a line.
fn record(number: u64, players: [&str; 2], scores: Value) -> Value {
    records::record(number, players, &["A3B4", "B6A5"], scores, "no-moves")
}

/// A file with a reader of it, and all that it has read.
struct Read {
    file: NamedTempFile,
    reader: RecordFile,
    index: Index,
    pairs: Vec<StoredPair>,
}

impl Read {
    fn new() -> Read {
        let file = NamedTempFile::new().unwrap();
        let reader = RecordFile::open(file.path()).unwrap();
        let (index, pairs) = (Index::default(), Vec::new());
        Read {
            file,
            reader,
            index,
            pairs,
        }
    }

    /// Appends this to the file and reads on; how many games and pairs there are then.
    fn append(&mut self, text: &str) -> [usize; 2] {
        self.file.write_all(text.as_bytes()).unwrap();
        let read = self
            .reader
            .news("checkers", &mut self.index, &mut self.pairs);
        read.unwrap();
        [self.index.entries.len(), self.pairs.len()]
    }

    fn append_games(&mut self, games: &[Value]) -> [usize; 2] {
        let lines: String = games.iter().map(|game| format!("{game}\n")).collect();
        self.append(&lines)
    }
}

#[test]
fn a_file_that_grows_is_read_on_from_its_last_whole_line() {
    let first = record(1, ["one", "two"], json!([1, 0])).to_string();
    let second = record(2, ["two", "one"], json!([0.5, 0.5])).to_string();
    let mut read = Read::new();
    let (begun, rest) = second.split_at(100);
    assert_eq!(read.append(&format!("{first}\n{begun}")), [1, 0]);
    // Whole as it stands, though its end is not written yet.
    assert_eq!(read.append(rest), [2, 1]);
    assert_eq!(read.append("\n\n"), [2, 1]);
    assert_eq!(read.append(&format!("{first}\n")), [3, 1]);
    let places = [0, 1].map(|game| read.index.entries[game].place);
    assert_eq!(
        places.map(|place| read.reader.line(place).unwrap()),
        [first, second]
    );
    assert!(read.reader.problems.is_empty());

    let pair = &read.pairs[0];
    let names = pair.key.bots.iter().map(|entrant| &entrant.bot);
    assert!(names.eq(["one", "two"]));
    let points = pair.rated().iter().map(|game| game.points_of("one"));
    assert!(points.eq([Some(1.0), Some(0.5)]));
    assert_eq!(pair.rated()[1].players, ["two", "one"]);
}

#[test]
fn a_file_that_has_become_shorter_is_an_error() {
    let mut read = Read::new();
    read.append_games(&[record(1, ["one", "two"], json!([1, 0]))]);
    read.file.as_file().set_len(5).unwrap();
    let error = read
        .reader
        .news("checkers", &mut read.index, &mut read.pairs);
    assert!(error.unwrap_err().to_string().contains("shorter"));
}

#[test]
fn two_games_are_a_pair_where_they_count_and_follow_each_other_between_the_same_two() {
    let game = |number, players| record(number, players, json!([1, 0]));
    let mut replayed = game(2, ["two", "one"]);
    replayed["replayed"] = json!(true);
    let void = record(2, ["two", "one"], Value::Null);
    for (second, pairs) in [
        (game(2, ["two", "one"]), 1),
        (game(2, ["one", "two"]), 1),
        (game(3, ["two", "one"]), 0),
        (game(2, ["two", "three"]), 0),
        (replayed, 0),
        (void, 0),
    ] {
        let mut read = Read::new();
        let both = [game(1, ["one", "two"]), second];
        assert_eq!(read.append_games(&both), [2, pairs], "{both:?}");
    }
    let mut read = Read::new();
    let itself = [1, 2].map(|number| game(number, ["one", "one"]));
    assert_eq!(read.append_games(&itself), [2, 0]);
}

#[test]
fn three_games_of_three_players_are_a_round() {
    let mut game = records::external_record();
    game.game = "checkers".into();
    let mut read = Read::new();
    let counts = [1, 2, 3, 4].map(|number| {
        game.number = number;
        game.players.rotate_left(1);
        read.append_games(&[json!(game)])
    });
    assert_eq!(counts, [[1, 0], [2, 0], [3, 1], [4, 1]]);
    assert_eq!(read.pairs[0].key.bots.len(), 3);
}

#[test]
fn a_player_without_a_name_has_one_on_pages() {
    let mut read = Read::new();
    read.append_games(&[record(1, [" ", " two "], json!([1, 0]))]);
    let names: Vec<&String> = read.index.bots.iter().collect();
    assert_eq!(names, ["(no name)", "two"]);
}

#[test]
fn unreadable_lines_are_reported_by_number_and_counted() {
    let mut read = Read::new();
    let mut chess = record(1, ["one", "two"], json!([1, 0]));
    chess["game"] = json!("chess");
    let good = record(2, ["one", "two"], json!([1, 0]));
    let mut newer = good.clone();
    newer["version"] = json!(4);
    assert_eq!(
        read.append(&format!("{chess}\n{good}\nno record\n{newer}\n")),
        [1, 0]
    );
    let [other, bad, version] = &read.reader.problems[..] else {
        panic!("{:?}", read.reader.problems);
    };
    assert_eq!(
        other,
        "line 1: a game of chess; expected checkers, as the first game of the file"
    );
    assert!(bad.starts_with("line 3 is no game's record: "), "{bad}");
    assert!(
        version.starts_with("line 4: the record has version 4"),
        "{version}"
    );
    read.append(&"x\n".repeat(10));
    assert_eq!(
        (read.reader.unreadable, read.reader.problems.len()),
        (13, TOLD_PROBLEMS)
    );
    let first = read.reader.first().unwrap();
    assert_eq!(first.game, "chess", "it says which game the file is of");
    let empty = Read::new().reader.first().unwrap_err().to_string();
    assert!(empty.starts_with("it holds no game"), "{empty}");
}

/// A file in PDN with these games, each a text of moves.
fn pdn(folder: &TempDir, games: &[&str]) -> PathBuf {
    let path = folder.path().join("games.pdn");
    let header = |moves: &&str| {
        format!(
            "[Event \"x\"]\n[Black \"one\"]\n[White \"two\"]\n[Result \"1-0\"]\n{moves} 1-0\n\n"
        )
    };
    std::fs::write(&path, games.iter().map(header).collect::<String>()).unwrap();
    path
}

#[test]
fn games_in_pdn_are_pairs_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = pdn(&folder, &["1. 11-15", "1. 11-16", "1. 99-98", "1. 9-13"]);
    let mut file = RecordFile::open(&path).unwrap();
    let (mut index, mut pairs) = (Index::default(), Vec::new());
    file.news("checkers", &mut index, &mut pairs).unwrap();
    assert_eq!((index.entries.len(), pairs.len()), (3, 1));
    assert_eq!(file.unreadable, 1);
    assert!(file.problems[0].contains("99"), "{:?}", file.problems);
}

#[test]
fn a_file_in_pdn_of_which_nothing_can_be_read_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let error = RecordFile::open(&pdn(&folder, &["1. 99-98"])).unwrap_err();
    assert!(error.to_string().contains("line 5"), "{error}");
}
