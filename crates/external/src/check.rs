//! Finds out what is wrong with a referee, by playing it against itself.
//!
//! The players are built in: they give random legal answers, or answers that no bot should give. [`check`] returns the
//! faults. Starts no bot, and prints nothing.

use crate::{Ended, ExternalReferee, RefereeError, Request, Step};
use crownhead_record::RefereeProtocol;
use crownhead_record::openings::Opening;
use crownhead_record::seed::{Purpose, one_of};
use crownhead_record::text::excerpt;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The most answers of a game: a referee that asks for more never ends.
const MOST_TURNS: usize = 20_000;

/// The seeds of games that are played twice.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckReport {
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// Whether the referee lists legal answers. If not, no games of random answers are played.
    pub lists_legal: bool,
}

/// A fault: the referee cannot judge games as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What it is about.
    pub problem: String,
    /// What the referee did.
    pub seen: String,
    /// How to fix it.
    pub fix: String,
}

impl Fault {
    fn new(problem: impl Into<String>, seen: impl Into<String>, fix: &str) -> Fault {
        Fault {
            problem: problem.into(),
            seen: seen.into(),
            fix: fix.into(),
        }
    }
}

/// Checks a referee with this many games of random legal answers. After each, `played` is called with their number.
///
/// # Errors
/// When it is interrupted, or cannot be started. That the referee fails is a fault.
pub fn check(
    referee: &ExternalReferee,
    games: u64,
    interrupted: &AtomicBool,
    played: &mut dyn FnMut(u64),
) -> Result<CheckReport, RefereeError> {
    let subject = Subject {
        referee,
        interrupted,
    };
    let game = subject.play_at_random(1)?;
    if let Some(fault) = game.fault(1) {
        return Ok(CheckReport {
            faults: vec![fault],
            lists_legal: false,
        });
    }
    let lists_legal = game.turns.iter().any(|turn| !turn.legal.is_empty());
    let mut faults = Vec::from_iter(subject.check_repeated()?);
    // The engine reports failed players only to people.
    if referee.protocol == RefereeProtocol::Lines {
        faults.extend(subject.check_wrong_answers(&game)?);
    }
    if lists_legal {
        faults.extend(subject.check_many(games, played)?);
    }
    Ok(CheckReport {
        faults,
        lists_legal,
    })
}

/// The referee that is checked.
struct Subject<'a> {
    referee: &'a ExternalReferee,
    interrupted: &'a AtomicBool,
}

/// The lines of a player's answer; `None` if enough is known and the game is abandoned.
type Reply = Option<Vec<Vec<u8>>>;

/// A played game.
#[derive(PartialEq)]
struct Game {
    /// What was asked.
    turns: Vec<Request>,
    /// How it ended, `None` if it was abandoned; or how the referee broke it.
    ended: Result<Option<Ended>, String>,
}

impl Game {
    /// What is wrong with the referee that broke it, if it did.
    fn fault(&self, seed: u64) -> Option<Fault> {
        let error = self.ended.as_ref().err()?;
        let turns = self.turns.len();
        let problem = match turns {
            0 => "it does not speak",
            _ => "a game of legal answers does not come to its end",
        };
        Some(Fault::new(
            problem,
            format!("seed {seed}, after {turns} answers: {error}"),
            "print `###Input PLAYER` and lines, then `###Output PLAYER LINES`, and in the end `###End` with each player \
             once; flush after each line. docs/guide/reference/referee-protocol.md explains the lines, and `crownhead referee \
             new` writes a referee that speaks them",
        ))
    }

    /// The players that have failed, according to the referee, and why.
    fn errors(&self) -> impl Iterator<Item = &(usize, String)> {
        let asked = self.turns.iter().flat_map(|turn| &turn.errors);
        let ended = self.ended.iter().flatten();
        asked.chain(ended.flat_map(|ended| &ended.errors))
    }
}

