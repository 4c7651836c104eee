//! What is read of files, whole, damaged and hostile.

use super::{SiteError, SiteGame, SiteGames, is_site_file};
use flate2::{Compression, write::GzEncoder};
use std::io::{self, BufReader, Read, Write};

const FRAMES: &str =
    r#""frames":[{"agentId":-1},{"agentId":0,"stdout":"A3B4\n"},{"agentId":1,"stdout":"B6A5\n"}]"#;

/// The games of a text, read in pieces of three bytes, and what is wrong with the others.
fn read(text: &[u8]) -> Vec<Result<SiteGame, String>> {
    let games = SiteGames::new(BufReader::with_capacity(3, text)).unwrap();
    games
        .map(|game| game.map_err(|error| error.to_string()))
        .collect()
}

/// The one game of a text.
fn one(text: &str) -> SiteGame {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1);
    games.remove(0).unwrap()
}

fn errors(text: &str) -> Vec<String> {
    read(text.as_bytes())
        .into_iter()
        .filter_map(Result::err)
        .collect()
}

#[test]
fn fields_may_be_missing_null_or_numbers_in_quotes() {
    let bare = one(&format!("{{{FRAMES}}}"));
    assert_eq!(bare.players, ["player 1", "player 2"]);
    assert_eq!(
        (bare.id, bare.seed, bare.league, bare.frames.len()),
        (None, None, None, 3)
    );
    let full = one(&format!(
        r#"{{"gameId":"7","refereeInput":"seed=-9223372036854775808\nmap=3\n\n","scores":["1.5",-1],"ranks":null,
        "agents":[{{"index":1,"codingamer":{{"pseudo":"me"}}}},{{"index":0,"arenaboss":{{"nickname":"me"}}}}],
        "league":"4",{FRAMES}}}"#
    ));
    assert_eq!(
        (full.id, full.seed, full.league),
        (Some(7), Some(i64::MIN), Some(4))
    );
    assert_eq!(full.parameters, [("map".into(), "3".into())].into());
    assert_eq!(full.scores, [1.5, -1.0]);
    assert_eq!(full.players, ["me", "me (2)"]);
    assert!(full.ranks.is_empty());
}

#[test]
fn parts_that_disagree_are_refused_with_both_numbers() {
    for (fields, told) in [
        (
            r#""scores":[1,2,3],"players":["a","b"],"#,
            "it has 3 scores for 2 players",
        ),
        (
            r#""ranks":[0],"players":["a","b"],"#,
            "it has 1 ranks for 2 players",
        ),
        (r#""players":["a"],"#, "it has 1 players; expected 2 to 8"),
        (r#""scores":["x",1],"#, "its `scores` are no numbers"),
        (
            r#""seed":"9223372036854775808","#,
            "its seed `9223372036854775808` is no whole number of 64 bits",
        ),
        (
            r#""seed":1,"seed":2,"#,
            "the key `seed` is there twice. Leave one",
        ),
    ] {
        let errors = errors(&format!("{{{fields}{FRAMES}}}"));
        assert_eq!(errors, [format!("the game that begins on line 1: {told}")]);
    }
}

#[test]
fn a_cut_game_costs_no_other_where_each_has_a_line() {
    let game = format!("{{{FRAMES}}}");
    let cut = &game[..game.len() - 9];
    let games = read(format!("\u{feff}{game}\r\n\n{cut}\n{game}\n{cut}").as_bytes());
    let lines: Vec<_> = games
        .iter()
        .map(|game| game.as_ref().map(|game| game.line))
        .collect();
    let told = |line| format!("the game that begins on line {line}: it is cut off");
    assert_eq!(lines, [Ok(1), Err(&told(3)), Ok(4), Err(&told(5))]);
    // Within a text no line ends.
    let games = read(format!("{}\n{game}", &game[..game.len() - 4]).as_bytes());
    assert_eq!(
        (games.len(), games[0].is_err(), games[1].is_ok()),
        (2, true, true)
    );
}

#[test]
fn a_list_and_objects_over_several_lines_are_read_with_their_lines() {
    // What stands in a text ends nothing.
    let game = format!("{{\n\"title\":\"}}\\\"}}\",{FRAMES}\n}}");
    for text in [format!("[{game},\n{game}]\n"), format!("{game}\n{game}")] {
        let lines: Vec<_> = read(text.as_bytes())
            .into_iter()
            .map(|game| game.unwrap().line)
            .collect();
        assert_eq!(lines, [1, 4]);
    }
    let told = errors(&format!("[{game},{{\"a\":[}}]"));
    assert_eq!(told, ["the game that begins on line 3: it is not JSON"]);
}

#[test]
fn utf_16_and_other_text_are_refused_and_reading_ends() {
    assert!(
        SiteGames::new(&b"\xff\xfe{\0"[..])
            .unwrap_err()
            .to_string()
            .contains("UTF-16")
    );
    assert_eq!(
        errors("<html>\n{}\n"),
        ["the game that begins on line 1: it is not JSON; expected games of the site"]
    );
}

/// A stream that repeats a text for ever, after a beginning.
struct Endless(&'static [u8], &'static [u8]);

impl Read for Endless {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self.0 {
            [] => {
                self.0 = self.1;
                self.read(to)
            }
            _ => self.0.read(to),
        }
    }
}

#[test]
fn an_endless_game_and_one_of_very_many_values_are_refused() {
    let endless = Endless(b"{\"frames\":[", b"{},{},{},{},{},{},{},{},");
    let mut games = SiteGames::new(BufReader::new(endless)).unwrap();
    let error = games.next().unwrap().unwrap_err().to_string();
    assert!(error.contains("goes on after 33554432 bytes"), "{error}");
    assert!(games.next().is_none());
    let many = format!("{{\"frames\":[{}0]}}", "0,".repeat(1 << 20));
    assert!(errors(&many)[0].ends_with("it has more than 1048576 values"));
    let deep = errors(&format!("{{\"a\":{}", "[".repeat(100_000)));
    assert_eq!(deep.len(), 1);
}

#[test]
fn a_packed_file_is_read_and_a_damaged_one_is_an_error_after_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.gz");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let game = format!("{{{FRAMES}}}\n");
    packed.write_all(game.repeat(2000).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    for (bytes, is_whole) in [(&packed[..], true), (&packed[..packed.len() - 9], false)] {
        std::fs::write(&path, bytes).unwrap();
        assert!(is_site_file(&path).unwrap());
        let games: Vec<_> = SiteGames::open(&path).unwrap().collect();
        let (last, before) = games.split_last().unwrap();
        assert!(before.iter().all(Result::is_ok));
        assert_eq!(last.is_ok(), is_whole);
        assert!(
            is_whole || matches!(last, Err(SiteError::File(_))),
            "{last:?}"
        );
    }
}

#[test]
fn a_file_of_records_and_other_text_are_none_of_the_site() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for (text, expected) in [
        ("{\"version\":3,", false),
        ("{\"turns\":[],\"version\":3}\n", false),
        ("\u{feff} {\n \"gameId\":", true),
        ("[\n", true),
        ("[Event \"PDN\"]", false),
        ("1. 11-15", false),
        ("", false),
    ] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(is_site_file(&path).unwrap(), expected, "{text:?}");
    }
}
