//! `crownhead worker`: plays games of a ladder that is kept in a database, on any machine that can reach it.

use super::ladder::View;
use super::progress::note;
use crate::conditions::{check_sandbox, cores, games_at_once, warn_of_too_many};
use crate::failure::{Failure, usage};
use crate::interrupts::interrupts;
use anyhow::Context;
use clap::Args;
use crownhead_arena::environment::Variable;
use crownhead_arena::headings::SANDBOX;
use crownhead_arena::options::sandbox_mode;
use crownhead_arena::settings::crownhead_itself;
use crownhead_ladder::store::Address;
use crownhead_ladder::store::shared::Machine;
use crownhead_ladder::{Grants, LadderError, Progress, WorkerOptions, published, run_worker};
use crownhead_record::bench;
use crownhead_record::numbers::{counted, show_rate};
use crownhead_sandbox::{Sandbox, SandboxMode};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Play games of a shared ladder on this machine
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead worker postgres://crownhead@db.example/night
  crownhead worker postgres://night_worker@db.example/night --name attic -j 4",
    after_long_help = "\
The worker claims pairs of games, plays them, stores them, and waits when there are none. The bots come from the database, \
as `crownhead ladder publish` put them there. The password comes from PGPASSWORD or ~/.pgpass. You can interrupt or kill a \
worker at any moment: no finished pair is lost.

Every start measures how fast this machine searches. The ladder refuses a machine that is less than half as fast as its first worker.

On this machine, bots can read only their own files, not the paths that the ladder asks for. To grant what its \
`allow_read`, `allow_write` and `env` ask for, use --allow-read, --allow-write and --env. Without them, bots that need \
these do not play here.

Exit status: 0 it was interrupted; 1 it failed; 2 it may not play, or unusable arguments."
)]
pub(super) struct RunWorker {
    /// Database of the ladder: postgres://user@host/database
    #[arg(value_name = "URL")]
    store: String,
    /// Name of this worker [default: the machine's name]
    #[arg(long)]
    name: Option<String>,
    /// Pairs (2 games each) to play at once [default: half the cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Folder for downloaded bots [default: ~/.cache/crownhead/ladders]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Isolation: auto, require or off
    ///
    /// `auto` isolates them as far as the system allows, `require` fails if it does not allow everything.
    #[arg(
        long,
        value_name = "MODE",
        default_value = "require",
        help_heading = SANDBOX,
        hide_possible_values = true,
        value_parser = sandbox_mode()
    )]
    sandbox: SandboxMode,
    /// Extra file or folder that bots may read, if the ladder asks for it (repeatable)
    ///
    /// It must hold the same files as on the ladder's machine.
    #[arg(long, value_name = "PATH", help_heading = SANDBOX)]
    allow_read: Vec<PathBuf>,
    /// Extra folder that bots may write to, if the ladder asks for it (repeatable)
    #[arg(long, value_name = "DIR", help_heading = SANDBOX)]
    allow_write: Vec<PathBuf>,
    /// Variable of this machine to pass to bots, if the ladder names it (repeatable)
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = SANDBOX)]
    env: Vec<Variable>,
}

impl RunWorker {
    pub(super) fn run(&self) -> Result<(), Failure> {
        // A message does not repeat what was typed, because it may have a password.
        let store = Address::parse(&self.store).map_err(usage)?;
        if let Some(warning) = store.warning() {
            note(format_args!("{}: {warning}", store.url()));
        }
        let grants = Grants::new(&self.allow_read, &self.allow_write, &self.env).map_err(usage)?;
        let interrupted = interrupts()?;
        let ladder = published(&store, &interrupted, &mut |told| note(told));
        if interrupted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let ladder = ladder.map_err(refusal)?;
        self.expect_sandbox()?;
        let machine = self.machine()?;
        let (name, at_once) = (&machine.name, machine.concurrency);
        let at_once = counted(at_once, "game");
        let speed = show_rate(machine.speed);
        note(format_args!(
            "worker {name}: {at_once} at once, {speed} positions/s each"
        ));
        let options = WorkerOptions {
            address: store,
            cache: self.cache()?,
            machine,
            sandbox: self.sandbox.in_force(),
            grants,
        };
        let mut view = View::new(true);
        let mut show = |progress: &Progress<'_>| view.show(progress);
        run_worker(options, ladder, &interrupted, &mut show).map_err(refusal)
    }

    /// Says what the system lacks to confine bots.
    fn expect_sandbox(&self) -> Result<(), Failure> {
        let sandbox = Sandbox {
            supervisor: Some(crownhead_itself()?),
            mode: self.sandbox,
            ..Sandbox::none()
        };
        check_sandbox(&sandbox).map_err(|failure| match failure {
            Failure::Failed(error) => usage(error),
            failure => failure,
        })
    }

    fn machine(&self) -> Result<Machine, Failure> {
        let at_once = self.concurrency.map_or_else(games_at_once, usize::from);
        warn_of_too_many(at_once);
        let name = match &self.name {
            Some(name) => name.clone(),
            None => crownhead_sandbox::host_name(),
        };
        Ok(Machine {
            name,
            cores: cores() as u64,
            concurrency: at_once as u64,
            speed: bench::speed(at_once),
        })
    }

    /// The folder for downloaded bots (XDG Base Directory Specification 0.8, `XDG_CACHE_HOME`).
    fn cache(&self) -> Result<PathBuf, Failure> {
        if let Some(cache) = &self.cache {
            return Ok(std::path::absolute(cache)?);
        }
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.filter(|path| path.is_absolute());
        let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache")));
        let cache = cache.context("there is no home folder; name one for the bots with --cache")?;
        Ok(cache.join("crownhead/ladders"))
    }
}

/// The failure for a ladder that this machine may not play: a usage error.
fn refusal(error: LadderError) -> Failure {
    match error.is_unusable() {
        true => usage(error),
        false => error.into(),
    }
}
