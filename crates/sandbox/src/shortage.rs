//! Recognises a shortage of the machine's resources, the same on every system.

use rustix::io::Errno;
use std::io;

/// Whether a program was not started because the machine or the user is out of files, processes or memory. A program
/// that does not run yet cannot cause this.
pub fn is_resource_shortage(error: &io::Error) -> bool {
    let shortages = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| shortages.contains(&errno))
}
