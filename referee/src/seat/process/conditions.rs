//! The conditions under which bots play.

use crate::judge::{Clock, ColourLine, Profile, profile};
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
