//! Games as the site keeps them: made from matches of ours in every form, imported, and then used as any other game.

use super::site_forms::{FORMS, direct, in_form};
use super::{AMPLE, Played, bot, play, referee};
use crate::common::{TestWorkspace, crownhead, records};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;

/// What a command prints in this folder, after its exit status.
fn said(folder: &TestWorkspace, status: i32, arguments: &[&str]) -> [String; 2] {
    let mut command = crownhead();
    command.current_dir(folder.path("")).args(arguments);
    let output = command.output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {output:?}"
    );
    [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
}

/// Writes a file of a test, a line for each game.
fn write(folder: &TestWorkspace, name: &str, games: impl IntoIterator<Item = impl ToString>) {
    let lines = games.into_iter().map(|game| game.to_string() + "\n");
    std::fs::write(folder.path(name), lines.collect::<String>()).unwrap();
}

/// What `import` says of these files, and the records that it writes.
struct Imported {
    done: Value,
    records: Vec<Value>,
    warnings: String,
}

fn import(folder: &TestWorkspace, status: i32, arguments: &[&str]) -> Imported {
    let always = ["import", "--json", "--force", "-o", "imported.jsonl"];
    let [done, warnings] = said(folder, status, &[&always, arguments].concat());
    Imported {
        done: serde_json::from_str(&done).unwrap(),
        records: records(folder.path("imported.jsonl")),
        warnings,
    }
}

/// The test referee, and a match of two under it.
fn match_of_two(openings: &str, games: &str) -> (String, Played) {
    let own = referee("engine", AMPLE);
    let more = ["--games", games, "--openings", openings];
    let played = play(&own, &["best", "worst"], &more);
    (own, played)
}

/// What a record has of its game that a file of the site has, too.
fn known(game: &Value) -> Value {
    let turns = game["turns"].as_array().unwrap().iter();
    let turns =
        turns.map(|turn| ["player", "sent", "reply", "limit_us"].map(|key| turn[key].clone()));
    let (ended, referee) = (&game["termination"], &game["referee"]);
    json!([
        turns.collect::<Vec<_>>(),
        game["scores"],
        ended,
        referee["scores"],
        referee["frames"]
    ])
}

#[test]
fn a_game_comes_out_the_same_from_every_form_with_two_players_and_with_three() {
    for (players, bots) in [
        ("2", &["best", "worst"][..]),
        ("3", &["best", "garbage", "worst"]),
    ] {
        let own = referee("engine", AMPLE);
        let more = [
            "--players",
            players,
            "--games",
            players,
            "--openings",
            "seeds -7",
        ];
        let Played { games, folder, .. } = play(&own, bots, &more);
        assert_eq!(games[0]["referee"]["seed"], -7);
        std::fs::create_dir(folder.path("site")).unwrap();
        for form in FORMS {
            let name = format!("site/{form}.json");
            write(&folder, &name, [in_form(&games[0], form)]);
        }
        let all = games.iter().map(direct).collect::<Value>();
        write(&folder, "site/list.json", [format!("{all:#}")]);
        let packed = std::fs::File::create(folder.path("site/lines.jsonl.gz")).unwrap();
        let mut packed = GzEncoder::new(packed, Compression::fast());
        for game in &games {
            writeln!(packed, "{}", in_form(game, "compact")).unwrap();
        }
        packed.finish().unwrap();
        write(&folder, "site/notes.txt", ["nothing of the site"]);
        let imported = import(&folder, 0, &["site", "--referee", &own]);
        let warnings = imported.warnings;
        assert!(warnings.contains("passed over 1 file"), "{warnings}");
        assert_eq!(imported.records.len(), FORMS.len() + 2 * games.len());
        for record in &imported.records {
            assert_eq!(record["site"]["verified"], true, "{record:#}");
            let same = games.iter().any(|game| known(game) == known(record));
            assert!(same, "{record:#}");
        }
        let records = imported.records.iter();
        let titled = records.filter(|record| record["site"]["title"] == "Dice 2026");
        assert_eq!(titled.count(), 1);
    }
}

