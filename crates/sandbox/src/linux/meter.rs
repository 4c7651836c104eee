//! Measures where a bot's time goes: processor time, and waiting for a core, of its first thread in every turn, and of
//! all its threads and processes where a turn lasts.
//!
//! Also for how long the machine's hypervisor gave the core to others: stolen time, as proc(5) calls it. Linux counts it
//! for a core, not for a process, in ticks of a hundredth of a second: enough to doubt a loss on time, too coarse for a
//! clock.

use super::sys::ProcessClock;
use super::threads::{Thread, ThreadClock, ThreadTimes};
use crate::program::{OtherWork, Work};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// Reads the clocks of a bot.
#[derive(Debug)]
pub struct Meter {
    /// The bot's first one comes first.
    processes: Vec<KnownProcess>,
    /// Its main thread comes first.
    threads: Vec<KnownThread>,
}

/// A process or thread whose clock is read.
#[derive(Debug)]
struct Known<K, C, T> {
    key: K,
    clock: C,
    /// When the turn began; nothing of one that was born since.
    before: T,
}

type KnownProcess = Known<u32, ProcessClock, Duration>;
type KnownThread = Known<Thread, ThreadClock, ThreadTimes>;

impl<K: Copy + PartialEq, C, T: Default> Known<K, C, T> {
    fn of(key: K, clock: Option<C>) -> Option<Known<K, C, T>> {
        Some(Known {
            key,
            clock: clock?,
            before: T::default(),
        })
    }

    /// Keeps those of a list that are still there, and the first; and takes in the new ones.
    fn refresh(list: &mut Vec<Known<K, C, T>>, now: &[K], clock: impl Fn(K) -> Option<C>) {
        let first = list[0].key;
        list.retain(|known| known.key == first || now.contains(&known.key));
        for &key in now {
            if list.iter().all(|known| known.key != key) {
                list.extend(Known::of(key, clock(key)));
            }
        }
    }
}

impl Meter {
    /// A meter of the bot whose first process has this pid, if the system shows its clocks.
    pub fn of(pid: u32) -> Option<Meter> {
        let main = Thread {
            process: pid,
            id: pid,
        };
        Some(Meter {
            processes: vec![Known::of(pid, ProcessClock::of(pid).ok())?],
            threads: vec![Known::of(main, ThreadClock::of(main))?],
        })
    }

    /// What the first process has worked since the turn began, and for how long its main thread stood in the run queue.
    /// Waiting that has not ended is not in it: the kernel counts it when it ends.
    pub fn of_first(&self) -> (Option<Duration>, Option<Duration>) {
        let (process, thread) = (&self.processes[0], &self.threads[0]);
        let worked = process.clock.now().ok();
        let times = thread.clock.read();
        (
            worked.map(|now| now.saturating_sub(process.before)),
            times.map(|now| now.waited.saturating_sub(thread.before.waited)),
        )
    }

    /// The turn begins for all threads that are known.
    pub fn begin_turn(&mut self) {
        for process in &mut self.processes {
            process.before = process.clock.now().unwrap_or(process.before);
        }
        for thread in &mut self.threads {
            thread.before = thread.clock.read().unwrap_or(thread.before);
        }
    }

    /// Takes in which processes and threads the bot has.
    pub fn look(&mut self, processes: &[u32]) {
        Known::refresh(&mut self.processes, processes, |pid| {
            ProcessClock::of(pid).ok()
        });
        let threads = Thread::all_of(processes);
        Known::refresh(&mut self.threads, &threads, ThreadClock::of);
    }

    /// The times since the turn began of all threads that are known. The serial work is that of the thread that has worked
    /// most. The bot was queued while one was ready and none ran: for as long as the one that waited most, less what the
    /// others ran meanwhile. `others` is the processor time of all processes, or of those that have ended, if it is known
    /// otherwise.
    pub fn all(&self, others: OtherWork) -> Work {
        let worked = |process: &KnownProcess| {
            let now = process.clock.now().unwrap_or(process.before);
            now.saturating_sub(process.before)
        };
        let alive: Duration = self.processes.iter().map(worked).sum();
        let all = match others {
            OtherWork::Grouped(all) => alive.max(all),
            OtherWork::Reaped(ended) => alive + ended,
        };
        let mut work = Work {
            all,
            alive,
            ..Work::default()
        };
        for KnownThread { clock, before, .. } in &self.threads {
            let now = clock.read().unwrap_or(*before);
            let ran = now.ran.saturating_sub(before.ran);
            let waited = now.waited.saturating_sub(before.waited);
            let behind_others = waited.saturating_sub(all.saturating_sub(ran));
            work.serial = work.serial.max(ran);
            work.queued = work.queued.max(behind_others);
        }
        work
    }
}

/// Reads the stolen time of the one core that a bot has.
#[derive(Debug)]
pub struct StealMeter {
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
    pub fn of(cores: &[usize]) -> Option<StealMeter> {
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
    pub fn begin_turn(&mut self) {
        let fresh = |(read, _): (Instant, u64)| read.elapsed() < STALE;
        if !self.before.is_some_and(fresh) {
            self.before = self.read().map(|ticks| (Instant::now(), ticks));
        }
    }

    /// What has been stolen since the turn began.
    pub fn since_turn_began(&self) -> Option<Duration> {
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
mod tests {
    use super::{Meter, OtherWork, StealMeter, stolen_ticks};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    fn work_is_counted_and_sleep_is_not() {
        let mut meter = Meter::of(std::process::id()).unwrap();
        meter.begin_turn();
        let mut spun = 0u64;
        while meter.of_first().0 < Some(Duration::from_millis(20)) {
            spun = std::hint::black_box(spun + 1);
        }
        let (work, waited) = meter.of_first();
        assert!(work.unwrap() >= Duration::from_millis(20));
        assert!(waited.is_some());
    }

    #[test]
    fn a_childs_work_and_waiting_count_as_the_bots() {
        // Three children on one core: each waits for the others, and the bot as a whole only for other programs.
        let own = rustix::thread::sched_getaffinity(None).unwrap();
        let core = (0..).find(|&core| own.is_set(core)).unwrap();
        let script = "for n in 1 2 3; do while :; do :; done & done; wait";
        let mut bot = Command::new("taskset")
            .args(["-c", &core.to_string(), "sh", "-c", script])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let mut meter = Meter::of(bot.id()).unwrap();
        let look = |meter: &mut Meter| {
            let mut processes = crate::linux::descendants(bot.id());
            processes.push(bot.id());
            meter.look(&processes);
            processes.len()
        };
        let deadline = Instant::now() + Duration::from_secs(60);
        while look(&mut meter) < 4 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let started = Instant::now();
        meter.begin_turn();
        let none = OtherWork::Reaped(Duration::ZERO);
        let mut times = meter.all(none);
        while times.all < Duration::from_millis(300) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
            times = meter.all(none);
        }
        let wall = started.elapsed();
        let _ = Command::new("pkill")
            .args(["-P", &bot.id().to_string()])
            .status();
        bot.kill().unwrap();
        bot.wait().unwrap();
        assert!(times.all >= Duration::from_millis(300), "{times:?}");
        // Each has stood in the queue for two thirds of the time, and nearly all of it behind the others.
        let own = times.all + times.queued;
        assert!(own <= wall + wall / 5, "{times:?} in {wall:?}");
    }

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
