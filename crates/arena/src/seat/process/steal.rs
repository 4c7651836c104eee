//! For how long the machine's hypervisor gave a core to others: stolen time, as proc(5) calls it.
//!
//! Linux counts it for a core, not for a process, in ticks of a hundredth of a second: enough to doubt a loss on time,
//! too coarse for a clock.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// Reads the stolen time of the one core that a bot has.
#[derive(Debug)]
pub(super) struct StealMeter {
    stat: File,
    /// How the core's line begins.
    core: String,
    /// In how many bytes of the file that line is: those of cores stand in order, and none takes more than 256.
    longest: usize,
    /// When it was read last before the turn under way, and how many ticks it was.
    before: Option<(Instant, u64)>,
}

/// A reading serves all turns that begin so soon after it: to read costs tens of microseconds, more than a quick bot's
/// turn, and this is no longer than two ticks.
const STALE: Duration = Duration::from_millis(20);

impl StealMeter {
    /// The meter of a bot that may use these cores: `None` unless it has one, and the system tells.
    pub(super) fn of(cores: &[usize]) -> Option<StealMeter> {
        let &[core] = cores else { return None };
        let meter = StealMeter {
            stat: File::open("/proc/stat").ok()?,
            core: format!("cpu{core} "),
            longest: 256 * (core + 2),
            before: None,
        };
        meter.read().is_some().then_some(meter)
    }

    /// A turn begins.
    pub(super) fn begin_turn(&mut self) {
        let fresh = |(read, _): (Instant, u64)| read.elapsed() < STALE;
        if !self.before.is_some_and(fresh) {
            self.before = self.read().map(|ticks| (Instant::now(), ticks));
        }
    }

    /// What has been stolen since the turn began.
    pub(super) fn since_turn_began(&self) -> Option<Duration> {
        let (_, before) = self.before?;
        let ticks = self.read()?.saturating_sub(before);
        let a_second = rustix::param::clock_ticks_per_second();
        Some(Duration::from_secs(ticks) / u32::try_from(a_second).ok()?)
    }

    fn read(&self) -> Option<u64> {
        let mut text = vec![0; self.longest];
        let count = self.stat.read_at(&mut text, 0).ok()?;
        stolen_ticks(str::from_utf8(&text[..count]).ok()?, &self.core)
    }
}

/// The ticks stolen of the core whose line begins so: the eighth number after its name (proc(5), `/proc/stat`).
fn stolen_ticks(stat: &str, core: &str) -> Option<u64> {
    let line = stat.lines().find_map(|line| line.strip_prefix(core))?;
    line.split_whitespace().nth(7)?.parse().ok()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::{StealMeter, stolen_ticks};
    use std::time::Duration;

    #[test]
    fn stolen_ticks_are_those_of_the_bots_own_core() {
        let stat = "cpu  10 20 30 40 50 60 70 80 90 100\n\
                    cpu1 1 2 3 4 5 6 7 8 9 10\n\
                    cpu12 11 12 13 14 15 16 17 18 19 20\n\
                    intr 5 6\n";
        assert_eq!(stolen_ticks(stat, "cpu1 "), Some(8));
        assert_eq!(stolen_ticks(stat, "cpu12 "), Some(18));
        assert_eq!(stolen_ticks(stat, "cpu2 "), None);
        // Kernels before 2.6.11 do not have it.
        assert_eq!(stolen_ticks("cpu0 1 2 3 4 5 6 7", "cpu0 "), None);
    }

    #[test]
    fn only_a_bot_with_one_core_has_a_meter() {
        assert!(StealMeter::of(&[]).is_none() && StealMeter::of(&[0, 1]).is_none());
        let mut meter = StealMeter::of(&[0]).unwrap();
        assert_eq!(meter.since_turn_began(), None);
        meter.begin_turn();
        assert!(meter.since_turn_began() < Some(Duration::from_secs(60)));
    }
}
