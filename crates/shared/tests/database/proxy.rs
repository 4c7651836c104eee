//! A way to the tests' server that swallows what goes along it, as a network does that is cut.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A socket that stands for the server's.
pub(crate) struct Proxy {
    folder: TempDir,
    /// What becomes of the connections that are there.
    current: Arc<Mutex<Arc<AtomicU8>>>,
}

/// What does not arrive any more, while nobody is told.
#[derive(Clone, Copy)]
pub(crate) enum Swallow {
    Requests = 1,
    Answers = 2,
}

impl Proxy {
    pub(crate) fn to(server: PathBuf) -> Proxy {
        let folder = tempfile::Builder::new().prefix("chpx").tempdir_in("/tmp");
        let folder = folder.unwrap();
        let socket = folder.path().join(server.file_name().unwrap());
        let listener = UnixListener::bind(socket).unwrap();
        let current = Arc::new(Mutex::new(Arc::new(AtomicU8::new(0))));
        let state = current.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let state = state.lock().unwrap().clone();
                let Ok(server) = UnixStream::connect(&server) else {
                    continue;
                };
                forward(&client, &server, Swallow::Requests, state.clone());
                forward(&server, &client, Swallow::Answers, state);
            }
        });
        Proxy { folder, current }
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Cuts all connections that are there; new ones are forwarded.
    pub(crate) fn cut(&self, what: Swallow) {
        let mut current = self.current.lock().unwrap();
        current.store(what as u8, Ordering::SeqCst);
        *current = Arc::new(AtomicU8::new(0));
    }
}

fn forward(from: &UnixStream, to: &UnixStream, what: Swallow, state: Arc<AtomicU8>) {
    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    std::thread::spawn(move || {
        let mut bytes = [0; 1 << 16];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            let is_cut = state.load(Ordering::SeqCst) == what as u8;
            if !is_cut && to.write_all(&bytes[..read]).is_err() {
                return;
            }
        }
        // Whoever closes a connection that is cut is not heard either.
        if state.load(Ordering::SeqCst) == 0 {
            let _ = to.shutdown(std::net::Shutdown::Both);
        }
    });
}
