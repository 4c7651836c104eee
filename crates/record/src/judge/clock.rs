//! Turns measured times into time that counts against a bot. Pure functions.
//!
//! The process seat measures. A turn that ends within its limit by the wall clock is in time. If a turn takes longer,
//! the bot gets back the time that was not its own: the time in which the referee was not watching and an answer may
//! have come, in which the bot was ready and none of its threads ran, and in which the machine's hypervisor had its
//! core. Its work always counts, so a bot never thinks for longer than its limit.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What counts against a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Real time, minus the time that the bot lost to other programs
    #[default]
    Wall,
    /// Only the processor time that the bot used
    Cpu,
}

/// The most limits that a bot gets back for waiting for a core, and that a turn may last by the wall clock, whatever
/// counts.
pub const HARD_CAP: u32 = 10;

/// Its minimum: a second.
const LEAST_CAP: Duration = Duration::from_secs(1);

/// The longest wait for a core that is given back in a turn with this limit: ten limits, at least a second.
pub fn most_waiting(limit: Duration) -> Duration {
    (limit * HARD_CAP).max(LEAST_CAP)
}

/// Where a turn's time went. `None` if it could not be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// By the wall clock.
    pub wall: Duration,
    /// Processor time of the bot's process, all its threads together, without its children. With them where the
    /// system counts all together alone.
    pub work: Option<Duration>,
    /// Time that the main thread spent in the run queue.
    pub waited: Option<Duration>,
    /// For how long the referee was not watching.
    pub lag: Lag,
    /// More about a turn that exceeded its limit.
    pub overrun: Option<Overrun>,
}

/// For how long the referee was not watching: it was stopped, or had no core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lag {
    /// In total.
    pub sum: Duration,
    /// The longest at one time.
    pub longest: Duration,
}

/// What is measured only if a turn exceeded its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overrun {
    /// Processor time of all the bot's processes together.
    pub work: Duration,
    /// The part of it that was certainly not parallel: all of it if the bot has one core.
    pub serial_work: Duration,
    /// For how long the bot was ready and none of its threads ran.
    pub queued: Duration,
    /// The part of the referee's lag that is no evidence against the bot. If it has answered: the longest lag, in which
    /// the answer may have come. If it has not: all of it if the bot is working and had no core meanwhile, and nothing
    /// if it sleeps.
    pub lag: Duration,
    /// For how long the machine's hypervisor gave the bot's core to others, in ticks of some milliseconds.
    pub stolen: Duration,
}

impl Clock {
    /// Its name for people, such as `wall`.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().into())
    }

    /// The part of it that counts against this limit. If nothing could be measured, the wall-clock time counts.
    pub fn counted(self, spent: &Spent, limit: Duration) -> Duration {
        let on_the_wall = spent.wall - spent.given_back(limit);
        match self {
            Clock::Wall => on_the_wall,
            Clock::Cpu => spent.work.unwrap_or(on_the_wall),
        }
    }
}

impl Spent {
    /// The part of the wall-clock time that is given back to a bot with this limit: nothing within the limit, and never
    /// its own work.
    pub fn given_back(&self, limit: Duration) -> Duration {
        let Some(overrun) = self.overrun.filter(|_| self.wall > limit) else {
            return Duration::ZERO;
        };
        // Stolen time looks like work until the core is back.
        let work = overrun.work.saturating_sub(overrun.stolen);
        let waited = (overrun.queued + overrun.stolen).min(most_waiting(limit));
        (overrun.lag + waited).min(self.wall.saturating_sub(work))
    }

    /// Whether a bot with this wall-clock limit might have been in time on an idle machine: the referee was away for as
    /// long as the limit, the bot waited for longer than is given back, or it worked on several cores at once.
    pub fn is_doubtful(&self, limit: Duration) -> bool {
        if self.lag.longest >= limit {
            return true;
        }
        let kept = |overrun: Overrun| {
            let kept = overrun.lag + overrun.queued + overrun.stolen;
            self.wall.saturating_sub(kept) <= limit && overrun.serial_work <= limit
        };
        match self.overrun {
            Some(overrun) => kept(overrun),
            // The system reports nothing. Each wait lasts a moment too long, which is no sign of a busy machine.
            None => {
                let was_away = self.lag.longest >= limit / 10;
                was_away && self.wall.saturating_sub(self.lag.sum) <= limit
            }
        }
    }

