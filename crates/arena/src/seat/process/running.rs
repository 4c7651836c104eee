//! A bot that runs: under which conditions, its start, what can be seen of it, and its end. Its turns are in `exchange`.

use crate::diagnosis::Doing;
use crate::table::Fault;
use clap::ValueEnum;
use crownhead_record::judge::profile::STRICT;
use crownhead_record::judge::{Clock, ColourLine, Profile};
use crownhead_sandbox::{
    Cause, Ended, FOLDER_LIMIT, MEMORY_LIMIT, Meter, Program, Reception, Sandbox, StartError,
    StealMeter, Waited,
};
use serde::Deserialize;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How every bot of a match is judged and where it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// How strictly lateness and output are judged.
    pub profile: Profile,
    /// What counts as time.
    pub clock: Clock,
    /// Which letter the colour line of red has.
    pub colour_line: ColourLine,
    /// When a bot's processes are stopped while its opponent thinks.
    pub suspend_idle: SuspendIdle,
    /// Where bots run.
    pub sandbox: Sandbox,
}

/// When a bot's processes are stopped while its opponent thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuspendIdle {
    /// If a control group can freeze them, or if both bots share a core and signals can stop them
    #[default]
    Auto,
    /// Always, even if a bot could undo it
    Always,
    /// Never: bots may think in their opponent's time
    Never,
}

/// Where one bot runs on the machine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Placement {
    /// The cores that it may use, by their numbers; any where none are named.
    pub cores: Vec<usize>,
    /// Whether its opponent may use them too.
    pub shared: bool,
}

impl Default for Conditions {
    /// The strict profile on the wall clock, without a sandbox.
    fn default() -> Conditions {
        Conditions {
            profile: STRICT,
            clock: Clock::Wall,
            colour_line: STRICT.colour_line,
            suspend_idle: SuspendIdle::Auto,
            sandbox: Sandbox::none(),
        }
    }
}

/// How long a bot may take to end by itself once its input is closed, before it is killed.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(100);

/// How long a process whose output has ended may take to end too, before it counts as running on: long enough
/// that its exit status arrives on a busy machine.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// The same for one whose threads are all seen to end: on a busy machine it takes seconds to free the memory of a bot that
/// was killed for it.
const LONG_EXIT_GRACE: Duration = Duration::from_secs(60);

/// The most processes of a bot that may have waited for others: a start script, an interpreter, helpers. One that has
/// more of them holds up itself, and the referee with it, which takes long to look at them all.
const MOST_PROCESSES: usize = 8;

/// A bot that was started.
#[derive(Debug)]
pub(super) struct RunningBot {
    pub(super) profile: Profile,
    pub(super) clock: Clock,
    pub(super) interrupted: Arc<AtomicBool>,
    pub(super) strikes: u32,
    pub(super) program: Program,
    is_ready: bool,
    /// The pid of its first process, once it runs and if the system shows it.
    pid: Option<u32>,
    /// `None` until the bot runs, and if the system shows nothing.
    pub(super) meter: Option<Meter>,
    /// `None` unless the bot is kept on one core.
    pub(super) steal: Option<StealMeter>,
    pub(super) has_one_core: bool,
    /// Whether it had more than [`MOST_PROCESSES`] when it was looked at last.
    pub(super) has_many_processes: bool,
    /// What its ended processes had worked when the turn under way was first looked at.
    pub(super) reaped: Duration,
    /// When its turn under way, or its last one, was sent.
    pub(super) asked: Instant,
}

impl RunningBot {
    pub(super) fn start(
        program: &mut Command,
        conditions: &Conditions,
        placement: &Placement,
        interrupted: Arc<AtomicBool>,
    ) -> Result<RunningBot, Fault> {
        let sandbox = Sandbox {
            cores: placement.cores.clone(),
            ..conditions.sandbox.clone()
        };
        let reception = Reception {
            returns_end_lines: conditions.profile.returns_end_lines,
            kept_errors: conditions.profile.log_bytes,
        };
        let program = Program::start(program, &sandbox, reception).map_err(fault_of_start)?;
        Ok(RunningBot {
            profile: conditions.profile,
            clock: conditions.clock,
            interrupted,
            strikes: 0,
            program,
            is_ready: false,
            pid: None,
            meter: None,
            steal: StealMeter::of(&placement.cores),
            has_one_core: placement.cores.len() == 1,
            has_many_processes: false,
            reaped: Duration::ZERO,
            asked: Instant::now(),
        })
    }

    /// Waits until the bot runs.
    pub(super) fn get_ready(&mut self) -> Result<(), Fault> {
        if !self.is_ready {
            self.pid = self.program.group.await_running().map_err(fault_of_start)?;
            self.meter = self.pid.and_then(Meter::of);
            self.is_ready = true;
        }
        Ok(())
    }

