//! Players that act like broken bots, and the referee's reaction to them.

use super::game::{Game, Reply, Subject, Turn, any_answer};
use super::{Finding, unless_interrupted};
use crate::{RefereeError, Request};
use crownhead_record::text::excerpt;
use std::collections::{BTreeMap, BTreeSet};

/// The player's own turns, from 0, in which it first does something odd: before any answer, and later.
const FROM: [usize; 2] = [0, 2];

/// How often a referee that lists no legal answers gets the same odd one.
const REPEATED: usize = 20;

/// What a player does instead of a normal answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Odd {
    Garbage,
    Empty,
    Long,
    Control,
    Command,
    Elsewhere,
    Leaves,
}

const ALL: [Odd; 7] = [
    Odd::Garbage,
    Odd::Empty,
    Odd::Long,
    Odd::Control,
    Odd::Command,
    Odd::Elsewhere,
    Odd::Leaves,
];

/// What is wrong with the referee's reaction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Wrong {
    /// Its game does not come to an end.
    Breaks,
    /// It continues as if the answer were legal, though it is not listed.
    Takes,
    /// The same, if no list says what is legal.
    TakesUnlisted,
    /// It does not say why.
    Silent,
    /// It says that another player failed.
    Blames,
    /// The player is not behind the others.
    Places,
}

/// A problem with one odd answer.
struct Case {
    odd: Odd,
    wrong: Wrong,
    /// What was seen.
    seen: String,
}

impl Odd {
    /// What the player does, as part of a sentence.
    fn describe(self) -> &'static str {
        match self {
            Odd::Garbage => "garbage (`?!`)",
            Odd::Empty => "an empty line",
            Odd::Long => "9,000 letters",
            Odd::Control => "control characters",
            Odd::Command => "a line like the referee's own (`###End 0 1`)",
            Odd::Elsewhere => "an answer that is legal in other turns",
            Odd::Leaves => "nothing, as after a crash",
        }
    }

    /// The player's reaction to this question; `known` are legal answers of other turns. `None` if the reaction is
    /// legal here.
    fn reply(self, request: &Request, known: &BTreeSet<String>) -> Option<Reply> {
        let text: Vec<u8> = match self {
            Odd::Garbage => b"?!".into(),
            Odd::Empty => Vec::new(),
            Odd::Long => vec![b'x'; 9000],
            Odd::Control => b"\x00\x1b[2J\x07\t\x7f\xff\xfe".into(),
            Odd::Command => b"###End 0 1".into(),
            Odd::Elsewhere => {
                let mut illegal = known.iter().filter(|&text| !request.legal.contains(text));
                let lines = illegal.next()?.split('\n').map(Vec::from).collect();
                return Some(Reply::Lines(lines));
            }
            Odd::Leaves => return Some(Reply::Leaves),
        };
        let is_legal = |legal: &String| legal.lines().next().unwrap_or_default().as_bytes() == text;
        if request.legal.iter().any(is_legal) {
            return None;
        }
        Some(Reply::Lines(vec![text; request.lines]))
    }
}

/// Plays games in which one player does something odd, and returns what is wrong with the rest of the game.
///
/// # Errors
/// When it is interrupted.
pub(super) fn check_odd_answers(
    subject: &Subject<'_>,
    known: &BTreeSet<String>,
) -> Result<Vec<Finding>, RefereeError> {
    let mut cases = Vec::new();
    for odd in ALL {
        if odd == Odd::Leaves && !subject.hears_of_failures()
            || odd == Odd::Elsewhere && known.is_empty()
        {
            continue;
        }
        let seats = (0..subject.players()).flat_map(|player| FROM.map(|from| (player, from)));
        for (player, from) in seats {
            if let Some(case) = check_one(subject, odd, player, from, known)? {
                cases.push(case);
                break;
            }
        }
    }
    Ok(findings(&cases))
}

/// Plays one game in which this player answers oddly from its turn `from` on.
fn check_one(
    subject: &Subject<'_>,
    odd: Odd,
    player: usize,
    from: usize,
    known: &BTreeSet<String>,
) -> Result<Option<Case>, RefereeError> {
    const SEED: u64 = 1;
    // The first odd reply: the turn, and whether legal answers were listed there.
    let mut first: Option<(usize, bool)> = None;
    let mut repeated = 0;
    let played = subject.play(SEED, |request, turns| {
        let usual = any_answer(request, SEED, turns.len());
        let own_turns = turns
            .iter()
            .filter(|turn| turn.request.player == player)
            .count();
        if request.player != player || own_turns < from || has_failed(player, request, turns) {
            return usual;
        }
        if first.is_some_and(|(_, is_listed)| is_listed) || repeated == REPEATED {
            return Reply::Stop;
        }
        let Some(reply) = odd.reply(request, known) else {
            return usual;
        };
        first.get_or_insert((turns.len(), !request.legal.is_empty()));
        repeated += 1;
        reply
    });
    let Some((turn, is_listed)) = first else {
        // It was never asked when that answer was odd. Broken games are reported elsewhere.
        return unless_interrupted(played).map(|_| None);
    };
    let who = format!("player {player}, in turn {}", turn + 1);
    let wrong = match unless_interrupted(played)? {
        Err(broken) => Some((Wrong::Breaks, format!("{who}: {}", broken.error))),
        Ok(game) if odd == Odd::Leaves || subject.hears_of_failures() => {
            // Such a referee reports failed players only to people.
            drop(game);
            None
        }
        Ok(game) => judge(&game, player, is_listed).map(|(wrong, seen)| match seen.as_str() {
            "" => (wrong, who),
            _ => (wrong, format!("{who}: {seen}")),
        }),
    };
    Ok(wrong.map(|(wrong, seen)| Case { odd, wrong, seen }))
}

