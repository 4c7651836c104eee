//! One connection to the server, made again whenever it is lost.
//!
//! The client lives on a thread of its own and is given work to do: an answer that does not come, because the network
//! swallows it, is waited for only so long. What was asked may have been done all the same. So every piece of work can
//! be done twice: the second time changes nothing.

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

/// How long an answer is waited for, unless a test has less time: a lease outlasts three such waits.
const ANSWER: Duration = Duration::from_secs(20);
/// How long the server is waited for to take up a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// The pauses between attempts, which double.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Something to be done with the client.
type Work = Box<dyn FnOnce(&mut Client) + Send>;

/// A connection.
#[derive(Debug)]
pub(crate) struct Connection {
    address: PostgresUrl,
    /// To the thread that has the client, while there is one.
    work: RefCell<Option<Sender<Work>>>,
    /// What the server knows this program's runs by, also on the next connection: the roles' rules ask for it.
    key: String,
    /// How long a lost connection is tried to be made again before that is told.
    pub(crate) patience: Duration,
    /// How long an answer is waited for.
    pub(crate) answer: Duration,
}

/// Why something was not done.
enum Failed {
    /// For a reason that does not go by itself.
    ForGood(StoreError),
    /// The connection is lost or of no use; the same can be asked on another.
    Lost(String),
}

/// A key that nobody guesses.
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

    /// Does something with the client, and once more if the connection was lost: what is done must come to the same
    /// when it is done twice.
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
            // As a value: the text of statements can be seen by others.
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

    /// Told once the server was tried long enough: it may be there again.
    fn lost(&self, why: String) -> StoreError {
        StoreError::Server {
            url: self.url().into(),
            why,
            is_passing: true,
        }
    }

    /// What an error of some work means for the connection.
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
            // TLS tells by the kind that it does not believe the server.
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
            // The connection's exceptions, and resources that others may give free: a full disk, memory, connections.
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
