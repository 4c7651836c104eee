//! `crownhead serve` against other accounts of the machine, which have no token and many connections.

use super::serve::{JSON, Server, played};
use rustix::process::{Resource, getrlimit, setrlimit};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a server may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn connect(server: &Server, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // The server may have ended it already.
    let _ = stream.write_all(text.as_bytes());
    stream
}

/// Whether the server has ended this connection, or ends it within our patience.
fn ends(mut stream: &TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    }
}

/// The resident memory of the server, in MB.
fn resident(server: &Server) -> u64 {
    let path = format!("/proc/{}/status", server.process.id());
    let status = std::fs::read_to_string(path).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap();
    let kilobytes = line.split_whitespace().nth(1).unwrap();
    kilobytes.parse::<u64>().unwrap() / 1000
}

#[test]
fn who_has_no_link_finds_no_token_and_starts_nothing() {
    let ladder = played();
    let server = Server::start(&ladder.folder, &[]);
    assert_eq!(server.token.len(), 32);
    for path in ["/", "/app.js", "/data/site.json", "/?token=0"] {
        let (status, answer) = server.ask(&format!("GET {path}"), &[], "");
        assert_eq!(status, 200, "{path}");
        assert!(!answer.contains(&server.token), "{path}: {answer}");
    }
    let challenge = r#"{"game":"checkers","rules":"contest","side":"black","opponent":"person"}"#;
    let (status, told) = server.ask("POST /data/play", &[JSON], challenge);
    assert_eq!(status, 403);
    assert!(
        told.contains("open the link that Crownhead printed"),
        "{told}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn three_thousand_idle_connections_neither_block_the_server_nor_take_its_memory() {
    let most = getrlimit(Resource::Nofile).maximum;
    let raised = rustix::process::Rlimit {
        current: most,
        maximum: most,
    };
    setrlimit(Resource::Nofile, raised).unwrap();
    let ladder = played();
    let server = Server::start(&ladder.folder, &[]);
    server.json("/data/site.json");
    let before = resident(&server);
    // Half of a head each, so that the server has begun to read it.
    let idle: Vec<TcpStream> = (0..3000)
        .map(|_| connect(&server, "GET / HTTP/1.1\r\nX-Slow: "))
        .collect();
    server.json("/data/site.json");
    let grown = resident(&server).saturating_sub(before);
    assert!(grown < 20, "{grown} MB");
    // The first ones have ended for those that came later.
    assert!(ends(&idle[0]));
    // 256 of the clients, and the one that listens.
    let open = open_sockets(&server);
    assert!(open <= 257, "{open}");
}

/// How many sockets the server has open, once their number does not shrink any more.
#[cfg(target_os = "linux")]
fn open_sockets(server: &Server) -> usize {
    let count = || {
        let files = std::fs::read_dir(format!("/proc/{}/fd", server.process.id())).unwrap();
        let links = files.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
        links
            .filter(|link| link.to_string_lossy().starts_with("socket:["))
            .count()
    };
    let begun = Instant::now();
    while count() > 257 && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    count()
}

#[test]
fn a_request_that_never_ends_is_given_up() {
    let ladder = played();
    let server = Server::start(&ladder.folder, &[]);
    let token = &server.token;
    let host = &server.host;
    let head = connect(&server, "GET / HTTP/1.1\r\nX-Slow: ");
    let silent = connect(&server, "");
    let answered = connect(&server, &format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    let body = connect(
        &server,
        &format!(
            "POST /data/position HTTP/1.1\r\nHost: {host}\r\nX-Crownhead-Token: {token}\r\n\
             Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
        ),
    );
    let mut told = String::new();
    BufReader::new(&body).read_line(&mut told).unwrap();
    assert_eq!(told, "HTTP/1.1 408 Request Timeout\r\n");
    for (name, stream) in [
        ("head", &head),
        ("silent", &silent),
        ("answered", &answered),
        ("body", &body),
    ] {
        assert!(ends(stream), "{name}");
    }
}

#[test]
fn a_request_that_is_too_large_is_refused() {
    let ladder = played();
    let server = Server::start(&ladder.folder, &[]);
    let own = ("X-Crownhead-Token", server.token.as_str());
    let question = r#"{"game":"checkers","rules":"contest"}"#;
    let padded = |bytes: usize| format!("{question}{}", " ".repeat(bytes - question.len()));
    let ask = |bytes| {
        server
            .ask("POST /data/position", &[JSON, own], &padded(bytes))
            .0
    };
    assert_eq!(ask(16 << 10), 200);
    assert_eq!(ask((16 << 10) + 1), 413);
}

#[test]
fn a_page_that_connects_late_is_told_at_once_how_things_are() {
    let ladder = played();
    let server = Server::start(&ladder.folder, &[]);
    let host = &server.host;
    // As browsers ask; a compressed stream would come in blocks.
    let request =
        format!("GET /data/events HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n");
    let stream = connect(&server, &request);
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    // Without news, a comment comes after a while, which keeps the stream alive.
    let first = lines.find(|line| line.starts_with("data:") || line.starts_with(':'));
    assert_eq!(first.as_deref(), Some("data: {}"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_analysis_gives_way_to_whatever_else_runs() {
    let ladder = played();
    let server = Server::start(&ladder.folder, &[]);
    let own = ("X-Crownhead-Token", server.token.as_str());
    let setup = r#"{"game":"checkers","rules":"contest"}"#;
    let niceness = || -> Vec<i32> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", server.process.id())).unwrap();
        let of_task = |task: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(task.path().join("stat")).ok()?;
            let (_, fields) = stat.rsplit_once(") ")?;
            fields.split(' ').nth(16)?.parse().ok()
        };
        tasks.filter_map(|task| of_task(task.ok()?)).collect()
    };
    assert!(!niceness().contains(&19));
    let (status, answer) = server.ask("POST /data/analysis", &[JSON, own], setup);
    assert_eq!(status, 200, "{answer}");
    let begun = Instant::now();
    while !niceness().contains(&19) {
        // It goes on for five seconds when no page reads it.
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", niceness());
    }
}
