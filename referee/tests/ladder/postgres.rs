//! A ladder whose games are in a PostgreSQL database: all that a ladder does, with a real server that is killed.
//! Short here; `.ci/long` sets the variables that make it long.
#![allow(clippy::print_stdout)] // The figures are the point.

use super::cluster::{Cluster, client, cluster};
use crate::common::ladder::{ENDLESS, Ladder, THREE, read};
use crate::common::skip::is_there;
use crate::common::{crownhead, setting, wait_until};
use predicates::prelude::*;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How many pairs are stored.
fn stored(url: &str) -> i64 {
    let count = "SELECT count(*) FROM pair WHERE stored IS NOT NULL";
    client(url).query_one(count, &[]).unwrap().get(0)
}

/// Lets a minute pass for the leases of runs that were killed.
fn lapse_leases(url: &str) {
    let lapse = "UPDATE pair SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL";
    client(url).execute(lapse, &[]).unwrap();
}

fn ratings(ladder: &Ladder) -> Vec<Value> {
    let rows = ladder.standings()["rows"].as_array().unwrap().clone();
    let rating = |row: &Value| json!([row["bot"], row["rating"], row["margin"], row["pairs"]]);
    rows.iter().map(rating).collect()
}

/// Whether a ladder in a database has the games and the ratings of the same one in a file, each once.
fn is_as_in_a_file(ladder: &Ladder, url: &str, settings: &str) {
    let in_file = Ladder::new(settings, &THREE);
    in_file.command("run").assert().success();
    let (one, other) = (ladder.games("all.jsonl"), in_file.games("all.jsonl"));
    assert_eq!(one.len(), other.len());
    assert!(one == other, "the same games were played");
    assert_eq!(ratings(ladder), ratings(&in_file));
    ladder.command("check").assert().success();
    let wrong = "SELECT count(*) FROM pair WHERE stored IS NOT NULL
        AND (SELECT count(*) FROM game WHERE game.pair = pair.id) <> 2";
    let wrong: i64 = client(url).query_one(wrong, &[]).unwrap().get(0);
    assert_eq!(wrong, 0, "pairs without two games");
}

#[test]
fn all_commands_work_on_a_database_as_on_a_file() {
    let Some(cluster) = cluster() else { return };
    let url = cluster.database();
    let settings = "pairs = 4\nconcurrency = 2\nseed = 3";
    let ladder = Ladder::in_database(&url, settings, &THREE);
    ladder.command("standings").assert().success();
    ladder.command("run").assert().success();
    is_as_in_a_file(&ladder, &url, settings);
    let lines = ladder.list().output().unwrap().stdout;
    let lines = String::from_utf8(lines).unwrap();
    assert_eq!(lines.lines().count(), 1 + 24, "a heading and the games");
    ladder.command("run").assert().success();
    assert_eq!(stored(&url), 12, "nothing was left to play");

    let disable = ["taker", "--reason", "it is slow"];
    ladder.command("disable").args(disable).assert().success();
    let table = ladder.command("standings").assert().success();
    table.stdout(predicate::str::contains("it is slow"));
    ladder.command("enable").arg("taker").assert().success();
    let told = predicate::str::contains("has not changed");
    ladder
        .command("update")
        .arg("taker")
        .assert()
        .success()
        .stdout(told);
    assert!(!ladder.folder.join("games.db").exists());
    let again = crownhead()
        .args(["ladder", "new", "again", "--store", &url])
        .current_dir(ladder.folder.parent().unwrap())
        .assert();
    again
        .code(2)
        .stderr(predicate::str::contains("it already has a ladder"));
    assert!(
        !ladder
            .folder
            .with_file_name("again")
            .join("ladder.toml")
            .exists()
    );
}

