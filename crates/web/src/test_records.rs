//! Records of games for tests.

use serde_json::{Value, json};

/// A record of contest checkers: the moves, the first of them the opening, of which one that is not legal ends the game.
pub(super) fn record(
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
