//! One turn again: `ask` puts a recorded turn to a bot, `replay` finds it, `show` draws and prints positions.

use crate::common::terminal::{at_terminal, in_locale};
use crate::common::{TestWorkspace, crownhead, match_of, records};
use predicates::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Plays the first move, and writes what it was sent to its standard error. It fails in its third turn.
const ECHOES: &str = r#"
echo "$colour" >&2
n=0
while :; do
    for row in 1 2 3 4 5 6 7 8; do read -r line || exit 0; echo "$line" >&2; done
    read -r count; echo "$count" >&2
    move=
    while [ "$count" -gt 0 ]; do
        read -r listed; echo "$listed" >&2
        [ -n "$move" ] || move=$listed
        count=$((count - 1))
    done
    n=$((n + 1))
    [ $n = 3 ] && exit 7
    echo "$move"
done"#;

struct Recorded {
    workspace: TestWorkspace,
    bot: String,
    file: PathBuf,
    games: Vec<Value>,
}

/// Two games of the bot that echoes, which it loses in its third turn.
fn recorded() -> Recorded {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("echoes", ECHOES);
    let file = workspace.path("games.jsonl");
    match_of(&bot, "random", 2, 2)
        .args([
            "--colour-line",
            "live",
            "--time",
            "10s",
            "--first-turn",
            "10s",
            "--concurrency",
            "1",
            "--record",
        ])
        .arg(&file)
        .assert()
        .success();
    Recorded {
        workspace,
        bot,
        games: records(&file),
        file,
    }
}

impl Recorded {
    /// What `crownhead COMMAND FILE ARGUMENTS` prints, and its status.
    fn run(&self, command: &str, arguments: &[&str]) -> (String, Option<i32>) {
        let mut run = crownhead();
        let output = run
            .arg(command)
            .arg(&self.file)
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        (
            String::from_utf8(output.stdout).unwrap() + &error,
            output.status.code(),
        )
    }

    /// What the bot was sent in this game, by its own account.
    fn sent(&self, game: usize, player: usize) -> String {
        let turns = self.games[game]["turns"].as_array().unwrap().iter();
        let own = turns.filter(|turn| turn["player"] == player);
        own.map(|turn| turn["stderr"]["text"].as_str().unwrap())
            .collect()
    }
}

#[test]
fn the_protocol_of_a_turn_is_what_the_bot_was_sent() {
    let recorded = recorded();
    let (text, status) = recorded.run("replay", &["--game", "1", "--protocol"]);
    assert_eq!((&text, status), (&recorded.sent(0, 0), Some(0)));
    assert!(text.starts_with("b\n"));
    let (text, _) = recorded.run("replay", &["--game", "2", "--fault", "--protocol"]);
    assert_eq!(text, recorded.sent(1, 1));
    assert!(text.starts_with("w\n"), "the colour line that was sent");
    // The first turn alone.
    let (text, _) = recorded.run("replay", &["--game", "1", "--turn", "1", "--protocol"]);
    assert_eq!(text.lines().count(), 10 + 7);
    let (text, status) = recorded.run("replay", &["--game", "1", "--turn", "6"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("--turn 6: game 1 has turns 1 to 5"), "{text}");
}

#[test]
fn a_turn_is_put_with_the_turns_before_it_and_alone_if_that_is_wanted() {
    let recorded = recorded();
    // It fails again for the same reason, because it got the same turns.
    let (text, status) = recorded.run("ask", &[&recorded.bot]);
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.starts_with("Game 1, turn 5: echoes (black) was asked\n8 "),
        "{text}"
    );
    assert!(
        text.contains("black's bot ended with exit status 7 instead of answering"),
        "{text}"
    );
    let (text, status) = recorded.run("ask", &["--only-this-turn", &recorded.bot]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains(" is a legal move\n"), "{text}");
    assert!(
        text.contains("\nIt answered `") && text.contains("\n| b\n"),
        "{text}"
    );
    let (text, _) = recorded.run("ask", &["--game", "2", "--turn", "2", &recorded.bot]);
    assert!(
        text.contains(", as in the record\n") && text.contains("\n| w\n"),
        "{text}"
    );
    let (text, status) = recorded.run("ask", &["--turn", "9", &recorded.bot]);
    assert_eq!(status, Some(2));
    assert!(text.contains("were asked in turns 1 to 5"), "{text}");
}

