//! Starts each bot of a match once, before the first game, to see whether it can be started.
//!
//! Leaves out what a bot does once it runs: its games show that.

use super::spec::{Participant, command};
use crate::seat::{Placement, Process, denial, unstartable};
use crate::settings::GameSettings;
use crate::table::Fault;
use crownhead_record::judge::START_UP;
use crownhead_record::system_error::plain_words;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

/// A bot that cannot be started.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{bot}` cannot start: {reason}")]
pub struct CannotStart {
    /// Its name.
    pub bot: String,
    /// Why, and what to do about it.
    pub reason: String,
}

/// Starts all of these bots at the same time, and returns those that cannot be started. Takes no longer than a first turn.
pub fn check_starts(
    settings: &GameSettings,
    bots: &[Participant],
    interrupted: &Arc<AtomicBool>,
) -> Vec<CannotStart> {
    thread::scope(|scope| {
        let checks: Vec<_> = bots
            .iter()
            .map(|bot| scope.spawn(move || Some((bot, why_not(settings, bot, interrupted)?))))
            .collect();
        let found = checks.into_iter().filter_map(|check| check.join().ok()?);
        let failed = found.map(|(bot, reason)| CannotStart {
            bot: bot.spec.name.clone(),
            reason,
        });
        failed.collect()
    })
}

/// Why this bot cannot be started, if it is so.
fn why_not(
    settings: &GameSettings,
    bot: &Participant,
    interrupted: &Arc<AtomicBool>,
) -> Option<String> {
    if let Some(built_in) = bot.spec.built_in() {
        return built_in.spec().err();
    }
    let mut command = command(settings, bot, settings.seed);
    let (conditions, anywhere) = (bot.conditions(settings), Placement::default());
    let mut seat = Process::start(
        &mut command,
        None,
        &conditions,
        &anywhere,
        interrupted.clone(),
    );
    let limit = settings.limits.first_turn.min(START_UP);
    let fault = seat.try_start(limit).err()?;
    let said = seat.finish().said();
    match fault {
        Fault::CannotStart(why) => {
            let known = unstartable::why_not_run(&command, &why);
            Some(known.unwrap_or_else(|| plain_words(&why)))
        }
        Fault::Ended(_) if denial::describe(&said, &command, &conditions.sandbox).is_none() => {
            unstartable::why_ended(&command, &said)
        }
        // It is the referee's, or of what the bot has done.
        _ => None,
    }
}
