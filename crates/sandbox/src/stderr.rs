//! Reads a bot's standard error, on a thread of its own.
//!
//! A bot can hold a pipe while it writes to it: a write whose second part is on a page that is not there waits for that
//! page with the pipe locked, and the reader waits with it, non-blocking or not. So no thread that times a bot reads
//! another bot's pipes. This one reads so much at most and sleeps then, at a lower priority, on the core of the bot that
//! is not on move, and what a bot writes costs no bot that thinks.

use crate::host::{is_readable, never_block, read_now};
use crate::system::{Thread, give_way, keep_on};
use std::fs::File;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Interval between two rounds of reading.
const INTERVAL: Duration = Duration::from_millis(10);

/// What is read at once, and how often in a round: together what a pipe holds on Linux.
const CHUNK: usize = 1 << 14;
const READS: usize = 4;

/// How long a turn waits for what the bot has written before it. Only a bot that holds its own pipe takes so long.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long it is waited for at most where it is not the bot that keeps the reader: on a busy machine the reader may get no
/// processor for long. As long the end of a game waits for a bot's last words, when nobody is timed any longer.
const LONG_PATIENCE: Duration = Duration::from_secs(2);

/// Interval at which a reader with nothing to read looks whether its bot is gone: one that has left a process behind
/// which holds the pipe.
const LONG: Duration = Duration::from_secs(1);

/// How much lower than the referee's its priority is (nice(2)): it gives way, and still comes to its end soon where it
/// holds a pipe that its bot wants to write to.
const NICENESS: i32 = 5;

/// The cores of the bots of a game, and which of them is on move.
#[derive(Debug)]
pub struct GameCores {
    cores: Vec<Vec<usize>>,
    mover: AtomicUsize,
}

impl GameCores {
    /// The cores of bots in their order, of which the first is on move.
    pub fn new(cores: Vec<Vec<usize>>) -> GameCores {
        GameCores {
            cores,
            mover: AtomicUsize::new(0),
        }
    }

    /// The bot in this place is on move.
    pub fn set_mover(&self, place: usize) {
        self.mover.store(place, Ordering::Relaxed);
    }

    /// The first core of the next one.
    fn idle(&self) -> Option<usize> {
        let next = (self.mover.load(Ordering::Relaxed) + 1) % self.cores.len();
        self.cores[next].first().copied()
    }
}

/// Standard error as it is read.
#[derive(Debug)]
pub struct StderrReader(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    pipe: File,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    log: Tail,
    /// All has been read, and the thread is gone.
    ended: bool,
    /// What comes from now on is lost.
    closed: bool,
    /// How many rounds of reading were begun, and were done.
    begun: u64,
    done: u64,
    /// A round is wanted at once.
    wanted: bool,
    /// The thread that reads, from its first round on.
    reader: Option<Thread>,
    /// Once the bot has an opponent.
    cores: Option<Arc<GameCores>>,
}

