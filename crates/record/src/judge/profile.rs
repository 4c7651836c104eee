//! Profiles: how strictly a referee deals with a bot's time and output, as data.
//!
//! Each number is defined here, with its source. The length of games belongs to the rule book, the rules of clocks to
//! [`Clock`].

use super::clock::{Clock, HARD_CAP, most_waiting};
use super::colour_line::ColourLine;
use super::limits::{START_UP, TimeLimits};
use crate::numbers::{show_count, show_limit};
use std::fmt::Write;
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

    /// The profile in words, one sentence on each line.
    pub fn explain(&self, limits: TimeLimits, clock: Clock, turns: Option<u32>) -> String {
        let time = show_limit;
        let mut text = String::new();
        let mut say =
            |sentence: String| writeln!(text, "{sentence}.").expect("writing to a string");
        say(format!(
            "A bot has {} for its first turn and {} for each later one, from the moment the turn is sent to \
             the moment its line has been read",
            time(limits.first_turn),
            time(limits.turn)
        ));
        say(format!(
            "The first turn is sent once the bot waits for its input, at the latest {} after its start",
            time(START_UP)
        ));
        match clock {
            Clock::Wall => say(format!(
                "Of a turn that takes longer, the time is given back in which the bot was ready to run and did not get a \
                 core, up to {} ({} in the first turn), and in which the referee was not watching; a bot works for its \
                 limit at most",
                time(most_waiting(limits.turn)),
                time(most_waiting(limits.first_turn))
            )),
            Clock::Cpu => say(format!(
                "Of that only the bot's processor time counts, but no turn lasts longer than {HARD_CAP} limits \
                 on the wall, without what the bot waits for a core"
            )),
        }
        if self.grace.over.is_zero() {
            say("A late answer loses the game".into());
        } else {
            say(format!(
                "An answer up to {} late is a strike, and strike {} in a game loses it; a later answer \
                 loses at once",
                time(self.grace.over),
                self.grace.strikes
            ));
        }
        say(
            "A reply must equal a listed move exactly, but for white space at the line's end"
                .into(),
        );
        say(if self.returns_end_lines {
            "A line ends with a line feed, a carriage return, or both".into()
        } else {
            "A line ends with a line feed".into()
        });
        say(format!(
            "Lines beyond the first stay for the next turn; more than {} bytes without an end lose",
            show_count(self.longest_reply)
        ));
        say(format!(
            "Standard error is never judged, and at most {} bytes of it a turn are kept",
            show_count(self.log_bytes)
        ));
        if let Some(turns) = turns {
            say(format!("After {turns} turns the game is a draw"));
        }
        if let Some(most) = self.longest_game {
            say(format!(
                "The limits of all turns may add up to {} at most",
                time(most)
            ));
        }
        text
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
    fn the_explanation_names_every_number_of_the_contest() {
        let text = CONTEST.explain(CONTEST.limits, Clock::Wall, Some(200));
        for number in [
            "1 s", "100 ms", "50 ms", "strike 3", "10,000", "4,096", "200", "30 s",
        ] {
            assert!(text.contains(number), "{number} is missing:\n{text}");
        }
        assert!(
            STRICT
                .explain(STRICT.limits, Clock::Wall, None)
                .contains("A late answer loses")
        );
    }

    #[test]
    fn the_explanation_says_what_counts_as_time() {
        let text = |clock| STRICT.explain(STRICT.limits, clock, None);
        let wall = text(Clock::Wall);
        assert!(
            wall.contains("did not get a core, up to 1 s (10 s in the first turn)"),
            "{wall}"
        );
        let cpu = text(Clock::Cpu);
        assert!(
            cpu.contains("only the bot's processor time counts"),
            "{cpu}"
        );
        assert!(cpu.contains("no turn lasts longer than 10 limits"), "{cpu}");
        assert!(wall.contains("once the bot waits for its input, at the latest 5 s after"));
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
}
