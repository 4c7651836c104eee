//! `crownhead bench`, as a person or a script sees it.

use crate::common::crownhead;
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
fn people_get_a_table_of_the_positions_and_the_signature() {
    let run = bench_json(&["--depth", "2"]);
    let positions = run["positions"].as_array().unwrap();
    assert!(positions.len() >= 24);
    let signature = format!("\nsignature  {}\n", run["signature"]);
    let mut command = crownhead();
    let printed = command.args(["bench", "--depth", "2"]).assert().success();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    assert!(printed.ends_with(&signature), "{printed}");
    for one in positions {
        assert!(printed.contains(one["name"].as_str().unwrap()), "{one}");
        assert!(one["selective_depth"].as_u64() >= Some(2), "{one}");
    }
}

#[test]
fn a_time_limit_gives_depth_and_speed_but_no_signature() {
    let run = bench_json(&["--time", "5ms"]);
    assert_eq!(run["signature"], Value::Null);
    assert!(run["nodes_per_second"].as_f64() > Some(0.0));
    for one in run["positions"].as_array().unwrap() {
        assert!(
            one["us"].as_u64() >= Some(5000) || one["depth"].as_u64() > Some(0),
            "{one}"
        );
    }
}

#[test]
fn a_depth_and_a_time_exclude_each_other() {
    crownhead()
        .args(["bench", "--depth", "5", "--time", "100ms"])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("cannot be used with"));
}
