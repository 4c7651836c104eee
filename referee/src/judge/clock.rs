//! What counts as time: pure functions of what was measured.
//!
//! The process seat measures. What Linux tells: the processor time of a whole process without its children, that of
//! all processes of a control group, and the time its *main thread* ran and stood in the run queue, which is frozen
//! while the thread stands there. While a bot's main thread waits, its own threads and processes may hold its core:
//! such waiting is the bot's own time.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What counts against a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The time on the wall.
    #[default]
    Wall,
    /// The bot's work: its processor time.
    Cpu,
    /// The time on the wall without the waiting for a core.
    Fair,
}

/// The most limits that a turn may last on the wall, however little of it counts.
pub const HARD_CAP: u32 = 10;

/// Where a turn's time went. What could not be measured is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// On the wall.
    pub wall: Duration,
    /// Processor time of the bot's process, all its threads together, without its children.
    pub work: Option<Duration>,
    /// Processor time of the main thread alone.
    pub ran: Option<Duration>,
    /// Time that the main thread stood in the run queue.
    pub waited: Option<Duration>,
    /// Processor time of all the bot's processes together, where it was measured.
    pub whole: Option<Duration>,
    /// Time for which the machine's hypervisor gave the bot's core to others: measured, in ticks of some milliseconds,
    /// only of a bot that is late and has one core.
    pub stolen: Option<Duration>,
}

impl Clock {
    /// What people call it: `wall`, say.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().into())
    }

    /// What counts of it. Where nothing could be measured, the wall does.
    pub fn counted(self, spent: &Spent) -> Duration {
        match self {
            Clock::Wall => spent.wall,
            Clock::Cpu => spent.work.unwrap_or(spent.wall),
            Clock::Fair => spent.wall - spent.waited_for_others(),
        }
    }
}

impl Spent {
    /// Whether a bot that lost on the wall's time may have lost for want of a core: it worked for less than
    /// its limit, and without others, be it on this machine or beside it, its main thread would have run for a tenth
    /// of it more.
    pub fn starved(&self, limit: Duration) -> bool {
        let stolen = self.stolen.unwrap_or_default();
        let lost = (self.waited_for_others() + stolen).mul_f64(self.main_share());
        // What is being stolen looks like work until the core is back.
        self.work
            .is_some_and(|work| work.saturating_sub(stolen) < limit)
            && lost >= limit / 10
            && self.was_hardly_idle(limit)
    }

    /// The main thread's share of all that the bot ran, which it would have had of an idle core too: a bot that starves
    /// itself is as late wherever it runs, and so it has not lost by the load of others.
    pub fn main_share(&self) -> f64 {
        let all = self.work.max(self.whole).unwrap_or_default();
        match self.ran {
            Some(ran) if ran < all => ran.div_duration_f64(all),
            _ => 1.0,
        }
    }

    /// Whether working and waiting for a core, a stolen one too, took nine tenths of the limit: a bot that was idle
    /// did not lose for want of a core.
    fn was_hardly_idle(&self, limit: Duration) -> bool {
        let times = [self.work, self.waited, self.stolen];
        let busy: Duration = times.into_iter().flatten().sum();
        busy >= limit - limit / 10
    }

