//! Systems other than Linux: programs run as plain children, with nothing between them and the machine, and what their
//! threads do is not seen.

use crate::config::{Sandbox, SandboxMode};
use crate::host::Pipes;
use crate::missing::{Feature, MissingFeature};
use crate::program::{Activities, OtherWork, ProcessGroup, Work};
use crate::start::Ends;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Why no program can be confined on this system.
pub const WHY_NO_SANDBOX: Option<&str> = Some(WHY);
const WHY: &str = "only Linux has the sandbox, so bots can read, write and connect as you can";

pub(crate) fn missing_features(_: &Sandbox) -> io::Result<Vec<MissingFeature>> {
    let missing = |feature| MissingFeature::new(feature, WHY);
    Ok(Feature::ALL.map(missing).into())
}

/// Nothing: no program is confined.
pub fn granted(_: &Command, _: &Sandbox) -> Vec<PathBuf> {
    Vec::new()
}

/// Whether a folder is shared by all.
pub fn is_shared_folder(folder: &Path) -> bool {
    folder.parent().is_none()
}

pub(crate) fn supervise() -> ExitCode {
    ExitCode::FAILURE
}

pub(crate) fn start_sandboxed(
    _: &Command,
    sandbox: &Sandbox,
) -> Option<io::Result<(Box<dyn ProcessGroup>, Ends)>> {
    let is_required = sandbox.mode == SandboxMode::Require;
    is_required.then(|| Err(io::ErrorKind::Unsupported.into()))
}

pub(crate) fn activities(_: &dyn ProcessGroup, _: &Pipes) -> Option<Activities> {
    None
}

pub(crate) fn is_ending(_: &[u32]) -> bool {
    false
}

#[cfg(target_os = "macos")]
pub use crate::unix::resident_memory;

/// Unknown.
#[cfg(not(target_os = "macos"))]
pub fn resident_memory(_: u32) -> Option<u64> {
    None
}

/// Nothing: threads run on any core.
pub(crate) fn keep_on(_: Option<u32>, _: &[usize]) {}

/// Nothing: priorities are those of whole processes.
pub fn give_way(_: i32) {}

/// Holds no core.
#[derive(Debug)]
pub enum CoreClaim {}

/// None: cores are not known.
pub fn claim_core(_: usize) -> Option<CoreClaim> {
    None
}

/// None: cores are not known.
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// The thread that reads standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread;

impl Thread {
    pub(crate) fn current() -> Thread {
        Thread
    }

    pub(crate) fn is_runnable(&self) -> bool {
        false
    }
}

/// Measures nothing.
#[derive(Debug)]
pub enum Meter {}

impl Meter {
    /// None: the system does not show a program's clocks.
    pub fn of(_: u32) -> Option<Meter> {
        None
    }

    /// See `of`.
    pub fn of_first(&self) -> (Option<Duration>, Option<Duration>) {
        match *self {}
    }

    /// See `of`.
    pub fn begin_turn(&mut self) {}

    /// See `of`.
    pub fn look(&mut self, _: &[u32]) {}

    /// See `of`.
    pub fn all(&self, _: OtherWork) -> Work {
        match *self {}
    }
}

/// Measures nothing.
#[derive(Debug)]
pub enum StealMeter {}

impl StealMeter {
    /// None: the system does not count it.
    pub fn of(_: &[usize]) -> Option<StealMeter> {
        None
    }

    /// See `of`.
    pub fn begin_turn(&mut self) {}

    /// See `of`.
    pub fn since_turn_began(&self) -> Option<Duration> {
        match *self {}
    }
}
