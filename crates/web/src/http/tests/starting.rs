//! What is begun: games, analyses, and what is said to them.

use super::{Served, refusal, text, three_games, value};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

impl Served {
    /// The name of the session that this begins.
    fn begin(&mut self, target: &str, body: &Value) -> String {
        let answer = self.post(target, body);
        assert_eq!(answer.status, 200, "{}", text(&answer));
        value(&answer)["session"].as_str().unwrap().into()
    }

    fn order(&mut self, session: &str, order: &Value) -> u16 {
        self.post(&format!("/data/session/{session}"), order).status
    }

    /// The first state of this session of which that holds.
    fn wait(&self, session: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let states = self.server.app.sessions.states(session);
        let states = states.expect("it is there");
        let begun = Instant::now();
        loop {
            let state = serde_json::from_str(&states.borrow()).unwrap();
            if holds(&state) {
                return state;
            }
            assert!(begun.elapsed() < PATIENCE, "{state}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn turns(state: &Value) -> Option<usize> {
    state["turns"].as_array().map(Vec::len)
}

fn challenge(opponent: Value, side: &str) -> Value {
    json!({"game": "checkers", "rules": "contest", "opponent": opponent, "side": side})
}

#[test]
fn two_persons_play_take_back_and_leave_and_the_game_is_kept() {
    let mut served = Served::new(&three_games(), 1);
    let game = served.begin("/data/play", &challenge(json!("person"), "black"));
    let start = served.wait(&game, |state| turns(state) == Some(0));
    assert_eq!(start["players"], json!(["black", "red"]));
    assert_eq!(
        [&start["side"], &start["can_undo"]],
        [&json!("black"), &json!(false)]
    );
    assert_eq!(start["legal"].as_array().unwrap().len(), 7);

    assert_eq!(served.order(&game, &json!({"move": " a3b4 "})), 204);
    let moved = served.wait(&game, |state| turns(state) == Some(1));
    assert_eq!(
        [&moved["side"], &moved["can_undo"]],
        [&json!("red"), &json!(true)]
    );
    served.order(&game, &json!({"move": "A1A1"}));
    let refused = served.wait(&game, |state| !state["message"].is_null());
    assert_eq!(turns(&refused), Some(1));
    served.order(&game, &json!("undo"));
    let back = served.wait(&game, |state| turns(state) == Some(0));
    assert_eq!(
        [&back["message"], &back["can_redo"]],
        [&Value::Null, &json!(true)]
    );
    served.order(&game, &json!("redo"));
    served.wait(&game, |state| turns(state) == Some(1));

    let full = challenge(json!("person"), "black");
    let (status, why) = refusal(&served.post("/data/play", &full));
    assert_eq!(status, 503);
    assert!(why.starts_with("all 1 places"), "{why}");
    served.order(&game, &json!("stop"));
    let over = served.wait(&game, |state| !state["verdict"].is_null());
    assert_eq!(over["kept"], 1);
    let played = served.read("/data/played.json");
    assert_eq!([&played[0]["id"], &played[0]["turns"]], [1, 1]);
    assert_eq!(played[0]["players"], json!(["human", "human"]));
    assert_eq!(
        served.read("/data/played/1.json")["turns"][0]["move"],
        "A3B4"
    );
    let line = served.get("/data/played/1.jsonl");
    assert_eq!(value(&line)["number"], 1);

    // Its thread is about to end.
    let begun = Instant::now();
    while served.order(&game, &json!("undo")) != 410 {
        assert!(begun.elapsed() < PATIENCE);
    }
    assert_eq!(served.refused(&format!("/data/session/{game}")).0, 404);
    assert_eq!(served.order("nobody", &json!("undo")), 410);
}

#[test]
fn all_games_end_with_the_server_and_are_kept() {
    let mut served = Served::new(&three_games(), 1);
    let game = served.begin("/data/play", &challenge(json!("person"), "black"));
    served.order(&game, &json!({"move": "A3B4"}));
    served.wait(&game, |state| turns(state) == Some(1));
    served.server.end_sessions();
    let begun = Instant::now();
    while served.read("/data/played.json")[0]["turns"] != 1 {
        assert!(begun.elapsed() < PATIENCE);
    }
    assert_eq!(served.order(&game, &json!("undo")), 410);
}

#[test]
fn a_computer_sits_opposite_and_a_page_shows_what_it_said() {
    let mut served = Served::new(&three_games(), 1);
    let computer = json!({"built-in": "alphabeta --depth 1"});
    let game = served.begin("/data/play", &challenge(computer, "red"));
    let events = served.get(&format!("/data/session/{game}"));
    assert_eq!(events.headers["content-type"], "text/event-stream");
    let answered = served.wait(&game, |state| turns(state) == Some(1));
    assert_eq!(answered["players"], json!(["alphabeta --depth 1", "you"]));
    let answered = served.wait(&game, |state| {
        state["legal"]
            .as_array()
            .is_some_and(|legal| !legal.is_empty())
    });
    assert!(
        answered["words"].as_str().unwrap().starts_with("depth 1/"),
        "{answered}"
    );
    assert!(answered["answered_us"].as_u64().is_some());
    served.order(&game, &json!("stop"));
    served.wait(&game, |state| state["kept"] == 1);
    let played = served.read("/data/played.json");
    assert_eq!(
        played[0]["players"],
        json!(["alphabeta --depth 1", "human"])
    );
}

#[test]
fn a_game_that_cannot_be_played_is_refused_with_the_reason() {
    let mut served = Served::new(&three_games(), 1);
    for (challenge, told) in [
        (
            challenge(json!("person"), "white"),
            "no side is called `white`: expected black or red",
        ),
        (
            challenge(json!({"built-in": "nobody"}), "black"),
            "no built-in opponent",
        ),
        (
            challenge(json!({"built-in": "sh -c 'touch made'"}), "black"),
            "no built-in opponent",
        ),
        (
            challenge(json!({"built-in": "alphabeta --time 9h"}), "black"),
            "no built-in opponent",
        ),
        (
            challenge(json!({"bot": "one"}), "black"),
            "no bot of this ladder is called `one`",
        ),
        (
            json!({"game": "go", "rules": "contest", "opponent": "person", "side": "black"}),
            "go",
        ),
        (
            json!({"game": "checkers", "rules": "contest", "opponent": "person", "side": "black", "position": "x"}),
            "expected a position such as `B:W21,",
        ),
    ] {
        let (status, why) = refusal(&served.post("/data/play", &challenge));
        assert_eq!(status, 422, "{challenge}");
        assert!(why.contains(told), "{why}");
    }
}

#[test]
fn a_position_is_analysed_until_it_is_stopped() {
    let mut served = Served::new(&three_games(), 1);
    let setup = json!({"game": "checkers", "rules": "contest", "moves": ["A3B4"]});
    let analysis = served.begin("/data/analysis", &setup);
    let found = served.wait(&analysis, |state| state["depth"].as_u64() > Some(1));
    assert_eq!(
        [&found["done"], &found["why"]],
        [&json!(false), &Value::Null]
    );
    assert_eq!(found["lines"][0]["moves"][0].as_str().unwrap().len(), 4);
    served.order(&analysis, &json!("stop"));
    let over = served.wait(&analysis, |state| state["done"] == true);
    assert_eq!(over["why"], "stopped");
    let (status, _) = refusal(&served.post("/data/analysis", &json!({"game": "go", "rules": "x"})));
    assert_eq!(status, 422);
}

#[test]
fn a_whole_game_is_analysed_and_the_page_is_told_how_far_it_is() {
    let mut served = Served::new(&three_games(), 1);
    let analysis = served.begin("/data/analysis/3", &json!({}));
    let over = served.wait(&analysis, |state| {
        !state["analysis"].is_null() || !state["why"].is_null()
    });
    assert_eq!(over["why"], Value::Null, "{over}");
    assert_eq!(over["done"], over["of"]);
    assert!(over["of"].as_u64() > Some(0));
    let (status, why) = refusal(&served.post("/data/analysis/9", &json!({})));
    assert_eq!((status, &*why), (404, "there is no game of this number"));
}
