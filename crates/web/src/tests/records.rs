//! Records of games for tests, and sites that show them.

use crate::site::Site;
use crownhead_record::GameRecord;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A record of contest checkers with these moves. The first is the opening; an illegal move ends the game.
pub(crate) fn record(
    number: u64,
    [black, red]: [&str; 2],
    moves: &[&str],
    scores: Value,
    ended: &str,
) -> Value {
    let player = |side, name| json!({"side": side, "name": name, "command": "x"});
    let turns = (1..).zip(&moves[1..]).map(|(turn, reply)| {
        json!({"player": turn % 2, "reply": reply, "us": 10 * turn, "stderr": {"text": format!("word {turn}")}})
    });
    json!({
        "version": crownhead_record::VERSION, "game": "checkers", "rules": "contest", "profile": "strict",
        "clock": "wall", "number": number, "seed": 1, "players": [player("black", black), player("red", red)],
        "limits": {"first_turn_us": 1_000_000, "turn_us": 100_000}, "max_turns": 200, "opening": [moves[0]],
        "turns": turns.collect::<Vec<Value>>(), "scores": scores, "termination": ended, "reason": format!("why {number}"),
    })
}

/// A site of the file `games.jsonl` with these lines, in a folder, because the file is read again for each game.
pub(crate) fn site_of(lines: &[impl ToString]) -> (Site, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let lines = lines.iter().map(|line| line.to_string() + "\n");
    std::fs::write(&path, lines.collect::<String>()).unwrap();
    (Site::open(&path).unwrap(), folder)
}

pub(crate) const ONE: &str = "one";
pub(crate) const TWO: &str = "<b>two</b>";

/// Three games between two bots, the last one lost by an illegal move, and a line that is not a game.
pub(crate) fn three_games() -> [String; 4] {
    let line = ["A3B4", "B6A5", "C3D4"];
    [
        record(1, [ONE, TWO], &line, json!([1, 0]), "no-moves").to_string(),
        record(2, [TWO, ONE], &line, json!([0.5, 0.5]), "turn-limit").to_string(),
        "no game".into(),
        record(
            3,
            [ONE, TWO],
            &["C3D4", "H8H8"],
            json!([1, 0]),
            "illegal-reply",
        )
        .to_string(),
    ]
}

/// A game of three players, in which the last one crashes.
pub(crate) fn external_record() -> GameRecord {
    let player = |name: &str| json!({"side": "player", "name": name, "command": "x"});
    let record = json!({
        "version": crownhead_record::VERSION, "game": "race", "rules": "league=4", "profile": "strict",
        "clock": "wall", "number": 3, "seed": 1, "limits": {"first_turn_us": 1_000_000, "turn_us": 50_000},
        "players": [player("a"), player("<b>b</b>"), player("c")], "max_turns": null, "opening": [],
        "referee": {
            "command": "race.jar", "protocol": "engine", "hash": "00", "seed": 7, "scores": [5, 9, -1], "failed": [{"turn": 2, "termination": "crash"}, {"turn": 3, "termination": "timeout"}],
            "frames": [
                {"turn": 0, "view": "KEY_FRAME 0\n{\"a\":1}", "summary": ["¤RED¤$1§RED§ begins"]},
                {"turn": 1, "view": "INTERMEDIATE_FRAME 1", "show": "<svg/>"},
                {"turn": 2, "view": "INTERMEDIATE_FRAME 2"},
                {"turn": 4, "view": "KEY_FRAME 3\n{}", "tooltips": ["2 out"]},
            ],
        },
        "turns": [
            {"player": 0, "sent": "1 2\n", "reply": "TAKE 1\nwith joy", "us": 12, "limit_us": 40_000},
            {"player": 1, "reply": "TAKE 2\nyes", "us": 13, "stderr": {"text": "word"}, "said": {"depth": 3}},
            {"player": 2, "reply": "TAKE 0\nno", "opening": "TAKE 2\nyes", "us": 14},
            {"player": 0, "reply": null, "us": 15},
        ],
        "scores": [0.5, 1, 0], "termination": "crash", "reason": "c crashed",
    });
    serde_json::from_value(record).unwrap()
}
