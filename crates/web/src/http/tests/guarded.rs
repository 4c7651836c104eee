//! Who may ask for what.

use super::super::super::guard::{HEADERS, VIEWER_HEADERS};
use super::super::VIEWERS;
use super::{Served, refusal, three_games};

#[test]
fn a_server_answers_to_its_own_names_alone() {
    let mut served = Served::new(&three_games());
    for (host, status) in [("127.0.0.1:8765", 200), ("evil.example", 421), ("", 421)] {
        let answer = served.ask("GET /data/site.json", &[("host", host)]);
        assert_eq!(answer.status, status, "{host}");
    }
    let answer = served.ask("GET /", &[("host", "evil.example")]);
    let (_, why) = refusal(&answer);
    assert!(why.contains("\"evil.example\""), "{why}");
    assert!(why.contains("--host NAME"), "{why}");
}

#[test]
fn every_answer_says_what_a_page_may_load_and_a_viewer_may_load_no_more_than_it_needs() {
    let mut served = Served::new(&three_games());
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
    let refused = served.ask("GET /", &[("host", "evil.example")]);
    assert_eq!(refused.headers["x-content-type-options"], "nosniff");
    let policy = refused.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self' "),
        "{policy}"
    );
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
    assert!(!refused.headers.contains_key("access-control-allow-origin"));
}

#[test]
fn another_sites_page_gets_no_data_and_nothing_is_changed_by_a_request() {
    let mut served = Served::new(&three_games());
    for (site, status) in [("same-origin", 200), ("none", 200), ("cross-site", 403)] {
        let answer = served.ask("GET /data/site.json", &[("sec-fetch-site", site)]);
        assert_eq!(answer.status, status, "{site}");
    }
    let linked = served.ask("GET /", &[("sec-fetch-site", "cross-site")]);
    assert_eq!(linked.status, 200, "a link to the page");
    for method in ["POST", "PUT", "DELETE"] {
        let answer = served.ask(&format!("{method} /data/site.json"), &[]);
        assert_eq!(answer.status, 405, "{method}");
    }
}
