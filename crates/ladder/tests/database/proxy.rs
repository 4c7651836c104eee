//! A proxy to the tests' server that swallows messages, like a cut network, or ends.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// The fate of connections: 0, or one of these two.
type State = Arc<AtomicU8>;

/// [`Proxy::end`]: any further message closes the connection.
const OVER: u8 = 3;

/// A socket in place of the server's.
pub(crate) struct Proxy {
    folder: TempDir,
    socket: PathBuf,
    /// The state of the connections that are there.
    current: Arc<Mutex<State>>,
}

/// While this lives, new connections wait.
pub(crate) type Held<'a> = MutexGuard<'a, State>;

/// Messages that do not arrive, after which the connection ends.
#[derive(Clone, Copy)]
pub(crate) enum Swallow {
    Requests = 1,
    /// The server's reply that it has stored something.
    Commits = 2,
}

impl Proxy {
    pub(crate) fn to(server: PathBuf) -> Proxy {
        let folder = tempfile::Builder::new().prefix("chpx").tempdir_in("/tmp");
        let folder = folder.unwrap();
        let socket = folder.path().join(server.file_name().unwrap());
        let listener = UnixListener::bind(&socket).unwrap();
        let current = Arc::new(Mutex::new(Arc::new(AtomicU8::new(0))));
        let state = current.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                // A failing test releases its connections, too.
                let state = State::clone(&state.lock().unwrap_or_else(PoisonError::into_inner));
                let Ok(server) = UnixStream::connect(&server) else {
                    continue;
                };
                forward(&client, &server, Swallow::Requests, state.clone());
                forward(&server, &client, Swallow::Commits, state);
            }
        });
        Proxy {
            folder,
            socket,
            current,
        }
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Swallows the next such message of all present connections. New ones are forwarded once the result is dropped.
    pub(crate) fn cut(&self, what: Swallow) -> Held<'_> {
        let mut current = self.current.lock().unwrap();
        current.store(what as u8, Ordering::SeqCst);
        *current = Arc::new(AtomicU8::new(0));
        current
    }

    /// Ends all connections; new ones find nobody.
    pub(crate) fn end(&self) {
        std::fs::remove_file(&self.socket).unwrap();
        self.current.lock().unwrap().store(OVER, Ordering::SeqCst);
    }
}

fn forward(from: &UnixStream, to: &UnixStream, what: Swallow, state: State) {
    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    std::thread::spawn(move || {
        let mut bytes = [0; 1 << 16];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            let state = state.load(Ordering::SeqCst);
            let bytes = &bytes[..read];
            let is_swallowed = match what {
                Swallow::Requests => true,
                Swallow::Commits => bytes.windows(6).any(|word| word == b"COMMIT"),
            };
            if state == OVER || state == what as u8 && is_swallowed || to.write_all(bytes).is_err()
            {
                break;
            }
        }
        for end in [from, to] {
            let _ = end.shutdown(std::net::Shutdown::Both);
        }
    });
}