impl Subject<'_> {
    /// Plays the game of this seed; `reply` acts for all players, and gets the earlier questions.
    ///
    /// # Errors
    /// When it is interrupted, or its process cannot be started.
    fn play(
        &self,
        seed: u64,
        mut reply: impl FnMut(&Request, &[Request]) -> Reply,
    ) -> Result<Game, RefereeError> {
        let mut turns = Vec::new();
        let ended = match self.play_turns(seed, &mut turns, &mut reply) {
            Err(error @ RefereeError::Protocol { .. }) => Err(error.to_string()),
            ended => Ok(ended?),
        };
        Ok(Game { turns, ended })
    }

    /// Plays the game of this seed by random legal answers.
    fn play_at_random(&self, seed: u64) -> Result<Game, RefereeError> {
        self.play(seed, |request, turns| {
            Some(any_answer(request, seed, turns.len()))
        })
    }

    fn play_turns(
        &self,
        seed: u64,
        turns: &mut Vec<Request>,
        reply: &mut dyn FnMut(&Request, &[Request]) -> Reply,
    ) -> Result<Option<Ended>, RefereeError> {
        let mut process = self.referee.start(&[])?;
        process.begin(&Opening {
            seed: Some(seed.cast_signed()),
            ..Opening::default()
        });
        let mut step = process.next(self.interrupted)?;
        loop {
            let request = match step {
                Step::Over(ended) => return Ok(Some(ended)),
                Step::Asked(request) => request,
            };
            if turns.len() == MOST_TURNS {
                return Err(RefereeError::Protocol {
                    name: self.referee.name.clone(),
                    problem: format!("asked for more than {MOST_TURNS} answers; expected an end"),
                });
            }
            let lines = match reply(&request, turns) {
                _ if request.lines == 0 => Vec::new(),
                Some(lines) => lines,
                None => return Ok(None),
            };
            turns.push(request);
            process.answer(&lines, Duration::ZERO);
            step = process.next(self.interrupted)?;
        }
    }

    /// Plays a few seeds twice, and finds what differs between games of one seed.
    fn check_repeated(&self) -> Result<Option<Fault>, RefereeError> {
        for seed in SEEDS {
            let [one, other] = [self.play_at_random(seed)?, self.play_at_random(seed)?];
            // Games that break are found among the others.
            if one.ended.is_ok() && other.ended.is_ok() && one != other {
                return Ok(Some(Fault::new(
                    format!("the seed {seed} gives two games"),
                    difference(&one, &other),
                    "take all chance from one generator that begins with the number of `###Seed`; look for the clock, for \
                     sets and hash maps that are walked through, and for a generator that begins by itself",
                )));
            }
        }
        Ok(None)
    }

    /// Plays the games of the seeds from 1, and finds the first that breaks or in which a legal answer is refused.
    fn check_many(
        &self,
        games: u64,
        played: &mut dyn FnMut(u64),
    ) -> Result<Option<Fault>, RefereeError> {
        for seed in 1..=games {
            let game = self.play_at_random(seed)?;
            if let Some(fault) = game.fault(seed) {
                return Ok(Some(fault));
            }
            if let Some((player, sentence)) = game.errors().next() {
                return Ok(Some(Fault::new(
                    "it refuses an answer that it lists",
                    format!("seed {seed}: `###Error {player} {}`", excerpt(sentence)),
                    "list after `###Legal` what the rules allow in this very turn, and judge answers by that list",
                )));
            }
            played(seed);
        }
        Ok(None)
    }

    /// Plays games in which one player answers wrongly, early or later, and finds the first in which the referee does not
    /// say so. `game` is one of random answers.
    fn check_wrong_answers(&self, game: &Game) -> Result<Option<Fault>, RefereeError> {
        let known: BTreeSet<&String> = game.turns.iter().flat_map(|turn| &turn.legal).collect();
        for wrong in WRONG {
            for player in 0..self.referee.options.players {
                for turn in [0, 2] {
                    let found = self.check_wrong_answer(wrong, player, turn, &known)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Plays one game in which this player answers wrongly in its own turn `at`.
    fn check_wrong_answer(
        &self,
        (answer, text): (&str, Option<&str>),
        player: usize,
        at: usize,
        known: &BTreeSet<&String>,
    ) -> Result<Option<Fault>, RefereeError> {
        const SEED: u64 = 1;
        // The turn of the wrong answer, and whether legal answers were listed there.
        let mut first: Option<(usize, bool)> = None;
        let played = self.play(SEED, |request, turns| {
            let usual = any_answer(request, SEED, turns.len());
            let own_turns = turns.iter().filter(|turn| turn.player == player).count();
            match first {
                _ if request.player != player => Some(usual),
                // The referee asks again. If it lists nothing, the answers after the wrong one may be wrong, too.
                Some((_, true)) => None,
                None if own_turns >= at => {
                    let wrong = wrong_answer(text, request, known);
                    first = wrong
                        .as_ref()
                        .map(|_| (turns.len(), !request.legal.is_empty()));
                    wrong.or(Some(usual))
                }
                _ => Some(usual),
            }
        })?;
        // If no answer was wrong, there is nothing to judge.
        let Some((turn, is_listed)) = first else {
            return Ok(None);
        };
        let seen = format!("player {player}, in turn {}", turn + 1);
        Ok(match &played.ended {
            Err(error) => Some(Fault::new(
                format!("its game breaks when a player answers {answer}"),
                format!("{seen}: {error}"),
                "compare the answer with the legal ones before you read it as a number or cut it into parts. Then print \
                 `###Error` for that player, and continue without it or end the game",
            )),
            Ok(_) if is_listed => judge(&played, player, answer, &seen),
            Ok(_) => None,
        })
    }
}

/// Wrong answers: their description, and their text. The last one is an answer that is legal in other turns.
const WRONG: [(&str, Option<&str>); 4] = [
    ("garbage (`?!`)", Some("?!")),
    ("an empty line", Some("")),
    (
        "a line like the referee's own (`###End 0 1`)",
        Some("###End 0 1"),
    ),
    ("an answer that is legal in other turns", None),
];

/// The lines of a wrong answer to this question; `known` are legal answers of other turns. `None` if it is legal here.
fn wrong_answer(
    text: Option<&str>,
    request: &Request,
    known: &BTreeSet<&String>,
) -> Option<Vec<Vec<u8>>> {
    let Some(text) = text else {
        let mut illegal = known.iter().filter(|&&text| !request.legal.contains(text));
        return Some(lines_of(illegal.next()?));
    };
    let is_legal = |legal: &String| legal.lines().next().unwrap_or_default() == text;
    let is_wrong = !request.legal.iter().any(is_legal);
    is_wrong.then(|| vec![text.into(); request.lines])
}

/// What is wrong with a game in which this player gave an answer that is not legal.
fn judge(game: &Game, player: usize, answer: &str, seen: &str) -> Option<Fault> {
    if let Some((other, sentence)) = game.errors().find(|(failed, _)| *failed != player) {
        return Some(Fault::new(
            format!("it blames a player that has done nothing when another one answers {answer}"),
            format!("{seen}: `###Error {other} {}`", excerpt(sentence)),
            "name the player of the `###Output` that the answer is for",
        ));
    }
    match game.errors().next() {
        None => Some(Fault::new(
            format!("it takes an answer that is not legal: {answer}"),
            format!("{seen}: no `###Error`"),
            "print `###Error PLAYER` and a reason for each answer that is not in your list, or list what else is legal",
        )),
        Some((_, sentence)) if sentence.trim().is_empty() => Some(Fault::new(
            format!("it does not say why it refuses {answer}"),
            format!("{seen}: `###Error {player}`"),
            "say what was answered and what was expected: bots' authors read it",
        )),
        Some(_) => None,
    }
}

/// A random legal answer, which follows from the seed and the turn. If none is listed, an answer without meaning.
fn any_answer(request: &Request, seed: u64, turn: usize) -> Vec<Vec<u8>> {
    let (side, turn) = (request.player as u64, turn as u64);
    let chosen = one_of(Purpose::Turn { side, turn }.seed(seed), &request.legal);
    chosen.map_or_else(
        || vec![b"?".to_vec(); request.lines],
        |answer| lines_of(answer),
    )
}

fn lines_of(answer: &str) -> Vec<Vec<u8>> {
    answer.split('\n').map(Vec::from).collect()
}

/// The first difference between two games.
fn difference(one: &Game, other: &Game) -> String {
    let told = |request: &Request| {
        let legal = request.legal.join(" ");
        let (player, input, show) = (request.player, &request.input, &request.frame.show);
        format!(
            "asks player {player}\n{input}{legal}\n{show}\n{:?}",
            request.errors
        )
    };
    for (index, (one, other)) in one.turns.iter().zip(&other.turns).enumerate() {
        let [one, other] = [one, other].map(told);
        let mut lines = one.lines().zip(other.lines());
        if let Some((one, other)) = lines.find(|(one, other)| one != other) {
            let [one, other] = [one, other].map(excerpt);
            return format!("turn {}: `{one}`, then `{other}`", index + 1);
        }
    }
    let [one, other] = [one, other].map(|game| game.turns.len());
    format!("{one} turns, then {other}, with different ends")
}