#[test]
fn neither_a_bot_nor_what_builds_it_is_given_the_password_of_the_database() {
    let Some(cluster) = cluster() else { return };
    for sandbox in ["off", "auto"] {
        let url = cluster.database();
        let ladder = Ladder::in_database(&url, "pairs = 1\nstderr = \"all\"", &THREE[..1]);
        let config = ladder.folder.join("ladder.toml");
        let text = read(&config).replace("\"off\"", &format!("\"{sandbox}\""));
        let bot = "[[bot]]\nname = \"teller\"\ncommand = \"sh -c 'env | grep -i secret >&2; cat build.txt >&2'\"\n\
                   folder = \"../teller\"\nenv = [\"NO_SECRET\"]\nbuild = \"env | grep -i secret > build.txt\"\n";
        std::fs::create_dir(ladder.folder.join("../teller")).unwrap();
        std::fs::write(&config, text + bot).unwrap();
        let mut run = ladder.command("run");
        run.env("PGPASSWORD", "a-secret").env("NO_SECRET", "told");
        run.assert().success();
        let games = ladder.folder.join("all.jsonl");
        ladder.command("export").arg(&games).assert().success();
        let games = read(&games);
        let told = games.matches("NO_SECRET=told").count();
        assert!(told >= 4, "the bot and its build have told, twice: {games}");
        assert!(!games.contains("a-secret"), "{games}");
    }
}

