//! `crownhead worker`: plays pairs of a ladder that is kept in a database, on a machine that has nothing else of it.

use super::calibrate::{games_at_once, safe_games, warn_of_too_many};
use super::ladder::View;
use super::progress::note;
use super::store_address::StoreAddress;
use crate::conditions::check_sandbox;
use crate::failure::{Failure, usage};
use crate::interrupts::interrupts;
use anyhow::Context;
use clap::Args;
use crownhead_arena::environment::Variable;
use crownhead_arena::options::sandbox_mode;
use crownhead_arena::settings::crownhead_itself;
use crownhead_ladder::store::Address;
use crownhead_ladder::store::shared::Machine;
use crownhead_ladder::{Grants, UnusableLadder, WorkerOptions, published, run_worker};
use crownhead_record::numbers::{counted, show_rate};
use crownhead_sandbox::{Sandbox, SandboxMode};
use crownhead_train::bench;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Play pairs of a ladder that many machines share, until interrupted
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead worker postgres://crownhead@db.example/night

It claims pairs, plays them, stores them and goes on, and waits for more when there are none. The bots come from the \
database, as `crownhead ladder publish` put them there; the password from PGPASSWORD or ~/.pgpass. A worker can be \
interrupted or killed at any moment: no finished pair is lost.

The first time it measures how many games at once are safe on this machine, and each time how fast it searches. A \
machine that is faster or slower than the ladder allows ([workers] in ladder.toml) is refused.

Of this machine bots read their own files and nothing that the ladder alone names: what its `allow_read`, `allow_write` \
and `env` ask of the machine is granted here, by --allow-read, --allow-write and --env, or its bots do not play here.

Exit status: 0 when it was ended by an interrupt, 1 when it failed, 2 when it may not play or for unusable arguments.")]
pub(super) struct RunWorker {
    /// The ladder's database: postgres://user@host/database
    #[arg(value_name = "URL", value_parser = StoreAddress)]
    store: Address,
    /// What the worker is called [default: the machine's name]
    #[arg(long)]
    name: Option<String>,
    /// How many pairs it plays at once [default: what is safe on this machine]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Whether bots are locked in: auto as far as the system allows, require all of it, or off
    #[arg(long, value_name = "HOW", default_value = "require", value_parser = sandbox_mode())]
    sandbox: SandboxMode,
    /// Build bots that have a build command here, as this user and without a sandbox, instead of playing what was
    /// published
    #[arg(long)]
    build: bool,
    /// A file or folder that bots may read besides their own files, if the ladder lets them and it has the same files
    /// there as the ladder's machine; may be given again
    #[arg(long, value_name = "PATH")]
    allow_read: Vec<PathBuf>,
    /// A folder that bots may read and write besides their temporary one, if the ladder lets them; may be given again
    #[arg(long, value_name = "DIR")]
    allow_write: Vec<PathBuf>,
    /// Pass bots a variable of the machine that the ladder names; repeatable
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<Variable>,
    /// Where bots are kept [default: crownhead/ladders in the user's cache]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

impl RunWorker {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if let Some(warning) = self.store.warning() {
            note(format_args!("{}: {warning}", self.store.url()));
        }
        let grants = Grants::new(&self.allow_read, &self.allow_write, &self.env).map_err(usage)?;
        let interrupted = interrupts()?;
        let ladder = published(&self.store, &interrupted, &mut |told| note(told));
        if interrupted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let ladder = ladder.map_err(refusal)?;
        self.expect_sandbox()?;
        let machine = self.machine()?;
        let (name, at_once) = (&machine.name, machine.concurrency);
        let at_once = counted(at_once, "game");
        let (speed, safe) = (show_rate(machine.speed), machine.safe_games.unwrap_or(0));
        note(format_args!(
            "worker {name}: {at_once} at once, {speed} positions/s each; up to {safe} at once are safe"
        ));
        let options = WorkerOptions {
            address: self.store.clone(),
            cache: self.cache()?,
            machine,
            sandbox: self.sandbox,
            builds: self.build,
            grants,
        };
        let mut view = View::new(true);
        let mut tell = |told: &str| note(told);
        run_worker(options, ladder, &interrupted, &mut tell, &mut view.shown()).map_err(refusal)
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
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = self.concurrency.map_or_else(games_at_once, usize::from);
        let safe = safe_games(wanted)?;
        let at_once = self.concurrency.map_or(safe.max(1), usize::from);
        warn_of_too_many(at_once);
        let name = match &self.name {
            Some(name) => name.clone(),
            None => rustix::system::uname().nodename().to_string_lossy().into(),
        };
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(Machine {
            name,
            cores: small(cores),
            concurrency: small(at_once),
            safe_games: Some(small(safe)),
            speed: bench::speed(at_once),
        })
    }

    /// Where bots are kept (XDG Base Directory Specification 0.8, `XDG_CACHE_HOME`).
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

/// A ladder that this machine may not play is a usage error.
fn refusal(error: anyhow::Error) -> Failure {
    if error.is::<UnusableLadder>() {
        usage(error)
    } else {
        error.into()
    }
}
