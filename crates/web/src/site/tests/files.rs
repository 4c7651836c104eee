//! The site of a file of games.

use super::super::*;
use super::about;
use crate::tests::records::{ONE, TWO, record, site_of, three_games};
use crownhead_arena::runner::{LiveRun, MatchPlan};
use crownhead_arena::seat::BotSpec;
use crownhead_arena::settings::GameSettings;
use crownhead_record::openings::{Openings, Source};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;

#[test]
fn a_path_that_is_neither_a_ladder_nor_a_game_file_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str| format!("{:#}", Site::open(&folder.path().join(name)).unwrap_err());
    assert!(
        refused("").contains("there is no ladder.toml in it"),
        "{}",
        refused("")
    );
    let path = folder.path().join("empty.jsonl");
    std::fs::write(&path, "").unwrap();
    let told = refused("empty.jsonl");
    assert!(
        told.starts_with(&format!("`{}`: it holds no game", path.display())),
        "{told}"
    );
}

fn game(number: u64) -> Value {
    record(
        number,
        [ONE, TWO],
        &["A3B4", "B6A5"],
        json!([1, 0]),
        "no-moves",
    )
}

#[test]
fn games_that_are_added_to_the_file_are_news_and_nothing_else_is() {
    let (mut site, folder) = site_of(&three_games());
    let before = site.generation;
    site.refresh().unwrap();
    assert_eq!(site.generation, before);
    let path = folder.path().join("games.jsonl");
    let mut file = File::options().append(true).open(path).unwrap();
    // No pair is whole with it.
    writeln!(file, "{}", game(9)).unwrap();
    site.refresh().unwrap();
    assert_eq!((site.generation, site.index.entries.len()), (before + 1, 4));
    assert_eq!(site.index.edition, 0, "games were only added");
    let standings: Value = serde_json::from_slice(&site.standings()).unwrap();
    assert_eq!(standings["remarks"], json!([]), "two players are rated");
}

#[test]
fn many_unreadable_games_are_reported_up_to_a_limit_and_the_rest_counted() {
    let remarks = |bad: usize| {
        let lines = [vec![game(1).to_string()], vec!["no game".into(); bad]].concat();
        site_of(&lines).0.remarks()
    };
    assert!(remarks(0).is_empty());
    assert_eq!(remarks(5).len(), 5);
    let told = remarks(7);
    assert!(told[0].starts_with("line 2"), "{told:?}");
    assert_eq!(told[5..], ["2 more games cannot be read"]);
}

fn write_pdn(path: &Path, move_: &str) {
    let header = "[Event \"x\"]\n[Black \"one\"]\n[White \"two\"]\n[Result \"1-0\"]";
    let game = format!("{header}\n{move_} 1-0\n\n");
    std::fs::write(path, game).unwrap();
}

#[test]
fn a_file_in_pdn_says_what_it_does_not_tell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    write_pdn(&path, "1. 11-15");
    let site = Site::open(&path).unwrap();
    let told = about(&site);
    assert_eq!([&told["kind"], &told["games"]], [&json!("pdn"), &json!(1)]);
    assert_eq!(told.get("turn_us"), None);
    let remarks = site.remarks();
    assert!(
        remarks[0].starts_with("these games have no times"),
        "{remarks:?}"
    );
}

#[test]
fn a_game_that_the_file_has_lost_is_reported_by_its_number() {
    let (site, folder) = site_of(&[game(5)]);
    assert!(site.game(5).unwrap().is_some());
    assert!(site.game(6).unwrap().is_none());
    File::create(folder.path().join("games.jsonl")).unwrap();
    let why = site.game(5).unwrap_err().to_string();
    assert_eq!(why, "game 5 is no longer there");
}

#[test]
fn a_match_is_shown_before_its_first_game_with_its_bots_and_live() {
    let game = games::usual();
    let rules = game.rules(Some("contest")).unwrap();
    let plan = MatchPlan {
        bots: ["random", "greedy"]
            .map(|bot| BotSpec::parse(bot).unwrap().into())
            .into(),
        settings: GameSettings::new(Contest::Board { game, rules }, "crownhead"),
        games: 4,
        openings: Openings::load(&Source::Random(3), Path::new(""), game, &rules, 1).unwrap(),
        concurrency: 1,
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut site = Site::of_match(file.path(), &plan, Arc::new(LiveRun::default())).unwrap();
    let told = about(&site);
    assert_eq!(told["title"], "random against greedy");
    assert_eq!(told["bots"], json!(["random", "greedy"]));
    assert_eq!(
        [&told["games"], &told["is_live"]],
        [&json!(0), &json!(true)]
    );
    assert!(told["turn_us"].is_u64(), "its games will have times");
    assert!(site.remarks().is_empty());
    let state: Value = serde_json::from_str(&site.live.as_ref().unwrap().state()).unwrap();
    assert_eq!(state["runs"].as_array().unwrap().len(), 1);
    let line = record(
        1,
        ["greedy", "random"],
        &["A3B4"],
        json!([1, 0]),
        "no-moves",
    );
    std::fs::write(file.path(), format!("{line}\n")).unwrap();
    site.refresh().unwrap();
    assert_eq!(about(&site)["bots"], json!(["random", "greedy"]));
    assert_eq!(site.index.entries.len(), 1);
}
