//! `crownhead bench`, as a person or a script sees it.

use crate::common::crownhead;
use predicates::prelude::*;
use serde_json::Value;

/// The depth of the runs here: deep enough to go through every part of the search, and over at once.
const DEPTH: &str = "8";

/// The signature of the search at [`DEPTH`].
///
/// It changes with the search, its evaluation and the positions, and must change with nothing else. After
/// such a change put in what `cargo run -- bench --depth 8` prints as its signature.
const SIGNATURE: u64 = 290_953;

fn bench_json(arguments: &[&str]) -> Value {
    let output = crownhead()
        .args(["bench", "--json"])
        .args(arguments)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    serde_json::from_slice(&output.stdout).expect("the output is JSON")
}

#[test]
fn a_fixed_depth_gives_the_same_signature_every_time() {
    let run = bench_json(&["--depth", DEPTH]);
    let positions = run["positions"].as_array().expect("a list").iter();
    let nodes = positions.map(|one| one["nodes"].as_u64().unwrap());
    assert_eq!(
        nodes.sum::<u64>(),
        SIGNATURE,
        "the search has changed; see SIGNATURE"
    );
    assert_eq!(run["signature"], SIGNATURE);
}

#[test]
fn people_get_a_table_of_the_positions_and_what_they_come_to() {
    let run = bench_json(&["--depth", "2"]);
    let [solved, solvable] = ["solved", "solvable"].map(|key| &run["totals"][key]);
    let found = format!("  {solved} of {solvable} found\n");
    let signature = format!("\nsignature  {}\n", run["signature"]);
    let mut command = crownhead();
    let printed = command.args(["bench", "--depth", "2"]).assert().success();
    for part in ["all (mean depth)", " found\n", ", not ", &found, &signature] {
        let check = predicate::str::contains(part);
        assert!(
            check.eval(&String::from_utf8_lossy(&printed.get_output().stdout)),
            "{part}"
        );
    }
}

#[test]
fn a_time_limit_tells_depth_nodes_and_tactics_but_no_signature() {
    let run = bench_json(&["--time", "5ms"]);
    assert_eq!(run["limit"]["time_us"], 5000);
    assert_eq!(run["signature"], Value::Null);
    let positions = run["positions"].as_array().unwrap();
    assert!(positions.len() >= 24);
    for one in positions {
        assert!(one["depth"].as_u64() > Some(0), "{one}");
        assert!(
            one["selective_depth"].as_u64() >= one["depth"].as_u64(),
            "{one}"
        );
        assert!(one["nodes_per_second"].as_f64() > Some(0.0), "{one}");
        assert_eq!(one["solved"].is_boolean(), one["kind"] == "tactic", "{one}");
    }
    let solved = positions.iter().filter(|one| one["solved"] == true).count();
    assert_eq!(run["totals"]["solved"], solved);
}

#[test]
fn a_depth_and_a_time_exclude_each_other() {
    crownhead()
        .args(["bench", "--depth", "5", "--time", "100ms"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot be used with"));
}