impl StderrReader {
    /// Begins to read, and keeps this many bytes.
    pub(crate) fn start(pipe: File, kept: usize) -> std::io::Result<StderrReader> {
        never_block(&pipe)?;
        let state = State {
            log: Tail::new(kept),
            ..State::default()
        };
        let shared = Arc::new(Shared {
            pipe,
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let reader = shared.clone();
        std::thread::Builder::new()
            .name("stderr".into())
            .stack_size(1 << 17)
            .spawn(move || reader.read_to_end())?;
        Ok(StderrReader(shared))
    }

    /// From now on it is read on the cores of the bot that is not on move.
    pub fn set_cores(&self, cores: Arc<GameCores>) {
        self.0.lock().cores = Some(cores);
    }

    /// Takes what has been written so far, and begins anew.
    pub fn take(&self) -> Tail {
        self.0.up_to_now(PATIENCE, LONG_PATIENCE).log.take()
    }

    /// Takes the rest, once the bot has ended.
    pub fn take_last(&self) -> Tail {
        self.0.up_to_now(LONG_PATIENCE, LONG_PATIENCE).log.take()
    }

    /// Whether the bot, and all that share its standard error, have closed it, and all of it was read.
    pub fn has_ended(&self) -> bool {
        self.0.lock().ended
    }
}

impl Drop for StderrReader {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state once all is read that the bot has written so far, or as it is when that takes longer than `patience`:
    /// up to `longest` while the reader only lacks a processor.
    fn up_to_now(&self, patience: Duration, longest: Duration) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        let started = Instant::now();
        let mut deadline = started + patience;
        let asked = state.begun;
        // A round under way may have read what is not kept yet; one that begins now reads what is there.
        while !state.ended
            && state.done <= asked
            && (state.done < state.begun || is_readable(&self.pipe, Duration::ZERO) == Some(true))
        {
            let mut left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(state);
                let goes_on = started.elapsed() < longest && self.lacks_a_processor();
                state = self.lock();
                if !goes_on {
                    break;
                }
                deadline = Instant::now() + patience;
                left = patience;
            }
            state.wanted = true;
            self.changed.notify_all();
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }

    /// Whether the reader is ready to run and does not, or has not come to its first round yet. One that waits for the
    /// pipe, which a bot can hold, is not; nor would be one that waits for the state, so nobody may hold that here.
    fn lacks_a_processor(&self) -> bool {
        let reader = self.lock().reader;
        reader.is_none_or(|reader| reader.is_runnable())
    }

    fn read_to_end(&self) {
        give_way(NICENESS);
        self.lock().reader = Some(Thread::current());
        let mut core = None;
        let mut chunk = vec![0; CHUNK];
        loop {
            match is_readable(&self.pipe, LONG) {
                Some(false) if !self.lock().closed => continue,
                Some(true) => {}
                _ => return self.end(),
            }
            self.move_to_idle_core(&mut core);
            {
                let mut state = self.lock();
                state.begun += 1;
                state.wanted = false;
            }
            let ended = self.read_round(&mut chunk);
            let mut state = self.lock();
            state.done += 1;
            self.changed.notify_all();
            if ended || state.closed {
                drop(state);
                return self.end();
            }
            let rests = |state: &mut State| !state.wanted && !state.closed;
            drop(self.changed.wait_timeout_while(state, INTERVAL, rests));
        }
    }

    /// Reads what is there, so much at most; `true` when the pipe has ended.
    fn read_round(&self, chunk: &mut [u8]) -> bool {
        for _ in 0..READS {
            match read_now(&self.pipe, chunk) {
                Ok(0) => return true,
                Ok(count) => self.lock().log.push(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return error.kind() != ErrorKind::WouldBlock,
            }
        }
        false
    }

    fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Moves this thread away from the bot that is on move, if it is not there already; `core` is where it is.
    fn move_to_idle_core(&self, core: &mut Option<usize>) {
        let state = self.lock();
        let idle = state.cores.as_ref().and_then(|cores| cores.idle());
        drop(state);
        if idle.is_some() && idle != *core {
            *core = idle;
            keep_on(None, idle.as_slice());
        }
    }
}

/// The last bytes of what was written.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tail {
    /// The kept bytes.
    pub kept: Vec<u8>,
    /// The number of dropped bytes before them.
    pub cut: u64,
    limit: usize,
}

impl Tail {
    fn new(limit: usize) -> Tail {
        Tail {
            limit,
            ..Tail::default()
        }
    }

    fn push(&mut self, more: &[u8]) {
        let end = &more[more.len().saturating_sub(self.limit)..];
        let surplus = (self.kept.len() + end.len()).saturating_sub(self.limit);
        self.cut += (more.len() - end.len() + surplus) as u64;
        self.kept.drain(..surplus);
        self.kept.extend_from_slice(end);
    }

