//! Options of every command that seats bots: how strictly they are judged, by which clock, and where they run.

use super::Failure;
use crate::judge::{Clock, ColourLine, Profile};
use crate::seat::Conditions;
use anyhow::Context;
use clap::{Args, ValueEnum};
use crownhead_sandbox::{ResourceLimits, Sandbox, SandboxMode};
use std::path::PathBuf;

/// The conditions under which bots play.
#[derive(Debug, Args)]
pub(super) struct ConditionsOptions {
    /// How strictly lateness and output are judged: strict gives no grace, contest does as the contest's
    /// engine, and sends the colour line that the contest's site sends
    #[arg(long, value_name = "NAME", default_value = "strict", value_parser = Profile::named)]
    profile: Profile,
    /// What counts as time: wall as in the contest; cpu, the bot's work alone; or fair, wall without the main
    /// thread's waiting for a core. Only wall is for bots you do not trust: a bot can sleep under cpu, and
    /// make itself wait under fair, for up to ten limits a turn
    #[arg(long, value_name = "CLOCK", default_value = "wall")]
    clock: ClockName,
    /// The letter that tells a bot it plays red: live sends w as the contest's site does, statement sends r
    /// [default: statement; under the contest profile live]
    #[arg(long, value_name = "LINE")]
    colour_line: Option<ColourLineName>,
    /// Play a game again that a bot lost on time while it may have wanted a core; both are recorded, the
    /// second counts
    #[arg(long)]
    pub(super) replay_suspect: bool,
    /// Stop a bot's processes while its opponent thinks, so that it steals no core; costs about 40 µs a
    /// turn, of which about 10 µs are on the bot's clock
    #[arg(long)]
    suspend_idle: bool,
    /// Whether bots are locked in: auto as far as the system allows, require all of it, or off
    #[arg(long, value_name = "HOW", default_value = "auto")]
    sandbox: SandboxName,
    /// A file or folder that bots may read besides their own folder; may be given again
    #[arg(long, value_name = "PATH")]
    allow_read: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ClockName {
    Wall,
    Cpu,
    Fair,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColourLineName {
    Live,
    Statement,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SandboxName {
    Auto,
    Require,
    Off,
}

impl ConditionsOptions {
    /// What the options say.
    pub(super) fn conditions(&self) -> Result<Conditions, Failure> {
        let absolute = |path: &PathBuf| {
            path.canonicalize().map_err(|error| {
                Failure::Usage(format!("--allow-read {}: {error}", path.display()))
            })
        };
        let allow_read = self
            .allow_read
            .iter()
            .map(absolute)
            .collect::<Result<_, _>>()?;
        let crownhead =
            std::env::current_exe().context("cannot find the program crownhead itself")?;
        Ok(Conditions {
            profile: self.profile,
            clock: match self.clock {
                ClockName::Wall => Clock::Wall,
                ClockName::Cpu => Clock::Cpu,
                ClockName::Fair => Clock::Fair,
            },
            colour_line: match self.colour_line {
                Some(ColourLineName::Live) => ColourLine::Live,
                Some(ColourLineName::Statement) => ColourLine::Statement,
                None => self.profile.colour_line,
            },
            suspend_idle: self.suspend_idle,
            sandbox: Sandbox {
                supervisor: Some(crownhead),
                mode: match self.sandbox {
                    SandboxName::Auto => SandboxMode::Auto,
                    SandboxName::Require => SandboxMode::Require,
                    SandboxName::Off => SandboxMode::Off,
                },
                allow_read,
                limits: ResourceLimits::default(),
            },
        })
    }
}

/// Prints what the system lacks for the sandbox, a note each; fails if all of it is required.
pub(super) fn warn_missing(sandbox: &Sandbox) -> Result<(), Failure> {
    let missing = sandbox
        .missing_features()
        .context("the sandbox cannot be set up; `--sandbox off` does without")?;
    if sandbox.mode == SandboxMode::Require && !missing.is_empty() {
        return Err(Failure::Failed(anyhow::anyhow!(
            "--sandbox require: this system does not allow all of it: {}",
            missing.join("; ")
        )));
    }
    for feature in missing {
        anstream::eprintln!("note: {feature}");
    }
    Ok(())
}
