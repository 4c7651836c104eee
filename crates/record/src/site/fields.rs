//! A game out of JSON, in whichever form: keys in camel or snake case, numbers that are texts, lists by player.

use super::{SiteFrame, SiteGame};
use crate::text::beginning;
use serde_json::Value;
use std::collections::BTreeMap;

/// The most players of a game (`GameRunner.java`).
const MOST_PLAYERS: usize = 8;

/// The most letters of a name that are kept.
const LONGEST_NAME: usize = 100;

/// The value of a key, which may be written `refereeInput` or `referee_input`.
fn get<'a>(value: &'a Value, key: &str) -> &'a Value {
    let snake = key.chars().flat_map(|letter| {
        let break_ = letter.is_ascii_uppercase().then_some('_');
        break_.into_iter().chain([letter.to_ascii_lowercase()])
    });
    let found = value
        .get(key)
        .or_else(|| value.get(snake.collect::<String>()));
    found.unwrap_or(&Value::Null)
}

/// A text, or the lines of a list.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(lines) => {
            let lines: Vec<String> = lines.iter().filter_map(text).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        }
        _ => None,
    }
}

/// A number, which may stand in quotes.
fn number<T: std::str::FromStr>(value: &Value) -> Option<T> {
    text(value)?.trim().parse().ok()
}

/// The values of each player: a list, or an object whose keys are the players.
fn by_player(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(values) => values.iter().collect(),
        Value::Object(values) => (0..)
            .map_while(|player: usize| values.get(&player.to_string()))
            .collect(),
        _ => Vec::new(),
    }
}

/// The numbers of each player, all of them or none.
fn numbers<T: std::str::FromStr>(value: &Value, what: &str) -> Result<Vec<T>, String> {
    let all: Option<Vec<T>> = by_player(value).into_iter().map(number).collect();
    all.ok_or_else(|| format!("its `{what}` are no numbers"))
}

/// Reads a game.
///
/// # Errors
/// When it is none, or its parts disagree: what is wrong.
pub(super) fn game_of(tree: &Value) -> Result<SiteGame, String> {
    let game = match get(tree, "gameResult") {
        Value::Null => tree,
        inner => inner,
    };
    let frames = match get(game, "frames") {
        Value::Array(frames) => frames.iter().map(frame).collect(),
        _ => frames_by_player(game),
    };
    if frames.len() < 2 {
        return Err("it has no `frames` with answers, which a game of the site has".into());
    }
    let (scores, ranks) = (
        numbers(get(game, "scores"), "scores")?,
        numbers(get(game, "ranks"), "ranks")?,
    );
    let players = names(game, &frames, scores.len().max(ranks.len()))?;
    for (number, frame) in frames.iter().enumerate() {
        if let Some(player) = frame.player.filter(|&player| player >= players.len()) {
            let last = players.len() - 1;
            return Err(format!(
                "frame {number} is of player {player}; expected 0 to {last}, or -1"
            ));
        }
    }
    for (what, count) in [("scores", scores.len()), ("ranks", ranks.len())] {
        if count != 0 && count != players.len() {
            return Err(format!(
                "it has {count} {what} for {} players",
                players.len()
            ));
        }
    }
    let question = text(get(tree, "questionTitle"));
    let (title, level) = match question
        .as_deref()
        .and_then(|title| title.rsplit_once(" - Level "))
    {
        Some((title, level)) => (Some(title.to_string()), level.trim().parse().ok()),
        None => (question, None),
    };
    let own_title = || text(by_player(get(tree, "puzzleTitle")).first()?);
    let (seed, parameters) = referee_input(game)?;
    Ok(SiteGame {
        line: 0,
        id: number(get(game, "gameId")),
        title: title
            .or_else(own_title)
            .map(|title| beginning(&title, LONGEST_NAME)),
        league: number(get(game, "league")).or(level),
        seed,
        parameters,
        players,
        scores,
        ranks,
        frames: with_start(frames),
    })
}

/// A step, as the site has it.
fn frame(frame: &Value) -> SiteFrame {
    SiteFrame {
        // Players have numbers from 0; the start has -1.
        player: number(get(frame, "agentId")),
        stdout: text(get(frame, "stdout")).filter(|lines| !lines.is_empty()),
        stderr: text(get(frame, "stderr")).unwrap_or_default(),
        summary: text(get(frame, "summary")),
        view: text(get(frame, "view")),
    }
}

