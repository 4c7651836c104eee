//! The server on a socket: its link, what it tells of by itself, and its end.

use super::super::super::site::Site;
use super::super::super::site::tests::Ladder;
use super::super::{Options, SiteError, serve};
use super::{ONE, TWO, site_of, three_games};
use crate::tests::records::record;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn options() -> Options {
    Options {
        listen: vec![(Ipv4Addr::LOCALHOST, 0).into()],
        hosts: Vec::new(),
    }
}

/// A server on a thread of its own.
struct Listening {
    link: String,
    interrupted: Arc<AtomicBool>,
    thread: JoinHandle<Result<(), SiteError>>,
}

impl Listening {
    fn new(site: Site, options: Options) -> Listening {
        let (tell, link) = mpsc::channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        let until = interrupted.clone();
        let ready = move |link: &str| tell.send(link.to_string()).map_err(io::Error::other);
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
        host.strip_suffix('/').unwrap()
    }

    /// A connection on which this was asked.
    fn ask(&self, target: &str, headers: &str) -> BufReader<TcpStream> {
        let address: SocketAddr = self.host().parse().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!("GET {target} HTTP/1.1\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream)
    }

    /// The whole answer to a request for this, by this name of the server.
    fn get(&self, target: &str, host: &str) -> String {
        let headers = format!("connection: close\r\nhost: {host}\r\n");
        let mut answer = String::new();
        self.ask(target, &headers)
            .read_to_string(&mut answer)
            .unwrap();
        answer
    }

    /// A stream of events.
    fn events(&self, target: &str) -> BufReader<TcpStream> {
        self.ask(target, &format!("host: {}\r\n", self.host()))
    }

    /// Interrupts it and waits for its end.
    fn end(self) {
        self.interrupted.store(true, Ordering::Relaxed);
        self.thread.join().unwrap().unwrap();
    }
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
fn a_server_answers_to_the_names_that_it_was_given() {
    let (site, _folder) = site_of(&three_games());
    let hosts = vec!["ladder.example".into()];
    let named = Options { hosts, ..options() };
    let server = Listening::new(site, named);
    for (host, status) in [("ladder.example", 200), ("evil.example", 421)] {
        let answer = server.get("/data/site.json", host);
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
    let server = Listening::new(site, options());
    let mut events = server.events("/data/events");
    let told = event(&mut events, |told| told["generation"] != Value::Null);
    assert_eq!(told, json!({"generation": 2}));
    let about = server.get("/data/site.json", server.host());
    assert!(about.contains("\"games\":4"), "{about}");
    server.end();
    // The stream ends with the server, and told nothing twice.
    let mut rest = String::new();
    events.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("data: "), "{rest:.100}");
}

#[test]
fn a_page_that_follows_a_ladder_is_told_what_is_under_way() {
    let ladder = Ladder::new(&["anna", "bert"]);
    let server = Listening::new(ladder.site(), options());
    let mut live = server.events("/data/live");
    let told = event(&mut live, |told| told["runs"].is_array());
    assert_eq!(told, json!({"runs": []}));
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
    let why = refused(&Options {
        listen: vec![address],
        ..options()
    });
    assert!(why.starts_with(&format!("`{address}` is in use")), "{why}");
}