    /// Takes what is kept, and begins anew. Where something is gone, half a character is no beginning.
    fn take(&mut self) -> Tail {
        let mut last = std::mem::replace(self, Tail::new(self.limit));
        if last.cut > 0 {
            // UTF-8: up to three bytes of this form follow a character's first one.
            let rest = last.kept.iter().take(3);
            let rest = rest.take_while(|&byte| byte & 0xc0 == 0x80).count();
            last.kept.drain(..rest);
            last.cut += rest as u64;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn reader(kept: usize) -> (StderrReader, std::io::PipeWriter) {
        let (pipe, writer) = std::io::pipe().unwrap();
        (
            StderrReader::start(std::os::fd::OwnedFd::from(pipe).into(), kept).unwrap(),
            writer,
        )
    }

    /// What has been written so far, however long the machine keeps the reader from a processor.
    fn take(reader: &StderrReader) -> Tail {
        let longest = Duration::from_secs(60);
        reader.0.up_to_now(PATIENCE, longest).log.take()
    }

    #[test]
    fn output_written_before_it_is_collected_is_there() {
        let (reader, mut writer) = reader(4096);
        for number in 0..200 {
            let line = format!("line {number}\n");
            writer.write_all(line.as_bytes()).unwrap();
            assert_eq!(take(&reader).kept, line.as_bytes());
        }
        assert!(reader.take().kept.is_empty());
    }

    /// A machine with more to do than it has cores: the reader, at its lower priority, waits for its turn on the one core
    /// that it shares with these.
    #[cfg(target_os = "linux")]
    #[test]
    fn written_output_is_there_however_busy_the_readers_core_is() {
        use std::sync::atomic::AtomicBool;
        const BUSY: usize = 40;
        let (reader, mut writer) = reader(4096);
        let own = rustix::thread::sched_getaffinity(None).unwrap();
        let core = (0..).find(|&core| own.is_set(core)).unwrap();
        let (over, mut taken) = (AtomicBool::new(false), String::new());
        std::thread::scope(|scope| {
            for _ in 0..BUSY {
                scope.spawn(|| {
                    keep_on(None, &[core]);
                    while !over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            reader.set_cores(Arc::new(GameCores::new(vec![vec![core]])));
            for number in 0..5 {
                write!(writer, "{number} ").unwrap();
                taken += &String::from_utf8_lossy(&take(&reader).kept);
                taken += "taken ";
            }
            over.store(true, Ordering::Relaxed);
        });
        assert_eq!(taken, "0 taken 1 taken 2 taken 3 taken 4 taken ");
    }

    #[test]
    fn the_end_is_seen_and_what_came_before_it_is_kept() {
        let (reader, mut writer) = reader(4096);
        writer.write_all(b"last words").unwrap();
        drop(writer);
        let deadline = Instant::now() + Duration::from_secs(60);
        while !reader.has_ended() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(reader.has_ended());
        assert_eq!(reader.take().kept, b"last words");
    }

    #[test]
    fn a_flood_is_read_in_rounds_and_its_last_bytes_are_kept() {
        let (reader, mut writer) = reader(100);
        let flood = std::thread::spawn(move || {
            (0..1_000_000 / 8).for_each(|number: u32| writeln!(writer, "{number:7}").unwrap());
        });
        flood.join().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !reader.has_ended() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let taken = reader.take();
        assert!(taken.kept.ends_with(b" 124999\n"), "{taken:?}");
        assert_eq!(taken.kept.len() as u64 + taken.cut, 1_000_000);
    }

    #[test]
    fn only_the_last_bytes_are_kept_and_the_others_are_counted() {
        let mut tail = Tail::new(4096);
        let stream: Vec<u8> = (0..10_000u32).map(|n| n as u8 & 0x7f).collect();
        for chunk in stream.chunks(999) {
            tail.push(chunk);
        }
        tail.push(&stream);
        let taken = tail.take();
        assert_eq!(taken.kept, &stream[10_000 - 4096..]);
        assert_eq!(taken.cut, 20_000 - 4096);
        assert!(tail.take().kept.is_empty());
    }

    #[test]
    fn no_character_is_cut_in_half() {
        let mut tail = Tail::new(4);
        tail.push("abc€d".as_bytes());
        assert_eq!(tail.take().kept, "€d".as_bytes());
        tail.push("ab€de".as_bytes());
        let taken = tail.take();
        assert_eq!((&taken.kept[..], taken.cut), (&b"de"[..], 5));
    }
}
