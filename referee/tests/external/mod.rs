//! Games that an external referee judges, with real referees and real bots: programs in Python.

mod faults;
mod games;
mod ladders;
mod lines;
mod looking;
mod own_game;
mod rounds;
#[cfg(feature = "shared")]
mod shared_rounds;
mod site_forms;
mod site_games;

use crate::common::{TestWorkspace, crownhead, records};
use serde_json::Value;
use std::path::Path;

/// The test referee that speaks so, `engine` or `lines`, or that has a fault, with these options.
fn referee(name: &str, options: &str) -> String {
    let class = match name {
        // By this a command line is known as one of the engine.
        "engine" => "com.codingame.gameengine.core.RefereeMain",
        _ => "",
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/external/tests/referees");
    let path = path.join(format!("{name}.py"));
    format!("python3 {} {class} {options}", path.display())
}

/// A bot for its game.
fn dice_bot(how: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/dice_bot.py");
    format!("python3 {} {how}", path.display())
}

/// A bot for its game, or the built-in `random` with its options.
fn bot(how: &str) -> String {
    if how.starts_with("random") {
        how.into()
    } else {
        dice_bot(how)
    }
}

/// Limits long enough for a busy machine: the referee's own, or ours where it has none.
const AMPLE: &str = "--limit 10000";

/// A match of these bots, each called by what it does: its summary and its records.
struct Played {
    summary: Value,
    games: Vec<Value>,
    folder: TestWorkspace,
}

/// Plays a match under this referee with these arguments; with limits for a busy machine, unless they name others.
fn play(referee: &str, bots: &[&str], arguments: &[&str]) -> Played {
    let folder = TestWorkspace::new();
    let record = folder.path("games.jsonl");
    let mut command = crownhead();
    command.arg("match").args(bots.iter().map(|how| bot(how)));
    for how in bots {
        command.args(["--names", how]);
    }
    command
        .args(["--referee", referee, "--json"])
        .args(arguments)
        .args(["--record", record.to_str().unwrap()]);
    for limit in ["--time", "--first-turn"] {
        if !arguments.contains(&limit) {
            command.args([limit, "10s"]);
        }
    }
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    let mut games = records(record);
    games.sort_by_key(|game| game["number"].as_u64());
    let none_is_rated = games.iter().all(|game| game["scores"].is_null());
    let status = Some(i32::from(none_is_rated));
    assert_eq!(output.status.code(), status, "{error}");
    Played {
        summary: serde_json::from_slice(&output.stdout).unwrap(),
        games,
        folder,
    }
}

/// The names of the players of a game, in order.
fn names(game: &Value) -> Vec<&str> {
    let players = game["players"].as_array().unwrap().iter();
    players
        .map(|player| player["name"].as_str().unwrap())
        .collect()
}

/// Expects of a game of this bot with `best` and `worst` that it has failed so, is last with its sentence, and that the
/// others were asked on.
fn expect_failure(game: &Value, how: &str, termination: &str, sentence: &str) {
    assert_eq!(game["termination"], termination, "{how}: {game:#}");
    let reason = game["reason"].as_str().unwrap();
    assert!(
        reason.contains(how) && reason.contains(sentence),
        "{reason}"
    );
    let place = |name| names(game).iter().position(|own| *own == name).unwrap();
    let points = [how, "best", "worst"].map(|name| game["scores"][place(name)].as_f64());
    assert_eq!(points, [Some(0.0), Some(1.0), Some(0.5)], "{how}");
    let failed = game["referee"]["failed"][0]["turn"].as_u64().unwrap() as usize;
    assert_eq!(game["turns"][failed]["player"], place(how));
    let turns = game["turns"].as_array().unwrap();
    assert!(failed + 1 < turns.len(), "{how}: the others were asked on");
}
