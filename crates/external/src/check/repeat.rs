//! Checks that the same seed and answers give the same game, and another seed gives another game.

use super::game::{Game, Subject, Turn, any_answer};
use super::{Finding, unless_interrupted};
use crate::RefereeError;
use crownhead_record::text::excerpt;

/// The seeds of games that are played twice.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Plays a few seeds twice. Returns what differs between games of one seed, and whether all seeds give the same game.
///
/// # Errors
/// When it is interrupted.
pub(super) fn check_repeated(subject: &Subject<'_>) -> Result<Vec<Finding>, RefereeError> {
    let mut inputs = Vec::new();
    for seed in SEEDS {
        let play = || {
            let played = subject.play(seed, |request, turns| {
                any_answer(request, seed, turns.len())
            });
            unless_interrupted(played)
        };
        let (Ok(one), Ok(other)) = (play()?, play()?) else {
            // Broken games are reported with the sample.
            continue;
        };
        if let Some(seen) = difference(&one, &other) {
            return Ok(vec![Finding::fault(
                format!("the seed {seed} gives two games"),
                seen,
                "the same game after the same seed and the same answers",
                "take all chance from one generator that begins with the number of `###Seed`; look for the clock, for \
                 sets and hash maps that are walked through, and for a generator that begins by itself",
            )]);
        }
        inputs.push(one.turns.first().map(|turn| turn.request.input.clone()));
    }
    let all_alike = inputs.len() > 1 && inputs.windows(2).all(|two| two[0] == two[1]);
    Ok(Vec::from_iter(all_alike.then(|| {
        Finding::note(
            "its games all begin alike",
            format!("the first input is the same by the seeds {}", list(&SEEDS)),
            "games that differ by their seeds",
            "let the seed choose the first moves or the map: else bots without chance play the same game every time",
        )
    })))
}

fn list(seeds: &[u64]) -> String {
    let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
    seeds.join(", ")
}

/// The first difference between two games, as a sentence.
fn difference(one: &Game, other: &Game) -> Option<String> {
    let turns = one.turns.iter().zip(&other.turns).enumerate();
    let mut differing = turns.filter(|(_, (one, other))| one != other);
    if let Some((index, (one, other))) = differing.next() {
        let (what, [one, other]) = part(one, other);
        let turn = index + 1;
        return Some(format!(
            "turn {turn}: {what} `{}`, then `{}`",
            excerpt(&one),
            excerpt(&other)
        ));
    }
    let [first, second] = [one, other].map(|game| game.turns.len());
    if first != second {
        return Some(format!("{first} turns, then {second}"));
    }
    (one.ended != other.ended).then(|| {
        let [one, other] = [one, other].map(|game| format!("{:?}", scores(game)));
        match one == other {
            true => "the same scores, but what is said at the end differs".into(),
            false => format!("scores {one}, then {other}"),
        }
    })
}

fn scores(game: &Game) -> &[f64] {
    game.ended.as_ref().map_or(&[], |ended| &ended.scores)
}

/// The part in which two turns differ, and both values.
fn part(one: &Turn, other: &Turn) -> (&'static str, [String; 2]) {
    let (one, other) = (&one.request, &other.request);
    if one.player != other.player {
        return (
            "asks player",
            [one, other].map(|asked| asked.player.to_string()),
        );
    }
    let lines = one.input.lines().zip(other.input.lines());
    if let Some((first, second)) = lines.into_iter().find(|(first, second)| first != second) {
        return ("sends the line", [first.into(), second.into()]);
    }
    if one.input != other.input {
        return ("sends", [one, other].map(|asked| asked.input.clone()));
    }
    if one.legal != other.legal {
        return ("lists", [one, other].map(|asked| asked.legal.join(" ")));
    }
    (
        "shows or says",
        [one, other].map(|asked| format!("{} {:?}", asked.frame.show, asked.errors)),
    )
}
