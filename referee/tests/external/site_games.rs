//! Games as the site keeps them: made from matches of ours in every form, imported, and then used as any other game.

use super::site_forms::{FORMS, direct, in_form};
use super::{AMPLE, play, referee};
use crate::common::{TestWorkspace, crownhead, records};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Writes a file of a test.
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

/// What `import` says of these files, its exit status, and the records that it writes.
struct Imported {
    status: Option<i32>,
    done: Value,
    records: Vec<Value>,
    said: String,
}

fn import(folder: &TestWorkspace, files: &[&str], referee: Option<&str>) -> Imported {
    let out = folder.path("imported.jsonl");
    let mut command = crownhead();
    command
        .current_dir(folder.path(""))
        .arg("import")
        .args(files);
    command.args(["--json", "--force", "-o"]).arg(&out);
    command.args(referee.iter().flat_map(|referee| ["--referee", referee]));
    let output = command.output().unwrap();
    Imported {
        status: output.status.code(),
        done: serde_json::from_slice(&output.stdout).unwrap_or_default(),
        records: if out.exists() {
            records(&out)
        } else {
            Vec::new()
        },
        said: String::from_utf8(output.stderr).unwrap(),
    }
}

/// What a record has of its game that a file of the site has, too.
fn known(game: &Value) -> Vec<Value> {
    let turns = game["turns"].as_array().unwrap().iter();
    let mut known: Vec<Value> = turns
        .map(|turn| {
            json!([
                turn["player"],
                turn["sent"],
                turn["reply"],
                turn["limit_us"]
            ])
        })
        .collect();
    known.extend([
        game["scores"].clone(),
        game["termination"].clone(),
        game["referee"]["scores"].clone(),
        game["referee"]["frames"].clone(),
    ]);
    known
}

#[test]
fn a_game_comes_out_the_same_from_every_form_with_two_players_and_with_three() {
    for (players, bots) in [
        ("2", &["best", "worst"][..]),
        ("3", &["best", "garbage", "worst"]),
    ] {
        let own = referee("engine", AMPLE);
        let played = play(
            &own,
            bots,
            &[
                "--players",
                players,
                "--games",
                players,
                "--openings",
                "seeds -7",
            ],
        );
        let games = &played.games;
        assert_eq!(games[0]["referee"]["seed"], -7);
        let folder = &played.folder;
        std::fs::create_dir(folder.path("site")).unwrap();
        for form in FORMS {
            write(
                &folder.path(&format!("site/{form}.json")),
                &in_form(&games[0], form).to_string(),
            );
        }
        let all = games.iter().map(direct).collect::<Value>();
        write(
            &folder.path("site/list.json"),
            &serde_json::to_string_pretty(&all).unwrap(),
        );
        let lines: String = games
            .iter()
            .map(|game| format!("{}\n", in_form(game, "compact")))
            .collect();
        let packed = std::fs::File::create(folder.path("site/lines.jsonl.gz")).unwrap();
        let mut packed = GzEncoder::new(packed, Compression::fast());
        packed.write_all(lines.as_bytes()).unwrap();
        packed.finish().unwrap();
        write(&folder.path("site/notes.txt"), "nothing of the site");
        let imported = import(folder, &["site"], Some(&own));
        assert_eq!(
            imported.status,
            Some(0),
            "{} {:#}",
            imported.said,
            imported.done
        );
        assert!(
            imported.said.contains("passed over 1 file"),
            "{}",
            imported.said
        );
        assert_eq!(imported.records.len(), FORMS.len() + 2 * games.len());
        for record in &imported.records {
            assert_eq!(record["site"]["verified"], true, "{record:#}");
            let same = games.iter().any(|game| known(game) == known(record));
            assert!(same, "{record:#}");
        }
        let titles = imported
            .records
            .iter()
            .map(|record| &record["site"]["title"]);
        assert_eq!(titles.filter(|title| *title == "Dice 2026").count(), 1);
    }
}

/// Changes one game, and gives what its import says of it.
fn damaged(change: impl FnOnce(&mut Value)) -> Value {
    let own = referee("engine", AMPLE);
    let played = play(
        &own,
        &["best", "worst"],
        &["--games", "1", "--openings", "seeds 3"],
    );
    let mut game = direct(&played.games[0]);
    change(&mut game);
    write(&played.folder.path("one.json"), &game.to_string());
    let imported = import(&played.folder, &["one.json"], Some(&own));
    assert_eq!(imported.status, Some(1), "{}", imported.said);
    imported.done[0]["site"]["difference"].clone()
}

