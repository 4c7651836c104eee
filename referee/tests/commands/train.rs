//! `crownhead train`: games, a fit and the source of its weights, by the real program.

use crate::common::crownhead;
use crownhead::network::NO_WEIGHTS;
use serde_json::Value;
use std::path::Path;

/// Of each of 8 buckets, the weights of 16 units and a bias.
const OUTPUTS: usize = 8 * (16 + 1);

/// A file of games that is made in a moment.
fn train_games(file: &Path, games: u32) -> assert_cmd::assert::Assert {
    let mut command = crownhead();
    command.args(["train", "games", "--nodes", "1", "--opening-to", "6"]);
    command.args(["--draw-after", "20"]);
    command.args(["--games", &games.to_string()]).arg(file);
    command.assert()
}

fn train_fit(games: &Path, out: &Path) -> assert_cmd::assert::Assert {
    let mut command = crownhead();
    command.args(["train", "fit", "--hidden", "16", "--epochs", "2"]);
    command.arg(games).arg("--output").arg(out).assert()
}

#[test]
fn games_that_were_broken_off_go_on_with_the_same_command() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    train_games(&whole, 30).success();
    train_games(&broken, 20).success();
    // A program that is killed leaves part of a record.
    let bytes = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() - 10]).unwrap();

    let resumed = train_games(&broken, 30).success();

    let said = String::from_utf8_lossy(&resumed.get_output().stdout).into_owned();
    assert!(said.contains("19 of them from before"), "{said}");
    assert_eq!(
        std::fs::read(&broken).unwrap(),
        std::fs::read(&whole).unwrap()
    );
}

#[test]
fn what_was_done_is_told_to_programs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games");
    train_games(&file, 5).success();
    let mut command = crownhead();
    command.args(["train", "games", "--nodes", "1", "--opening-to", "6"]);
    command
        .args(["--draw-after", "20", "--games", "8", "--json"])
        .arg(&file);
    let told = command.output().unwrap();
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(
        (&told["games"], &told["games_there_before"]),
        (&8.into(), &5.into())
    );
    assert!(told["positions_added"].as_u64().unwrap() > 10, "{told}");
}

#[test]
fn games_are_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three] = ["one", "three"].map(|name| folder.path().join(name));
    train_games(&one, 40).success();
    let mut command = crownhead();
    command.args(["train", "games", "--nodes", "1", "--opening-to", "6"]);
    command.args(["--draw-after", "20"]);
    command
        .args(["--games", "40", "--threads", "3"])
        .arg(&three);
    command.assert().success();
    assert_eq!(std::fs::read(one).unwrap(), std::fs::read(three).unwrap());
}

#[test]
fn games_played_otherwise_are_not_mixed_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games");
    train_games(&file, 2).success();
    let mut command = crownhead();
    let refused = command.args(["train", "games", "--seed", "2", "--games", "4"]);
    let said = refused
        .arg(&file)
        .assert()
        .code(2)
        .get_output()
        .stderr
        .clone();
    let said = String::from_utf8_lossy(&said).into_owned();
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
fn a_fit_is_bit_for_bit_the_same_and_its_source_says_how_to_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("small.games");
    train_games(&games, 60).success();
    let [one, other] = ["one.json", "other.json"].map(|name| folder.path().join(name));
    train_fit(&games, &one).success();
    train_fit(&games, &other).success();
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&other).unwrap());

    let mut command = crownhead();
    let exported = command
        .args(["train", "export"])
        .arg(&one)
        .assert()
        .success();
    let source = String::from_utf8(exported.get_output().stdout.clone()).unwrap();
    assert!(
        source.contains("crownhead train fit small.games --hidden 16 --epochs 2"),
        "{source}"
    );
    assert!(source.contains("seed 1"), "{source}");
    // 16 weights of each of 256 inputs, two a character, or one character for an input that no position has; 16
    // biases; then for each of 8 buckets 16 outputs and a bias.
    let none = char::from_u32(NO_WEIGHTS).unwrap();
    let empty = source.matches(none).count();
    assert!(
        (36..128).contains(&empty),
        "{empty} inputs that no position has"
    );
    let ideographs = source.chars().filter(|&one| one >= '\u{3400}').count();
    assert_eq!(ideographs, (256 - empty) * 16 / 2 + empty + 16 + OUTPUTS);
}

#[test]
fn a_network_is_exported_with_larger_or_smaller_scores() {
    let folder = tempfile::tempdir().unwrap();
    let (games, network) = (folder.path().join("games"), folder.path().join("out.json"));
    train_games(&games, 60).success();
    train_fit(&games, &network).success();
    let export = |options: &[&str]| {
        let mut command = crownhead();
        command
            .args(["train", "export"])
            .arg(&network)
            .args(options);
        let source = command.assert().success().get_output().stdout.clone();
        let source = String::from_utf8(source).unwrap();
        let weights: String = source.chars().filter(|&one| one >= '\u{3400}').collect();
        (source, weights)
    };
    let (source, weights) = export(&["--scale", "75"]);
    assert!(source.contains("crownhead train export FILE.json --scale 75\n"));
    let (_, as_fitted) = export(&[]);
    // The hidden units are the same; what they are worth is not.
    let hidden = weights.chars().count() - OUTPUTS;
    let hidden_of = |text: &str| text.chars().take(hidden).collect::<String>();
    assert_eq!(hidden_of(&weights), hidden_of(&as_fitted));
    assert_ne!(weights, as_fitted);

    let mut command = crownhead();
    let refused = command
        .args(["train", "export", "--scale", "0"])
        .arg(&network);
    refused
        .assert()
        .code(2)
        .stderr(predicates::str::contains("expected a number above 0"));
}

