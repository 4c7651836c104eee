//! A worker: plays pairs of a ladder whose folder is on another machine, for as long as it is let.

use super::cache::Cache;
use super::config::{Config, Outside};
use super::progress::Progress;
use super::refuse;
use super::role::shared;
use super::run::play_all;
use super::travel::{WorkerOptions, WorkerRun};
use crate::store::shared::{Machine, Publication};
use crate::store::{Access, Address, Store};
use anyhow::Context;
use crownhead_train::bench;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is published in a ladder's database.
///
/// # Errors
/// When the database cannot be used, or nothing is published.
pub fn published(address: &Address) -> anyhow::Result<Publication> {
    let store = address.open(Access::Write)?;
    let shared = store.shared().context("a database is shared")?;
    let published = shared.publication()?;
    Ok(published.ok_or_else(|| {
        refuse(format!(
            "{}: nothing is published for workers; type `crownhead ladder publish FOLDER` where the ladder's folder is",
            address.url()
        ))
    })?)
}

/// Plays pairs of the ladder until `interrupted` is set. `look` is told the progress as by
/// [`run_ladder`](super::run_ladder).
///
/// # Errors
/// When this machine may not play the ladder, or the store fails for good.
pub fn run_worker(
    options: WorkerOptions,
    published: Publication,
    interrupted: &Arc<AtomicBool>,
    look: &mut dyn FnMut(&Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let signature = bench::signature(Config::parse(&published.config)?.game());
    if signature != published.signature {
        let told = format!(
            "the built-in search of this Crownhead has the signature {signature}, that of the ladder {}: expected the \
             same version of Crownhead on all machines",
            published.signature
        );
        return Err(refuse(told).into());
    }
    let cache = Cache::of(&options.cache, &options.address);
    let folder = cache.write_folder(&published, &options.address)?;
    let mut config = folder.config()?;
    config.concurrency = usize::try_from(options.machine.concurrency).unwrap_or(1);
    config.options.bots.sandbox = options.sandbox;
    let store = folder.store()?;
    let repeatable_alone = outside_band(&config, &options.machine, store.as_ref())?;
    play_all(&folder, config, store, interrupted, look, |mut run| {
        run.repeatable_alone = repeatable_alone;
        WorkerRun::new(run, options, cache, published)
    })
}

/// Whether this machine's speed is outside the ladder's band, and it may play nevertheless.
///
/// # Errors
/// When it may not.
fn outside_band(config: &Config, machine: &Machine, store: &dyn Store) -> anyhow::Result<bool> {
    let terms = &config.workers;
    let reference = match terms.speed {
        Some(speed) => Some(speed),
        None => shared(store)?.reference_speed()?,
    };
    let Some(reference) = reference else {
        return Ok(false);
    };
    let difference = 100.0 * (machine.speed / reference - 1.0);
    if difference.abs() <= terms.band {
        return Ok(false);
    }
    match terms.outside {
        Outside::Repeatable => Ok(true),
        Outside::Refuse => Err(refuse(format!(
            "this machine searches {:.2} million positions a second with {} at once, {:+.0} % of the {:.2} million that \
             the ladder asks for, which lets {:.0} % pass: bots would think more or less here than elsewhere. \
             `[workers] outside = \"repeatable\"` in ladder.toml lets such machines play bots that are limited by \
             nodes or depth, `band` lets more pass",
            machine.speed / 1e6,
            machine.concurrency,
            difference,
            reference / 1e6,
            terms.band
        ))
        .into()),
    }
}