#[test]
fn the_first_thing_that_comes_out_otherwise_is_told_with_both_sides() {
    let summary = damaged(|game| game["frames"][5]["summary"] = json!("$0 takes 9"));
    assert_eq!(
        [&summary["what"], &summary["turn"]],
        [&json!("summary"), &json!(3)]
    );
    assert_eq!(summary["file"], "$0 takes 9");
    let view = damaged(|game| game["frames"][4]["view"] = json!(" 4\n{\"asked\":7}\n"));
    assert_eq!([&view["what"], &view["file"]], ["view", "{\"asked\":7}"]);
    let score = damaged(|game| game["scores"] = json!([1, 2]));
    assert_eq!([&score["what"], &score["file"]], ["scores", "1 2"]);
    let order = damaged(|game| game["frames"].as_array_mut().unwrap().swap(4, 5));
    assert_eq!(
        [&order["what"], &order["here"]],
        ["player", "worst is asked"]
    );
    let end = damaged(|game| drop(game["frames"].as_array_mut().unwrap().pop()));
    assert_eq!(end["what"], "end", "{end}");
    let silent = damaged(|game| drop(game["frames"][6].as_object_mut().unwrap().remove("stdout")));
    assert_eq!(silent["what"], "summary", "{silent}");
}

#[test]
fn a_game_that_cannot_be_read_is_told_by_its_line_and_costs_no_other() {
    let own = referee("engine", AMPLE);
    let played = play(
        &own,
        &["best", "worst"],
        &["--games", "1", "--openings", "seeds 3"],
    );
    let folder = &played.folder;
    let good = direct(&played.games[0]).to_string();
    let mut stranger = direct(&played.games[0]);
    stranger["frames"][3]["agentId"] = json!(5);
    let text = format!(
        "{good}\n{}\n{{\"a\":1}}\nnonsense\n{stranger}\n{good}\n",
        &good[..good.len() / 2]
    );
    write(&folder.path("many.jsonl"), &text);
    let imported = import(folder, &["many.jsonl", "missing.json"], Some(&own));
    assert_eq!(
        (imported.status, imported.records.len()),
        (Some(1), 2),
        "{}",
        imported.said
    );
    let told = |line: usize| {
        let start = format!("warning: many.jsonl: the game that begins in line {line}: ");
        imported
            .said
            .lines()
            .find_map(|told| told.strip_prefix(&start))
            .unwrap_or_else(|| panic!("{line}: {}", imported.said))
    };
    assert_eq!(told(2), "it is cut off");
    assert!(told(3).starts_with("it has no `frames`"), "{}", told(3));
    assert!(told(4).starts_with("it is not JSON"), "{}", told(4));
    assert_eq!(told(5), "frame 3 is of player 5; expected 0 to 1, or -1");
    assert!(imported.said.contains("missing.json"), "{}", imported.said);
}

#[test]
fn a_contests_game_without_its_referee_is_refused_with_the_way_out() {
    let played = play(
        &referee("engine", AMPLE),
        &["best", "worst"],
        &["--games", "1"],
    );
    write(
        &played.folder.path("one.json"),
        &in_form(&played.games[0], "wrapped").to_string(),
    );
    for command in [&["replay"][..], &["import", "-o", "x.jsonl"]] {
        let output = crownhead()
            .current_dir(played.folder.path(""))
            .args(command)
            .arg("one.json")
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("a game of Dice 2026") && said.contains("--referee"),
            "{said}"
        );
    }
}

/// A game of checkers as the contest's engine would tell it.
fn checkers_game(folder: &Path) -> Value {
    let record = folder.join("own.jsonl");
    let output = crownhead()
        .args([
            "match",
            "greedy",
            "alphabeta --depth 3",
            "--games",
            "1",
            "--openings",
            "none",
            "--names",
            "mine,other",
        ])
        .args(["--max-turns", "400", "--seed", "5", "--record"])
        .arg(&record)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    records(&record).remove(0)
}