#[test]
fn the_first_thing_that_comes_out_otherwise_is_told_with_both_sides() {
    let (own, Played { games, folder, .. }) = match_of_two("seeds 3", "1");
    type Change = fn(&mut Value);
    let changes: [(Change, Value); 9] = [
        (
            |game| game["frames"][5]["summary"] = json!("$0 takes 9"),
            json!({"what": "summary", "turn": 3, "file": "$0 takes 9"}),
        ),
        (
            |game| game["frames"][4]["view"] = json!(" 4\n{\"asked\":7}\n"),
            json!({"what": "view", "file": "{\"asked\":7}"}),
        ),
        (
            |game| game["scores"] = json!([1, 2]),
            json!({"what": "scores", "file": "1 2"}),
        ),
        (
            |game| game["ranks"] = json!([0, 0]),
            json!({"what": "ranks", "file": "0 0"}),
        ),
        (
            |game| game["frames"].as_array_mut().unwrap().swap(4, 5),
            json!({"what": "player", "here": "worst is asked"}),
        ),
        (
            |game| drop(game["frames"].as_array_mut().unwrap().pop()),
            json!({"what": "end", "file": "the game is over"}),
        ),
        (
            |game| {
                game["frames"]
                    .as_array_mut()
                    .unwrap()
                    .push(json!({"agentId": 0, "stdout": "TAKE 1\n"}))
            },
            json!({"what": "end", "here": "the game is over"}),
        ),
        // It is a timeout, and the player is out.
        (
            |game| drop(game["frames"][6]["stdout"].take()),
            json!({"what": "summary"}),
        ),
        (
            |game| {
                for key in ["scores", "ranks"] {
                    game[key].take();
                }
                for frame in game["frames"].as_array_mut().unwrap() {
                    for key in ["summary", "view"] {
                        frame[key].take();
                    }
                }
            },
            json!({"unverified": "the file has neither scores, ranks, summaries nor views to compare"}),
        ),
    ];
    let changed = changes.iter().map(|(change, _)| {
        let mut game = direct(&games[0]);
        change(&mut game);
        game
    });
    write(&folder, "many.jsonl", changed);
    let files = ["many.jsonl", "--referee", &own];
    let in_words = [&["import", "-o", "words.jsonl"], &files[..]].concat();
    let [told, _] = said(&folder, 1, &in_words);
    let first = "game 1 (700000001 on the site): after turn 3, the summary differs: `$0 takes 9`";
    assert!(told.starts_with(first), "{told}");
    let imported = import(&folder, 1, &files);
    assert_eq!(imported.records.len(), changes.len());
    for (number, ended) in [(5, "abandoned"), (7, "timeout")] {
        assert_eq!(imported.records[number]["termination"], ended);
    }
    for (number, (_, expected)) in changes.iter().enumerate() {
        let site = &imported.done[number]["site"];
        assert_eq!(site["verified"], false);
        let told = site.get("difference").unwrap_or(site);
        for (key, expected) in expected.as_object().unwrap() {
            assert_eq!(&told[key], expected, "{told:#}");
        }
    }
    // A referee that fails says nothing of the game.
    write(&folder, "one.json", [direct(&games[0])]);
    let broken = referee("engine", "--limit 10000 --fault exit");
    let imported = import(&folder, 1, &["one.json", "--referee", &broken]);
    let why = imported.done[0]["site"]["unverified"].as_str().unwrap();
    assert!(why.contains("status 3"), "{why}");
}

#[test]
fn a_game_that_cannot_be_read_is_told_by_its_line_and_costs_no_other() {
    let (own, Played { games, folder, .. }) = match_of_two("seeds 3", "1");
    let mut stranger = direct(&games[0]);
    let good = stranger.to_string();
    stranger["frames"][3]["agentId"] = json!(5);
    let (cut, stranger) = (&good[..good.len() / 2], stranger.to_string());
    let lines = [&good, cut, "{\"a\":1}", "nonsense", &stranger, &good];
    write(&folder, "many.jsonl", lines);
    let files = ["many.jsonl", "missing.json", "--referee", &own];
    let imported = import(&folder, 1, &files);
    assert_eq!(imported.records.len(), 2);
    let warnings = imported.warnings;
    for (line, told) in [
        (2, "it is cut off\n"),
        (3, "it has no `frames`"),
        (4, "it is not JSON"),
        (5, "frame 3 is of player 5; expected 0 to 1, or -1\n"),
    ] {
        let told = format!("warning: many.jsonl: the game that begins on line {line}: {told}");
        assert!(warnings.contains(&told), "{told}: {warnings}");
    }
    assert!(warnings.contains("warning: missing.json: "), "{warnings}");
}

#[test]
fn a_contests_game_without_its_referee_is_refused_with_the_way_out() {
    let (_, Played { games, folder, .. }) = match_of_two("seeds 3", "1");
    write(&folder, "one.json", [in_form(&games[0], "wrapped")]);
    for command in [&["replay"][..], &["import", "-o", "x.jsonl"]] {
        let [_, told] = said(&folder, 2, &[command, &["one.json"]].concat());
        let helps = told.contains("a game of Dice 2026") && told.contains("--referee");
        assert!(helps, "{told}");
    }
}

