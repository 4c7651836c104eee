//! What bots say about their turns: in records and results.

use crate::common::{TestWorkspace, records};
use serde_json::json;

/// Says how many moves it has left in each turn.
const TELLS: &str = r#"
n=0
while turn; do
    n=$((n + 1))
    echo "left=$((10 - n))" >&2
    echo "$move"
done
"#;

#[test]
fn figures_stay_in_records_and_results_though_the_words_are_not_kept() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("games.jsonl");
    let bot = workspace.bot("tells", TELLS);
    let result = workspace.match_json(&[
        &bot,
        "random",
        "--games",
        "2",
        "--seed",
        "5",
        "--max-turns",
        "6",
        "--keep-stderr",
        "none",
        "--record",
        file.to_str().unwrap(),
    ]);
    let left = &result["bots"][0]["said"]["left"];
    assert_eq!(
        [&left["turns"], &left["lowest"], &left["highest"]],
        [&json!(6), &json!(7.0), &json!(9.0)]
    );
    let mean = left["mean"].as_f64().unwrap();
    assert!((mean - 8.0).abs() < 1e-9, "{mean}");
    let mut records = records(&file);
    records.sort_by_key(|game| game["number"].as_u64());
    let turn = &records[0]["turns"][2];
    assert_eq!(turn["said"], json!({"left": 8}));
    assert_eq!(turn["stderr"].get("text"), None);
}
