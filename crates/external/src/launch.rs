//! The command line of a referee.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A command line: what is started for each game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// The folder where it runs.
    pub(crate) folder: PathBuf,
}

impl Launch {
    /// The command that starts it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder);
        // Text is UTF-8, and numbers have a point, whatever the person's own language is.
        command.env("LC_ALL", "C.UTF-8");
        command
    }
}
