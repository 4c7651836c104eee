//! `crownhead seat`: what an external referee starts in place of a bot where it starts the bots itself.
//!
//! The bot runs in its sandbox elsewhere; this relays what it is sent and what it writes, and knows neither.

use clap::Args;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Relay standard input and output to and from a bot that Crownhead runs
#[derive(Debug, Args)]
pub(super) struct RunSeat {
    /// The socket of the bot's player
    socket: PathBuf,
}

impl RunSeat {
    pub(super) fn run(&self) -> ExitCode {
        run(&self.socket)
    }
}

/// Runs it if this process's arguments are `seat` and a socket: every game starts one for each player, and the
/// descriptions of all other commands would be half of its start.
pub(super) fn run_if_alone() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    words.next().filter(|word| word == "seat")?;
    let socket = words.next()?;
    let is_option = socket.as_encoded_bytes().starts_with(b"-");
    let is_alone = !is_option && words.next().is_none();
    is_alone.then(|| run(Path::new(&socket)))
}

/// Relays until the referee closes its end or the bot is gone.
fn run(socket: &Path) -> ExitCode {
    match relay(socket) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let told = format!(
                "crownhead seat: {}: {error}; expected the socket of a player in a game that Crownhead plays\n",
                socket.display()
            );
            // Whoever started this may have closed its standard error.
            let _ = io::stderr().write_all(told.as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn relay(socket: &Path) -> io::Result<()> {
    let socket = UnixStream::connect(socket)?;
    let inward = socket.try_clone()?;
    std::thread::spawn(move || {
        copy(io::stdin().lock(), &inward);
        // The other direction ends by this.
        let _ = inward.shutdown(Shutdown::Both);
    });
    copy(&socket, io::stdout().lock());
    Ok(())
}

/// Copies what comes as it comes, until either end is closed.
fn copy(mut from: impl Read, mut to: impl Write) {
    let mut chunk = [0; 1 << 14];
    loop {
        match from.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(count @ 1..) => {
                if to.write_all(&chunk[..count]).is_err() || to.flush().is_err() {
                    return;
                }
            }
            _ => return,
        }
    }
}
