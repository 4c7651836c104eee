//! Recorded games of the test referee as the site and its friends write them.

use serde_json::{Map, Value, json};

/// The forms in which people have games, except the packed one.
pub(crate) const FORMS: [&str; 6] = ["direct", "wrapped", "play", "trimmed", "compact", "local"];

/// The values of a list.
fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// The steps of a recorded game as the site has them. Before the first turn, the test referee asks each player for nothing.
fn frames(game: &Value) -> Vec<Value> {
    let told = list(&game["players"]).len();
    let steps = list(&game["referee"]["frames"]).iter().enumerate();
    let frames = steps.map(|(number, step)| {
        let (kind, data) = step["view"].as_str().unwrap().split_once('\n').unwrap();
        let lines = step["summary"].as_array().into_iter().flatten();
        let lines: Vec<&str> = lines.map(|line| line.as_str().unwrap()).collect();
        let mut frame = json!({
            "agentId": -1,
            "keyframe": kind.starts_with("KEY"),
            "summary": lines.join("\n"),
            "view": format!(" {number}\n{data}\n"),
        });
        if let Some(before) = number.checked_sub(1) {
            let turn = before.checked_sub(told).map(|turn| &game["turns"][turn]);
            frame["agentId"] = turn.map_or(json!(before), |turn| turn["player"].clone());
            if let Some(reply) = turn.and_then(|turn| turn["reply"].as_str()) {
                frame["stdout"] = json!(format!("{reply}\n"));
            }
        }
        frame
    });
    frames.collect()
}

/// The game as the site's services have it.
pub(crate) fn direct(game: &Value) -> Value {
    let (referee, players) = (&game["referee"], list(&game["players"]).iter());
    let agents = players.enumerate().map(|(index, player)| {
        json!({"index": index, "agentId": 100 + index, "codingamer": {"pseudo": player["name"]}, "valid": true})
    });
    let scores = list(&referee["scores"]).iter().map(Value::as_f64);
    let ranks = scores
        .clone()
        .map(|own| scores.clone().filter(|other| *other > own).count());
    json!({
        "gameId": 700_000_000 + game["number"].as_u64().unwrap(),
        "refereeInput": format!("seed={}\n", referee["seed"]),
        "scores": referee["scores"],
        "ranks": ranks.collect::<Vec<_>>(),
        "agents": agents.collect::<Vec<_>>(),
        "frames": frames(game),
        "tooltips": [],
        "metadata": null,
    })
}

/// Of each frame what these keys have.
fn only(frames: &Value, keys: &[[&str; 2]]) -> Value {
    let only = |frame: &Value| {
        let known = keys
            .iter()
            .map(|[key, own]| (own.to_string(), frame[*key].clone()));
        Value::Object(known.collect())
    };
    list(frames).iter().map(only).collect()
}

/// The values of players as an object.
fn by_player(values: impl IntoIterator<Item = Value>) -> Value {
    let values = values.into_iter().enumerate();
    let values = values.map(|(player, value)| (player.to_string(), value));
    values.collect::<Map<_, _>>().into()
}

/// The game in this form.
pub(crate) fn in_form(game: &Value, form: &str) -> Value {
    let mut whole = direct(game);
    let (frames, scores) = (whole["frames"].take(), list(&whole["scores"]).to_vec());
    let names: Vec<Value> = list(&game["players"])
        .iter()
        .map(|player| player["name"].clone())
        .collect();
    let seed = game["referee"]["seed"].to_string();
    match form {
        "trimmed" => {
            let keys = ["agentId", "stdout", "summary"].map(|key| [key, key]);
            json!({"seed": seed, "league": 4, "players": names, "frames": only(&frames, &keys)})
        }
        "compact" => json!({
            "game_id": whole["gameId"].to_string(), "referee_input": whole["refereeInput"], "scores": scores,
            "frames": only(&frames, &[["agentId", "agent_id"], ["stdout", "stdout"], ["summary", "summary"]]),
        }),
        "local" => {
            let of = |player: usize| {
                let answers = list(&frames)
                    .iter()
                    .map(|frame| match frame["agentId"] == player {
                        true => frame.get("stdout").cloned().unwrap_or(json!("")),
                        false => Value::Null,
                    });
                answers.collect()
            };
            let of_all = |key: &str| -> Value {
                list(&frames)
                    .iter()
                    .map(|frame| frame[key].clone())
                    .collect()
            };
            let agents = names.iter().enumerate();
            json!({
                "outputs": by_player((0..names.len()).map(of)), "errors": {},
                "summaries": of_all("summary"), "views": of_all("view"),
                "scores": by_player(scores), "uinput": [whole["refereeInput"]],
                "agents": agents.map(|(index, name)| json!({"index": index, "name": name})).collect::<Value>(),
            })
        }
        _ => {
            whole["frames"] = frames;
            if form == "play" {
                whole.as_object_mut().unwrap().remove("agents");
            }
            if form != "wrapped" {
                return whole;
            }
            json!({
                "puzzleId": 1, "puzzleTitle": ["Dice", "Des"], "questionTitle": "Dice 2026 - Level 4",
                "viewer": "x".repeat(1 << 20), "shareable": true, "gameResult": whole,
            })
        }
    }
}
