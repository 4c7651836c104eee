//! Requests to `crownhead serve`, as a browser or another program may send them.

use crownhead_web::{Answer, Body, InProcess, Request, Site};
use std::cell::RefCell;
use tempfile::TempDir;

/// The game that is served.
const RECORD: &[u8] = include_bytes!("../seeds/records/version-3.jsonl");

thread_local! {
    static SERVER: RefCell<(InProcess, TempDir)> = RefCell::new(server());
}

/// A server, and the folder of its file, which it reads again for each game.
fn server() -> (InProcess, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    std::fs::write(&path, RECORD).expect("a file of records");
    let site = Site::open(&path).expect("a site");
    let server = InProcess::new(site, 1).expect("a server");
    (server, folder)
}

/// A method and target, headers and a body, as HTTP has them: each request is answered, and nothing that it says makes
/// the server itself fail. `TOKEN` stands for the token of the page.
pub fn serve(bytes: &[u8]) {
    SERVER.with_borrow_mut(|(server, _)| {
        if let Some(request) = request(bytes, server.token()) {
            let answer = server.answer(request).expect("a whole answer");
            server.end_sessions();
            expect(&answer);
        }
    });
}

fn request(bytes: &[u8], token: &str) -> Option<Request<Body>> {
    let end = bytes.windows(2).position(|pair| pair == b"\n\n");
    let (head, body) = bytes.split_at(end.unwrap_or(bytes.len()));
    let mut lines = head.split(|&byte| byte == b'\n');
    let mut words = lines.next()?.splitn(2, |&byte| byte == b' ');
    let (method, target) = (words.next()?, words.next()?);
    let mut request = Request::builder().method(method).uri(target);
    for line in lines {
        let (name, value) = line.split_at(line.iter().position(|&byte| byte == b':')?);
        let value = match value[1..].trim_ascii() {
            b"TOKEN" => token.as_bytes(),
            value => value,
        };
        request = request.header(name, value);
    }
    let body = body.strip_prefix(b"\n\n").unwrap_or_default().to_vec();
    request.body(body.into()).ok()
}

fn expect(answer: &Answer) {
    let text = String::from_utf8_lossy(&answer.body);
    assert!(answer.status < 500 || answer.status == 503, "{answer:?}");
    for header in ["content-security-policy", "x-content-type-options"] {
        assert!(answer.headers.contains_key(header), "{answer:?}");
    }
    if answer
        .headers
        .get("content-type")
        .is_some_and(|kind| kind == "application/json")
        && !text.is_empty()
    {
        let json: Result<serde_json::Value, _> = serde_json::from_str(&text);
        // A game's record is a line of JSON, too.
        assert!(json.is_ok(), "{text}");
    }
}
