//! The conditions under which bots play, and where on the machine.

use crownhead_record::judge::{Clock, ColourLine, Profile, profile};
use crownhead_sandbox::Sandbox;

/// How every bot of a match is judged and where it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// How strictly lateness and output are judged.
    pub profile: Profile,
    /// What counts as time.
    pub clock: Clock,
    /// Which letter tells a bot that it plays red.
    pub colour_line: ColourLine,
    /// Whether a bot's processes are stopped while its opponent thinks.
    pub suspend_idle: bool,
    /// Where bots run.
    pub sandbox: Sandbox,
}

/// Where one bot runs on the machine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Placement {
    /// The cores that it may use, by their numbers; any where none are named.
    pub cores: Vec<usize>,
    /// Whether its opponent may use them too. Then it stands still while its opponent thinks, where that costs
    /// nothing to speak of.
    pub shared: bool,
}

impl Default for Conditions {
    /// The strict profile on the wall clock, without a sandbox.
    fn default() -> Conditions {
        Conditions {
            profile: profile::STRICT,
            clock: Clock::Wall,
            colour_line: profile::STRICT.colour_line,
            suspend_idle: false,
            sandbox: Sandbox::none(),
        }
    }
}
