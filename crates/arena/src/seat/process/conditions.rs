//! The conditions under which bots play, and where on the machine.

use clap::ValueEnum;
use crownhead_record::judge::{Clock, ColourLine, Profile, profile};
use crownhead_sandbox::Sandbox;
use serde::Deserialize;

/// How every bot of a match is judged and where it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// How strictly lateness and output are judged.
    pub profile: Profile,
    /// What counts as time.
    pub clock: Clock,
    /// Which letter the colour line of red has.
    pub colour_line: ColourLine,
    /// When a bot's processes are stopped while its opponent thinks.
    pub suspend_idle: SuspendIdle,
    /// Where bots run.
    pub sandbox: Sandbox,
}

/// When a bot's processes are stopped while its opponent thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuspendIdle {
    /// If a control group can freeze them, or if both bots share a core and signals can stop them
    #[default]
    Auto,
    /// Always, even if a bot could undo it
    Always,
    /// Never: bots may think in their opponent's time
    Never,
}

/// Where one bot runs on the machine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Placement {
    /// The cores that it may use, by their numbers; any where none are named.
    pub cores: Vec<usize>,
    /// Whether its opponent may use them too.
    pub shared: bool,
}

impl Default for Conditions {
    /// The strict profile on the wall clock, without a sandbox.
    fn default() -> Conditions {
        Conditions {
            profile: profile::STRICT,
            clock: Clock::Wall,
            colour_line: profile::STRICT.colour_line,
            suspend_idle: SuspendIdle::Auto,
            sandbox: Sandbox::none(),
        }
    }
}
