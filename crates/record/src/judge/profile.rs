//! Profiles: how strictly a referee deals with a bot's time and output, as data.
//!
//! Each number is defined here, with its source. The length of games belongs to the rule book, the rules of clocks to
//! [`Clock`](super::Clock).

use super::microseconds;
use crate::numbers::show_limit;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How a referee starts bots and treats lateness, lines and floods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile {
    /// Its name on the command line and in records.
    pub name: &'static str,
    /// The default time limits.
    pub limits: TimeLimits,
    /// The default letter that tells a bot that it plays red.
    pub colour_line: ColourLine,
    /// The cost of a small overrun.
    pub grace: Grace,
    /// The most bytes of a reply before its line ends.
    pub longest_reply: usize,
    /// How much standard error of one turn is kept; the rest is read and dropped.
    pub log_bytes: usize,
    /// Whether a single carriage return also ends a line.
    pub returns_end_lines: bool,
    /// The most that the limits of all turns of a game may add up to.
    pub longest_game: Option<Duration>,
}

/// The longest time to wait after a bot's start until it reads. Then its first turn is sent, and its clock runs.
pub const START_UP: Duration = Duration::from_secs(5);

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeLimits {
    /// For a player's first turn.
    #[serde(rename = "first_turn_us", with = "microseconds")]
    pub first_turn: Duration,
    /// For each turn after it.
    #[serde(rename = "turn_us", with = "microseconds")]
    pub turn: Duration,
}

impl TimeLimits {
    /// The limit of a player's turn of this number, from 1.
    pub fn of(&self, own_turn: usize) -> Duration {
        match own_turn {
            1 => self.first_turn,
            _ => self.turn,
        }
    }
}

/// Which letter the colour line of red has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourLine {
    /// `r`, as the contest's statement says
    #[default]
    Statement,
    // Observed: public bots read it so.
    /// `w`, as the contest's site sends
    Live,
}

/// Added to the reason if a bot answers only after the live site's letter.
pub const KNOWS_THE_LIVE_LINE: &str = "This looks like a bot that knows `w` for red, as the live site sends: \
     `--colour-line live` sends it (`colour_line = \"live\"` in a ladder.toml)";

impl ColourLine {
    /// The letter that is sent for the side with this letter.
    pub fn letter(self, own: char) -> char {
        match (self, own) {
            (ColourLine::Live, 'r') => 'w',
            _ => own,
        }
    }
}

/// Lateness that does not lose at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grace {
    /// The largest overrun that is only a strike.
    pub over: Duration,
    /// The number of strikes that loses the game.
    pub strikes: u32,
}

/// Bytes of output a turn (stated: the contest's engine 4.7.8).
const OUTPUT_BYTES: usize = 10_000;

/// Bytes of standard error a turn (stated: the contest's engine 4.7.8).
const LOG_BYTES: usize = 4096;

/// Crownhead's own: the limits of the contest, without grace.
pub const STRICT: Profile = Profile {
    name: "strict",
    limits: TimeLimits {
        first_turn: Duration::from_millis(1000),
        turn: Duration::from_millis(100),
    },
    colour_line: ColourLine::Statement,
    grace: Grace {
        over: Duration::ZERO,
        strikes: 1,
    },
    longest_reply: OUTPUT_BYTES,
    log_bytes: LOG_BYTES,
    returns_end_lines: false,
    longest_game: None,
};

/// As the contest's engine does it (stated, version 4.7.8; the 100 ms are the contest's statement).
pub const CONTEST: Profile = Profile {
    name: "contest",
    limits: STRICT.limits,
    colour_line: ColourLine::Live,
    grace: Grace {
        over: Duration::from_millis(50),
        strikes: 3,
    },
    longest_reply: OUTPUT_BYTES,
    log_bytes: LOG_BYTES,
    returns_end_lines: true,
    longest_game: Some(Duration::from_secs(30)),
};

impl Profile {
    /// The profile of this name.
    ///
    /// # Errors
    /// When there is none; the message lists the valid names.
    pub fn named(name: &str) -> Result<Profile, String> {
        [STRICT, CONTEST]
            .into_iter()
            .find(|profile| profile.name == name)
            .ok_or_else(|| format!("expected {} or {}", STRICT.name, CONTEST.name))
    }

    /// Why a game of this many turns is impossible under these limits, if it is: the contest's engine adds up the
    /// limits of all turns and fails if the sum exceeds its quota.
    pub fn too_long(&self, limits: TimeLimits, turns: Option<u32>) -> Option<String> {
        let (most, turns) = (self.longest_game?, turns?);
        let firsts = turns.min(2);
        let sum = limits.first_turn * firsts + limits.turn * (turns - firsts);
        (sum > most).then(|| {
            format!(
                "the limits of {turns} turns add up to {}; the {} profile allows {}",
                show_limit(sum),
                self.name,
                show_limit(most),
            )
        })
    }
}

impl Default for TimeLimits {
    /// Those of the [strict profile](STRICT), which are the contest's.
    fn default() -> TimeLimits {
        STRICT.limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contest_game_at_the_contests_limits_fits_and_one_of_twice_the_time_does_not() {
        assert_eq!(CONTEST.too_long(CONTEST.limits, Some(200)), None);
        let slow = TimeLimits {
            turn: Duration::from_millis(200),
            ..CONTEST.limits
        };
        let why = CONTEST.too_long(slow, Some(200)).unwrap();
        assert_eq!(
            why,
            "the limits of 200 turns add up to 41 s 600 ms; the contest profile allows 30 s"
        );
        assert_eq!(STRICT.too_long(slow, Some(200)), None);
    }

    #[test]
    fn a_profile_is_found_by_its_name_and_another_name_refused_with_those_there_are() {
        for profile in [STRICT, CONTEST] {
            assert_eq!(Profile::named(profile.name).unwrap().name, profile.name);
        }
        let told = Profile::named("lenient").map(|profile| profile.name);
        assert_eq!(told, Err("expected strict or contest".into()));
    }

    #[test]
    fn limits_may_add_up_to_all_that_the_contest_has() {
        let whole = TimeLimits {
            first_turn: Duration::from_secs(1),
            turn: Duration::from_secs(1),
        };
        assert_eq!(CONTEST.too_long(whole, Some(30)), None);
        assert!(CONTEST.too_long(whole, Some(31)).is_some());
        assert_eq!(CONTEST.too_long(whole, None), None);
    }

    #[test]
    fn a_players_first_turn_has_a_limit_of_its_own() {
        let limits = TimeLimits {
            first_turn: Duration::from_secs(1),
            turn: Duration::from_millis(100),
        };
        assert_eq!(
            [1, 2, 3].map(|turn| limits.of(turn).as_millis()),
            [1000, 100, 100]
        );
    }

    #[test]
    fn only_reds_letter_differs_on_the_live_site() {
        assert_eq!(ColourLine::Live.letter('r'), 'w');
        assert_eq!(ColourLine::Live.letter('b'), 'b');
        assert_eq!(ColourLine::Statement.letter('r'), 'r');
    }
}
