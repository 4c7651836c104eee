//! A run of a ladder: makes the bots ready and plays pairs until none is left.

use super::claim::PairJob;
use super::config::Config;
use super::entrants::admit;
use super::error::{LadderError, about, refuse};
use super::folder::Folder;
use super::ladder_run::{LadderRun, Look, Progress};
use super::live_file::LiveFile;
use super::publish::send;
use super::role::{PairSource, Role};
use crate::store::{Store, StoreError};
use crownhead_arena::runner::{self, Cores, LiveRun, Poll, RunProgress};
use crownhead_arena::settings::{GameSettings, compare};
use crownhead_record::GameRecord;
use crownhead_record::openings::Opening;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Plays the rest of the ladder. `accept_changes` says whether changed bots continue as new versions. `look` gets the
/// progress after every change, several times a second, and when the run has ended without an error. Meanwhile,
/// [`live_runs`](super::live_runs) returns the games under way.
///
/// Once `interrupted` is set, the pairs under way are given back and the run ends. A pair is durable before `look` gets
/// it.
///
/// # Errors
/// When the configuration or the store cannot be used, a bot has changed, the referee spoils one pair three times, or
/// `look` fails.
pub fn run_ladder(
    folder: &Folder,
    accept_changes: bool,
    interrupted: &Arc<AtomicBool>,
    look: Look<'_>,
) -> Result<(), LadderError> {
    let config = folder.config()?;
    let store = folder.store()?;
    let role = LocalRole { accept_changes };
    let live = LiveRun::default();
    std::thread::scope(|scope| {
        let _file = LiveFile::start(scope, folder.path(), &live);
        let mut look = |progress: &Progress<'_>| {
            let done = progress.finished();
            live.tell(RunProgress {
                unit: if progress.players() == 2 {
                    "pairs"
                } else {
                    "rounds"
                }
                .into(),
                done,
                all: done + progress.left,
                sprt: None,
            });
            look(progress)
        };
        let watch = Some(&live);
        play_all(folder, config, store, interrupted, &mut look, watch, role)
    })
}

/// A run in a ladder's own folder. It builds and examines the bots and, if the store is shared, publishes them for workers.
pub(super) struct LocalRole {
    /// Whether changed bots continue as new versions.
    pub(super) accept_changes: bool,
}

impl Role for LocalRole {
    fn next(&mut self, run: &mut LadderRun<'_>) -> Result<Poll<PairJob>, LadderError> {
        run.next_pair()
    }

    fn make_ready(&mut self, run: &mut LadderRun<'_>, number: usize) -> Result<(), LadderError> {
        match run.folder.build(&run.config.bots[number]) {
            Err(refusal) if refusal.is_unusable() => Err(refusal),
            Err(reason) => run.disable(&run.name_of(number), &reason.to_string()),
            Ok(()) => self.examine_again(run, number),
        }
    }

    fn examine_again(&mut self, run: &mut LadderRun<'_>, number: usize) -> Result<(), LadderError> {
        run.ready[number] = None;
        let (folder, config) = (run.folder, run.config.clone());
        let accept = self.accept_changes;
        let (ready, news) = run.ask(|store, _| admit(folder, &config, number, store, accept))?;
        run.ready[number] = Some(ready);
        run.news.extend(news);
        Ok(())
    }

    fn give_up(&self, run: &mut LadderRun<'_>, bot: &str, why: &str) -> Result<(), LadderError> {
        run.disable(bot, why)
    }

    fn publish(&self, run: &mut LadderRun<'_>) -> Result<(), LadderError> {
        if !run.store.is_shared() {
            return Ok(());
        }
        let (folder, config, ready) = (run.folder, run.config.clone(), run.ready.clone());
        let sent = run.ask(|store, _| send(folder, &config, &ready, store));
        match sent {
            // It can still be played here.
            Err(error) if error.is_unusable() => {
                run.tell(format!("workers play on as before: {error}"));
            }
            sent => drop(sent?),
        }
        Ok(())
    }
}

