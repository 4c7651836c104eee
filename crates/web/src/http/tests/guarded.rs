//! Who may ask for what.

use super::super::super::guard::{HEADERS, VIEWER_HEADERS};
use super::super::{LARGEST_REQUEST, VIEWERS};
use super::{Served, refusal, three_games};
use serde_json::json;

#[test]
fn a_server_answers_to_its_own_names_alone() {
    let mut served = Served::new(&three_games(), 1);
    for (host, status) in [("127.0.0.1:8765", 200), ("evil.example", 421), ("", 421)] {
        let answer = served.ask("GET /data/site.json", &[("host", host)], "");
        assert_eq!(answer.status, status, "{host}");
    }
    let answer = served.ask("GET /", &[("host", "evil.example")], "");
    let (_, why) = refusal(&answer);
    assert!(why.contains("\"evil.example\""), "{why}");
    assert!(why.contains("--host NAME"), "{why}");
}

#[test]
fn every_answer_says_what_a_page_may_load_and_a_viewer_may_load_no_more_than_it_needs() {
    let mut served = Served::new(&three_games(), 1);
    let viewer = format!("/{VIEWERS}/00/core.js");
    for (target, headers) in [
        ("/", HEADERS),
        ("/data/site.json", HEADERS),
        ("/nothing", HEADERS),
        (&*viewer, VIEWER_HEADERS),
    ] {
        let answer = served.get(target);
        for (name, value) in headers {
            assert_eq!(answer.headers[name], value, "{target}");
        }
    }
    let refused = served.ask("GET /", &[("host", "evil.example")], "");
    assert_eq!(refused.headers["x-content-type-options"], "nosniff");
    let policy = refused.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
    assert!(!refused.headers.contains_key("access-control-allow-origin"));
}

#[test]
fn what_starts_something_needs_the_token_and_a_seat() {
    let setup = json!({"game": "checkers", "rules": "contest"});
    let mut served = Served::new(&three_games(), 1);
    let json_alone = [("content-type", "application/json")];
    let told = refusal(&served.ask("POST /data/position", &json_alone, &setup.to_string()));
    assert_eq!(told.0, 403);
    assert!(told.1.contains("open the link"), "{}", told.1);
    assert_eq!(served.post("/data/position", &setup).status, 200);

    let mut looked_at = Served::new(&three_games(), 0);
    let (status, why) = refusal(&looked_at.post("/data/position", &setup));
    assert_eq!(
        (status, &*why),
        (403, "play and analysis are switched off here")
    );
}

#[test]
fn a_ladder_is_steered_only_where_that_was_allowed() {
    let mut served = Served::new(&three_games(), 1);
    let (status, why) = refusal(&served.post("/data/steering", &json!("look")));
    assert_eq!(status, 403);
    assert!(why.contains("--allow-manage"), "{why}");
}

#[test]
fn a_request_has_so_many_bytes_and_no_more() {
    let mut served = Served::new(&three_games(), 1);
    let setup = json!({"game": "checkers", "rules": "contest"});
    let padding = LARGEST_REQUEST - setup.to_string().len() - r#","x":"""#.len();
    let padded =
        |bytes: usize| json!({"game": "checkers", "rules": "contest", "x": "y".repeat(bytes)});
    assert_eq!(served.post("/data/position", &padded(padding)).status, 200);
    let (status, why) = refusal(&served.post("/data/position", &padded(padding + 1)));
    assert_eq!(status, 413);
    assert_eq!(
        why,
        format!("a request has at most {LARGEST_REQUEST} bytes")
    );
}