#[test]
fn games_without_results_are_fitted_to_only_with_a_scale() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["games", "out.json"].map(|name| folder.path().join(name));
    let mut command = crownhead();
    command.args(["train", "games", "--nodes", "1", "--opening-to", "6"]);
    command.args(["--until-captured", "8", "--games", "60"]);
    command.arg(&games).assert().success();

    let refused = train_fit(&games, &out).code(2);

    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("give --scale"), "{said}");
    let mut command = crownhead();
    command.args(["train", "fit", "--hidden", "16", "--epochs", "2"]);
    command.args(["--scale", "150"]).arg(&games);
    command.arg("--output").arg(&out).assert().success();
}

#[test]
fn a_network_is_fitted_to_games_of_any_kind() {
    let folder = tempfile::tempdir().unwrap();
    for (game, words) in [("everchess", 2), ("chess", 12)] {
        let games = folder.path().join(game);
        let mut command = crownhead();
        command.args(["train", "games", "--nodes", "1", "--opening-to", "6"]);
        command.args(["--draw-after", "20", "--games", "60", "--game", game]);
        command.arg(&games).assert().success();
        let out = folder.path().join(game).with_extension("json");
        train_fit(&games, &out).success();
        let mut command = crownhead();
        let exported = command.args(["train", "export"]).arg(&out).output();
        let source = String::from_utf8(exported.unwrap().stdout).unwrap();
        assert!(
            source.contains(&format!("Network<{words}, ROWS, 8>")),
            "{source}"
        );
    }
}

#[test]
fn what_is_no_file_of_games_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "hello\n").unwrap();
    let refused = train_fit(&file, &folder.path().join("out.json")).code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(
        said.contains("notes.txt") && said.contains("`crownhead train games`"),
        "{said}"
    );
}

#[test]
fn a_fit_goes_on_from_an_exported_network_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("small.games");
    train_games(&games, 60).success();
    let [first, module, second] =
        ["first.json", "first.rs", "second.json"].map(|name| folder.path().join(name));
    train_fit(&games, &first).success();
    let export = |network: &Path| {
        let mut command = crownhead();
        let exported = command.args(["train", "export"]).arg(network).assert();
        exported.success().get_output().stdout.clone()
    };
    std::fs::write(&module, export(&first)).unwrap();
    let fit = |from: &Path, out: &Path, hidden: &str| {
        let mut command = crownhead();
        command
            .args(["train", "fit"])
            .arg(&games)
            .args(["--json", "--epochs", "1", "--rate", "0.00001"]);
        command
            .args(["--hidden", hidden, "--output"])
            .arg(out)
            .arg("--from")
            .arg(from);
        command.assert()
    };
    let went_on = fit(&module, &second, "32").success();
    let result: Value = serde_json::from_slice(&went_on.get_output().stdout).unwrap();
    let fitted: Value = serde_json::from_slice(&std::fs::read(&first).unwrap()).unwrap();
    let [before, after] =
        [&fitted["losses"][1][1], &result["loss_held_out"]].map(|loss| loss.as_f64().unwrap());
    assert!(
        (before - after).abs() < 0.02 * before,
        "{before} and then {after}"
    );
    let source = String::from_utf8(export(&second)).unwrap();
    assert!(source.contains("crownhead train fit small.games --from first.rs --hidden 32"));

    let third = folder.path().join("third.json");
    let refused = fit(&games, &third, "16").failure();
    refused.stderr(predicates::str::contains(
        "small.games: no network stands there",
    ));
    assert!(!third.exists());
}

#[test]
fn two_networks_play_a_match_by_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let [games, fitted, module] =
        ["few.games", "few.json", "few network.rs"].map(|name| folder.path().join(name));
    train_games(&games, 40).success();
    train_fit(&games, &fitted).success();
    let mut export = crownhead();
    let exported = export
        .args(["train", "export"])
        .arg(&fitted)
        .output()
        .unwrap();
    std::fs::write(&module, exported.stdout).unwrap();
    let own = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../src/games/checkers/weights.rs"
    );
    let train_match = |networks: [&Path; 2], rest: &str| {
        let mut command = crownhead();
        command.args(["train", "match"]).args(networks);
        command.args(rest.split(' ')).output().unwrap()
    };

    let played = train_match(
        [Path::new(own), &module],
        "--nodes 300 --games 6 --seed 1 --json",
    );
    let told: Value = serde_json::from_slice(&played.stdout).unwrap();
    let bots = told["bots"].as_array().unwrap();
    let [strong, weak] = [0, 1].map(|bot| bots[bot]["name"].as_str().unwrap());
    assert!(strong == "alphabeta --net weights --nodes 300", "{strong}");
    assert!(weak == "alphabeta --net few network --nodes 300", "{weak}");
    // The other has learnt next to nothing, from forty games of a search that sees one position.
    let points = bots[0]["score"]["score"].as_f64();
    assert!(points.is_some_and(|points| points > 0.5), "{told}");

    let refused = train_match([Path::new(own), &games], "--games 2");
    assert_eq!(refused.status.code(), Some(2));
    let problem = String::from_utf8_lossy(&refused.stderr);
    assert!(problem.contains("few.games`: "), "{problem}");
}
