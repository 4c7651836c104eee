//! The server on a socket: its link, what it tells of by itself, and its end.

use super::super::super::site::Site;
use super::super::super::site::tests::Ladder;
use super::super::{Options, pause_after, serve};
use super::{ONE, TWO, site_of, three_games};
use crate::test_records::record;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn options(seats: usize) -> Options {
    Options {
        listen: vec![(Ipv4Addr::LOCALHOST, 0).into()],
        hosts: Vec::new(),
        seats,
        steering: None,
        played: None,
    }
}

/// A server that can steer ladders, by a script that stands for the program.
fn steering() -> Options {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ladder_command.sh");
    Options {
        steering: Some(program.into()),
        ..options(0)
    }
}

/// A server on a thread of its own.
struct Listening {
    link: String,
    interrupted: Arc<AtomicBool>,
    thread: JoinHandle<anyhow::Result<()>>,
}

impl Listening {
    fn new(site: Site, options: Options) -> Listening {
        let (tell, link) = mpsc::channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        let until = interrupted.clone();
        let ready = move |link: &str| Ok(tell.send(link.to_string())?);
        let thread = std::thread::spawn(move || serve(site, &options, &until, ready));
        Listening {
            link: link.recv_timeout(PATIENCE).expect("it listens"),
            interrupted,
            thread,
        }
    }

    /// Where it listens, as a browser names it.
    fn host(&self) -> &str {
        let host = self.link.strip_prefix("http://").unwrap();
        host.split_once('/').unwrap().0
    }

    /// The token in its link; empty where there is none.
    fn token(&self) -> &str {
        self.link
            .split_once("?token=")
            .map_or("", |(_, token)| token)
    }

    /// A connection on which this was asked.
    fn ask(&self, request: &str, headers: &str, body: &str) -> BufReader<TcpStream> {
        let address: SocketAddr = self.host().parse().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        let head = format!("{request} HTTP/1.1\r\n{headers}content-length: {length}\r\n\r\n");
        stream.write_all((head + body).as_bytes()).unwrap();
        BufReader::new(stream)
    }

    /// The whole answer to this.
    fn answer(&self, request: &str, headers: &str, body: &str) -> String {
        let headers = format!("connection: close\r\n{headers}");
        let mut answer = String::new();
        let mut stream = self.ask(request, &headers, body);
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn get(&self, target: &str) -> String {
        let host = format!("host: {}\r\n", self.host());
        self.answer(&format!("GET {target}"), &host, "")
    }

    /// The answer to what a page that was opened by the link sends.
    fn post(&self, target: &str, body: &Value) -> String {
        let headers = format!(
            "host: {}\r\ncontent-type: application/json\r\nx-crownhead-token: {}\r\n",
            self.host(),
            self.token()
        );
        self.answer(&format!("POST {target}"), &headers, &body.to_string())
    }

    /// A stream of events.
    fn events(&self, target: &str) -> BufReader<TcpStream> {
        let host = format!("host: {}\r\n", self.host());
        self.ask(&format!("GET {target}"), &host, "")
    }

    /// Interrupts it and waits for its end.
    fn end(self) {
        self.interrupted.store(true, Ordering::Relaxed);
        self.thread.join().unwrap().unwrap();
    }
}

fn json_of(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// The first event of which that holds.
fn event(stream: &mut BufReader<TcpStream>, holds: impl Fn(&Value) -> bool) -> Value {
    let mut line = String::new();
    loop {
        line.clear();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0, "the stream ended");
        let told = line.strip_prefix("data: ");
        let told = told.map(|told| serde_json::from_str(told).unwrap());
        if let Some(told) = told.filter(&holds) {
            return told;
        }
    }
}

#[test]
fn the_link_has_a_token_where_something_can_be_started_and_the_page_knows_what() {
    let (games, _folder) = site_of(&three_games());
    let (others, _others) = site_of(&three_games());
    let (more, _more) = site_of(&three_games());
    let ladder = Ladder::new(&["anna", "bert"]);
    for (site, options, starts, steers) in [
        (games, options(0), false, false),
        (others, options(1), true, false),
        (ladder.site(), steering(), false, true),
        // There is no ladder that could be steered.
        (more, steering(), false, false),
    ] {
        let server = Listening::new(site, options);
        assert_eq!(server.token().len() >= 32, starts || steers);
        assert!(server.link.contains("/?token=") || server.link.ends_with('/'));
        let page = server.get("/");
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        assert_eq!(page.contains("data-starts"), starts);
        assert_eq!(page.contains("data-steers"), steers);
        server.end();
    }
}

#[test]
fn a_server_answers_to_the_names_that_it_was_given() {
    let (site, _folder) = site_of(&three_games());
    let hosts = vec!["ladder.example".into()];
    let server = Listening::new(
        site,
        Options {
            hosts,
            ..options(0)
        },
    );
    for (host, status) in [("ladder.example", 200), ("evil.example", 421)] {
        let host = format!("host: {host}\r\n");
        let answer = server.answer("GET /data/site.json", &host, "");
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }
    server.end();
}

#[test]
fn pages_are_told_when_a_game_was_added_to_the_file() {
    let (site, folder) = site_of(&three_games());
    let path = folder.path().join("games.jsonl");
    let mut file = File::options().append(true).open(path).unwrap();
    let game = record(4, [ONE, TWO], &["A3B4", "B6A5"], json!([1, 0]), "no-moves");
    writeln!(file, "{game}").unwrap();
    let server = Listening::new(site, options(0));
    let mut events = server.events("/data/events");
    let told = event(&mut events, |told| told["generation"] != Value::Null);
    assert_eq!(told, json!({"generation": 2}));
    assert_eq!(json_of(&server.get("/data/site.json"))["games"], 4);
    server.end();
    // The stream ends with the server, and told nothing twice.
    let mut rest = String::new();
    events.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("data: "), "{rest:.100}");
}

