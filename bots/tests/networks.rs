//! Networks in files: a search by one plays as if it were compiled in, and what is none is refused.

use clap::Parser;
use crownhead::network::{FIRST_CHARACTER, LEVELS};
use crownhead_bots::options::BuiltInBot;
use crownhead_bots::{games, BoardGame};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Parser)]
struct Words {
    #[command(subcommand)]
    bot: BuiltInBot,
}

/// The module with the weights of a game's own network.
fn own_network(game: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../src/games");
    folder.join(game).join("weights.rs")
}

/// The first moves of a game that the search plays with itself.
fn moves(game: &'static dyn BoardGame, network: Option<PathBuf>) -> Vec<String> {
    let mut words = vec![
        "test".into(),
        "alphabeta".into(),
        "--game".into(),
        game.name().into(),
    ];
    words.extend(["--nodes".into(), "2000".into()]);
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
fn a_search_by_a_games_own_network_in_a_file_is_the_search_that_is_compiled_in() {
    for &game in games::all() {
        let file = own_network(game.name());
        assert_eq!(moves(game, Some(file)), moves(game, None), "{game:?}");
    }
}

#[test]
fn a_search_by_another_network_plays_by_that() {
    let game = games::usual();
    let file = own_network(game.name());
    let text = std::fs::read_to_string(file).unwrap();
    // Whatever it sees is worth nothing: all outputs are 0.
    let is_weight = |character: char| character as u32 >= FIRST_CHARACTER;
    let before_outputs = text.chars().filter(|&c| is_weight(c)).count() - 8 * (256 + 1);
    let zero = char::from_u32(FIRST_CHARACTER + (LEVELS * LEVELS / 2) as u32).unwrap();
    let mut number = 0;
    let blind: String = text
        .chars()
        .map(|character| {
            number += usize::from(is_weight(character));
            let is_output = is_weight(character) && number > before_outputs;
            if is_output {
                zero
            } else {
                character
            }
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("blind.rs");
    std::fs::write(&file, blind).unwrap();
    assert_ne!(moves(game, Some(file)), moves(game, None));
}

#[test]
fn a_file_without_a_network_of_the_game_is_refused_with_what_was_expected() {
    let refusal = |game: &str, file: PathBuf| {
        let game = games::find(game).unwrap();
        game.read_network(&file).unwrap_err()
    };
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere.rs");
    assert!(refusal("chess", nowhere).contains("nowhere.rs`: No such file"));
    for (text, expected) in [
        ("fn main() {}", "train export"),
        ("㐀㐀㐀", "3 characters of weights"),
    ] {
        let file = folder.path().join("text.rs");
        std::fs::write(&file, text).unwrap();
        let told = refusal("checkers", file);
        assert!(
            told.contains("text.rs`: ") && told.contains(expected),
            "{told}"
        );
    }
    let told = refusal("chess", own_network("checkers"));
    assert!(told.contains("no network for chess"), "{told}");

    let whole = std::fs::read_to_string(own_network("checkers")).unwrap();
    let first = whole
        .chars()
        .position(|character| character as u32 >= FIRST_CHARACTER);
    let short: String = (whole.chars().enumerate())
        .filter(|&(place, _)| Some(place) != first)
        .map(|(_, character)| character)
        .collect();
    let file = folder.path().join("short.rs");
    std::fs::write(&file, short).unwrap();
    assert!(refusal("checkers", file).contains("no network for checkers"));
}
