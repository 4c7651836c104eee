//! Games of a referee that starts the bots itself, as a real process.

use crate::common::find;
use crownhead_external::{Judged, RefereeError};
use crownhead_record::RefereeProtocol;
use std::fs::write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game of bots that take the dice of these numbers.
fn play(options: &str, takes: &[&str], seed: u64) -> Result<Judged, RefereeError> {
    let folder = tempfile::tempdir().unwrap();
    let bots = takes.iter().enumerate().map(|(player, take)| {
        let path = folder.path().join(format!("{player}.sh"));
        write(
            &path,
            format!("read hello\nwhile read dice; do echo TAKE {take}; echo so; done"),
        )
        .unwrap();
        format!("sh {}", path.display())
    });
    let bots: Vec<String> = bots.collect();
    let referee = find(
        "command.py",
        options,
        bots.len(),
        Some(RefereeProtocol::Command),
    )
    .unwrap();
    let run = referee.run(seed, &bots, &[])?;
    run.finish(&AtomicBool::new(false), Duration::from_secs(20))
}

#[test]
fn a_game_of_three_has_scores_steps_and_its_seed() {
    let judged = play("-rounds 2", &["0", "0", "9"], 5).unwrap();
    assert_eq!(judged.scores[1], judged.scores[0] + 1.0);
    assert_eq!(judged.scores[2], -1.0);
    assert_eq!(judged.input, ["seed=5"]);
    assert_eq!(judged.frames.len(), 2);
    assert_eq!(judged.frames[1].view, "KEY_FRAME 1");
    assert_eq!(judged.frames[1].summary.len(), 2);
    assert_eq!(judged.frames[1].tooltips, ["0 the last round"]);
}

#[test]
fn the_seed_stands_where_the_command_line_has_a_place_for_it() {
    let by_place = play("-seed {seed}", &["0", "1"], 5).unwrap();
    assert_eq!(by_place, play("", &["0", "1"], 5).unwrap());
    assert_ne!(by_place.scores, play("", &["0", "1"], 6).unwrap().scores);
}

#[test]
fn each_fault_of_a_referee_has_its_sentence() {
    let cases = [
        (
            "exit",
            "ended with exit status 1; its standard error ends: no dice left; expected a score",
        ),
        (
            "seed",
            "played seed 6; expected seed 5, which it was given; if it takes",
        ),
        ("scores", "gave no score for each of 2 players"),
        ("file", "wrote a file that is not understood"),
        ("fail", "failed: no dice"),
    ];
    for (fault, sentence) in cases {
        let said = play(&format!("-fault {fault}"), &["0", "1"], 5)
            .unwrap_err()
            .to_string();
        assert!(said.starts_with("the referee command "), "{fault}: {said}");
        assert!(said.contains(sentence), "{fault}: {said}");
    }
}

#[test]
fn a_seed_above_what_java_reads_is_refused() {
    let error = play("", &["0", "1"], u64::MAX).unwrap_err().to_string();
    assert!(
        error.contains("cannot be given the seed 18446744073709551615"),
        "{error}"
    );
}

#[test]
fn a_game_that_is_not_over_in_time_is_no_game() {
    let referee = find(
        "command.py",
        "-fault hang",
        2,
        Some(RefereeProtocol::Command),
    )
    .unwrap();
    let run = referee
        .run(5, &["true".into(), "true".into()], &[])
        .unwrap();
    let error = run
        .finish(&AtomicBool::new(false), Duration::from_secs(1))
        .unwrap_err();
    let sentence = "said nothing more for 1 s; expected a score for each of 2 players";
    assert!(error.to_string().contains(sentence), "{error}");
}
