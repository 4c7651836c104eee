//! The command line of a referee.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// The command line that is started for each game.
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
        // Text is UTF-8 and numbers have a decimal point, whatever the user's language.
        command.env("LC_ALL", "C.UTF-8");
        command
    }
}
