//! `crownhead bench`, as a person or a script sees it.

use crate::common::{TestWorkspace, crownhead};
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
    let runs = [(); 2].map(|()| bench_json(&["--depth", DEPTH]));
    let nodes = |run: &Value| {
        let positions = run["positions"].as_array().expect("a list");
        positions
            .iter()
            .map(|one| one["nodes"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(nodes(&runs[0]), nodes(&runs[1]));
    assert_eq!(runs[0]["signature"], nodes(&runs[0]).iter().sum::<u64>());
    assert_eq!(
        runs[0]["signature"], SIGNATURE,
        "the search has changed; see SIGNATURE"
    );
}

#[test]
fn a_run_compares_with_what_an_earlier_one_printed_as_json() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("before.json");
    let mut earlier = bench_json(&["--depth", "4"]);
    // A search that looked at half as many nodes in the same time, and missed a best move.
    let first = &mut earlier["positions"][0];
    first["nodes"] = (first["nodes"].as_u64().unwrap() / 2).into();
    let tactics = earlier["positions"].as_array_mut().unwrap().iter_mut();
    for tactic in tactics.filter(|one| one["solved"] == true) {
        tactic["best"] = "none".into();
    }
    let found = earlier["totals"]["solved"].as_u64().unwrap();
    std::fs::write(&file, earlier.to_string()).unwrap();

    let path = file.to_str().unwrap();
    let now = bench_json(&["--depth", "4", "--compare", path]);
    let differences = now["comparison"]["positions"].as_array().unwrap();
    let nodes = differences.iter().map(|one| one["nodes"].as_f64().unwrap());
    let nodes: Vec<f64> = nodes.collect();
    assert!((nodes[0] - 2.0).abs() < 0.1, "{nodes:?}");
    assert!(nodes[1..].iter().all(|&ratio| ratio == 1.0), "{nodes:?}");
    let gained = differences.iter().filter(|one| one["solved"] == "gained");
    assert_eq!(gained.count() as u64, found);

    crownhead()
        .args(["bench", "--depth", "4", "--compare", path])
        .assert()
        .success()
        .stdout(
            predicate::str::contains("×2.0").and(predicate::str::contains(format!(
                "best moves: {found} gained, 0 lost"
            ))),
        );
}

#[test]
fn a_file_that_no_bench_printed_is_refused_before_anything_is_searched() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("other.json");
    let compare = |text: &str| {
        std::fs::write(&file, text).unwrap();
        // A bench that began would not end within the test.
        let mut command = crownhead();
        command
            .args(["bench", "--depth", "40", "--compare"])
            .arg(&file);
        command.assert().stdout("")
    };
    compare("a shopping list")
        .code(2)
        .stderr(predicate::str::contains("it is not JSON"));
    compare(&bench_json(&["--depth", "1"]).to_string())
        .code(2)
        .stderr(predicate::str::contains(
            "run with --depth 1, this one with --depth 40",
        ));
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
