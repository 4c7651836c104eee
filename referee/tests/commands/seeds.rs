//! The seeds of computers at the table: by option and by the file `seed.txt`.

use super::play::{play_in, shown, shown_in};
use crate::common::TestWorkspace;
use std::path::Path;

#[test]
fn the_same_seed_repeats_the_game_and_another_does_not() {
    let game = |seed: u64| shown(&format!("random random --seed {seed}"), "");
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
}

#[test]
fn the_seed_is_read_from_the_file_seed_txt() {
    let workspace = TestWorkspace::new();
    let seeded = |text: &str| {
        std::fs::write(workspace.path("seed.txt"), text).unwrap();
        shown_in(&workspace, "random random", "")
    };
    let by_option = |seed: u64| shown(&format!("random random --seed {seed}"), "");
    assert_eq!(seeded("42\n"), by_option(42));
    // The text's FNV-1a hash, as its authors publish it.
    assert_eq!(seeded("foobar\n"), by_option(0x8594_4171_f739_67e8));
    std::fs::write(workspace.path("seed.txt"), "42").unwrap();
    assert_eq!(
        shown_in(&workspace, "random random --seed 1", ""),
        by_option(1),
        "the option comes before the file"
    );
}

#[test]
fn an_unusable_seed_file_is_refused_where_a_computer_sits() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("seed.txt");
    let refused = |what: &str| {
        let output = play_in(&workspace.path(""), "human random")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{what}");
        assert!(output.stdout.is_empty(), "{what}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains("seed.txt in this folder"), "{what}: {error}");
        assert_eq!(
            shown_in(&workspace, "human human", "d6\n").lines().count(),
            14
        );
    };
    for empty in ["", " \n"] {
        std::fs::write(&file, empty).unwrap();
        refused("an empty file");
    }
    std::fs::write(&file, [0xff, 0xfe]).unwrap();
    refused("a file that is no text");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    refused("a folder");
}

#[test]
fn the_example_of_a_seed_file_repeats_a_game() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/classroom");
    let seed = std::fs::read_to_string(examples.join("seed.txt")).unwrap();
    let output = play_in(&examples, "random random").output().unwrap();
    let by_option = shown(&format!("random random --seed {}", seed.trim()), "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), by_option);
}
