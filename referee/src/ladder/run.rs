//! A run of a ladder: builds the bots and plays pairs until none is left.

use super::config::Config;
use super::folder::Folder;
use super::pairs::{LadderRun, PairJob, PlayedJob};
use super::progress::Progress;
use crate::runner::{self, Cores, Participant};
use crate::seat::Placement;
use crate::settings::GameSettings;
use crate::store::Store;
use crownhead::explain::Explain;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays what is left of the ladder. `look` is told the progress after every change and several times a
/// second.
///
/// Once `interrupted` is set, the pairs under way are given back and the run ends. A pair is durable before
/// `look` is told of it.
///
/// # Errors
/// When the configuration or the store cannot be used, one pair is void by the referee's fault three times,
/// or `look` fails.
pub fn run_ladder<G: Explain>(
    folder: &Folder,
    interrupted: &Arc<AtomicBool>,
    look: impl FnMut(&Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let config = folder.config::<G>()?;
    let openings = folder.openings::<G>(&config)?;
    let settings = folder.settings(&config)?;
    let mut store = folder.store()?;
    let participants = enter(folder, &config, &mut store)?;
    let concurrency = config.concurrency;
    let mut ladder = LadderRun::<G, _>::new(config, &settings, openings, store, interrupted, look)?;
    let cores = Cores::take(concurrency);
    let played = runner::work(concurrency, true, &mut ladder, |place, job: PairJob| {
        play::<G>(&settings, &participants, job, cores.of(place), interrupted)
    });
    // However it ended, other runs need not wait for the leases to end.
    ladder.release()?;
    played
}

/// Builds the bots and makes them ready; one that cannot be built is disabled.
fn enter(
    folder: &Folder,
    config: &Config,
    store: &mut Store,
) -> anyhow::Result<Vec<Option<Participant>>> {
    let mut participants = Vec::with_capacity(config.bots.len());
    for (number, bot) in config.bots.iter().enumerate() {
        if bot.retired {
            participants.push(None);
            continue;
        }
        if let Err(reason) = folder.build(config, number) {
            store.disable(&bot.name, &format!("{reason:#}"))?;
            participants.push(None);
            continue;
        }
        participants.push(Some(folder.participant(config, number)?));
    }
    Ok(participants)
}

fn play<G: Explain>(
    settings: &GameSettings,
    participants: &[Option<Participant>],
    job: PairJob,
    cores: &[Placement; 2],
    interrupted: &Arc<AtomicBool>,
) -> PlayedJob {
    let bots = job.bots.map(|bot| {
        participants[bot]
            .as_ref()
            .expect("only bots that are ready are scheduled")
    });
    let pair = (!interrupted.load(Ordering::Relaxed))
        .then(|| runner::play_pair::<G>(settings, bots, &job.specs, cores, interrupted));
    PlayedJob {
        id: job.id,
        bots: job.bots,
        pair,
    }
}