    /// Whether the bot lost a tenth of its limit or more to other programs.
    pub fn was_kept(&self, limit: Duration) -> bool {
        let overrun = self.overrun.unwrap_or_default();
        overrun.lag + overrun.queued + overrun.stolen >= limit / 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// A late turn of a bot with one core.
    fn turn(wall: u64, work: u64, queued: u64) -> Spent {
        Spent {
            wall: ms(wall),
            work: Some(ms(work)),
            overrun: Some(Overrun {
                work: ms(work),
                serial_work: ms(work),
                queued: ms(queued),
                ..Overrun::default()
            }),
            ..Spent::default()
        }
    }

    fn counted(spent: &Spent) -> Duration {
        Clock::Wall.counted(spent, LIMIT)
    }

    #[test]
    fn waiting_for_a_core_is_given_back() {
        assert_eq!(counted(&turn(480, 95, 385)), ms(95));
        assert_eq!(counted(&turn(150, 60, 50)), ms(100));
        assert_eq!(counted(&turn(150, 60, 0)), ms(150), "it slept");
    }

    #[test]
    fn a_turn_within_its_limit_is_as_long_as_it_is() {
        assert_eq!(counted(&turn(99, 10, 80)), ms(99));
        assert_eq!(turn(99, 10, 80).given_back(LIMIT), Duration::ZERO);
        assert_eq!(turn(100, 10, 80).given_back(LIMIT), Duration::ZERO);
        assert_eq!(turn(101, 10, 80).given_back(LIMIT), ms(80));
    }

    #[test]
    fn a_bot_works_for_its_limit_at_most() {
        // It worked in the queue's time, by another process, or while the referee was away.
        assert_eq!(counted(&turn(500, 300, 400)), ms(300));
        let away = Lag {
            sum: ms(4000),
            longest: ms(4000),
        };
        let mut worked = turn(4050, 4000, 0);
        (worked.lag, worked.overrun.as_mut().unwrap().lag) = (away, away.longest);
        assert_eq!(counted(&worked), ms(4000));
        assert!(worked.is_doubtful(LIMIT), "nobody was there");
        let mut answered = turn(4050, 1, 0);
        (answered.lag, answered.overrun.as_mut().unwrap().lag) = (away, away.longest);
        assert_eq!(counted(&answered), ms(50));
    }

    #[test]
    fn no_more_than_ten_limits_of_waiting_are_given_back_and_then_nobody_knows() {
        let starved = turn(2000, 90, 1910);
        assert_eq!(counted(&starved), ms(1000));
        assert!(starved.is_doubtful(LIMIT));
        assert!(!turn(2000, 101, 1899).is_doubtful(LIMIT), "it worked");
        assert!(!turn(2000, 0, 1500).is_doubtful(LIMIT), "it slept");
        assert_eq!(most_waiting(ms(10)), ms(1000));
        assert_eq!(most_waiting(ms(1000)), ms(10_000));
    }

    #[test]
    fn work_on_several_cores_does_not_show_that_a_bot_was_late() {
        let mut spent = turn(300, 280, 0);
        spent.overrun.as_mut().unwrap().lag = ms(210);
        assert_eq!(counted(&spent), ms(280));
        assert!(!spent.is_doubtful(LIMIT));
        spent.overrun.as_mut().unwrap().serial_work = ms(90);
        assert!(spent.is_doubtful(LIMIT));
    }

    #[test]
    fn time_stolen_by_the_hypervisor_is_given_back() {
        let mut spent = turn(180, 160, 0);
        spent.overrun.as_mut().unwrap().stolen = ms(90);
        assert_eq!(counted(&spent), ms(90));
        let mut spent = turn(2000, 20, 900);
        spent.overrun.as_mut().unwrap().stolen = ms(900);
        assert_eq!(counted(&spent), ms(1000), "both together, up to ten limits");
    }

    #[test]
    fn without_a_measurement_the_wall_clock_counts() {
        let unknown = Spent {
            wall: ms(90),
            ..Spent::default()
        };
        for clock in [Clock::Wall, Clock::Cpu] {
            assert_eq!(clock.counted(&unknown, ms(50)), ms(90));
        }
        assert!(!unknown.is_doubtful(ms(50)));
        let away = Spent {
            lag: Lag {
                sum: ms(60),
                longest: ms(60),
            },
            ..unknown
        };
        assert!(away.is_doubtful(ms(50)), "nobody saw it");
        let late_by_a_moment = Spent {
            wall: ms(51),
            lag: Lag {
                sum: ms(20),
                longest: ms(4),
            },
            ..unknown
        };
        assert!(!late_by_a_moment.is_doubtful(ms(50)));
    }

    #[test]
    fn the_cpu_clock_counts_work() {
        assert_eq!(Clock::Cpu.counted(&turn(982, 7, 0), LIMIT), ms(7));
    }

    #[test]
    fn a_clock_is_called_as_the_command_line_has_it() {
        assert_eq!([Clock::Wall, Clock::Cpu].map(Clock::name), ["wall", "cpu"]);
    }

    #[test]
    fn a_bot_was_kept_where_a_tenth_of_its_limit_was_not_its_own() {
        let kept = |lag, queued, stolen| {
            let mut spent = turn(150, 0, queued);
            let overrun = spent.overrun.as_mut().unwrap();
            (overrun.lag, overrun.stolen) = (ms(lag), ms(stolen));
            spent.was_kept(LIMIT)
        };
        assert!(kept(10, 0, 0) && kept(0, 10, 0) && kept(0, 0, 10));
        assert!(kept(3, 3, 4) && !kept(3, 3, 3));
        assert!(!Spent::default().was_kept(LIMIT), "nothing is known");
    }

    #[test]
    fn all_causes_of_delay_together_make_a_turn_doubtful() {
        let doubtful = |lag, queued, stolen| {
            let mut spent = turn(160, 0, queued);
            let overrun = spent.overrun.as_mut().unwrap();
            (overrun.lag, overrun.stolen) = (ms(lag), ms(stolen));
            spent.is_doubtful(LIMIT)
        };
        assert!(doubtful(20, 20, 20));
        assert!(!doubtful(20, 20, 19) && !doubtful(20, 19, 20) && !doubtful(19, 20, 20));
    }
}