/// Whether the referee has said that the player failed.
fn has_failed(player: usize, request: &Request, turns: &[Turn]) -> bool {
    let requests = turns.iter().map(|turn| &turn.request).chain([request]);
    requests
        .flat_map(|request| &request.errors)
        .any(|(failed, _)| *failed == player)
}

/// What is wrong with a game in which this player gave an odd answer, and what was seen.
fn judge(game: &Game, player: usize, is_listed: bool) -> Option<(Wrong, String)> {
    // If nothing is listed, the answers of the others may be wrong too.
    let blamed = || {
        let mut others = game.errors().filter(|(failed, _)| *failed != player);
        let (other, sentence) = others.next().filter(|_| is_listed)?;
        let seen = format!("`###Error {other} {}`", excerpt(sentence));
        Some((Wrong::Blames, seen))
    };
    let Some((_, sentence)) = game.errors().find(|(failed, _)| *failed == player) else {
        if let Some(blamed) = blamed() {
            return Some(blamed);
        }
        let wrong = if is_listed {
            Wrong::Takes
        } else {
            Wrong::TakesUnlisted
        };
        return Some((wrong, String::new()));
    };
    if sentence.trim().is_empty() {
        return Some((Wrong::Silent, format!("`###Error {player}`")));
    }
    if let Some(blamed) = blamed() {
        return Some(blamed);
    }
    let scores = &game.ended.as_ref()?.scores;
    let others = scores
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != player);
    let is_last = others.clone().all(|(_, score)| *score > scores[player]);
    (!is_last && is_listed && scores.len() > 1).then(|| {
        let scores: Vec<String> = scores.iter().map(f64::to_string).collect();
        (
            Wrong::Places,
            format!("scores of the players {}", scores.join(", ")),
        )
    })
}

/// One finding for each kind of problem: the answers, and what was seen the first time.
fn findings(cases: &[Case]) -> Vec<Finding> {
    let mut by_wrong: BTreeMap<Wrong, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        by_wrong.entry(case.wrong).or_default().push(case);
    }
    let told = by_wrong.into_iter().map(|(wrong, cases)| {
        let answers: Vec<&str> = cases.iter().map(|case| case.odd.describe()).collect();
        let (answers, seen) = (answers.join(", "), &cases[0].seen);
        finding(wrong, &answers, seen)
    });
    told.collect()
}

fn finding(wrong: Wrong, answers: &str, seen: &str) -> Finding {
    match wrong {
        Wrong::Breaks => Finding::fault(
            format!("its game breaks when a player answers {answers}"),
            seen,
            "an `###Error` for that player, and a game that goes on without it or ends",
            "compare the answer with the legal ones before it is read as a number or cut into parts",
        ),
        Wrong::Takes => Finding::fault(
            format!("it takes an answer that is not legal: {answers}"),
            format!("{seen}: no `###Error`"),
            "`###Error PLAYER` with a sentence for every answer that `###Legal` does not list",
            "refuse what is not in the list that you send, or list what else is legal",
        ),
        Wrong::TakesUnlisted => Finding::note(
            format!("it takes {answers} for an answer"),
            format!("{seen}: no `###Error`"),
            "`###Error PLAYER` with a sentence, unless any text is legal in this game",
            "refuse what is no answer, so that a bot's mistake is found where it is made",
        ),
        Wrong::Silent => Finding::fault(
            format!("it does not say why it refuses {answers}"),
            seen,
            "`###Error PLAYER` with a sentence",
            "say what was answered and what was expected: bots' authors read it",
        ),
        Wrong::Blames => Finding::fault(
            format!("it blames a player that has done nothing when another one answers {answers}"),
            seen,
            "an `###Error` for the player that answered so, alone",
            "name the player of the `###Output` that the answer is for",
        ),
        // Crownhead places the player last, whatever the referee says. Other programs do not.
        Wrong::Places => Finding::note(
            format!("a player that answers {answers} is not placed last"),
            seen,
            "the player of an `###Error` behind all others",
            "name it last in `###End`, and give it the lowest `###Score`",
        ),
    }
}