    /// The waiting that the bot has not caused itself: less what its other threads and processes ran meanwhile. It
    /// is never more than the wall minus the bot's work: a bot has not waited while it worked.
    pub fn waited_for_others(&self) -> Duration {
        let work = self.work.max(self.whole).unwrap_or_default();
        let own = work.saturating_sub(self.ran.unwrap_or(work));
        let waited = self.waited.unwrap_or_default().saturating_sub(own);
        waited.min(self.wall.saturating_sub(work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(wall: u64, work: u64, waited: u64) -> Spent {
        Spent {
            wall: Duration::from_millis(wall),
            work: Some(Duration::from_millis(work)),
            waited: Some(Duration::from_millis(waited)),
            ..Spent::default()
        }
    }

    #[test]
    fn each_clock_counts_its_own() {
        let turn = spent(120, 60, 50);
        let counted = [Clock::Wall, Clock::Cpu, Clock::Fair].map(|clock| clock.counted(&turn));
        assert_eq!(counted, [120, 60, 70].map(Duration::from_millis));
    }

    #[test]
    fn waiting_never_counts_for_more_than_wall_minus_work() {
        // Another thread worked all the while.
        assert_eq!(
            Clock::Fair.counted(&spent(100, 100, 80)),
            Duration::from_millis(100)
        );
        // Two threads worked at once.
        assert_eq!(
            Clock::Fair.counted(&spent(100, 180, 80)),
            Duration::from_millis(100)
        );
    }

    #[test]
    fn waiting_behind_its_own_threads_and_processes_is_a_bots_own_time() {
        let limit = Duration::from_millis(100);
        let behind = |work, whole| Spent {
            ran: Some(Duration::from_millis(10)),
            whole: Some(Duration::from_millis(whole)),
            ..spent(120, work, 80)
        };
        // Behind others; behind another thread; behind another process; behind one of each kind.
        for (work, whole, others) in [(10, 10, 80), (80, 80, 10), (10, 90, 0), (10, 50, 40)] {
            let turn = behind(work, whole);
            let others = Duration::from_millis(others);
            assert_eq!(turn.waited_for_others(), others, "{turn:?}");
            assert_eq!(Clock::Fair.counted(&turn), turn.wall - others);
            assert_eq!(turn.starved(limit), whole == 10, "{turn:?}");
        }
    }

    #[test]
    fn a_bot_that_would_have_starved_itself_on_an_idle_machine_too_has_not_lost_by_others() {
        let limit = Duration::from_millis(300);
        // Others hold its core for half of the time.
        let beside_its_own = |ran: u64| Spent {
            ran: Some(Duration::from_millis(ran)),
            whole: Some(Duration::from_millis(150)),
            ..spent(300, ran, 300 - ran)
        };
        // Alone; beside one other thread or process that works; beside a hundred.
        let starved = [150, 75, 2].map(|ran| beside_its_own(ran).starved(limit));
        assert_eq!(starved, [true, true, false]);
    }

    #[test]
    fn a_bot_whose_core_was_stolen_may_have_lost_by_that() {
        let limit = Duration::from_millis(100);
        let stolen = |work, waited, stolen| Spent {
            stolen: Some(Duration::from_millis(stolen)),
            ..spent(101, work, waited)
        };
        assert!(stolen(86, 0, 10).starved(limit));
        assert!(stolen(60, 25, 10).starved(limit), "it waited, too");
        assert!(stolen(101, 0, 30).starved(limit), "it is still stolen");
        assert!(!stolen(86, 0, 0).starved(limit), "nothing was stolen");
        assert!(!stolen(30, 0, 20).starved(limit), "it slept for 50 ms");
        assert!(!stolen(120, 0, 20).starved(limit), "it worked for longer");
        let clocks = [Clock::Wall, Clock::Cpu, Clock::Fair];
        let counted = clocks.map(|clock| clock.counted(&stolen(86, 0, 10)));
        let counted = counted.map(|counted| counted.as_millis());
        assert_eq!(counted, [101, 86, 101], "ticks are too coarse for a clock");
    }

    #[test]
    fn what_could_not_be_measured_leaves_the_wall() {
        let unknown = Spent {
            wall: Duration::from_millis(90),
            ..Spent::default()
        };
        for clock in [Clock::Wall, Clock::Cpu, Clock::Fair] {
            assert_eq!(clock.counted(&unknown), unknown.wall);
        }
        assert!(!unknown.starved(Duration::from_millis(1)));
    }

    #[test]
    fn a_bot_that_worked_through_its_limit_was_not_starved() {
        let limit = Duration::from_millis(100);
        assert!(spent(101, 60, 40).starved(limit));
        assert!(!spent(150, 101, 40).starved(limit));
        assert!(!spent(101, 0, 1).starved(limit), "it slept");
        assert!(!spent(101, 5, 15).starved(limit), "it slept for 80 ms");
    }
}
