//! Steering a ladder from a page: adding and changing its bots, its number of pairs, and a run that is begun and stopped.
//!
//! What a page asks for is done by the commands `crownhead ladder …` of this program, in processes of their own: it is what
//! they do, and what they print is what the page shows. One command is carried out at a time. A run that is begun here ends
//! when the server does; a run that was begun elsewhere is left alone. Who may ask is decided by the server.

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The most bytes of a log that a page is shown: its end.
const SHOWN: u64 = 32 << 10;

/// What a page wants done.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum SteeringOrder {
    Add {
        name: String,
        command: String,
        /// The folder that it runs in; the ladder's if it is empty.
        #[serde(default)]
        folder: String,
    },
    Disable {
        name: String,
    },
    Enable {
        name: String,
    },
    Remove {
        name: String,
    },
    Rename {
        name: String,
        to: String,
    },
    Pairs {
        pairs: u64,
    },
    /// Begins a run.
    Run,
    /// Stops the run that was begun here.
    Stop,
    /// Nothing: how it stands.
    Look,
}

/// How it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct SteeringState {
    /// What the command printed.
    said: String,
    /// Whether it did what was asked.
    done: bool,
    /// Whether a run that was begun here goes on.
    is_running: bool,
    /// The end of what that run has printed, or the one before.
    log: String,
}

/// The commands of a ladder, and the run that was begun by them.
#[derive(Debug)]
pub(super) struct Steering {
    program: PathBuf,
    ladder: PathBuf,
    run: Mutex<Option<Run>>,
    /// Whether a command is carried out.
    is_busy: AtomicBool,
}

#[derive(Debug)]
struct Run {
    process: Child,
    log: NamedTempFile,
}

/// A command that was started.
#[derive(Debug)]
pub(super) struct Started(Option<(Child, NamedTempFile)>);

impl Steering {
    /// Of the ladder in this folder, by the commands of this program.
    pub(super) fn new(program: PathBuf, ladder: PathBuf) -> Steering {
        Steering {
            program,
            ladder,
            run: Mutex::default(),
            is_busy: AtomicBool::new(false),
        }
    }

    /// Starts what is asked for. On the calling thread: a process has the priority of the thread that starts it, and bots
    /// must not give way.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(&self, order: &SteeringOrder) -> anyhow::Result<Started> {
        match order {
            SteeringOrder::Run => self.begin_run()?,
            SteeringOrder::Stop => self.stop_run()?,
            SteeringOrder::Look => {}
            order => {
                let log = NamedTempFile::new()?;
                let is_busy = self.is_busy.swap(true, Ordering::Relaxed);
                anyhow::ensure!(
                    !is_busy,
                    "another command is carried out; try again in a moment"
                );
                let process = self.spawn(&self.arguments(order), &log);
                let process = process.inspect_err(|_| self.is_busy.store(false, Ordering::Relaxed));
                return Ok(Started(Some((process?, log))));
            }
        }
        Ok(Started(None))
    }

    /// Waits for what was started, and says how it stands then.
    ///
    /// # Errors
    /// When that cannot be known.
    pub(super) fn finish(&self, started: Started) -> anyhow::Result<SteeringState> {
        let (said, done) = match started.0 {
            None => (String::new(), true),
            Some((mut process, log)) => {
                let status = process.wait();
                self.is_busy.store(false, Ordering::Relaxed);
                (end_of(&log)?, status?.success())
            }
        };
        let mut run = self.run();
        let (is_running, log) = match run.as_mut() {
            None => (false, String::new()),
            Some(run) => (run.process.try_wait()?.is_none(), end_of(&run.log)?),
        };
        Ok(SteeringState {
            said,
            done,
            is_running,
            log,
        })
    }

    /// Interrupts a run that was begun here, as by hand, and waits until it has given its pairs back.
    pub(super) fn close(&self) {
        if self.stop_run().is_ok()
            && let Some(run) = self.run().as_mut()
        {
            let _ = run.process.wait();
        }
    }

    fn run(&self) -> MutexGuard<'_, Option<Run>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What stands behind `crownhead ladder`: what a page names is never an option.
    fn arguments(&self, order: &SteeringOrder) -> Vec<OsString> {
        let mut options: Vec<OsString> = Vec::new();
        let (command, words): (&str, Vec<String>) = match order {
            SteeringOrder::Add {
                name,
                command,
                folder,
            } => {
                if !folder.is_empty() {
                    options.push(format!("--folder={folder}").into());
                }
                ("add", vec![name.clone(), command.clone()])
            }
            SteeringOrder::Disable { name } => ("disable", vec![name.clone()]),
            SteeringOrder::Enable { name } => ("enable", vec![name.clone()]),
            SteeringOrder::Remove { name } => ("remove", vec![name.clone()]),
            SteeringOrder::Rename { name, to } => ("rename", vec![name.clone(), to.clone()]),
            SteeringOrder::Pairs { pairs } => ("pairs", vec![pairs.to_string()]),
            SteeringOrder::Run | SteeringOrder::Stop | SteeringOrder::Look => ("run", Vec::new()),
        };
        let mut arguments = vec!["ladder".into(), command.into()];
        arguments.append(&mut options);
        arguments.extend(["--".into(), self.ladder.clone().into_os_string()]);
        arguments.extend(words.into_iter().map(OsString::from));
        arguments
    }

    fn spawn(&self, arguments: &[OsString], log: &NamedTempFile) -> anyhow::Result<Child> {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null());
        let log = log.as_file();
        command.stdout(log.try_clone()?).stderr(log.try_clone()?);
        // An interrupt at the server's terminal is the server's: it ends the run itself.
        command.process_group(0);
        command
            .spawn()
            .with_context(|| self.program.display().to_string())
    }

    fn begin_run(&self) -> anyhow::Result<()> {
        let mut run = self.run();
        let is_over = match run.as_mut() {
            None => true,
            Some(run) => run.process.try_wait()?.is_some(),
        };
        anyhow::ensure!(is_over, "a run that was begun here goes on: stop it first");
        let log = NamedTempFile::new()?;
        let process = self.spawn(&self.arguments(&SteeringOrder::Run), &log)?;
        *run = Some(Run { process, log });
        Ok(())
    }

    fn stop_run(&self) -> anyhow::Result<()> {
        let mut run = self.run();
        if let Some(run) = run.as_mut()
            && run.process.try_wait()?.is_none()
        {
            return Ok(kill_process(Pid::from_child(&run.process), Signal::INT)?);
        }
        anyhow::bail!(
            "no run that was begun here goes on; one that was begun at a terminal is stopped there"
        )
    }
}

/// The end of a log, from the beginning of a line.
fn end_of(log: &NamedTempFile) -> anyhow::Result<String> {
    let (mut log, mut bytes) = (log.reopen()?, Vec::new());
    let length = log.metadata()?.len();
    log.seek(SeekFrom::Start(length.saturating_sub(SHOWN)))?;
    log.take(SHOWN).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let is_cut = length > SHOWN;
    let begin = text.find('\n').filter(|_| is_cut).map_or(0, |at| at + 1);
    Ok(text[begin..].into())
}
