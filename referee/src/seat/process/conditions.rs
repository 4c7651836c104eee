//! The conditions under which bots play.

use crate::judge::{Clock, ColourLine, Profile, profile};
use crate::room::Room;

/// What holds for every bot of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// How strictly lateness and output are judged.
    pub profile: Profile,
    /// What counts as time.
    pub clock: Clock,
    /// Which letter tells a bot that it plays red.
    pub colour_line: ColourLine,
    /// Whether a bot's processes stand still while its opponent thinks.
    pub suspend_idle: bool,
    /// Where bots run.
    pub room: Room,
}

impl Default for Conditions {
    /// The strict profile on the wall's clock, in no room.
    fn default() -> Conditions {
        Conditions {
            profile: profile::STRICT,
            clock: Clock::Wall,
            colour_line: profile::STRICT.colour_line,
            suspend_idle: false,
            room: Room::none(),
        }
    }
}
