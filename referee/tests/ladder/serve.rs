//! `crownhead serve` and `crownhead export site` without a browser: what is answered, and what is refused.

use crate::common::ladder::{Ladder, THREE};
use crate::common::{TestWorkspace, crownhead};
use serde_json::Value;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long a server may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    process: Child,
    host: String,
}

impl Server {
    fn start(path: &Path) -> Server {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
            .arg("serve")
            .arg(path)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let link = line.trim().strip_prefix("http://").unwrap();
        let host = link.strip_suffix('/').expect("a link to the page").into();
        Server { process, host }
    }

    /// A connection on which this was written.
    fn connect(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// The status and the rest of what is answered to a request by this name of the server.
    fn ask(&self, request: &str, host: &str) -> (u16, String) {
        let text = format!("{request} HTTP/1.1\r\nConnection: close\r\nHost: {host}\r\n\r\n");
        let mut answer = String::new();
        self.connect(&text).read_to_string(&mut answer).unwrap();
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.expect("an HTTP answer"), answer)
    }

    fn json(&self, path: &str) -> Value {
        let (status, answer) = self.ask(&format!("GET {path}"), &self.host);
        assert_eq!(status, 200, "{answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn played() -> Ladder {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    ladder
}

#[test]
fn a_games_page_travels_in_less_than_200_kilobytes() {
    let ladder = played();
    let server = Server::start(&ladder.folder);
    let paths = [
        "",
        "app.js",
        "style.css",
        "icon.svg",
        "data/site.json",
        "data/game/1.json",
    ];
    let size = |path: &str| {
        let (status, answer) = server.ask(&format!("GET /{path}"), &server.host);
        assert_eq!(status, 200, "{path}");
        answer.len()
    };
    let bytes = paths.into_iter().map(size).sum::<usize>();
    assert!(bytes < 200_000, "{bytes} bytes");
}

#[test]
fn a_foreign_host_and_a_request_that_would_change_something_are_refused() {
    let ladder = played();
    let server = Server::start(&ladder.folder);
    let (status, answer) = server.ask("GET /data/standings.json", "evil.example");
    assert_eq!(status, 421, "{answer}");
    assert!(!answer.contains("chance"), "{answer}");
    let (status, _) = server.ask("POST /data/site.json", &server.host);
    assert_eq!(status, 405);
}

/// Whether the server has ended this connection, or ends it within our patience.
fn ends(mut stream: &TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    }
}

#[test]
fn a_request_that_never_ends_is_given_up() {
    let ladder = played();
    let server = Server::start(&ladder.folder);
    let answered = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    for (name, stream) in [
        ("head", server.connect("GET / HTTP/1.1\r\nX-Slow: ")),
        ("silent", server.connect("")),
        ("answered", server.connect(&answered)),
    ]
    .each_ref()
    {
        assert!(ends(stream), "{name}");
    }
}

#[test]
fn a_page_that_connects_late_is_told_at_once_how_things_are() {
    let ladder = played();
    let server = Server::start(&ladder.folder);
    let stream = server.connect(&format!(
        "GET /data/events HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.host
    ));
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    // Without news, a comment comes after a while, which keeps the stream alive.
    let first = lines.find(|line| line.starts_with("data:") || line.starts_with(':'));
    assert_eq!(first.as_deref(), Some("data: {}"));
}

#[test]
fn a_ladder_and_its_exported_games_are_told_alike() {
    let ladder = played();
    let games = ladder.folder.join("all.jsonl");
    ladder.command("export").arg(&games).assert().success();
    let [of_ladder, of_file] = [&ladder.folder, &games].map(|path| Server::start(path));
    let rows = |server: &Server| {
        let standings = server.json("/data/standings.json");
        let rows = standings["rows"].as_array().unwrap().clone();
        let told = |row: &Value| {
            let rating = row["rating"].as_f64().unwrap().round() as i64;
            (
                row["bot"].clone(),
                row["won"].clone(),
                row["lost"].clone(),
                row["pairs"].clone(),
                rating.to_string(),
            )
        };
        let mut told: Vec<_> = rows.iter().map(told).collect();
        told.sort_by_key(|row| row.0.to_string());
        told
    };
    assert_eq!(rows(&of_ladder), rows(&of_file));
    assert_eq!(listed(&of_ladder).len(), 6);
    for id in 1..=6 {
        let path = format!("/data/game/{id}.json");
        assert_eq!(of_ladder.json(&path), of_file.json(&path));
    }
    assert_eq!(of_file.json("/data/bot/0.json")["timed_games"], 4);
    assert_eq!(
        of_file.json("/data/history.json")["bots"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

/// The rows of all games.
fn listed(server: &Server) -> Vec<Value> {
    server.json("/data/list/0.json").as_array().unwrap().clone()
}

#[test]
fn the_versions_of_a_bot_are_players_of_their_own_as_in_the_terminal() {
    let workspace = TestWorkspace::new();
    let folder = workspace.path("bots");
    std::fs::create_dir(&folder).unwrap();
    let bot = folder.join("bot.py");
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bots/starters/starter.py");
    std::fs::copy(starter, &bot).unwrap();
    let ladder = Ladder::new("pairs = 1", &[("chance", "random")]);
    let mut add = ladder.command("add");
    add.args(["mine", "python3 bot.py", "--folder"])
        .arg(&folder);
    add.assert().success();
    ladder.command("run").assert().success();
    // What was the current version becomes an earlier one under the eyes of the server.
    let server = Server::start(&ladder.folder);
    assert_eq!(listed(&server).len(), 2, "before the update");
    let text = std::fs::read_to_string(&bot).unwrap();
    std::fs::write(&bot, text + "# changed\n").unwrap();
    ladder.command("update").arg("mine").assert().success();
    ladder.command("run").assert().success();
    let told = ladder.standings();
    let rows = |standings: &Value| standings["rows"].as_array().unwrap().clone();
    let pairs = |standings: &Value| -> u64 {
        let rows = rows(standings).into_iter();
        rows.map(|row| row["pairs"].as_u64().unwrap()).sum()
    };
    let begun = std::time::Instant::now();
    // The server may have looked between the update and the run's end.
    while pairs(&server.json("/data/standings.json")) < pairs(&told) {
        assert!(begun.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let site = ladder.folder.join("site");
    let mut export = crownhead();
    export.args(["export", "site"]).arg(&ladder.folder);
    export.arg(&site).assert().success();
    let exported = std::fs::read_to_string(site.join("data/standings.json")).unwrap();
    let exported: Value = serde_json::from_str(&exported).unwrap();
    for shown in [server.json("/data/standings.json"), exported] {
        let mut numbers = Vec::new();
        for (row, expected) in rows(&shown).iter().zip(rows(&told)) {
            let pairs = expected["pairs"].as_u64().unwrap();
            let [won, drawn, lost] = ["won", "drawn", "lost"].map(|key| row[key].as_u64().unwrap());
            assert_eq!(
                (&row["bot"], won + drawn + lost),
                (&expected["bot"], 2 * pairs)
            );
            let score = (won as f64 + drawn as f64 / 2.0) / (2 * pairs) as f64;
            assert_eq!(Some(score), expected["score"].as_f64(), "{row}");
            let games = listed(&server).into_iter();
            let own = games.filter(|game| game[1].as_array().unwrap().contains(&row["id"]));
            assert_eq!(own.count() as u64, 2 * pairs, "{row}");
            numbers.push(row["id"].clone());
        }
        let crossings = shown["crosstable"].as_array().unwrap();
        let met = crossings.iter().map(|met| [&met["bot"], &met["opponent"]]);
        assert_eq!(met.flatten().filter(|bot| numbers.contains(bot)).count(), 8);
    }
    let earlier = server.json("/data/bot/2.json");
    let versions = earlier["versions"].as_array().unwrap();
    let versions: Vec<_> = versions
        .iter()
        .map(|it| (&it["id"], &it["current"]))
        .collect();
    assert_eq!(
        versions,
        [(&2.into(), &false.into()), (&1.into(), &true.into())]
    );
}

#[test]
fn a_growing_file_is_followed() {
    let ladder = played();
    let games = ladder.folder.join("all.jsonl");
    ladder.command("export").arg(&games).assert().success();
    let text = std::fs::read_to_string(&games).unwrap();
    let grown = ladder.folder.join("grown.jsonl");
    let (first, rest) = text.split_at(text.find('\n').unwrap() + 1);
    // Half a line is not read yet.
    std::fs::write(&grown, format!("{first}{}", &rest[..50])).unwrap();
    let server = Server::start(&grown);
    assert_eq!(listed(&server).len(), 1);
    std::fs::write(&grown, &text).unwrap();
    for _ in 0..200 {
        if listed(&server).len() == 6 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{:?}", listed(&server));
}

/// Two games of a program that records neither times nor endings, and one that is no game.
const FOREIGN: &str = "\
[Event \"Club\"]
[Black \"Anna\"]
[White \"Bert\"]
1. 11-15 22-18 2. 15x22 25x18 1-0

[Black \"Bert\"]
[White \"Anna\"]
1. 11-15 22-19 1-0

[Black \"Bert\"]
[White \"Anna\"]
1. 11-15 22-17 1/2-1/2
";

#[test]
fn games_in_pdn_are_served_without_what_pdn_does_not_tell() {
    let workspace = TestWorkspace::new();
    let path = workspace.path("club.pdn");
    std::fs::write(&path, FOREIGN).unwrap();
    let server = Server::start(&path);
    let site = server.json("/data/site.json");
    assert_eq!(site["kind"], "pdn");
    assert_eq!(site["unreadable"], 1);
    assert_eq!(site["turn_us"], Value::Null);
    let standings = server.json("/data/standings.json");
    assert_eq!(
        (&standings["games"], &standings["pairs"]),
        (&2.into(), &1.into())
    );
    for row in standings["rows"].as_array().unwrap() {
        assert_eq!(
            row["faults"],
            serde_json::json!({}),
            "resigning is no fault"
        );
    }
    let game = server.json("/data/game/1.json");
    assert_eq!(game["plies"][2]["move"], "D4F6");
    assert_eq!(game["fault"], Value::Null);
    let pdn = game["pdn"].as_str().unwrap();
    assert!(pdn.contains("1. 11-15"), "{pdn}");
    assert_eq!(server.json("/data/bot/0.json")["times"], Value::Null);
}

#[test]
fn the_games_of_a_ladder_are_shown_from_pdn_as_from_the_ladder() {
    let ladder = played();
    let games = ladder.folder.join("all.pdn");
    ladder.command("export").arg(&games).assert().success();
    let [of_ladder, of_file] = [&ladder.folder, &games].map(|path| Server::start(path));
    for id in 1..=6 {
        let [shown, read] = [&of_ladder, &of_file].map(|server| {
            let game = server.json(&format!("/data/game/{id}.json"));
            ["id", "start", "plies", "pdn", "fault"].map(|part| game[part].clone())
        });
        assert_eq!(shown, read);
    }
}

#[test]
fn an_export_reports_what_it_cannot_show_and_leaves_other_folders_alone() {
    let workspace = TestWorkspace::new();
    let nothing = workspace.path("nothing.jsonl");
    std::fs::write(&nothing, "").unwrap();
    let fails = |arguments: &[&str], told: &str| {
        let failed = crownhead().args(arguments).assert().failure();
        let error = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(error.contains(told), "{arguments:?}: {error}");
    };
    let folder = workspace.path("");
    let [folder, nothing] = [&folder, &nothing].map(|path| path.to_str().unwrap());
    fails(&["serve", nothing], "holds no game");
    let bad = workspace.path("bad.pdn");
    std::fs::write(&bad, "[Event \"x\"]\n\n1. 11-15 e4 *\n").unwrap();
    let bad = bad.to_str().unwrap();
    let told = "bad.pdn`: game 1: line 3, column 10: `e4` is no move; expected, for example, 11-15";
    fails(&["serve", bad], told);
    fails(&["export", "site", bad, &format!("{bad}.site")], told);
    fails(&["serve", folder], "ladder.toml");
    fails(&["serve", "not/there"], "there is no folder `not`");
    fails(&["serve", nothing, "--host", "ladder.example"], "--listen");
    let ladder = played();
    let games = ladder.folder.to_str().unwrap();
    fails(&["export", "site", games, games], "holds other files");
    let site = workspace.path("site");
    for _ in 0..2 {
        crownhead()
            .args(["export", "site", games])
            .arg(&site)
            .assert()
            .success();
    }
    assert!(site.join("data/games/0.json").is_file());
}
