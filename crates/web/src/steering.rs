//! Manages a ladder from a page: adds and changes its bots, sets its number of pairs, starts and stops a run.
//!
//! A page's requests run the commands `crownhead ladder …` of this program, in separate processes, and the page shows
//! their output. One command runs at a time. A run that was started here ends with the server; a run that was started
//! elsewhere is left alone. The server decides who may ask.

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

/// The most bytes of a log that a page shows, from its end.
const SHOWN: u64 = 32 << 10;

/// A page's request.
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
    /// Starts a run.
    Run,
    /// Stops the run that was started here.
    Stop,
    /// Only asks for the state.
    Look,
}

/// The state of the ladder's commands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct SteeringState {
    /// What the command printed.
    said: String,
    /// Whether it succeeded.
    done: bool,
    /// Whether a run that was started here is under way.
    is_running: bool,
    /// The end of the output of that run, or of the last one.
    log: String,
}

/// The commands of a ladder, and the run that they started.
#[derive(Debug)]
pub(super) struct Steering {
    program: PathBuf,
    ladder: PathBuf,
    run: Mutex<Option<Run>>,
    /// Whether a command is running.
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
    /// For the ladder in this folder, with the commands of this program.
    pub(super) fn new(program: PathBuf, ladder: PathBuf) -> Steering {
        Steering {
            program,
            ladder,
            run: Mutex::default(),
            is_busy: AtomicBool::new(false),
        }
    }

    /// Starts the requested command, on the calling thread, because a process inherits its thread's priority and bots
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
                    "another command is running; try again in a moment"
                );
                let process = self.spawn(&self.arguments(order), &log);
                let process = process.inspect_err(|_| self.is_busy.store(false, Ordering::Relaxed));
                return Ok(Started(Some((process?, log))));
            }
        }
        Ok(Started(None))
    }

    /// Waits for the started command, and returns the state then.
    ///
    /// # Errors
    /// When the state cannot be found out.
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

    /// Interrupts a run that was started here, as by Ctrl-C, and waits until it has given its pairs back.
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

    /// The arguments of `crownhead ladder`. A name from a page is never an option.
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
        // An interrupt at the server's terminal is for the server, which ends the run itself.
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
        anyhow::ensure!(is_over, "a run started here is under way: stop it first");
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
        anyhow::bail!("no run was started here; stop a run of a terminal in that terminal")
    }
}

/// The end of a log, from the start of a line.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::time::{Duration, Instant};

    fn steering() -> Steering {
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ladder_command.sh");
        Steering::new(program.into(), "/the ladder".into())
    }

    impl Steering {
        /// The state after this request.
        fn obey(&self, order: &SteeringOrder) -> SteeringState {
            self.finish(self.start(order).unwrap()).unwrap()
        }

        /// Why this request is refused.
        fn refuse(&self, order: &SteeringOrder) -> String {
            self.start(order).unwrap_err().to_string()
        }

        /// The state as soon as that holds.
        fn wait(&self, holds: impl Fn(&SteeringState) -> bool) -> SteeringState {
            let begun = Instant::now();
            loop {
                let state = self.obey(&SteeringOrder::Look);
                if holds(&state) {
                    return state;
                }
                assert!(begun.elapsed() < Duration::from_secs(60), "{state:?}");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    #[test]
    fn each_order_is_a_command_and_nothing_that_a_page_names_is_an_option() {
        let steering = steering();
        for (order, said) in [
            (
                r#"{"add": {"name": "--x", "command": "python3 bot.py", "folder": "-f"}}"#,
                "ladder add --folder=-f -- /the ladder --x python3 bot.py",
            ),
            (
                r#"{"add": {"name": "a", "command": "b"}}"#,
                "ladder add -- /the ladder a b",
            ),
            (
                r#"{"disable": {"name": "a"}}"#,
                "ladder disable -- /the ladder a",
            ),
            (
                r#"{"enable": {"name": "a"}}"#,
                "ladder enable -- /the ladder a",
            ),
            (
                r#"{"rename": {"name": "a", "to": "-b"}}"#,
                "ladder rename -- /the ladder a -b",
            ),
            (
                r#"{"pairs": {"pairs": 12}}"#,
                "ladder pairs -- /the ladder 12",
            ),
        ] {
            let state = steering.obey(&serde_json::from_str(order).unwrap());
            assert_eq!((state.said, state.done), (format!("{said}\n"), true));
            assert!(!state.is_running && state.log.is_empty());
        }
        let remove = SteeringOrder::Remove { name: "a".into() };
        let failed = steering.obey(&remove);
        assert_eq!(
            (&*failed.said, failed.done),
            (
                "ladder remove -- /the ladder a\nthere is no such bot\n",
                false
            )
        );
    }

    #[test]
    fn one_command_is_carried_out_at_a_time() {
        let steering = steering();
        let disable = SteeringOrder::Disable { name: "a".into() };
        let first = steering.start(&disable).unwrap();
        assert!(steering.refuse(&disable).starts_with("another command"));
        assert!(steering.finish(first).unwrap().done);
        assert!(steering.obey(&disable).done);

        let gone = Steering::new("/there is/no program".into(), "/ladder".into());
        for _ in 0..2 {
            assert!(gone.refuse(&disable).contains("no program"));
        }
    }

    #[test]
    fn a_run_goes_on_until_it_is_stopped_and_gives_its_pairs_back() {
        let steering = steering();
        assert!(steering.refuse(&SteeringOrder::Stop).starts_with("no run"));
        assert!(steering.obey(&SteeringOrder::Run).is_running);
        let begun = steering.wait(|state| !state.log.is_empty());
        assert_eq!(
            (&*begun.log, begun.done),
            ("ladder run -- /the ladder\n", true)
        );
        assert!(steering.refuse(&SteeringOrder::Run).starts_with("a run"));
        // Other commands can run beside it.
        assert!(steering.obey(&SteeringOrder::Pairs { pairs: 3 }).is_running);
        steering.obey(&SteeringOrder::Stop);
        let over = steering.wait(|state| !state.is_running);
        assert_eq!(over.log, "ladder run -- /the ladder\npairs given back\n");
        assert!(steering.refuse(&SteeringOrder::Stop).starts_with("no run"));

        steering.obey(&SteeringOrder::Run);
        steering.wait(|state| !state.log.is_empty());
        steering.close();
        assert!(
            steering
                .obey(&SteeringOrder::Look)
                .log
                .ends_with("given back\n")
        );
    }

    #[test]
    fn of_a_long_log_a_page_is_shown_the_end_from_the_beginning_of_a_line() {
        let mut log = NamedTempFile::new().unwrap();
        let line = |number: usize| format!("line {number:>8}\n");
        let shown = SHOWN as usize / line(0).len();
        for number in 0..shown {
            log.write_all(line(number).as_bytes()).unwrap();
        }
        let text = end_of(&log).unwrap();
        assert!(text.starts_with(&line(0)), "all of it fits");
        for number in 0..3 {
            log.write_all(line(shown + number).as_bytes()).unwrap();
        }
        let text = end_of(&log).unwrap();
        assert!(text.ends_with(&line(shown + 2)));
        assert!(text.len() <= SHOWN as usize);
        let whole = text.lines().next().unwrap();
        assert!(
            text.starts_with("line") && whole.len() == line(0).len() - 1,
            "{whole:?}"
        );
    }
}
