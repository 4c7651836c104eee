//! A ladder for three players in a PostgreSQL database, while its runs are killed and its server fails. Short here;
//! `.ci/long` sets the variables that make it long.
#![allow(clippy::print_stdout)] // The figures are the point.

use super::rounds::{FOUR, Ladder};
use super::{names, referee};
use crate::common::{setting, wait_until};
use crate::ladder::cluster::Cluster;
use postgres::{Client, Error, NoTls};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

/// Who played in which seat, with which seed, and what they were asked and answered.
fn content(games: &[Value]) -> BTreeSet<String> {
    let content = |game: &Value| {
        let turns = game["turns"].as_array().unwrap().iter();
        let turns: Vec<_> = turns
            .map(|turn| [&turn["player"], &turn["reply"]])
            .collect();
        json!([names(game), game["referee"]["seed"], turns]).to_string()
    };
    games.iter().map(content).collect()
}

#[test]
fn killed_runs_and_a_failing_server_lose_no_round_and_double_none() {
    let Some(cluster) = Cluster::start(|_| Vec::new()) else {
        return;
    };
    let disturbances = setting("CROWNHEAD_KILLS", 3);
    let pairs = setting("CROWNHEAD_PAIRS", 4);
    // Each round has three of the six pairings of four bots.
    let rounds = 2 * pairs;
    let settings = format!("pairs = {pairs}\ntime = \"10s\"\nconcurrency = 2");
    let (lines, url) = (referee("lines", "--legal"), cluster.database());
    let ladder = Ladder::with(&["--store", &url], &lines, &settings, &FOUR);
    let count = |what: &str| -> Result<u64, Error> {
        let count = format!("SELECT count(*) FROM pair WHERE stored IS NOT NULL {what}");
        let row = Client::connect(&url, NoTls)?.query_one(&count, &[])?;
        Ok(row.get::<_, i64>(0).cast_unsigned())
    };
    let stored = |least: u64| {
        let is_so = || count("").is_ok_and(|stored| stored >= least);
        wait_until(|| format!("fewer than {least} rounds are stored"), is_so);
    };
    let run = || {
        let mut run = Command::new(assert_cmd::cargo::cargo_bin!("crownhead"));
        run.args(["ladder", "run"]).arg(ladder.place.path("night"));
        run.stdout(Stdio::null()).stderr(Stdio::null());
        run.spawn().unwrap()
    };
    for number in 1..=disturbances {
        let mut runs = [run(), run()];
        let begun = count("").unwrap().max(number * rounds / (disturbances + 1));
        stored(rounds.min(begun + 1));
        let before = count("").unwrap();
        match number % 3 {
            0 => cluster.end(Signal::INT),
            1 => cluster.end(Signal::KILL),
            _ => {
                let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()";
                let mut client = Client::connect(&url, NoTls).unwrap();
                client.execute(cut, &[]).unwrap();
            }
        }
        stored(rounds.min(before + 1));
        for run in &mut runs {
            run.kill().unwrap();
            run.wait().unwrap();
        }
        // A minute passes for the leases of the runs that were killed.
        let lapse = "UPDATE pair SET leased_until = clock_timestamp()
            WHERE leased_until IS NOT NULL";
        let lapses = || Client::connect(&url, NoTls)?.execute(lapse, &[]);
        wait_until(|| "the server is gone", || lapses().is_ok());
    }
    let told = ladder.says(&["run"]);
    assert!(told.contains("rounds finished, 0 left"), "{told}");
    let games = ladder.games();
    println!(
        "{rounds} rounds, {disturbances} disturbances, {} games",
        games.len()
    );
    assert_eq!(games.len() as u64, 3 * rounds);
    let whole = "AND (SELECT count(*) FROM game WHERE game.pair = pair.id) = 3";
    assert_eq!([count("").unwrap(), count(whole).unwrap()], [rounds; 2]);
    let undisturbed = Ladder::new(&lines, &settings, &FOUR);
    undisturbed.says(&["run"]);
    assert_eq!(content(&games), content(&undisturbed.games()));
    let rating = |ladder: &Ladder| ladder.standings()["rows"][0]["rating"].clone();
    assert_eq!(rating(&ladder), rating(&undisturbed));
}
