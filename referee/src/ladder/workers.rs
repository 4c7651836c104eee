//! `crownhead ladder workers`, `exclude` and `include`: who plays, and whose pairs are rated.

use super::super::output::write_json;
use super::super::table::{Column, known, left, right};
use super::super::table_form::TableForm;
use super::folder_command::FolderCommand;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_ladder::store::shared::Worker;
use crownhead_ladder::{Folder, workers};
use crownhead_record::numbers::{show_count, show_estimate, show_rate};
use crownhead_record::text::printable;
use std::io::Write;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder workers night",
    after_long_help = "\
Speed is in positions a second of the built-in search. A pair is void if a bot may have lost it because of other \
programs on the machine. Some pairs are replayed by another worker, if their bots answer the same on every machine; the table \
shows how many, and how many had another result. The last column is the probability that chance alone makes results differ \
so much from those of the other workers: below 0.001, look at the machine."
)]
pub(super) struct ShowWorkers {
    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

/// After this long a worker counts as gone. While it plays, it reports every second.
const GONE: Duration = Duration::from_secs(60);

impl FolderCommand for ShowWorkers {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let workers = workers(folder.read_store()?.as_ref())?;
        let mut out = anstream::stdout().lock();
        if self.json {
            return Ok(write_json(&mut out, &workers)?);
        }
        if workers.is_empty() {
            return Ok(writeln!(out, "No worker has joined yet.")?);
        }
        let numbers = [
            "cores",
            "at once",
            "safe",
            "positions/s",
            "games",
            "void",
            "faults",
            "replays",
            "chance",
        ];
        let columns: Vec<Column> = [left("worker"), left("seen")]
            .into_iter()
            .chain(numbers.map(right))
            .collect();
        let rows = workers.iter().map(cells);
        write!(out, "{}", TableForm::on_stdout().table(&columns, rows))?;
        for worker in &workers {
            let does = match (&worker.doing, &worker.excluded) {
                (_, Some(reason)) => format!("is excluded: {reason}"),
                (Some(doing), None) => doing.clone(),
                (None, None) => continue,
            };
            writeln!(out, "{}", printable(format!("{} {does}", worker.name)))?;
        }
        Ok(())
    }
}

fn cells(worker: &Worker) -> [String; 11] {
    let seen = match &worker.doing {
        None => "ended".into(),
        Some(_) if worker.seen < GONE => "now".into(),
        Some(_) => {
            format!("{} ago", show_estimate(worker.seen))
        }
    };
    let replays = match (worker.replayed, worker.different) {
        (0, _) => "-".into(),
        (replayed, 0) => replayed.to_string(),
        (replayed, different) => format!("{replayed}, {different} differ"),
    };
    let chance = worker.residual.map(|residual| residual.probability);
    [
        printable(&worker.name),
        seen,
        worker.cores.to_string(),
        worker.at_once.to_string(),
        known(worker.safe_games, |games| games.to_string()),
        show_rate(worker.speed),
        show_count(worker.games),
        show_count(worker.void),
        show_count(worker.faults),
        replays,
        known(chance, |chance| format!("{chance:.3}")),
    ]
}

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead ladder exclude night attic
  crownhead ladder exclude night attic --reason 'its fan is broken'",
    after_long_help = "\
The worker's pairs stay in the store and are not rated; standings say so. `crownhead ladder include` rates them again."
)]
pub(super) struct Exclude {
    /// Name of the worker
    worker: String,
    /// Reason to show under the table
    #[arg(long, default_value = "excluded by hand")]
    reason: String,
}

impl FolderCommand for Exclude {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        set(folder, &self.worker, Some(&self.reason))
    }
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  crownhead ladder include night attic")]
pub(super) struct Include {
    /// Name of the worker
    worker: String,
}

impl FolderCommand for Include {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        set(folder, &self.worker, None)
    }
}

fn set(folder: &Folder, worker: &str, reason: Option<&str>) -> Result<(), Failure> {
    let store = folder.store()?;
    let known = workers(store.as_ref())?.into_iter();
    let known: Vec<String> = known.map(|worker| worker.name).collect();
    if let Some(shared) = store.shared()
        && shared.exclude(worker, reason)?
    {
        return Ok(());
    }
    let known = known.join(" or ");
    Err(if known.is_empty() {
        usage("no worker has joined yet")
    } else {
        usage(format_args!(
            "no worker is called `{worker}`; expected {known}"
        ))
    })
}