    /// What it is doing.
    pub(super) fn doing(&self) -> Doing {
        match self.program.activities() {
            None => Doing::Unknown,
            Some(all) if all.computes => Doing::Computes,
            Some(all) if all.reads_input => Doing::AwaitsInput {
                for_good: !all.is_blocked,
            },
            Some(_) => Doing::Sleeps,
        }
    }

    /// Whether one of its threads waits for its input; `None` if the system does not show it.
    pub(super) fn reads_input(&self) -> Option<bool> {
        Some(self.program.activities()?.reads_input)
    }

    /// How much memory it has in use, in bytes, if the system shows it: all its processes, or else its first one.
    pub(super) fn resident_memory(&self) -> Option<u64> {
        let of_all = self.program.group.memory();
        of_all.or_else(|| crownhead_sandbox::resident_memory(self.pid?))
    }

    /// Takes in which processes and threads the bot has now.
    pub(super) fn look_at_threads(&mut self) {
        let processes = self.program.group.processes();
        self.has_many_processes = processes.len() > MOST_PROCESSES;
        if let Some(meter) = &mut self.meter {
            meter.look(&processes);
        }
    }

    /// The next line of the bot, or why there is none, if that is known without waiting any longer.
    pub(super) fn next_line(&mut self, longest: usize) -> Option<Result<Vec<u8>, Fault>> {
        let too_long = Some(Err(Fault::EndlessLine { limit: longest }));
        match self.program.pipes.take_line() {
            Some(line) if line.len() > longest => return too_long,
            Some(line) => return Some(Ok(line)),
            None if self.program.pipes.lines.bytes().len() > longest => return too_long,
            None => {}
        }
        if self.program.pipes.output_ended() {
            return Some(Err(self.why_output_ended()));
        }
        // Its children may hold the pipes open.
        let fault = self.ended()?;
        self.program.pipes.read_output();
        let line = self.program.pipes.take_line();
        let rest = line.or_else(|| self.program.pipes.lines.take_rest());
        Some(rest.ok_or(fault))
    }

    fn why_output_ended(&mut self) -> Fault {
        let closed = Instant::now();
        loop {
            if let Some(fault) = self.ended() {
                return fault;
            }
            let past = closed.elapsed();
            if past >= LONG_EXIT_GRACE || past >= EXIT_GRACE && !self.program.is_ending() {
                return Fault::ClosedOutput;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The fault of having ended, if the bot has.
    pub(super) fn ended(&mut self) -> Option<Fault> {
        match self.program.group.ended() {
            Ok(ended) => ended.map(fault_of_end),
            Err(error) => Some(error.into()),
        }
    }

    pub(super) fn wait(&mut self, deadline: Instant) -> std::io::Result<Waited> {
        let Program { group, pipes, .. } = &mut self.program;
        pipes.wait(group.exit(), deadline)
    }

    /// What has been stolen of the turn, as far as it is counted yet.
    pub(super) fn stolen(&self) -> Duration {
        let stolen = self.steal.as_ref().and_then(StealMeter::since_turn_began);
        stolen.unwrap_or_default()
    }

    /// Waits a moment for a bot whose input is closed to end by itself.
    pub(super) fn shut_down(&mut self) {
        let deadline = Instant::now() + SHUTDOWN_GRACE;
        let has_ended = |bot: &mut RunningBot| {
            let closed = bot.program.pipes.output_ended() && bot.program.stderr.has_ended();
            closed || bot.ended().is_some()
        };
        while !has_ended(self) && Instant::now() < deadline {
            // The end of its standard error alone ends no wait.
            let step = if self.program.pipes.output_ended() {
                Instant::now() + Duration::from_millis(1)
            } else {
                deadline
            };
            match self.wait(step.min(deadline)) {
                Ok(Waited::Something) => self.program.pipes.lines.clear(),
                Ok(Waited::TimeUp) => {}
                Err(_) => break,
            }
        }
        self.program.pipes.close_all();
    }
}

fn fault_of_start(error: StartError) -> Fault {
    match error {
        StartError::Program(why) => Fault::CannotStart(why),
        StartError::Sandbox(why) => Fault::RefereeFault(why),
    }
}

fn fault_of_end(Ended { kind, cause }: Ended) -> Fault {
    match cause {
        Cause::MemoryLimit => Fault::OutOfMemory {
            limit: MEMORY_LIMIT,
        },
        Cause::FolderLimit => Fault::FilledFolder {
            limit: FOLDER_LIMIT,
        },
        Cause::NearMemoryLimit => Fault::EndedShortOfMemory(kind),
        Cause::SandboxFailed => Fault::RefereeFault("its sandbox has failed".into()),
        Cause::Own => Fault::Ended(kind),
    }
}