#[test]
fn pages_show_a_ladder_in_a_database_while_it_is_played() {
    let Some(cluster) = cluster() else { return };
    let url = cluster.database();
    let ladder = Ladder::in_database(&url, "pairs = 2", &THREE);
    let mut server = std::process::Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
        .arg("serve")
        .arg(&ladder.folder)
        .args(["--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(server.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let link = line.trim().trim_start_matches("http://");
    let host = link.split('/').next().unwrap().to_string();
    let data = |name: &str| -> Value {
        let mut stream = TcpStream::connect(&host).unwrap();
        let ask = format!("GET /data/{name} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(ask.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    };
    let total = || data("site.json")["games"].clone();
    assert_eq!(total(), 0);
    ladder.command("run").assert().success();
    wait_until(|| "the page shows what was played", || total() == 12);
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_database_that_is_missing_empty_or_anothers_is_told_with_a_way_out() {
    let Some(cluster) = cluster() else { return };
    let workspace = crate::common::TestWorkspace::new();
    let new = |url: &str| {
        let mut command = crownhead();
        let folder = workspace.path("night");
        command.args(["ladder", "new"]).arg(folder);
        command.args(["--store", url]);
        command
    };
    let refused = |url: &str, told: &'static str| {
        new(url)
            .assert()
            .code(2)
            .stderr(predicate::str::contains(told));
    };
    let url = cluster.database();
    refused(&url.replace("night", "nowhere"), "`createdb` makes it");
    refused("postgres://anna:secret@db.example/night", "PGPASSWORD");
    refused("mysql://db.example/night", "postgres://user@host/database");
    refused("postgres:///night?host=/nowhere&user=a", "/nowhere");
    let others = cluster.database();
    client(&others)
        .batch_execute("CREATE TABLE mine (x int)")
        .unwrap();
    refused(&others, "a database of something else");

    new(&url).assert().success();
    let config = workspace.path("night").join("ladder.toml");
    assert!(read(&config).contains(&format!("\nstore = \"{url}\"\n")));
    let empty = cluster.database();
    std::fs::write(&config, read(&config).replace(&url, &empty)).unwrap();
    crownhead()
        .args(["ladder", "standings"])
        .arg(workspace.path("night"))
        .assert()
        .code(1)
        .stderr(predicate::str::contains(
            "`crownhead ladder new` begins one",
        ));
}

/// A server that listens on this port of the machine, wants a password, and has a certificate for `localhost`.
fn server_with_certificate(port: u16) -> Option<Cluster> {
    if !is_there("openssl") {
        return None;
    }
    Cluster::start(|folder| {
        let [key, certificate] = ["server.key", "server.crt"].map(|name| folder.join(name));
        let made = std::process::Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
            ])
            .args(["-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args(["-addext", "subjectAltName=DNS:localhost"])
            .args(["-addext", "basicConstraints=critical,CA:FALSE"])
            .arg("-keyout")
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        let access = "local all all trust\nhostssl all all all scram-sha-256\n";
        std::fs::write(folder.join("data/pg_hba.conf"), access).unwrap();
        vec![
            "listen_addresses=127.0.0.1".into(),
            format!("port={port}"),
            "ssl=on".into(),
            format!("ssl_key_file={}", key.display()),
            format!("ssl_cert_file={}", certificate.display()),
        ]
    })
}

#[test]
fn a_server_proves_who_it_is_unless_the_address_does_without_which_is_told() {
    // PostgreSQL does not take port 0. The kernel hands no test a port below 32,768 (ip_local_port_range).
    let mut ports = (20_000..30_000).skip(std::process::id() as usize % 9_000);
    let port = ports
        .find(|&port| std::net::TcpListener::bind(("127.0.0.1", port)).is_ok())
        .unwrap();
    let Some(cluster) = server_with_certificate(port) else {
        return;
    };
    let mut owner = client(&cluster.database());
    owner
        .batch_execute("ALTER ROLE ladder PASSWORD 'a:secret'")
        .unwrap();
    let workspace = crate::common::TestWorkspace::new();
    let root = cluster.folder().join("server.crt");
    let of = |host: &str, options: &str| {
        format!("postgres://ladder@{host}:{port}/night0?{options}")
            .replace("ROOT", root.to_str().unwrap())
    };
    let new = |url: &str, password: &str| {
        let mut command = crownhead();
        command.args(["ladder", "new", "--store", url, "night"]);
        command
            .current_dir(workspace.path(""))
            .env("PGPASSWORD", password);
        command.assert()
    };
    let verified = of("localhost", "sslrootcert=ROOT");
    let told = |told: &'static str| predicate::str::contains(told);
    new(&of("localhost", "sslmode=verify-full"), "a:secret")
        .code(2)
        .stderr(told("certificate"));
    new(&of("127.0.0.1", "sslrootcert=ROOT"), "a:secret")
        .code(2)
        .stderr(told("certificate"));
    new(&of("localhost", "sslmode=disable"), "a:secret").code(2);
    new(&verified, "wrong").code(2).stderr(told("PGPASSWORD"));
    new(&verified, "a:secret").success().stderr("");

    let pass = workspace.path("pass");
    std::fs::write(&pass, format!("localhost:{port}:*:ladder:a\\:secret\n")).unwrap();
    std::fs::set_permissions(&pass, PermissionsExt::from_mode(0o600)).unwrap();
    let standings = || {
        let mut command = crownhead();
        command.args(["ladder", "standings", "night"]);
        command
            .current_dir(workspace.path(""))
            .env("PGPASSFILE", &pass);
        command.assert().success()
    };
    standings().stderr("");
    let config = workspace.path("night").join("ladder.toml");
    let unverified = of("localhost", "sslmode=require");
    std::fs::write(&config, read(&config).replace(&verified, &unverified)).unwrap();
    standings().stderr(told("nobody verifies who answers"));
}

/// Kills runs every quarter of a second and the server every few runs, and once while two runs live on; then lets two come
/// to the end. Gives the pairs of each pairing.
fn kill_and_finish(cluster: &Cluster, ladder: &Ladder, url: &str, kills: u64) -> u64 {
    for kill in 0..kills {
        let mut runs = [ladder.run_in_background(), ladder.run_in_background()];
        std::thread::sleep(Duration::from_millis(250));
        if kill % 4 == 3 {
            cluster.end(Signal::KILL);
        }
        for run in &mut runs {
            run.kill().unwrap();
            run.wait().unwrap();
        }
        wait_until(|| "the server is started again", || cluster.answers(url));
        lapse_leases(url);
    }
    let play = || {
        let before = stored(url);
        wait_until(|| "the runs play", || stored(url) > before);
    };
    let mut runs = [ladder.run_in_background(), ladder.run_in_background()];
    play();
    cluster.end(Signal::KILL);
    wait_until(|| "the server is started again", || cluster.answers(url));
    play();
    for run in &mut runs {
        run.kill().unwrap();
        run.wait().unwrap();
    }
    lapse_leases(url);
    let pairs = ladder.end_soon();
    let mut runs = [ladder.run_in_background(), ladder.run_in_background()];
    for run in &mut runs {
        assert!(run.wait().unwrap().success());
    }
    pairs
}

#[test]
fn runs_and_a_server_that_are_killed_lose_no_pair_and_double_none() {
    let Some(cluster) = Cluster::start(|_| Vec::new()) else {
        return;
    };
    let kills = setting("CROWNHEAD_KILLS", 2);
    let settings = "concurrency = 2\nseed = 11";
    let url = cluster.database();
    let ladder = Ladder::in_database(&url, &format!("{ENDLESS}\n{settings}"), &THREE);
    let began = Instant::now();
    let pairs = kill_and_finish(&cluster, &ladder, &url, kills);
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{} pairs in {seconds:.1} s, {} runs and {} servers killed",
        stored(&url),
        2 * kills + 2,
        kills / 4 + 1
    );
    assert_eq!(stored(&url), 3 * pairs as i64);
    is_as_in_a_file(&ladder, &url, &format!("pairs = {pairs}\n{settings}"));
}