/// Plays all open pairs, in this role, and shows each game to `watch`.
///
/// # Errors
/// As for [`run_ladder`].
pub(super) fn play_all<'a>(
    folder: &'a Folder,
    config: Config,
    store: Store,
    interrupted: &'a Arc<AtomicBool>,
    look: Look<'a>,
    watch: Option<&LiveRun>,
    role: impl Role,
) -> Result<(), LadderError> {
    let settings = Arc::new(folder.settings(&config)?);
    expect_same_rules(folder, &settings, &store)?;
    let concurrency = config.concurrency;
    let run = LadderRun::new(folder, config, settings.clone(), store, interrupted, look)?;
    let mut source = PairSource { run, role };
    let ready = source.set_up().and_then(|()| Ok(source.run.show(false)?));
    let played = ready.and_then(|()| {
        let cores = Cores::take(concurrency, &settings.contest);
        runner::work(concurrency, true, &mut source, |place, job: PairJob| {
            let bots: Vec<_> = job.bots.iter().map(AsRef::as_ref).collect();
            let cores = cores.of(place);
            let pair = runner::play_pair(&settings, &bots, &job.specs, cores, interrupted, watch);
            (job, (!pair.interrupted).then_some(pair))
        })
    });
    let ended = played.and_then(|()| {
        source.run.count_new()?;
        source.run.show(true)?;
        source.leave()
    });
    ended.map_err(|error| {
        let mut run = source.run;
        // So other runs need not wait for the leases to end. If giving back fails as well, that says nothing new.
        let _ = run.store.release(run.number);
        with_location(error, folder, &run.store, run.stored)
    })
}

/// An error that ends a run, with the place of its stored games.
fn with_location(error: LadderError, folder: &Folder, store: &Store, stored: u64) -> LadderError {
    let told = match error.root() {
        LadderError::Store(StoreError::Gone { .. }) => match store.rescue() {
            Ok(None) => return error,
            Ok(Some((path, pairs))) => format!(
                "the run has stopped. What was stored in the file that is gone, {pairs} pairs, {stored} of them by \
                 this run, is in {0}; to go on with it: `mv {0} {1}`",
                path.display(),
                folder.games_file().display()
            ),
            Err(why) => format!(
                "the run has stopped, and the {stored} pairs that it has stored are lost: {why}"
            ),
        },
        LadderError::Store(_) => format!(
            "the run has stopped; the {stored} pairs that it has stored are in {}",
            folder.store_name()
        ),
        _ => return error,
    };
    about(told)(error)
}

/// # Errors
/// When the stored games were played by other rules or limits. One game that matches is enough, because somebody may
/// have forged a single other one.
fn expect_same_rules(
    folder: &Folder,
    settings: &GameSettings,
    store: &Store,
) -> Result<(), LadderError> {
    let mut told = None;
    for game in store.records() {
        let differs = match game {
            // `ladder check` reports it.
            Err(StoreError::Content(_)) => continue,
            game => differences(&game?, settings),
        };
        if differs.is_empty() {
            return Ok(());
        }
        told.get_or_insert(differs);
    }
    let Some(told) = told else {
        return Ok(());
    };
    let (file, path) = (folder.config_file(), folder.path().display());
    Err(refuse(format!(
        "{}: the games of this ladder were played otherwise: {told}. They cannot be rated together. Put it back, or \
         begin another ladder with these settings: `mkdir OTHER && cp {path}/ladder.toml OTHER && crownhead ladder \
         new OTHER`",
        file.display()
    )))
}

/// How a game's settings differ from the present ones; empty if they do not.
fn differences(played: &GameRecord, settings: &GameSettings) -> String {
    let compared = compare(played, &settings.header(&Opening::default())).into_iter();
    let differ = compared.filter(|(_, [before, now])| before != now);
    let told = differ.map(|(key, [before, now])| {
        // A referee is identified by its hash.
        let what = if key == "referee" {
            "referee's hash"
        } else {
            key
        };
        format!("{what} was {before} and is {now}")
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::game;
    use serde_json::json;

    #[test]
    fn what_an_external_referee_decides_is_no_difference_and_another_referee_is() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("ladder.toml"), "").unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let config = folder.config().unwrap();
        let settings = folder.settings(&config).unwrap();
        let mut played = game(1, "anna", "bert", [1.0, 0.0]);
        played.max_turns = settings.contest.max_turns();
        played.limits = settings.limits;
        assert_eq!(differences(&played, &settings), "");

        played.limits.turn *= 2;
        let longer = differences(&played, &settings);
        assert!(longer.starts_with("time was "), "{longer}");
        let mut judged_by = |protocol: &str| {
            let referee = json!({"command": "r", "protocol": protocol, "hash": "x", "seed": 1});
            played.referee = Some(serde_json::from_value(referee).unwrap());
            differences(&played, &settings)
        };
        assert_eq!(
            judged_by("lines"),
            format!("referee's hash was x and is none, {longer}")
        );
        // The contest engine itself sets the time limit of a turn.
        assert_eq!(judged_by("engine"), "referee's hash was x and is none");
    }
}
