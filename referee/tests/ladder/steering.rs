//! A ladder managed through `crownhead serve`: who may, and that it is done as the commands do it.

use super::serve::{JSON, Server};
use crate::common::ladder::{Ladder, THREE, read};
use serde_json::{Value, json};

fn token(server: &Server) -> (&'static str, &str) {
    ("X-Crownhead-Token", &server.token)
}

fn order(server: &Server, order: &Value) -> Value {
    let headers = [JSON, token(server)];
    let (status, answer) = server.ask("POST /data/steering", &headers, &order.to_string());
    assert_eq!(status, 200, "{answer}");
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn without_the_token_nothing_is_changed_and_nothing_runs() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    let server = Server::start(&ladder.folder, &["--max-games", "0"]);
    let file = ladder.folder.join("ladder.toml");
    let before = read(&file);
    let add = json!({"add": {"name": "evil", "command": "random"}}).to_string();
    for headers in [
        &[JSON][..],
        &[JSON, ("X-Crownhead-Token", "0")],
        &[JSON, token(&server), ("Origin", "http://evil.example")],
        &[JSON, token(&server), ("Sec-Fetch-Site", "cross-site")],
    ] {
        for body in [add.as_str(), "\"run\"", "\"look\""] {
            let (status, answer) = server.ask("POST /data/steering", headers, body);
            assert_eq!(status, 403, "{answer}");
        }
    }
    assert_eq!(read(&file), before);
    assert_eq!(order(&server, &json!("look"))["is_running"], false);
}

#[test]
fn to_others_than_this_machine_a_ladder_is_closed_unless_that_is_allowed() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    let pairs = json!({"pairs": {"pairs": 7}}).to_string();
    let open = ["--listen", "0.0.0.0:0", "--allow-play"];
    let server = Server::start(&ladder.folder, &open);
    let headers = [JSON, token(&server)];
    let (status, answer) = server.ask("POST /data/steering", &headers, &pairs);
    assert_eq!(status, 403, "{answer}");
    assert!(answer.contains("--allow-manage"), "{answer}");
    drop(server);
    let server = Server::start(&ladder.folder, &[&open[..], &["--allow-manage"]].concat());
    let told = order(&server, &json!({"pairs": {"pairs": 7}}));
    assert_eq!(told["done"], true, "{told}");
    assert!(read(&ladder.folder.join("ladder.toml")).contains("pairs = 7"));
}

#[test]
fn what_is_asked_for_is_done_and_told_as_the_commands_do_it() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    let server = Server::start(&ladder.folder, &[]);
    let file = ladder.folder.join("ladder.toml");
    let told = order(
        &server,
        &json!({"add": {"name": "mine", "command": "alphabeta --depth 1"}}),
    );
    assert_eq!(told["done"], true, "{told}");
    assert!(
        told["said"].as_str().unwrap().contains("mine is added"),
        "{told}"
    );
    let told = order(&server, &json!({"rename": {"name": "mine", "to": "other"}}));
    assert!(read(&file).contains("name = \"other\""), "{told}");
    order(&server, &json!({"disable": {"name": "other"}}));
    let disabled = |server: &Server| {
        let rows = server.json("/data/standings.json")["rows"].clone();
        let row = rows
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["bot"] == "other")
            .cloned();
        row.unwrap()["disabled"].clone()
    };
    assert_eq!(disabled(&server), "by hand");
    order(&server, &json!({"enable": {"name": "other"}}));
    assert_eq!(disabled(&server), Value::Null);
    order(&server, &json!({"remove": {"name": "other"}}));
    assert!(!read(&file).contains("other"));
    // A name that looks like an option is a name.
    let told = order(&server, &json!({"remove": {"name": "--help"}}));
    assert_eq!(told["done"], false);
    assert!(
        told["said"]
            .as_str()
            .unwrap()
            .contains("there is no bot `--help`"),
        "{told}"
    );
}

#[test]
fn a_run_is_begun_stopped_and_logged_and_a_bot_that_has_played_keeps_its_name() {
    let ladder = Ladder::new("pairs = 200", &THREE);
    let server = Server::start(&ladder.folder, &[]);
    assert_eq!(order(&server, &json!("run"))["is_running"], true);
    let until = |wanted: &dyn Fn(&Value) -> bool| {
        loop {
            let told = order(&server, &json!("look"));
            if wanted(&told) {
                return told;
            }
            assert_eq!(told["is_running"], true, "{told}");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    while server.json("/data/standings.json")["pairs"] == 0 {
        until(&|_| true);
    }
    order(&server, &json!("stop"));
    let told = until(&|told| told["is_running"] == false);
    assert!(
        told["log"].as_str().unwrap().contains("pairs finished"),
        "{told}"
    );
    let told = order(
        &server,
        &json!({"rename": {"name": THREE[0].0, "to": "other"}}),
    );
    assert_eq!(told["done"], false);
    assert!(
        told["said"]
            .as_str()
            .unwrap()
            .contains("its games are kept under this name"),
        "{told}"
    );
}
