//! `crownhead ladder publish`, `roles` and `workers`: a ladder that many machines play.

use super::super::output::write_json;
use super::super::table::{left, right, stdout_screen, table};
use super::FolderCommand;
use crate::failure::{Failure, usage};
use anyhow::Context;
use clap::Args;
use crownhead_ladder::Folder;
use crownhead_ladder::store::shared::Worker;
use crownhead_record::numbers::{show_count, show_estimate, show_rate};
use crownhead_record::text::printable;
use crownhead_sandbox::join_words;
use std::io::Write;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder publish night",
    after_long_help = "\
The configuration, the openings and the bots' files (at most 64 MB a bot) are put into the ladder's database. Workers on \
other machines get them within a second or two, even while they play. `ladder run` publishes before it plays. Publish again \
after every change of ladder.toml or of a bot.

Exit status: 0 all bots are published; 1 some cannot play; 2 the ladder cannot be published."
)]
pub(super) struct Publish;

impl FolderCommand for Publish {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let published = crownhead_ladder::publish(folder)?;
        let mut out = anstream::stdout().lock();
        let bots = match published.bots.as_slice() {
            [] => "no bots".into(),
            bots => bots.join(", "),
        };
        let news = if published.is_new {
            "Published"
        } else {
            "Nothing has changed"
        };
        writeln!(out, "{news}: workers play {bots}.")?;
        if let Some(database) = folder.database()?
            && published.is_new
        {
            let url = join_words(&[database.url().into()]);
            writeln!(out, "Next, on each machine: crownhead worker {url}")?;
        }
        for (bot, reason) in &published.failed {
            anstream::eprintln!("error: {bot} is not published: {reason}");
        }
        let all = published.failed.is_empty();
        all.then_some(()).ok_or(Failure::Silent)
    }
}

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead ladder roles night
  psql --command '\\password night_worker' night
  crownhead worker postgres://night_worker@db.example/night",
    after_long_help = "\
Both are roles of PostgreSQL. They are created if they do not exist, and you can repeat the command. Owners may change \
everything that is stored. Workers may read what they play, claim pairs, and store the games of the pairs that they claimed. \
They cannot delete anything, and cannot change bots, the configuration, or the claims and games of others. To tell machines \
apart, give each a role of its own and make that a member: `CREATE ROLE attic LOGIN; GRANT night_worker TO attic`.

Use the role that created the ladder; it must be able to create others (CREATEROLE)."
)]
pub(super) struct SetRoles {
    /// Role of owners [default: the database's name and _owner]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Role of workers [default: the database's name and _worker]
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
}

impl FolderCommand for SetRoles {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        folder.store()?.expect_shared().map_err(usage)?;
        let database = folder.database()?.context("a shared ladder has one")?;
        let roles = database.set_roles(self.owner.as_deref(), self.worker.as_deref())?;
        let mut out = anstream::stdout().lock();
        writeln!(
            out,
            "{} may change all of this ladder, {} may play it and change nothing else.",
            roles.owner, roles.worker
        )?;
        writeln!(
            out,
            "Next, a password for each: psql --command '\\password {}'",
            roles.worker
        )?;
        Ok(())
    }
}

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
        let store = folder.read_store()?;
        store.expect_shared().map_err(usage)?;
        let workers = store.workers()?;
        let mut out = anstream::stdout().lock();
        if self.json {
            return Ok(write_json(&mut out, &workers)?);
        }
        if workers.is_empty() {
            return Ok(writeln!(out, "No worker has joined yet.")?);
        }
        let columns = [
            left("worker"),
            left("seen"),
            right("cores"),
            right("at once"),
            right("positions/s"),
            right("games"),
            right("void"),
        ];
        let rows = workers.iter().map(cells);
        write!(out, "{}", table(&columns, rows, stdout_screen()))?;
        for Worker { machine, doing, .. } in &workers {
            if let Some(doing) = doing {
                writeln!(out, "{}", printable(format!("{} {doing}", machine.name)))?;
            }
        }
        Ok(())
    }
}

fn cells(worker: &Worker) -> [String; 7] {
    let seen = match &worker.doing {
        None => "ended".into(),
        Some(_) if worker.seen < GONE => "now".into(),
        Some(_) => format!("{} ago", show_estimate(worker.seen)),
    };
    let machine = &worker.machine;
    [
        printable(&machine.name),
        seen,
        machine.cores.to_string(),
        machine.concurrency.to_string(),
        show_rate(machine.speed),
        show_count(worker.games),
        show_count(worker.void),
    ]
}
