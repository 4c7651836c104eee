//! One connection to the server, reconnected whenever it is lost.
//!
//! The client runs on a thread of its own, which gets work to do. If the network swallows a reply, the wait for it is
//! limited. The server may have done the work all the same. So every piece of work can be done twice, and the second
//! time changes nothing.

use super::address::PostgresUrl;
use super::error::chain;
use crownhead_ladder::store::StoreError;
use postgres::error::SqlState;
use postgres::{Client, Error};
use std::cell::RefCell;
use std::error::Error as _;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long to wait for a reply, unless a test has less time. A lease outlasts three such waits.
const ANSWER: Duration = Duration::from_secs(20);
/// How long to wait for the server to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// The pauses between attempts, which double.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Work for the client.
type Work = Box<dyn FnOnce(&mut Client) + Send>;

/// A connection.
#[derive(Debug)]
pub(crate) struct Connection {
    address: PostgresUrl,
    /// The channel to the client's thread, while there is one.
    work: RefCell<Option<Sender<Work>>>,
    /// The key by which the server knows this program's runs, also on the next connection. The roles' rules check it.
    key: String,
    /// How long to try to reconnect before reporting it.
    pub(crate) patience: Duration,
    /// How long to wait for a reply.
    pub(crate) answer: Duration,
}

/// Why something was not done.
enum Failed {
    /// For a lasting reason.
    ForGood(StoreError),
    /// The connection is lost or unusable; the work can be repeated on another.
    Lost(String),
}

/// A key that cannot be guessed.
fn draw_key() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// When that cannot be done now.
    pub(crate) fn open(address: PostgresUrl, patience: Duration) -> Result<Connection, StoreError> {
        let key = draw_key()
            .map_err(|error| StoreError::server(address.url(), format!("/dev/urandom: {error}")))?;
        let connection = Connection {
            address,
            key,
            work: RefCell::new(None),
            patience,
            answer: ANSWER,
        };
        match connection.connect() {
            Ok(work) => *connection.work.borrow_mut() = Some(work),
            Err(Failed::Lost(why)) => return Err(connection.lost(why)),
            Err(Failed::ForGood(error)) => return Err(error),
        }
        Ok(connection)
    }

    pub(crate) fn url(&self) -> &str {
        self.address.url()
    }

    /// Does something with the client, and repeats it if the connection was lost. Doing it twice must have the same
    /// effect as once.
    ///
    /// # Errors
    /// When the server refuses, or the connection stays lost.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl Fn(&mut Client) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let work = Arc::new(work);
        let (began, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let why = match self.attempt(&work) {
                Ok(done) => return Ok(done),
                Err(Failed::ForGood(error)) => return Err(error),
                Err(Failed::Lost(why)) => why,
            };
            if began.elapsed() >= self.patience {
                return Err(self.lost(why));
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    fn attempt<T: Send + 'static>(
        &self,
        work: &Arc<impl Fn(&mut Client) -> Result<T, StoreError> + Send + Sync + 'static>,
    ) -> Result<T, Failed> {
        let thread = match self.work.borrow_mut().take() {
            Some(thread) => thread,
            None => self.connect()?,
        };
        let (answer, answered) = mpsc::channel();
        let work = work.clone();
        let ask = Box::new(move |client: &mut Client| {
            // The caller is gone if that took too long.
            let _ = answer.send(work(client));
        });
        let lost = || Failed::Lost("the connection has ended".into());
        thread.send(ask).map_err(|_| lost())?;
        let answer = match answered.recv_timeout(self.answer) {
            Ok(done) => done.map_err(|error| self.failed_at_work(error)),
            Err(RecvTimeoutError::Disconnected) => Err(lost()),
            Err(RecvTimeoutError::Timeout) => Err(Failed::Lost(format!(
                "no answer for {} s",
                self.answer.as_secs()
            ))),
        };
        if !matches!(answer, Err(Failed::Lost(_))) {
            *self.work.borrow_mut() = Some(thread);
        }
        answer
    }

    /// A thread with a new client.
    fn connect(&self) -> Result<Sender<Work>, Failed> {
        let refused = |why: String| Failed::ForGood(self.refused(why));
        let config = self.address.config();
        let mut config = config.map_err(|error| refused(error.to_string()))?;
        config.connect_timeout(CONNECT);
        config.application_name("crownhead");
        let connector = self.address.security().connector().map_err(refused)?;
        let (work, to_do) = mpsc::channel::<Work>();
        let (made, is_made) = mpsc::channel();
        let key = self.key.clone();
        let connect = move || {
            let mut client = config.connect(connector)?;
            // Passed as a value, because others can see the text of statements.
            let set = "SELECT set_config('crownhead.key', $1, FALSE)";
            client.query(set, &[&key])?;
            Ok(client)
        };
        std::thread::spawn(move || match connect() {
            Ok(mut client) => {
                if made.send(Ok(())).is_ok() {
                    to_do.iter().for_each(|work| work(&mut client));
                }
            }
            Err(error) => drop(made.send(Err(error))),
        });
        match is_made.recv_timeout(self.answer) {
            Ok(Ok(())) => Ok(work),
            Ok(Err(error)) => Err(self.failed(&error)),
            Err(_) => Err(Failed::Lost("the server does not answer".into())),
        }
    }

    fn refused(&self, why: String) -> StoreError {
        StoreError::server(self.url(), why)
    }

    /// The error after trying the server for long enough; it may come back.
    fn lost(&self, why: String) -> StoreError {
        StoreError::Server {
            url: self.url().into(),
            why,
            is_passing: true,
        }
    }

    /// Classifies an error of some work.
    fn failed_at_work(&self, error: StoreError) -> Failed {
        match &error {
            StoreError::Database(cause) => match cause.downcast_ref::<Error>() {
                Some(told) => self.failed(told),
                None => Failed::ForGood(error),
            },
            _ => Failed::ForGood(error),
        }
    }

    /// Whether an error is worth another attempt.
    fn failed(&self, error: &Error) -> Failed {
        let Some(refusal) = error.as_db_error() else {
            // The error kind shows that TLS does not trust the server.
            let is_io = |error: &io::Error| error.kind() != io::ErrorKind::InvalidData;
            let cause = error.source().and_then(|cause| cause.downcast_ref());
            return if error.is_closed() || cause.is_some_and(is_io) {
                Failed::Lost(chain(error))
            } else {
                Failed::ForGood(self.refused(chain(error)))
            };
        };
        let told = refusal.message().to_string();
        match refusal.code() {
            &SqlState::ADMIN_SHUTDOWN
            | &SqlState::CRASH_SHUTDOWN
            | &SqlState::CANNOT_CONNECT_NOW
            | &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::T_R_DEADLOCK_DETECTED
            // Another session of the same role may have ended this statement.
            | &SqlState::QUERY_CANCELED => Failed::Lost(told),
            // Connection errors, and resources that others may free: disk, memory, connections.
            code if ["08", "53"]
                .iter()
                .any(|class| code.code().starts_with(class)) =>
            {
                Failed::Lost(told)
            }
            &SqlState::UNDEFINED_DATABASE => {
                Failed::ForGood(self.refused(told + "; `createdb` makes it"))
            }
            &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                let way_out = "; the password is read from PGPASSWORD, or from ~/.pgpass";
                Failed::ForGood(self.refused(told + way_out))
            }
            &SqlState::INSUFFICIENT_PRIVILEGE => Failed::ForGood(StoreError::Denied {
                url: self.url().into(),
                why: told,
            }),
            _ => Failed::ForGood(self.refused(told)),
        }
    }
}
