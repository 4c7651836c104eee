//! Where openings come from, and that the same seed gives the same ones.

use super::*;
use crownhead::games::checkers::rules;
use crownhead_bots::CHECKERS;
use std::collections::HashSet;

fn load(source: &str, seed: u64) -> Openings {
    let source = source.parse().unwrap();
    Openings::load(&source, Path::new(""), CHECKERS, &rules::CONTEST, seed).unwrap()
}

#[test]
fn openings_are_named_by_a_word_a_length_or_a_file() {
    assert_eq!("ballots".parse(), Ok(Source::Ballots));
    assert_eq!("random 6".parse(), Ok(Source::Random(6)));
    assert_eq!("random 6 balanced".parse(), Ok(Source::Balanced(6)));
    assert_eq!("my.fen".parse(), Ok(Source::File("my.fen".into())));
    let refused = "balots".parse::<Source>().unwrap_err();
    assert!(
        refused.contains("expected `ballots`, `random 6`"),
        "{refused}"
    );
    assert_eq!("seeds".parse(), Ok(Source::Seeds(None)));
    assert_eq!("seeds 7".parse(), Ok(Source::Seeds(Some(7))));
    assert!("seeds seven".parse::<Source>().is_err());
    assert!("random six".parse::<Source>().is_err());
    assert!("random 6 even".parse::<Source>().is_err());
    for text in ["ballots", "random 6", "random 6 balanced", "none", "my.fen"] {
        assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
    }
}

#[test]
fn an_external_referee_has_seeds_and_random_answers_where_it_lists_legal_ones() {
    use RefereeProtocol::{Engine, Lines};
    let load =
        |text: &str, protocol| Openings::seeds(&text.parse().unwrap(), Path::new(""), 1, protocol);
    for protocol in [Engine, Lines] {
        let opening = load("seeds 7", protocol).unwrap().get(2).unwrap();
        assert_eq!((opening.seed, opening.random_answers), (Some(9), 0));
    }
    let random = load("random 4", Lines).unwrap();
    let [first, again, second] = [0, 0, 1].map(|number| random.get(number).unwrap());
    assert_eq!((first.random_answers, &first), (4, &again));
    assert_ne!(first.seed, second.seed);
    // Positive integers of 32 bits, which referees in Java read.
    let seeds = load("seeds", Engine).unwrap();
    let seeds: Vec<i64> = (0..50)
        .map(|number| seeds.get(number).unwrap().seed.unwrap())
        .collect();
    assert!(
        seeds.iter().all(|&seed| (0..1 << 31).contains(&seed)),
        "{seeds:?}"
    );
    assert!(seeds.iter().any(|&seed| seed > 1 << 30), "{seeds:?}");
    for (text, protocol, sentence) in [
        (
            "random 4",
            Engine,
            "does not speak `lines`; expected `seeds`",
        ),
        ("random 4 balanced", Lines, "expected `seeds`, `seeds 1`"),
        ("none", Lines, "expected `seeds`, `seeds 1` or a file"),
        ("ballots", Lines, "expected `seeds`, `seeds 1`"),
    ] {
        let refused = load(text, protocol).unwrap_err().to_string();
        assert!(refused.contains(sentence), "{text}: {refused}");
    }
}

#[test]
fn every_ballot_comes_once_before_any_comes_again() {
    let ballots = load("ballots", 1);
    let get = |number| ballots.get(number).unwrap();
    let first: HashSet<_> = (0..156).map(get).collect();
    let second: HashSet<_> = (156..312).map(get).collect();
    assert_eq!(first.len(), 156);
    assert!(first == second);
    assert!((0..156).any(|number| get(number) != get(number + 156)));
}

#[test]
fn each_pairing_has_an_order_of_its_own_in_which_every_opening_comes_once() {
    let ballots = load("ballots", 1);
    let order = |bots: [&str; 2]| -> Vec<_> {
        (0..156)
            .map(|number| ballots.between(&bots, number))
            .collect()
    };
    let [one, other] = [["a", "b"], ["a", "c"]].map(order);
    assert_ne!(one, other);
    assert_eq!(one.iter().collect::<HashSet<_>>().len(), 156);
    assert_eq!(order(["b", "a"]), one);
}

#[test]
fn bots_that_have_others_to_play_have_seeds_of_their_own_that_follow_from_the_first_named() {
    let (here, lines) = (Path::new(""), RefereeProtocol::Lines);
    let seeds = |text: &str| Openings::seeds(&text.parse().unwrap(), here, 1, lines);
    let (named, other) = (seeds("seeds 7").unwrap(), seeds("seeds 8").unwrap());
    let of = |openings: &Openings, bots: &[&str]| openings.between(bots, 0).unwrap().seed;
    assert_ne!(of(&named, &["a", "b"]), of(&named, &["a", "c"]));
    assert_eq!(of(&named, &["a", "b"]), of(&named, &["b", "a"]));
    assert_ne!(of(&named, &["a", "b"]), of(&other, &["a", "b"]));
    assert_ne!(of(&named, &["a", "b"]), Some(7));
    // The seeds of records that there are.
    let two = Purpose::Pairing { bots: ["a", "b"] }.seed(7);
    assert_eq!(of(&named, &["a", "b"]), by_chance(two, 0).seed);
    let three = Purpose::Field {
        bots: &["a", "b", "c"],
    }
    .seed(7);
    assert_eq!(of(&named, &["a", "b", "c"]), by_chance(three, 0).seed);
}

#[test]
fn the_same_seed_gives_the_same_openings_and_another_seed_others() {
    for source in ["ballots", "random 5", "random 5 balanced"] {
        let list = |seed| -> Vec<_> {
            let openings = load(source, seed);
            (0..8).map(|number| openings.get(number)).collect()
        };
        assert_eq!(list(1), list(1));
        assert_ne!(list(1), list(2));
    }
}

#[test]
fn the_games_of_a_pdn_file_are_openings() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("my.pdn"),
        "1. 11-15 23-19 *\n1. 9-14 *\n",
    )
    .unwrap();
    let load = |name: &str| {
        let source = name.parse().unwrap();
        Openings::load(&source, folder.path(), CHECKERS, &rules::CONTEST, 1)
    };
    let openings = load("my.pdn").unwrap();
    let moves: HashSet<Vec<String>> = (0..2)
        .map(|number| openings.get(number).unwrap().moves)
        .collect();
    assert!(
        moves.contains(&vec!["C3D4".to_string(), "D6C5".into()]),
        "{moves:?}"
    );
    std::fs::write(folder.path().join("my.pdn"), "\n").unwrap();
    let error = load("my.pdn").unwrap_err().to_string();
    assert!(
        error.contains("my.pdn`: the file holds no opening"),
        "{error}"
    );
}
