//! Checks that the same seed and answers give the same game, and another seed gives another game.

use super::Finding;
use super::game::{Game, Subject};
use crate::{RefereeError, Request};
use crownhead_record::text::excerpt;

/// The seeds of games that are played twice.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Plays a few seeds twice. Returns what differs between games of one seed, or that all seeds give the same game.
///
/// # Errors
/// When it is interrupted.
pub(super) fn check_repeated(subject: &Subject<'_>) -> Result<Option<Finding>, RefereeError> {
    let mut inputs = Vec::new();
    for seed in SEEDS {
        let played = [subject.play_at_random(seed)?, subject.play_at_random(seed)?];
        let [Ok(one), Ok(other)] = played else {
            // Broken games are reported with the sample.
            continue;
        };
        if one != other {
            return Ok(Some(Finding::fault(
                format!("the seed {seed} gives two games"),
                difference(&one, &other),
                "the same game after the same seed and the same answers",
                "take all chance from one generator that begins with the number of `###Seed`; look for the clock, for \
                 sets and hash maps that are walked through, and for a generator that begins by itself",
            )));
        }
        inputs.push(one.turns.first().map(|turn| turn.input.clone()));
    }
    let all_alike = inputs.len() > 1 && inputs.windows(2).all(|two| two[0] == two[1]);
    Ok(all_alike.then(|| {
        Finding::note(
            "its games all begin alike",
            "the first input is the same by the seeds 1, 2, 3",
            "games that differ by their seeds",
            "let the seed choose the first moves or the map: else bots without chance play the same game every time",
        )
    }))
}

/// The first difference between two games, as a sentence.
fn difference(one: &Game, other: &Game) -> String {
    let turns = one.turns.iter().zip(&other.turns).enumerate();
    let mut differing = turns.filter(|(_, (one, other))| one != other);
    if let Some((index, (one, other))) = differing.next() {
        let (what, texts) = part(one, other);
        let [one, other] = texts.map(|text| excerpt(&text));
        return format!("turn {}: {what} `{one}`, then `{other}`", index + 1);
    }
    match [one, other].map(|game| game.turns.len()) {
        [first, second] if first != second => format!("{first} turns, then {second}"),
        [turns, _] => format!("the same {turns} turns end in two ways"),
    }
}

/// The part in which two turns differ, and both values.
fn part(one: &Request, other: &Request) -> (&'static str, [String; 2]) {
    let mut lines = one.input.lines().zip(other.input.lines());
    if one.player != other.player {
        (
            "asks player",
            [one, other].map(|asked| asked.player.to_string()),
        )
    } else if let Some((first, second)) = lines.find(|(first, second)| first != second) {
        ("sends the line", [first, second].map(Into::into))
    } else if one.legal != other.legal {
        ("lists", [one, other].map(|asked| asked.legal.join(" ")))
    } else {
        let said =
            |asked: &Request| format!("{}{} {:?}", asked.input, asked.frame.show, asked.errors);
        ("says", [one, other].map(said))
    }
}