/// The steps, as the engine's own runner has them: lists by player, and beside them those of the referee.
fn frames_by_player(game: &Value) -> Vec<SiteFrame> {
    let (outputs, errors) = (
        by_player(get(game, "outputs")),
        by_player(get(game, "errors")),
    );
    let lists = outputs.iter().filter_map(|outputs| outputs.as_array());
    let count = lists.map(Vec::len).max().unwrap_or(0);
    let at = |lists: &[&Value], step: usize| {
        let answers = lists.iter().enumerate();
        let mut answers =
            answers.filter_map(|(player, list)| Some((player, text(list.get(step)?)?)));
        answers.next()
    };
    let step = |step: usize| {
        let (answer, error) = (at(&outputs, step), at(&errors, step));
        SiteFrame {
            player: answer.as_ref().map(|(player, _)| *player),
            stdout: answer
                .map(|(_, lines)| lines)
                .filter(|lines| !lines.is_empty()),
            stderr: error.map(|(_, lines)| lines).unwrap_or_default(),
            summary: get(game, "summaries").get(step).and_then(text),
            view: get(game, "views").get(step).and_then(text),
        }
    };
    (0..count).map(step).collect()
}

/// The steps with their start, which tools that keep many games leave out.
fn with_start(mut frames: Vec<SiteFrame>) -> Vec<SiteFrame> {
    if frames[0].player.is_some() {
        frames.insert(0, SiteFrame::default());
    }
    frames
}

/// The names of the players, as many as the file shows. Those that have the same are told apart.
fn names(game: &Value, frames: &[SiteFrame], scores: usize) -> Result<Vec<String>, String> {
    let asked = frames.iter().filter_map(|frame| frame.player).max();
    let agents = by_player(get(game, "agents"));
    let listed = by_player(get(game, "players"));
    let counts = [
        agents.len(),
        listed.len(),
        scores,
        by_player(get(game, "outputs")).len(),
    ];
    let told = counts.into_iter().find(|&count| count > 0);
    let count = told.unwrap_or_else(|| asked.map_or(0, |last| last.saturating_add(1)).max(2));
    if !(2..=MOST_PLAYERS).contains(&count) {
        return Err(format!(
            "it has {count} players; expected 2 to {MOST_PLAYERS}"
        ));
    }
    let mut names = vec![String::new(); count];
    let known = if agents.is_empty() { listed } else { agents };
    for (place, agent) in known.into_iter().enumerate() {
        let place = number(get(agent, "index")).unwrap_or(place);
        let name = [
            get(get(agent, "codingamer"), "pseudo"),
            get(get(agent, "arenaboss"), "nickname"),
            get(agent, "name"),
            agent,
        ];
        let name = name.into_iter().find_map(text);
        if let Some((own, name)) = names.get_mut(place).zip(name) {
            *own = beginning(&name, LONGEST_NAME);
        }
    }
    for place in 0..count {
        if names[place].is_empty() {
            names[place] = format!("player {}", place + 1);
        }
        if names[..place].contains(&names[place]) {
            names[place] += &format!(" ({})", place + 1);
        }
    }
    Ok(names)
}

/// What the referee was given: the seed, and the rest.
fn referee_input(game: &Value) -> Result<(Option<i64>, BTreeMap<String, String>), String> {
    let input = text(get(game, "refereeInput")).or_else(|| text(get(game, "uinput")));
    let input = input.unwrap_or_default();
    let pairs = input.lines().filter_map(|line| line.split_once('='));
    let pairs = pairs.map(|(key, value)| (key.trim().to_string(), value.trim().to_string()));
    let mut parameters: BTreeMap<String, String> = pairs.collect();
    let seed = parameters
        .remove("seed")
        .or_else(|| text(get(game, "seed")));
    let seed = seed.map(|seed| {
        let wrong = |_| {
            format!(
                "its seed `{}` is no whole number of 64 bits",
                beginning(&seed, 30)
            )
        };
        seed.trim().parse().map_err(wrong)
    });
    Ok((seed.transpose()?, parameters))
}