#[test]
fn a_game_of_checkers_needs_no_referee_and_is_used_as_one_of_ours() {
    let folder = TestWorkspace::new();
    let run = |arguments: &[&str]| said(&folder, 0, arguments)[0].clone();
    run(&[
        "match",
        "greedy",
        "alphabeta --depth 3",
        "--games",
        "1",
        "--openings",
        "none",
        "--names",
        "mine,other",
        "--max-turns",
        "400",
        "--seed",
        "5",
        "--record",
        "own.jsonl",
    ]);
    let own = records(folder.path("own.jsonl")).remove(0);
    let first = own["turns"][0]["player"].as_u64().unwrap() as usize;
    // The game on the site, where this player moves first.
    let site = |mover: usize| {
        let place = |player: usize| (player + first + mover) % 2;
        let answers = own["turns"].as_array().unwrap().iter().map(|turn| {
            let player = place(turn["player"].as_u64().unwrap() as usize);
            json!({"agentId": player, "stdout": format!("{}\n", turn["reply"].as_str().unwrap())})
        });
        let start = std::iter::once(json!({"agentId": -1}));
        let scores = [0, 1].map(|player| &own["scores"][place(player)]);
        let names = [0, 1].map(|player| &own["players"][place(player)]["name"]);
        json!({"questionTitle": "Checkers", "gameResult": {
            "gameId": 5, "frames": start.chain(answers).collect::<Value>(), "scores": scores, "players": names,
        }})
    };
    write(&folder, "both.json", [site(1), site(0)]);
    write(&folder, "lost.json", [site(0)]);
    for record in import(&folder, 0, &["both.json"]).records {
        for key in ["scores", "termination"] {
            assert_eq!(record[key], own[key]);
        }
        assert_eq!(record["players"][0]["name"], own["players"][0]["name"]);
    }
    let [mut wrong, mut silent] = [site(0), site(0)];
    wrong["gameResult"]["ranks"] = json!([0, 0]);
    let silent_game = &mut silent["gameResult"];
    silent_game["scores"].take();
    let frames = silent_game["frames"].as_array_mut().unwrap();
    frames.truncate(6);
    frames[5]["stdout"].take();
    write(&folder, "odd.json", [wrong, silent]);
    let odd = import(&folder, 1, &["odd.json"]).records;
    assert_eq!(odd[0]["site"]["difference"]["what"], "ranks");
    assert_eq!(odd[1]["termination"], "timeout");
    import(&folder, 0, &["lost.json"]);

    // The file itself will do.
    assert!(run(&["replay", "both.json", "--number", "2"]).contains("Game 2: "));
    assert!(run(&["replay", "lost.json", "--blunder"]).contains("found the best move"));
    for file in ["lost.json", "imported.jsonl"] {
        for (more, told) in [
            (&[][..], "mine"),
            (&["--list", "--json"], "\"mine\""),
            (&["--turn", "3", "--protocol"], "\n"),
        ] {
            let text = run(&[&["replay", file], more].concat());
            assert!(text.contains(told), "{more:?}: {text}");
        }
        assert!(run(&["ask", file, "greedy", "--turn", "3"]).contains("is a legal move"));
        run(&["replay", file, "--html", "page.html", "--force"]);
        run(&["export", "site", file, "pages"]);
    }
    let same = [
        "ask",
        "lost.json",
        "alphabeta --depth 3",
        "--all",
        "--player",
        "other",
        "--json",
    ];
    let same: Value = serde_json::from_str(&run(&same)).unwrap();
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
    let (own, Played { games, folder, .. }) = match_of_two("seeds -3", "2");
    let on_map = games.iter().map(|game| {
        let mut game = direct(game);
        game["refereeInput"] = json!("seed=-3\nmap=7\n");
        game
    });
    write(&folder, "site.jsonl", on_map);
    import(&folder, 0, &["site.jsonl", "--referee", &own]);
    // Nobody knows how long its turns took.
    let [text, _] = said(&folder, 0, &["replay", "imported.jsonl", "--number", "1"]);
    assert!(
        text.contains(" answered\n") && !text.contains(" in 0"),
        "{text}"
    );
    let ask = |how: &str, more: &[&str]| {
        let bot = bot(how);
        let always = ["ask", "imported.jsonl", &bot, "--all", "--time", "10s"];
        said(&folder, 0, &[&always, more].concat())[0].clone()
    };
    let same = ask("worst", &[]);
    let told = "0 of 6 turns are answered otherwise, in 0 of 2 games";
    assert!(same.contains(told), "{same}");
    let best: Value = serde_json::from_str(&ask("best", &["--json"])).unwrap();
    for game in best.as_array().unwrap() {
        let is_otherwise = game["otherwise"][0].is_object() && game["lost_in"].is_u64();
        assert!(is_otherwise, "{game:#}");
    }
    let openings = folder.path("imported.jsonl");
    let (_, again) = match_of_two(openings.to_str().unwrap(), "2");
    for game in again.games {
        let referee = &game["referee"];
        assert_eq!(
            [&referee["seed"], &referee["parameters"]["map"]],
            [&json!(-3), &json!("7")]
        );
    }
}
