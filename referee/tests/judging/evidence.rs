//! The bot's own words: its standard error, turn by turn, in records, in ladders and under its faults; and the numbers
//! that it says about itself.

use crate::common::ladder::Ladder;
use crate::common::{TestWorkspace, crownhead, records};
use predicates::prelude::*;
use serde_json::{Value, json};

/// Talks before its first turn, in each turn, and when its input ends.
const TALKS: &str = r#"
echo "my colour is $colour" >&2
exec 3>&1
n=0
turn() {
    for row in 1 2 3 4 5 6 7 8; do read -r line || { printf 'good \377 bye\n' >&2; exit 0; }; done
    read -r count
    move=
    while [ "$count" -gt 0 ]; do
        read -r listed
        [ -n "$move" ] || move=$listed
        count=$((count - 1))
    done
}
while turn; do
    n=$((n + 1))
    echo "turn $n: depth $((n * 2))/9 score +$n nodes 1000 speed=0.5" >&2
    echo "$move"
done"#;

/// Plays one short game of `bot` and gives the output and the record.
fn one_game(bot: &str, arguments: &[&str]) -> (String, Value) {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games.jsonl");
    let output = crownhead()
        .args([
            "match",
            "--openings",
            "none",
            bot,
            "random",
            "--games",
            "1",
            "--seed",
            "2",
            "--max-turns",
            "5",
        ])
        .args([
            "--time",
            "10s",
            "--first-turn",
            "10s",
            "--names",
            "talks",
            "--record",
        ])
        .arg(&record)
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (text, records(record).remove(0))
}

/// The turns of black, player 0, the bot of these tests.
fn own_turns(game: &Value) -> Vec<&Value> {
    let turns = game["turns"].as_array().unwrap().iter();
    turns.filter(|turn| turn["player"] == 0).collect()
}

#[test]
fn a_record_keeps_every_turn_s_words_to_the_byte_and_the_numbers_in_them() {
    let workspace = TestWorkspace::new();
    let (table, game) = one_game(&workspace.bot("talks", TALKS), &[]);
    let black = &game["players"][0];
    assert_eq!(black["colour_line"], "b");
    let turns = own_turns(&game);
    assert_eq!(turns.len(), 3);
    // Its colour reaches it with its first turn.
    assert_eq!(
        turns[0]["stderr"],
        json!({"text": "my colour is b\nturn 1: depth 2/9 score +1 nodes 1000 speed=0.5\n"})
    );
    assert_eq!(
        turns[2]["stderr"],
        json!({"text": "turn 3: depth 6/9 score +3 nodes 1000 speed=0.5\n"})
    );
    assert_eq!(
        turns[2]["said"],
        json!({"depth": 6, "seldepth": 9, "score": 3, "nodes": 1000, "speed": 0.5})
    );
    assert_eq!(
        black["stderr_after"],
        json!({"base64": "Z29vZCD/IGJ5ZQo="}),
        "good \\xff bye"
    );
    let stats = "\nmean per turn  depth  nodes  score  seldepth  speed  nodes/s\ntalks            4.0  1,000    2.0       9.0    0.5  ";
    assert!(table.contains(stats), "{table}");
}

#[test]
fn kept_output_can_be_limited_to_faults_or_nothing_while_stats_stay() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("talks", TALKS);
    let fails = workspace.bot(
        "fails",
        "echo one >&2; turn; echo $move; turn; echo two >&2; exit 3",
    );
    for kept in ["faults", "none"] {
        let (_, game) = one_game(&bot, &["--keep-stderr", kept]);
        for turn in own_turns(&game) {
            assert_eq!(turn["stderr"].get("text"), None, "{kept}: {turn}");
            assert!(turn["stderr"]["cut"].as_u64() > Some(40), "{kept}: {turn}");
            assert_eq!(turn["said"]["nodes"], 1000, "{kept}: {turn}");
        }
    }
    let (_, game) = one_game(&fails, &["--keep-stderr", "faults"]);
    let turns = own_turns(&game);
    assert_eq!(turns[0]["stderr"], json!({"cut": 4}));
    assert_eq!(turns[1]["stderr"], json!({"text": "two\n"}));
    let (_, game) = one_game(&fails, &["--keep-stderr", "none"]);
    assert_eq!(own_turns(&game)[1]["stderr"], json!({"cut": 4}));
}

#[test]
fn the_last_words_stand_under_a_fault_and_steer_no_terminal() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot(
        "fails",
        r"turn; printf '\033[2Jüber\n  alles\n' >&2; exit 3",
    );
    let (table, _) = one_game(&bot, &[]);
    assert!(
        table.contains(
            "game 1, turn 1 (talks): black's bot ended with exit status 3 instead of answering\n    - Its last line \
             on standard error: `alles`\n"
        ),
        "{table}"
    );
    assert!(
        table.contains("      | \\x1b[2Jüber\n      |   alles\n"),
        "{table}"
    );
}

/// Writes four kilobytes a turn, and fails in turn 25.
const FLOODS: &str = r#"
n=0
while turn; do
    n=$((n + 1))
    printf 'turn %d%4050d\n' $n 7 >&2
    [ $n = 20 ] && { echo "I am lost" >&2; exit 3; }
    echo "$move"
done"#;

#[test]
fn a_ladder_keeps_64_kilobytes_of_a_game_and_lists_its_faults_with_the_last_words() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("floods", FLOODS);
    let ladder = Ladder::new(
        "pairs = 1\nstderr = \"all\"\nmax_turns = 100\nseed = 3",
        &[],
    );
    let config = ladder.folder.join("ladder.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("max_turns = 30\n", "")).unwrap();
    for (name, command) in [("floods", bot.as_str()), ("chance", "random")] {
        ladder.add(name, command);
    }
    ladder
        .command("run")
        .assert()
        .success()
        .stderr(predicate::str::contains("(floods): "))
        .stderr(predicate::str::contains("      | I am lost\n"));
    for game in ladder.games("games.jsonl") {
        let size: usize = game["turns"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|turn| Some(turn.get("stderr")?.to_string().len()))
            .sum();
        assert!((40_000..=64 << 10).contains(&size), "{size}");
        let turns = game["turns"].as_array().unwrap();
        let last = turns.last().unwrap()["stderr"]["text"].as_str().unwrap();
        assert!(
            last.starts_with("turn 20 ") && last.ends_with("I am lost\n"),
            "{last}"
        );
        let first = turns
            .iter()
            .find(|turn| turn.get("stderr").is_some())
            .unwrap();
        assert_eq!(first["stderr"], json!({"cut": 4057}));
    }
    let shown = |game: &str| {
        let mut replay = crownhead();
        replay.arg("replay").arg(&ladder.folder);
        let output = replay.args(["--number", game, "--fault"]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let listed = shown("1") + &shown("2");
    assert_eq!(
        listed
            .matches("instead of answering. Its last line on standard error: `I am lost`\n")
            .count(),
        2,
        "{listed}"
    );
    assert_eq!(listed.matches("\n| I am lost\n").count(), 2, "{listed}");
}

#[test]
fn a_ladder_keeps_figures_but_no_words_unless_told_otherwise() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("talks", TALKS);
    let bots = [("talks", bot.as_str()), ("chance", "random")];
    let ladder = Ladder::new("pairs = 1", &bots);
    ladder.command("run").assert().success();
    for game in ladder.games("games.jsonl") {
        let text = game.to_string();
        assert!(!text.contains("turn 2: depth 4/9"), "{text}");
        assert!(text.contains("\"depth\":4"), "{text}");
    }
}