/// Ends its lines as the contest alone allows, and its first turn lasts longer on the wall than it works.
const UNHURRIED: &str = r#"
pause=1
while :; do
    for row in 1 2 3 4 5 6 7 8; do read -r line || exit 0; done
    read -r count
    read -r move
    while [ "$count" -gt 1 ]; do read -r listed; count=$((count - 1)); done
    sleep $pause; pause=0
    printf '%s\r' "$move"
done"#;

#[test]
fn a_recorded_turn_is_judged_as_its_game_was_unless_told_otherwise() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("unhurried", UNHURRIED);
    let file = workspace.path("games.jsonl");
    let mut play = match_of(&bot, "random", 1, 2);
    play.args(["--profile", "contest", "--clock", "cpu", "--max-turns", "4"]);
    play.args(["--first-turn", "500ms", "--time", "5s", "--record"]);
    play.arg(&file).assert().success();
    let ask = |flags: &[&str]| {
        let mut ask = crownhead();
        ask.arg("ask").arg(&file).arg(&bot).args(["--turn", "1"]);
        ask.args(flags).assert()
    };
    let told = predicate::str::contains("as in the record");
    ask(&[]).success().stdout(told);
    ask(&["--profile", "strict"]).code(1);
    ask(&["--clock", "wall"]).code(1);
    // What this program does not know is named, with the way out.
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        text.replace("\"contest\",\"clock", "\"lenient\",\"clock"),
    )
    .unwrap();
    let told = "game 1 was judged by the profile `lenient`; --profile: expected strict or contest";
    ask(&[]).code(2).stderr(predicate::str::contains(told));
    ask(&["--profile", "contest"]).success();
}

#[test]
fn the_whole_game_can_be_put_to_another_bot() {
    let recorded = recorded();
    let last = recorded.workspace.bot(
        "last",
        "while turn; do echo \"only $move\" >&2; echo \"${listed:-$move}\"; done",
    );
    let (text, status) = recorded.run("ask", &["--from-start", &last]);
    assert_eq!(status, Some(0), "{text}");
    for place in 1..=2 {
        let reply = recorded.games[0]["turns"][2 * (place - 1)]["reply"]
            .as_str()
            .unwrap();
        assert!(text.contains(&format!("Its turn {place}: ")), "{text}");
        assert!(
            text.contains(&format!("; the record has `{reply}`\n| only {reply}\n")),
            "{text}"
        );
    }
}

#[test]
fn a_position_is_put_to_a_bot() {
    let workspace = TestWorkspace::new();
    let bot = workspace.honest_bot();
    let fen = "B:W19,18,10,11:BK7";
    crownhead()
        .args(["ask", "--fen", fen, &bot])
        .assert()
        .success()
        .stdout(predicate::str::contains("D2B4D6F4D2 is a legal move\n"));
    crownhead()
        .args(["ask", "--fen", "B:W32:BK1", "--turn", "3", &bot])
        .assert()
        .code(2);
    crownhead()
        .args(["ask", "games.jsonl", &bot])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("games.jsonl` does not exist"));
}

#[test]
fn a_bot_is_asked_again_and_again() {
    let workspace = TestWorkspace::new();
    let bot = workspace.honest_bot();
    let fen = "B:W18,26:B9,14";
    let ask = |options: &[&str]| {
        let mut command = crownhead();
        command.args(["ask", "--fen", fen, &bot]).args(options);
        String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
    };
    let told = ask(&["--repeat", "3"]);
    let summary = predicate::str::is_match(r"Asked 3 times: [A-H1-8]+ ×3; .* to .*, median ");
    assert!(summary.unwrap().eval(&told), "{told}");
    let result: Value = serde_json::from_str(&ask(&["--json", "--repeat", "2"])).unwrap();
    assert_eq!(result["answer"], result["turns"][0]["reply"], "{result}");
    assert_eq!(result["repeated"]["answers"][0]["count"], 2, "{result}");
}

