//! Starts a program with its pipes, in a sandbox or as a plain child. Leaves out what is sent to it.

use crate::config::{MEMORY_LIMIT, Sandbox};
use crate::host::{self, Pipes};
use crate::missing::is_resource_shortage;
use crate::program::{Activities, ProcessGroup, StartError};
use crate::stderr::StderrReader;
use crate::system;
use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command};

/// The caller's ends of a program's pipes.
pub(crate) type Ends = (ChildStdin, ChildStdout, ChildStderr);

/// A program that was started.
#[derive(Debug)]
pub struct Program {
    /// Its processes.
    pub group: Box<dyn ProcessGroup>,
    /// Its standard input and output.
    pub pipes: Pipes,
    /// Its standard error.
    pub stderr: StderrReader,
}

/// How what a program writes is received.
#[derive(Clone, Copy, Debug)]
pub struct Reception {
    /// Whether a carriage return ends a line, too.
    pub returns_end_lines: bool,
    /// How many bytes of its standard error are kept at most, the last ones.
    pub kept_errors: usize,
}

impl Program {
    /// Starts a program. In a sandbox, this returns before the program runs.
    ///
    /// # Errors
    /// When it cannot be started: why, and whose fault it is.
    pub fn start(
        program: &mut Command,
        sandbox: &Sandbox,
        reception: Reception,
    ) -> Result<Program, StartError> {
        // A sandboxed program is not reached yet, but its command line is known.
        let too_long = |error: &io::Error| error.kind() == io::ErrorKind::ArgumentListTooLong;
        let (started, is_own) = match system::start_sandboxed(program, sandbox) {
            Some(started) => {
                let is_own = started.as_ref().is_err_and(too_long);
                let ours = |(group, ends)| Program::of(group, ends, reception);
                (started.and_then(ours), is_own)
            }
            None => {
                let started =
                    Program::start_plain(program, &sandbox.cores, Some(MEMORY_LIMIT), reception);
                let is_own = started
                    .as_ref()
                    .is_err_and(|error| !is_resource_shortage(error));
                (started, is_own)
            }
        };
        started.map_err(|error| {
            let why = format!("{}: {error}", program.get_program().to_string_lossy());
            match is_own {
                true => StartError::Program(why),
                false => StartError::Sandbox(why),
            }
        })
    }

    /// Starts a program as a plain child, with all that it starts, on these cores, or on any if there are none. If the
    /// system can, all of it together has this many bytes of memory.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start_plain(
        program: &mut Command,
        cores: &[usize],
        memory: Option<u64>,
        reception: Reception,
    ) -> io::Result<Program> {
        let (group, ends) = host::start_group(program, memory)?;
        if !cores.is_empty() {
            system::keep_on(group.processes().first().copied(), cores);
        }
        Program::of(group, ends, reception)
    }

    fn of(
        group: Box<dyn ProcessGroup>,
        (input, output, error): Ends,
        reception: Reception,
    ) -> io::Result<Program> {
        Ok(Program {
            group,
            pipes: Pipes::new(input, output, reception.returns_end_lines)?,
            stderr: StderrReader::start(host::file_of(error), reception.kept_errors)?,
        })
    }

    /// What its threads are doing; `None` if the system does not show it.
    pub fn activities(&self) -> Option<Activities> {
        system::activities(self.group.as_ref(), &self.pipes)
    }

    /// Whether none of its threads will run any further.
    pub fn is_ending(&self) -> bool {
        system::is_ending(&self.group.processes())
    }
}
