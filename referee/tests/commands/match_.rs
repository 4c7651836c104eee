//! `crownhead match` with real bot processes, as a contestant runs it.

use crate::common::{
    AMPLE_TIME, TestWorkspace, crownhead, processes_that_mention, records, wait_until,
};
use predicates::prelude::*;
use serde_json::Value;
use std::process::Stdio;

#[test]
fn a_match_of_built_ins_shows_score_terminations_and_answer_times() {
    let out = crownhead()
        .args([
            "match",
            "greedy",
            "random",
            "--games",
            "6",
            "--seed",
            "1",
            "--concurrency",
            "2",
        ])
        .args(AMPLE_TIME)
        .assert()
        .success();
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    for part in [
        "6 games of contest checkers",
        "95 % interval",
        "as black",
        "as red",
        "p99",
        "ended by",
    ] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    assert!(
        !text.contains('\u{1b}'),
        "no colour codes where there is no terminal"
    );
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let workspace = TestWorkspace::new();
    let mut replies = Vec::new();
    for name in ["one", "two"] {
        let file = workspace.path(name);
        crownhead()
            .args([
                "match",
                "random",
                "greedy",
                "--games",
                "4",
                "--seed",
                "7",
                "--openings",
                "random 3",
            ])
            .args(AMPLE_TIME)
            .args(["--concurrency", "2", "--record", file.to_str().unwrap()])
            .assert()
            .success();
        let mut games = records(file);
        games.sort_by_key(|game| game["number"].as_u64());
        for game in &mut games {
            for player in game["players"].as_array_mut().unwrap() {
                player.as_object_mut().unwrap().remove("start_up_us");
            }
            for turn in game["turns"].as_array_mut().unwrap() {
                let turn = turn.as_object_mut().unwrap();
                turn.retain(|field, _| !field.ends_with("us"));
            }
        }
        replies.push(games);
    }
    assert_eq!(replies[0], replies[1]);
    let openings: Vec<&Value> = replies[0].iter().map(|game| &game["opening"]).collect();
    assert_eq!(openings[0], openings[1], "a pair shares its opening");
    assert_ne!(openings[0], openings[2]);
    assert_eq!(
        replies[0][0]["players"][0]["name"], replies[0][1]["players"][1]["name"],
        "colours are swapped"
    );
}

#[test]
fn a_bot_that_plays_an_illegal_move_loses_with_the_rule_it_broke_and_the_match_goes_on() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("illegal", "while turn; do echo B4B5; done");
    let honest = workspace.honest_bot();
    let result = workspace.match_json(&[&bot, &honest, "--games", "2"]);
    assert_eq!(result["games"], 2, "{result}");
    assert_eq!(result["bots"][0]["total"]["losses"], 2, "{result}");
    assert_eq!(result["bots"][0]["faults"]["illegal-reply"], 2, "{result}");
    let told = result["faults"][0]["reason"].as_str().unwrap();
    let reason = "answered `B4B5` but no piece ever stands on B5";
    assert!(told.contains(reason), "{told}");
}

#[test]
fn no_process_stays_behind() {
    let workspace = TestWorkspace::new();
    // It ignores the end of its input, and leaves a child that does so too.
    let bot = workspace.bot(
        "stays",
        "turn; sleep 600 & echo \"$move\"; turn; while :; do sleep 600; done",
    );
    let honest = workspace.honest_bot();
    workspace.match_json(&[&bot, &honest, "--games", "2", "--time", "50ms"]);
    let folder = workspace.path("");
    assert_eq!(
        processes_that_mention(folder.to_str().unwrap()),
        Vec::<String>::new()
    );
}

#[test]
fn a_signal_shows_and_keeps_the_games_played_leaves_no_bot_and_gives_its_status() {
    use rustix::process::Signal;
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        interrupted_by(&[signal], &[status]);
    }
}

/// As `timeout` sends its own to a program and to its group, and a terminal that is closed sends two.
#[test]
fn signals_that_come_together_are_one_interrupt() {
    use rustix::process::Signal;
    // One that is stopped has them all at once.
    let interrupts = [Signal::INT, Signal::TERM, Signal::HUP];
    let together = [&[Signal::STOP], &interrupts[..], &[Signal::CONT]].concat();
    for _ in 0..3 {
        interrupted_by(&together, &[130, 143, 129]);
    }
}

