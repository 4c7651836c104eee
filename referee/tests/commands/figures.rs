//! What bots say about themselves and their games: in tables, records and lists.

use crate::common::{TestWorkspace, crownhead, records};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;

/// Says how many moves it has in each turn, and by which plan it plays; black says a figure of the game.
const TELLS: &str = r#"
n=0
[ "$colour" = b ] && echo "[TDATA] map = small" >&2
echo "[PDATA] plan = $colour first" >&2
while turn; do
    n=$((n + 1))
    echo "[PDATA][$n] left = $((10 - n))" >&2
    echo "[PDATA+] asked = 1" >&2
    echo "$move"
done
"#;

/// Two games of six turns between bots that tell figures, which are kept though their words are not.
fn games(workspace: &TestWorkspace) -> (Value, PathBuf) {
    let file = workspace.path("games.jsonl");
    let bot = workspace.bot("tells", TELLS);
    let random = "random";
    let result = workspace.match_json(&[
        &bot,
        random,
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
    (result, file)
}

fn replay(file: &PathBuf, options: &[&str]) -> Output {
    let mut command = crownhead();
    command.arg("replay").arg(file).args(options);
    command.output().unwrap()
}

#[test]
fn figures_are_in_records_lists_and_results() {
    let workspace = TestWorkspace::new();
    let (result, file) = games(&workspace);
    let tells = &result["bots"][0];
    assert_eq!(
        tells["figures"]["asked"],
        json!({"games": 2, "mean": 3.0, "lowest": 3.0, "highest": 3.0})
    );
    let plans = json!({"games": 2, "texts": {"b first": 1, "r first": 1}});
    assert_eq!(tells["figures"]["plan"], plans);
    assert_eq!(tells["said"]["left"]["highest"], 9.0);
    assert_eq!(result["bots"][1]["figures"], json!({}));
    let map = json!({"games": 1, "texts": {"small": 1}});
    assert_eq!(result["figures"]["map"], map);

    let mut records = records(&file);
    records.sort_by_key(|game| game["number"].as_u64());
    let first = &records[0];
    assert_eq!(first["figures"], json!({"map": "small"}));
    assert_eq!(
        first["players"][0]["figures"],
        json!({"asked": 3, "plan": "b first"})
    );
    assert_eq!(first["turns"][2]["said"], json!({"left": 8}));
    assert_eq!(first["turns"][2]["stderr"].get("text"), None);

    let output = replay(&file, &["--list", "--json"]);
    let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let listed = list.iter().find(|game| game["game"] == 1).unwrap();
    let figures =
        json!({"game": {"map": "small"}, "players": [{"asked": 3, "plan": "b first"}, {}]});
    assert_eq!(listed["figures"], figures);
}
