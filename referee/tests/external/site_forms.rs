//! Recorded games of the test referee as the site and its friends write them.

use serde_json::{Value, json};

/// The forms in which people have games, but for the packed one.
pub(crate) const FORMS: [&str; 6] = ["direct", "wrapped", "play", "trimmed", "compact", "local"];

/// The steps of a recorded game as the site has them. Before the first turn, the test referee asks each player for nothing.
fn frames(game: &Value) -> Vec<Value> {
    let [steps, turns, players] = [&game["referee"]["frames"], &game["turns"], &game["players"]];
    let [steps, turns] = [steps, turns].map(|list| list.as_array().unwrap());
    let told = players.as_array().unwrap().len();
    let frames = steps.iter().enumerate().map(|(number, step)| {
        let lines = step["summary"].as_array().map_or(String::new(), |lines| {
            let lines = lines.iter().map(|line| line.as_str().unwrap());
            lines.collect::<Vec<_>>().join("\n")
        });
        let data = step["view"].as_str().unwrap().split_once('\n').unwrap().1;
        let mut frame = json!({
            "agentId": -1,
            "keyframe": step["view"].as_str().unwrap().starts_with("KEY"),
            "summary": lines,
            "view": format!(" {number}\n{data}\n"),
        });
        if let Some(before) = number.checked_sub(1) {
            let turn = before.checked_sub(told).map(|turn| &turns[turn]);
            frame["agentId"] = turn.map_or(json!(before), |turn| turn["player"].clone());
            if let Some(reply) = turn.and_then(|turn| turn["reply"].as_str()) {
                frame["stdout"] = json!(format!("{reply}\n"));
            }
        }
        frame
    });
    frames.collect()
}

/// The ranks of players with these scores.
fn ranks(scores: &Value) -> Vec<usize> {
    let scores: Vec<f64> = scores
        .as_array()
        .unwrap()
        .iter()
        .map(|score| score.as_f64().unwrap())
        .collect();
    let ahead = |own: &f64| scores.iter().filter(|&other| other > own).count();
    scores.iter().map(ahead).collect()
}

/// The game as the site's services have it.
pub(crate) fn direct(game: &Value) -> Value {
    let players = game["players"].as_array().unwrap();
    let agents = players.iter().enumerate().map(|(index, player)| {
        json!({"index": index, "agentId": 100 + index, "codingamer": {"pseudo": player["name"]}, "valid": true})
    });
    let referee = &game["referee"];
    json!({
        "gameId": 700_000_000 + game["number"].as_u64().unwrap(),
        "refereeInput": format!("seed={}\n", referee["seed"]),
        "scores": referee["scores"],
        "ranks": ranks(&referee["scores"]),
        "agents": agents.collect::<Vec<_>>(),
        "frames": frames(game),
        "tooltips": [],
        "metadata": null,
    })
}

/// The game in this form.
pub(crate) fn in_form(game: &Value, form: &str) -> Value {
    let mut whole = direct(game);
    let names: Vec<&Value> = game["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| &player["name"])
        .collect();
    match form {
        "wrapped" => json!({
            "puzzleId": 1, "puzzleTitle": ["Dice", "Des"], "questionTitle": "Dice 2026 - Level 4",
            "viewer": "x".repeat(1 << 20), "shareable": true, "gameResult": whole,
        }),
        "play" => {
            whole.as_object_mut().unwrap().remove("agents");
            whole
        }
        "trimmed" => {
            let mut frames = frames(game);
            frames
                .iter_mut()
                .for_each(|frame| drop(frame.as_object_mut().unwrap().remove("view")));
            json!({"seed": game["referee"]["seed"].to_string(), "league": 4, "players": names, "frames": frames})
        }
        "compact" => {
            let frames = whole["frames"].as_array().unwrap().iter();
            let frames = frames.map(|frame| json!({"agent_id": frame["agentId"], "stdout": frame["stdout"], "summary": frame["summary"]}));
            json!({
                "game_id": whole["gameId"].to_string(), "referee_input": whole["refereeInput"],
                "scores": whole["scores"], "frames": frames.collect::<Vec<_>>(),
            })
        }
        "local" => {
            let frames = frames(game);
            let of = |player: usize| {
                let own = frames.iter().map(|frame| match frame["agentId"] == player {
                    true => frame.get("stdout").cloned().unwrap_or(json!("")),
                    false => Value::Null,
                });
                (player.to_string(), own.collect::<Value>())
            };
            let of_all = |key: &str| {
                frames
                    .iter()
                    .map(|frame| frame[key].clone())
                    .collect::<Value>()
            };
            let scores = game["referee"]["scores"]
                .as_array()
                .unwrap()
                .iter()
                .enumerate();
            json!({
                "outputs": (0..names.len()).map(of).collect::<serde_json::Map<_, _>>(),
                "errors": {}, "summaries": of_all("summary"), "views": of_all("view"),
                "scores": scores.map(|(player, score)| (player.to_string(), score.clone())).collect::<serde_json::Map<_, _>>(),
                "uinput": [whole["refereeInput"]],
                "agents": names.iter().enumerate().map(|(index, name)| json!({"index": index, "name": name})).collect::<Vec<_>>(),
            })
        }
        _ => whole,
    }
}