fn interrupted_by(signals: &[rustix::process::Signal], statuses: &[i32]) {
    let workspace = TestWorkspace::new();
    let slow = workspace.bot("slow", "while turn; do sleep 0.02; echo \"$move\"; done");
    let file = workspace.path("games");
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("crownhead"))
        .args(["match", &slow, "random", "--games", "1000", "--time", "5s"])
        .args(["--max-turns", "20", "--record"])
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = || {
        std::fs::read_to_string(&file)
            .unwrap_or_default()
            .lines()
            .count()
    };
    wait_until(|| "two games take too long", || lines() >= 2);
    let pid = rustix::process::Pid::from_child(&child);
    for &signal in signals {
        rustix::process::kill_process(pid, signal).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let status = output.status.code().unwrap();
    assert!(statuses.contains(&status), "{status}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("games of contest checkers"), "{text}");
    assert!(lines() >= 2);
    let folder = workspace.path("");
    assert_eq!(
        processes_that_mention(folder.to_str().unwrap()),
        Vec::<String>::new()
    );
}

#[test]
fn unusable_arguments_are_refused_with_a_way_out_and_status_2() {
    let workspace = TestWorkspace::new();
    let taken = workspace.path("taken");
    std::fs::write(&taken, "").unwrap();
    let cases: [(&[&str], &str); 10] = [
        (
            &["alphabte", "greedy"],
            "there is no bot `alphabte`. Did you mean `alphabeta`?",
        ),
        (&["random", "/no/such/bot"], "`/no/such/bot` does not exist"),
        (
            &["random", "greedy", "--time", "0ms"],
            "expected more than 0, such as `100ms`",
        ),
        (
            &["random", "greedy", "--openings", "random 900"],
            "no game lasts that long",
        ),
        (
            &["random", "greedy", "--openings", "balots"],
            "expected `ballots`, `random 6`",
        ),
        (
            &[
                "random",
                "greedy",
                "--openings",
                "ballots",
                "--game",
                "chess",
            ],
            "ballots are openings of checkers",
        ),
        (
            &["random", "greedy", "--names", " "],
            "expected a name of one letter or more",
        ),
        (
            &["random", "greedy", "--rules", "chess"],
            "expected contest or classroom",
        ),
        (
            &["random", "greedy", "--game", "ches"],
            "Did you mean `chess`?",
        ),
        (
            &["random", "greedy", "--record", taken.to_str().unwrap()],
            "or replace it with `--force`",
        ),
    ];
    for (arguments, advice) in cases {
        crownhead()
            .arg("match")
            .args(arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(advice));
    }
}

#[test]
fn a_command_line_may_be_quoted_and_have_spaces() {
    let workspace = TestWorkspace::new();
    let spaced = workspace.bot("my bot", "while turn; do echo \"$move\"; done");
    let quoted = format!("sh '{spaced}'");
    let result = workspace.match_json(&[&spaced, &quoted, "--games", "2"]);
    assert_eq!(result["bots"][0]["name"], "my bot (A)");
    assert_eq!(result["bots"][1]["name"], "my bot (B)");
    assert_eq!(result["faults"], serde_json::json!([]));
}

#[test]
fn everchess_asks_the_same_bot_again_after_a_capture_with_its_own_time_limit() {
    // The bot takes its time over its first capture and over the move after it: together more than a limit.
    let workspace = TestWorkspace::new();
    let slow = workspace.bot(
        "slow",
        r#"while turn; do
    rest=${move#??}
    if [ -z "$captured" ] && [ "${move%???}" != "${rest%?}" ]; then
        captured=1
        sleep 0.7
    elif [ "$captured" = 1 ]; then
        captured=2
        sleep 0.7
    fi
    echo "$move"
done"#,
    );
    let record = workspace.path("games.jsonl");
    let record = record.to_str().unwrap();
    let arguments = [
        "--game",
        "everchess",
        "--seed",
        "3",
        "--games",
        "2",
        "--time",
        "1200ms",
    ];
    let players = [
        slow.as_str(),
        "random",
        "--first-turn",
        "1200ms",
        "--record",
        record,
    ];
    let result = workspace.match_json(&[&players[..], &arguments[..]].concat());
    assert_eq!(result["faults"], serde_json::json!([]));
    for game in records(record) {
        let slow = usize::from(game["players"][1]["name"] == "slow");
        let turns = game["turns"].as_array().unwrap();
        let is_slow = |turn: &serde_json::Value| turn["us"].as_u64() >= Some(700_000);
        let both = turns.windows(2).find(|pair| pair.iter().all(is_slow));
        let both = both.expect("it captured, and was asked again");
        assert!(both.iter().all(|turn| turn["player"] == slow));
    }
}

#[test]
fn the_built_in_bots_play_everchess_and_chess_as_processes() {
    for (game, first, second) in [
        ("everchess", "random", "greedy"),
        ("everchess", "alphabeta --nodes 2000", "greedy"),
        ("chess", "alphabeta --nodes 500", "random"),
    ] {
        let workspace = TestWorkspace::new();
        let limits = [
            "--games",
            "2",
            "--seed",
            "2",
            "--time",
            "5s",
            "--first-turn",
            "5s",
        ];
        let arguments = [&[first, second, "--game", game][..], &limits[..]].concat();
        let result = workspace.match_json(&arguments);
        assert_eq!(result["game"], game);
        assert_eq!(result["faults"], serde_json::json!([]));
        assert_eq!(result["unrated"], 0, "{game}: {first} against {second}");
    }
}
