//! How late a machine makes bots, by the number of games that it plays at once.
//!
//! A bot that answers at once plays one that thinks all its time: what the first takes is the machine's lateness.
//! Leaves out what is kept and what is told of it.

use crate::contest::Contest;
use crate::options::BotOptions;
use crate::runner::{MatchPlan, run_match};
use crate::seat::BotSpec;
use crate::settings::{GameSettings, SettingsError};
use crownhead_bots::games;
use crownhead_record::GameRecord;
use crownhead_record::judge::TimeLimits;
use crownhead_record::openings::Openings;
use crownhead_record::totals::{Times, times};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How late the idle bot's answers may be: a twentieth of the contest's limit (statement: 100 ms).
const BEARABLE: Duration = Duration::from_millis(5);

/// Time that no answer here takes.
const AMPLE: Duration = Duration::from_secs(60);

/// The cores that other programs may keep at work: what a quiet desktop does.
const MOST_AT_WORK: f64 = 0.3;

/// The answer times of the idle bot with so many games at once.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// Games at once.
    pub at_once: usize,
    /// What the answers come to.
    pub times: Times,
}

impl Measured {
    /// Whether so many games at once are safe: 999 in 1000 answers are bearably late.
    pub fn is_safe(&self) -> bool {
        self.times.p999 <= BEARABLE
    }
}

/// Nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// A game had no result.
    #[error("a game failed: {0}")]
    Game(String),
    /// No answers but first ones.
    #[error("no game had a second turn")]
    NoTurns,
}

/// The match of a bot that answers at once against one that thinks so long.
///
/// # Errors
/// When the options cannot be put in force.
pub fn plan(think: Duration, bots: &BotOptions) -> Result<MatchPlan, SettingsError> {
    let busy = format!("alphabeta --time {}ms", think.as_millis().max(1));
    let bots_of_plan = ["random", &busy].map(BotSpec::parse);
    let game = games::usual();
    let mut rules = game.rule_books()[0];
    rules.length.max_turns = Some(80);
    Ok(MatchPlan {
        bots: bots_of_plan.map(|bot| bot.expect("a built-in bot")).into(),
        settings: GameSettings {
            limits: TimeLimits {
                first_turn: AMPLE,
                turn: AMPLE,
            },
            ..bots.settings(Contest::Board { game, rules }, Path::new(""))?
        },
        games: 0,
        openings: Openings::none(game, &rules),
        concurrency: 1,
    })
}

/// Plays so many games at once. First turns are left out: what a program does for the first time takes longer.
///
/// # Errors
/// When a game has no result, or none a second turn.
pub fn measure(plan: &MatchPlan, at_once: usize) -> Result<Measured, MeasureError> {
    let plan = MatchPlan {
        concurrency: at_once,
        games: 4 * at_once as u64,
        ..plan.clone()
    };
    let mut answers = Vec::new();
    run_match(&plan, &BTreeSet::new(), &Arc::default(), None, |game| {
        answers.extend(idle_times(&game, &plan.bots[0].name));
        match game.scores {
            Some(_) => Ok(()),
            None => Err(MeasureError::Game(game.reason)),
        }
    })?;
    let times = times(answers).ok_or(MeasureError::NoTurns)?;
    Ok(Measured { at_once, times })
}

fn idle_times(game: &GameRecord, idle: &str) -> Vec<Duration> {
    let place = game.place_of(idle).unwrap_or_default();
    game.turns_of(place).skip(1).map(|turn| turn.time).collect()
}

/// The cores of this machine that this program may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many cores other programs keep at work now, if those are too many to measure beside; this program must be at
/// rest. `None` where the system does not tell.
pub fn busy_cores() -> Option<f64> {
    const WATCHED: Duration = Duration::from_millis(700);
    // proc_stat(5): user, nice, system, idle, iowait, then more work.
    let read = || -> Option<[f64; 2]> {
        let text = std::fs::read_to_string("/proc/stat").ok()?;
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let times = line.split_whitespace().take(8);
        let times: Vec<f64> = times.map(|time| time.parse().ok()).collect::<Option<_>>()?;
        let idle = times.get(3)? + times.get(4)?;
        Some([times.iter().sum::<f64>() - idle, idle])
    };
    let before = read()?;
    std::thread::sleep(WATCHED);
    let [work, idle] = read().map(|after| [after[0] - before[0], after[1] - before[1]])?;
    let at_work = cores() as f64 * work / (work + idle).max(1.0);
    Some(at_work).filter(|&cores| cores > MOST_AT_WORK)
}
