//! `crownhead ladder workers`: who plays.

use super::super::output::write_json;
use super::super::table::{Column, known, left, right};
use super::super::table_form::TableForm;
use super::folder_command::FolderCommand;
use crate::failure::Failure;
use clap::Args;
use crownhead_ladder::Folder;
use crownhead_ladder::store::shared::{Worker, expect_shared};
use crownhead_record::numbers::{show_count, show_estimate, show_rate};
use crownhead_record::text::printable;
use std::io::Write;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder workers night",
    after_long_help = "\
Speed is in positions a second of the built-in search. A pair is void if a bot may have lost it because of other \
programs on the machine."
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
        let workers = expect_shared(folder.read_store()?.as_ref())?.workers()?;
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
        ];
        let columns: Vec<Column> = [left("worker"), left("seen")]
            .into_iter()
            .chain(numbers.map(right))
            .collect();
        let rows = workers.iter().map(cells);
        write!(out, "{}", TableForm::on_stdout().table(&columns, rows))?;
        for worker in &workers {
            if let Some(doing) = &worker.doing {
                writeln!(out, "{}", printable(format!("{} {doing}", worker.name)))?;
            }
        }
        Ok(())
    }
}

fn cells(worker: &Worker) -> [String; 9] {
    let seen = match &worker.doing {
        None => "ended".into(),
        Some(_) if worker.seen < GONE => "now".into(),
        Some(_) => {
            format!("{} ago", show_estimate(worker.seen))
        }
    };
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
    ]
}
