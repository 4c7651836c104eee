//! Networks in files: a search by one plays by that, and what is none is refused.

use clap::Parser;
use crownhead::network::Weights;
use crownhead_bots::options::BuiltInBot;
use crownhead_bots::{games, BoardGame, CHECKERS};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Parser)]
struct Words {
    #[command(subcommand)]
    bot: BuiltInBot,
}

/// The file of a game's own network.
fn own_network(game: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../src/games");
    folder.join(game).join("weights.txt")
}

/// The first moves of a game that the search plays with itself.
fn moves(game: &'static dyn BoardGame, network: Option<PathBuf>) -> Vec<String> {
    let mut words: Vec<String> = [
        "test",
        "alphabeta",
        "--nodes",
        "2000",
        "--game",
        game.name(),
    ]
    .map(String::from)
    .to_vec();
    if let Some(file) = network {
        words.extend(["--net".into(), file.display().to_string()]);
    }
    let bot = Words::parse_from(words).bot;
    let mut player = game.player(&bot.spec().unwrap());
    let mut board = game.start(game.rule_books()[0]);
    let mut moves = Vec::new();
    while moves.len() < 12 && board.result().is_none() {
        moves.push(player.choose(board.as_ref(), Instant::now()));
        board.play(moves.last().unwrap());
    }
    moves
}

#[test]
fn a_search_by_a_games_own_network_in_a_file_is_the_built_in_search() {
    for &game in games::all() {
        let file = own_network(game.name());
        assert_eq!(moves(game, Some(file)), moves(game, None), "{game:?}");
    }
}

#[test]
fn a_search_by_another_network_plays_by_that() {
    let text = std::fs::read_to_string(own_network("checkers")).unwrap();
    let mut blind = Weights::parse(&text, 256, 8).unwrap();
    blind.outputs.fill(0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("blind.net");
    std::fs::write(&file, blind.write()).unwrap();
    assert_ne!(moves(CHECKERS, Some(file)), moves(CHECKERS, None));
}

#[test]
fn a_file_without_a_network_of_the_game_is_refused_with_what_was_expected() {
    let refusal = |game: &str, file: PathBuf| {
        let game = games::find(game).unwrap();
        game.read_network(&file).unwrap_err()
    };
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere.net");
    assert!(refusal("chess", nowhere).contains("nowhere.net`: No such file"));
    let file = folder.path().join("text.net");
    std::fs::write(&file, "fn main() {}").unwrap();
    let told = refusal("checkers", file);
    assert!(
        told.contains("text.net`: no network for checkers: "),
        "{told}"
    );
    let told = refusal("chess", own_network("checkers"));
    assert!(told.contains("no network for chess"), "{told}");
}