#[test]
fn the_games_of_a_file_are_listed() {
    let recorded = recorded();
    let (text, _) = recorded.run("replay", &["--list"]);
    let expected = "game  black   red     result     turns  ended by\n   1  echoes  random  red won        5  crash\n   \
        2  random  echoes  black won      6  crash\n";
    assert_eq!(text, expected);
    let (text, _) = recorded.run("replay", &["--list", "--json"]);
    let list: Value = serde_json::from_str(&text).unwrap();
    let first = json!({"game": 1, "black": "echoes", "red": "random", "result": "red",
        "termination": "crash", "turns": 5});
    assert_eq!(list[0], first);
}

#[test]
fn a_turn_is_shown_on_a_page_as_fen_and_as_json() {
    let recorded = recorded();
    let (text, _) = recorded.run("replay", &["--game", "1", "--fault"]);
    assert!(
        text.starts_with("Game 1, turn 5: echoes (black) to move\n8 "),
        "{text}"
    );
    assert!(
        text.contains("\nIt did not answer; ") && text.contains("exit status 7"),
        "{text}"
    );
    let (text, _) = recorded.run("replay", &["--game", "1", "--turn", "1", "--fen"]);
    assert_eq!(
        text,
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\n"
    );
    let (text, _) = recorded.run("replay", &["--game", "1", "--turn", "3", "--json"]);
    let turn: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&turn["turn"], &turn["side"], &turn["colour"]),
        (&json!(3), &json!("black"), &json!("b"))
    );
    assert_eq!(turn["rows"].as_array().unwrap().len(), 8);
    assert_eq!(turn["reply"], recorded.games[0]["turns"][2]["reply"]);
    assert!(turn["fen"].as_str().unwrap().starts_with("B:W"));
    let (text, _) = recorded.run("replay", &["--game", "2", "--json"]);
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(whole, recorded.games[1]);
    // The whole game shows each turn's words.
    let (text, _) = recorded.run("replay", &["--game", "1"]);
    assert!(text.contains("\n| b\n| .r.r.r.r\n"), "{text}");
}

#[test]
fn the_mistakes_of_a_game_are_found_by_searching() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("games.jsonl");
    match_of("greedy", "alphabeta --depth 6", 1, 3)
        .arg("--record")
        .arg(&file)
        .assert()
        .success();
    let output = crownhead()
        .arg("replay")
        .arg(&file)
        .args(["--blunder", "--json"])
        .output()
        .unwrap();
    let analysis: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mistakes = analysis["mistakes"].as_array().unwrap();
    assert!(mistakes.iter().any(|mistake| mistake["player"] == 0));
    // The same list for people, with the better moves, and how often each bot found the best one.
    let (rows, best) = (mistakes.len(), &analysis["best"][0]);
    let listed = crownhead()
        .arg("replay")
        .arg(&file)
        .arg("--blunder")
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let judged = |line: &&str| {
        ["inaccuracy", "mistake", "blunder"]
            .iter()
            .any(|kind| line.contains(&format!("  {kind}  ")))
    };
    assert_eq!(listed.lines().filter(judged).count(), rows, "{listed}");
    let found = format!(
        "greedy (black): found the best move in {} of {} turns with a choice; ",
        best["found"], best["of"]
    );
    assert!(listed.contains(&found), "{listed}");
}

#[test]
fn a_person_at_a_terminal_jumps_to_turns_and_to_the_end() {
    let recorded = recorded();
    let mut command = in_locale("C.UTF-8");
    command.arg("replay").arg(&recorded.file);
    let seen = at_terminal(command, "3\nx\nb\ne\nq\n");
    let text = &seen.screen;
    assert_eq!((seen.error.as_str(), seen.status), ("", Some(0)), "{text}");
    let third = text.find("Turn 3: black played").expect("turn 3");
    let last = text
        .find("Turn 4: red played")
        .expect("turn 4, the last before the fault");
    assert!(third < last, "{text}");
    assert!(text.contains("exit status 7"), "{text}");
    assert!(text.contains("`x` is not a command or a turn"), "{text}");
}

#[test]
fn a_position_is_shown_as_json() {
    let output = crownhead()
        .args(["show", "--fen", "W:W18,K32:B11,K15", "--json"])
        .output()
        .unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["fen"], "W:W18,K32:B11,K15");
    assert_eq!(shown["colour"], "r");
    assert!(!shown["moves"].as_array().unwrap().is_empty());
}