#[test]
fn a_page_that_follows_a_ladder_is_told_what_is_under_way() {
    let ladder = Ladder::new(&["anna", "bert"]);
    let server = Listening::new(ladder.site(), options(0));
    let mut live = server.events("/data/live");
    let told = event(&mut live, |told| told["runs"].is_array());
    assert_eq!(told, json!({"runs": []}));
    server.end();
}

#[test]
fn games_that_are_played_when_the_server_ends_are_kept_in_the_file_that_was_named() {
    let (site, folder) = site_of(&three_games());
    let played = folder.path().join("played.jsonl");
    let kept = Options {
        played: Some(played.clone()),
        ..options(1)
    };
    let server = Listening::new(site, kept);
    let challenge =
        json!({"game": "checkers", "rules": "contest", "opponent": "person", "side": "black"});
    let begun = json_of(&server.post("/data/play", &challenge));
    let session = format!("/data/session/{}", begun["session"].as_str().unwrap());
    let mut events = server.events(&session);
    event(&mut events, |state| state["legal"] != Value::Null);
    // Another page is told at once how it stands.
    event(&mut server.events(&session), |state| {
        state["legal"] != Value::Null
    });
    let answer = server.post(&session, &json!({"move": "A3B4"}));
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    event(&mut events, |state| state["turns"][0] != Value::Null);
    server.end();
    // The server waits for it no longer than a second; on a busy machine it takes longer.
    let begun = Instant::now();
    let game = loop {
        let written = std::fs::read_to_string(&played).unwrap_or_default();
        if written.ends_with('\n') {
            break written;
        }
        assert!(begun.elapsed() < PATIENCE, "{written}");
        std::thread::sleep(Duration::from_millis(2));
    };
    let game: Value = serde_json::from_str(&game).unwrap();
    assert_eq!(game["turns"][0]["reply"], "A3B4");
}

#[test]
fn what_a_page_has_done_to_the_ladder_is_shown_at_once() {
    let ladder = Ladder::new(&["anna", "bert"]);
    let server = Listening::new(ladder.site(), steering());
    let bots = || json_of(&server.get("/data/site.json"))["current_bots"].clone();
    assert_eq!(bots(), json!(["anna", "bert"]));
    let steer = |order: Value| json_of(&server.post("/data/steering", &order));
    let state = steer(json!("look"));
    assert_eq!([&state["said"], &state["done"]], [&json!(""), &json!(true)]);
    // As the command would do it.
    ladder.configure(&["anna", "bert", "carl"]);
    let state = steer(json!({"pairs": {"pairs": 2}}));
    assert!(state["said"].as_str().unwrap().starts_with("ladder pairs"));
    assert_eq!(bots(), json!(["anna", "bert", "carl"]));
    assert_eq!(steer(json!("run"))["is_running"], true);
    server.end();
}

#[test]
fn a_server_that_cannot_begin_says_why() {
    let refused = |options: &Options| {
        let (site, _folder) = site_of(&three_games());
        let ready = |_: &str| panic!("it listens");
        let served = serve(site, options, &Arc::default(), ready);
        format!("{:#}", served.unwrap_err())
    };
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = taken.local_addr().unwrap();
    let listen = vec![address];
    let why = refused(&Options {
        listen,
        ..options(0)
    });
    assert!(why.starts_with(&format!("`{address}` is in use")), "{why}");
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "my notes\n").unwrap();
    let played = Some(notes);
    let why = refused(&Options {
        played,
        ..options(0)
    });
    assert!(why.contains("notes.txt"), "{why}");
}

#[test]
fn the_longer_a_look_takes_the_longer_is_the_pause_within_what_people_wait() {
    let pause = |look, standings| {
        pause_after(
            Duration::from_millis(look),
            Duration::from_millis(standings),
        )
        .as_millis()
    };
    assert_eq!([pause(0, 0), pause(10, 30), pause(30, 10)], [2000; 3]);
    assert_eq!([pause(100, 20), pause(20, 100)], [6000; 2]);
    assert_eq!(pause(30_000, 60_000), 10_000);
}