#[test]
fn a_game_of_checkers_needs_no_referee_and_is_used_as_one_of_ours() {
    let folder = TestWorkspace::new();
    let own = checkers_game(&folder.path(""));
    let first = own["turns"][0]["player"].as_u64().unwrap();
    // On the site the player that moves first is player 0.
    let place = |player: &Value| (player.as_u64().unwrap() + first) % 2;
    let answers = own["turns"].as_array().unwrap().iter();
    let answers = answers.map(|turn| json!({"agentId": place(&turn["player"]), "stdout": format!("{}\n", turn["reply"].as_str().unwrap())}));
    let frames: Vec<Value> = std::iter::once(json!({"agentId": -1}))
        .chain(answers)
        .collect();
    let scores: Vec<&Value> = (0..2)
        .map(|player| &own["scores"][(player + first as usize) % 2])
        .collect();
    let names: Vec<&Value> = (0..2)
        .map(|player| &own["players"][(player + first as usize) % 2]["name"])
        .collect();
    let site = json!({"questionTitle": "Checkers", "gameResult": {"gameId": 5, "frames": frames, "scores": scores, "players": names}});
    write(&folder.path("lost.json"), &site.to_string());
    let imported = import(&folder, &["lost.json"], None);
    assert_eq!(imported.status, Some(0), "{}", imported.said);
    let record = &imported.records[0];
    assert_eq!(record["scores"], own["scores"]);
    assert_eq!(
        [&record["players"][0]["name"], &record["termination"]],
        [&own["players"][0]["name"], &own["termination"]]
    );

    let run = |arguments: &[&str]| {
        let output = crownhead()
            .current_dir(folder.path(""))
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // The file itself will do.
    for file in ["lost.json", "imported.jsonl"] {
        assert!(run(&["replay", file]).contains("mine"));
        assert!(run(&["replay", file, "--list", "--json"]).contains("\"mine\""));
        assert!(run(&["replay", file, "--blunder"]).contains("found the best move"));
        assert!(
            run(&["replay", file, "--turn", "3", "--protocol"])
                .lines()
                .count()
                > 9
        );
        assert!(run(&["ask", file, "greedy", "--turn", "3"]).contains("is a legal move"));
        run(&["replay", file, "--html", "page.html", "--force"]);
        run(&["export", "site", file, "pages"]);
    }
    let same = run(&[
        "ask",
        "lost.json",
        "alphabeta --depth 3",
        "--all",
        "--player",
        "other",
        "--json",
    ]);
    let same: Value = serde_json::from_str(&same).unwrap();
    assert_eq!(same[0]["otherwise"], json!([]), "{same:#}");
    let other = run(&[
        "ask",
        "lost.json",
        "alphabeta --depth 2",
        "--all",
        "--player",
        "mine",
    ]);
    assert!(
        other.contains("are answered otherwise, first turn"),
        "{other}"
    );
}

#[test]
fn all_turns_of_a_contests_game_are_put_to_a_bot_and_its_seeds_are_openings() {
    let own = referee("engine", AMPLE);
    let played = play(
        &own,
        &["best", "worst"],
        &["--games", "2", "--openings", "seeds -3"],
    );
    let folder = &played.folder;
    let text: String = played
        .games
        .iter()
        .map(|game| format!("{}\n", direct(game)))
        .collect();
    write(&folder.path("site.jsonl"), &text);
    let imported = import(folder, &["site.jsonl"], Some(&own));
    assert_eq!(imported.status, Some(0), "{}", imported.said);
    let ask = |how: &str, more: &[&str]| {
        let bot = super::bot(how);
        let output = crownhead()
            .current_dir(folder.path(""))
            .args(["ask", "imported.jsonl", &bot, "--all", "--time", "10s"])
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let same = ask("worst", &[]);
    assert!(
        same.contains("0 of 6 turns are answered otherwise, in 0 of 2 games"),
        "{same}"
    );
    let best: Value = serde_json::from_str(&ask("best", &["--json"])).unwrap();
    let turns = |game: &Value| game["otherwise"].as_array().unwrap().len();
    assert!(
        best.as_array()
            .unwrap()
            .iter()
            .all(|game| turns(game) > 0 && game["lost_in"].is_u64()),
        "{best:#}"
    );
    let again = play(
        &own,
        &["best", "worst"],
        &[
            "--games",
            "2",
            "--openings",
            folder.path("imported.jsonl").to_str().unwrap(),
        ],
    );
    let seeds: Vec<&Value> = again
        .games
        .iter()
        .map(|game| &game["referee"]["seed"])
        .collect();
    assert_eq!(seeds, [-3, -3]);
}
