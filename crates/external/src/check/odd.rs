//! Players that act like broken bots, and the referee's reaction to them.

use super::Finding;
use super::game::{Game, Reply, Subject, any_answer};
use crate::{RefereeError, Request};
use crownhead_record::text::excerpt;
use std::collections::BTreeSet;

/// The player's own turns, from 0, in which it does something odd: before any answer, and later.
const TURNS: [usize; 2] = [0, 2];

/// What a player does instead of a normal answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Odd {
    Garbage,
    Empty,
    Command,
    Elsewhere,
    Leaves,
}

const ALL: [Odd; 5] = [
    Odd::Garbage,
    Odd::Empty,
    Odd::Command,
    Odd::Elsewhere,
    Odd::Leaves,
];

impl Odd {
    /// What the player does, as part of a sentence.
    fn describe(self) -> &'static str {
        match self {
            Odd::Garbage => "garbage (`?!`)",
            Odd::Empty => "an empty line",
            Odd::Command => "a line like the referee's own (`###End 0 1`)",
            Odd::Elsewhere => "an answer that is legal in other turns",
            Odd::Leaves => "nothing, as after a crash",
        }
    }

    /// The player's reaction to this question; `known` are legal answers of other turns. `None` if the reaction is
    /// legal here.
    fn reply(self, request: &Request, known: &BTreeSet<&String>) -> Option<Reply> {
        let text = match self {
            Odd::Garbage => "?!",
            Odd::Empty => "",
            Odd::Command => "###End 0 1",
            Odd::Elsewhere => {
                let mut illegal = known.iter().filter(|&&text| !request.legal.contains(text));
                let lines = illegal.next()?.split('\n').map(Vec::from).collect();
                return Some(Reply::Lines(lines));
            }
            Odd::Leaves => return Some(Reply::Leaves),
        };
        let is_legal = |legal: &String| legal.lines().next().unwrap_or_default() == text;
        if request.legal.iter().any(is_legal) {
            return None;
        }
        Some(Reply::Lines(vec![text.into(); request.lines]))
    }
}

/// Plays games in which one player does something odd, and returns the first thing that is wrong with the rest of the
/// game. `game` is one of usual answers.
///
/// # Errors
/// When it is interrupted.
pub(super) fn check_odd_answers(
    subject: &Subject<'_>,
    game: &Game,
) -> Result<Option<Finding>, RefereeError> {
    let known: BTreeSet<&String> = game.turns.iter().flat_map(|turn| &turn.legal).collect();
    for odd in ALL {
        // Only such a referee is told that a player has left, and it reports failed players only to people.
        if (odd == Odd::Leaves) != subject.hears_of_failures() {
            continue;
        }
        for player in 0..subject.players() {
            for turn in TURNS {
                let found = check_one(subject, odd, player, turn, &known)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
    }
    Ok(None)
}

/// Plays one game in which this player answers oddly in its turn `at`.
fn check_one(
    subject: &Subject<'_>,
    odd: Odd,
    player: usize,
    at: usize,
    known: &BTreeSet<&String>,
) -> Result<Option<Finding>, RefereeError> {
    const SEED: u64 = 1;
    // The turn of the odd reply, and whether legal answers were listed there.
    let mut first: Option<(usize, bool)> = None;
    let played = subject.play(SEED, |request, turns| {
        let usual = any_answer(request, SEED, turns.len());
        let own_turns = turns.iter().filter(|turn| turn.player == player).count();
        let is_own = request.player == player;
        match first {
            // Where it is not said what is legal, the answers after it may be illegal too.
            Some((_, is_listed)) if is_own => match is_listed {
                true => Reply::Stop,
                false => usual,
            },
            None if is_own && own_turns >= at => match odd.reply(request, known) {
                Some(reply) => {
                    first = Some((turns.len(), !request.legal.is_empty()));
                    reply
                }
                None => usual,
            },
            _ => usual,
        }
    })?;
    let Some((turn, is_listed)) = first else {
        // It was never asked when that answer was odd. Broken games are reported elsewhere.
        return Ok(None);
    };
    let seen = format!("player {player}, in turn {}", turn + 1);
    let answer = odd.describe();
    match played {
        Err(broken) => Ok(Some(Finding::fault(
            format!("its game breaks when a player answers {answer}"),
            format!("{seen}: {}", broken.error),
            "an `###Error` for that player, and a game that continues without it or ends",
            "compare the answer with the legal ones before it is read as a number or cut into parts",
        ))),
        Ok(game) if is_listed => Ok(judge(&game, player, answer, &seen)),
        Ok(_) => Ok(None),
    }
}

/// What is wrong with a game in which this player gave an answer that is not legal.
fn judge(game: &Game, player: usize, answer: &str, seen: &str) -> Option<Finding> {
    if let Some((other, sentence)) = game.errors().find(|(failed, _)| *failed != player) {
        return Some(Finding::fault(
            format!("it blames a player that has done nothing when another one answers {answer}"),
            format!("{seen}: `###Error {other} {}`", excerpt(sentence)),
            "an `###Error` for the player that answered so, alone",
            "name the player of the `###Output` that the answer is for",
        ));
    }
    match game.errors().next() {
        None => Some(Finding::fault(
            format!("it takes an answer that is not legal: {answer}"),
            format!("{seen}: no `###Error`"),
            "`###Error PLAYER` with a sentence for every answer that `###Legal` does not list",
            "refuse what is not in the list that you send, or list what else is legal",
        )),
        Some((_, sentence)) if sentence.trim().is_empty() => Some(Finding::fault(
            format!("it does not say why it refuses {answer}"),
            format!("{seen}: `###Error {player}`"),
            "`###Error PLAYER` with a sentence",
            "say what was answered and what was expected: bots' authors read it",
        )),
        Some(_) => None,
    }
}
