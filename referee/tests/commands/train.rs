//! `crownhead train`: games, a fit and a match of networks, by the real program.

use crate::common::crownhead;
use crownhead::network::Weights;
use serde_json::Value;
use std::path::Path;

/// A file of games that is made in a moment.
fn train_games(file: &Path, options: &str) -> assert_cmd::assert::Assert {
    let mut command = crownhead();
    command.args(["train", "games", "--nodes", "1"]);
    command.args(options.split(' ')).arg(file).assert()
}

fn train_fit(games: &Path, out: &Path, options: &str) -> assert_cmd::assert::Assert {
    let mut command = crownhead();
    command.args(["train", "fit", "--epochs", "2"]);
    command.args(options.split(' ')).arg(games);
    command.arg("--output").arg(out).assert()
}

fn said(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn games_that_were_broken_off_go_on_with_the_same_command_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    train_games(&whole, "--games 12 --threads 3").success();
    train_games(&broken, "--games 8").success();
    // A program that is killed leaves part of a record.
    let bytes = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() - 10]).unwrap();

    let resumed = train_games(&broken, "--games 12").success();

    let told = String::from_utf8_lossy(&resumed.get_output().stdout).into_owned();
    assert!(told.contains("7 of them from before"), "{told}");
    assert_eq!(
        std::fs::read(&broken).unwrap(),
        std::fs::read(&whole).unwrap()
    );
}

#[test]
fn games_played_otherwise_are_not_mixed_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games");
    train_games(&file, "--games 2").success();
    let said = said(&train_games(&file, "--seed 2 --games 4").code(2));
    assert!(
        said.contains("the file has games played otherwise"),
        "{said}"
    );
    assert!(
        said.contains("\"seed\":1") && said.contains("\"seed\":2"),
        "{said}"
    );
}

#[test]
fn a_fit_is_bit_for_bit_the_same_and_says_how_to_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("small.games");
    train_games(&games, "--games 16").success();
    let [one, other, larger] = ["one", "other", "larger"].map(|name| folder.path().join(name));
    let read = |file: &Path| std::fs::read_to_string(file).unwrap();
    train_fit(&games, &one, "--hidden 16").success();
    train_fit(&games, &other, "--hidden 16").success();
    assert_eq!(read(&one), read(&other));
    let text = read(&one);
    assert!(
        text.starts_with("crownhead train fit small.games --hidden 16 --epochs 2"),
        "{text}"
    );
    assert!(text.contains("16 games of search"), "{text}");

    // The hidden units are the same; what they are worth is not.
    train_fit(&games, &larger, "--hidden 16 --output-scale 900").success();
    let [small, large] = [text, read(&larger)].map(|text| Weights::parse(&text, 256, 8).unwrap());
    assert_eq!(
        (&small.inputs, &small.biases),
        (&large.inputs, &large.biases)
    );
    assert_ne!(small.outputs, large.outputs);
}

#[test]
fn a_network_is_fitted_to_games_of_any_kind() {
    let folder = tempfile::tempdir().unwrap();
    for (game, inputs) in [("everchess", 2 * 64), ("chess", 12 * 64)] {
        let games = folder.path().join(game);
        train_games(&games, &format!("--games 8 --game {game}")).success();
        let out = folder.path().join(game).with_extension("net");
        train_fit(&games, &out, "--hidden 16").success();
        let text = std::fs::read_to_string(out).unwrap();
        assert!(Weights::parse(&text, inputs, 8).is_ok(), "{text}");
    }
}

#[test]
fn a_file_without_games_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "hello\n").unwrap();
    let said = said(&train_fit(&file, &folder.path().join("out"), "--hidden 16").code(2));
    assert!(
        said.contains("notes.txt") && said.contains("`crownhead train games`"),
        "{said}"
    );
}

#[test]
fn two_networks_play_a_match_by_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let [games, few] = ["few.games", "few network.net"].map(|name| folder.path().join(name));
    train_games(&games, "--games 40").success();
    train_fit(&games, &few, "--hidden 16").success();
    let own = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../src/games/checkers/weights.txt"
    );
    let with = |network: &Path| format!("alphabeta --net '{}' --nodes 300", network.display());
    let match_of = |network: &Path| {
        let mut command = crownhead();
        command.args(["match", &with(Path::new(own)), &with(network)]);
        let rest = "--games 6 --seed 1 --json";
        command.args(rest.split(' ')).output().unwrap()
    };

    let played = match_of(&few);
    let told: Value = serde_json::from_slice(&played.stdout).unwrap();
    let bots = told["bots"].as_array().unwrap();
    let [strong, weak] = [0, 1].map(|bot| bots[bot]["name"].as_str().unwrap());
    assert!(strong == "alphabeta --net weights --nodes 300", "{strong}");
    assert!(weak == "alphabeta --net few network --nodes 300", "{weak}");
    // The other has learnt next to nothing, from forty games of a search that sees one position.
    let points = bots[0]["score"]["score"].as_f64();
    assert!(points.is_some_and(|points| points > 0.5), "{told}");

    let refused = match_of(&games);
    assert_eq!(refused.status.code(), Some(2));
    let problem = String::from_utf8_lossy(&refused.stderr);
    assert!(problem.contains("few.games`: "), "{problem}");
}
