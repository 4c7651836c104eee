//! One connection to the server, reconnected whenever it is lost.
//!
//! The server may have done some work although its reply was lost. So every piece of work can be done twice, and the
//! second time changes nothing.

use super::address::{PostgresUrl, chain};
use crate::store::StoreError;
use postgres::error::SqlState;
use postgres::{Client, Error};
use std::cell::RefCell;
use std::error::Error as _;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// How long to wait for the server to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// A network that swallows messages ends the connection after four of these, so a lease outlasts that.
const PROBE: Duration = Duration::from_secs(5);
/// The pauses between attempts, which double.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A connection.
pub(crate) struct Connection {
    address: PostgresUrl,
    /// The client, while it is connected.
    client: RefCell<Option<Client>>,
    /// The key by which the server knows this program's runs, also on the next connection. The roles' rules check it.
    key: String,
    /// How long to try to reconnect before reporting it.
    pub(crate) patience: Duration,
}

impl fmt::Debug for Connection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Connection({})", self.url())
    }
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
            client: RefCell::new(None),
            patience,
        };
        match connection.connect() {
            Ok(client) => *connection.client.borrow_mut() = Some(client),
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
    pub(crate) fn run<T>(
        &self,
        work: impl Fn(&mut Client) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
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

    fn attempt<T>(&self, work: impl Fn(&mut Client) -> Result<T, StoreError>) -> Result<T, Failed> {
        let client = self.client.borrow_mut().take();
        let mut client = client.map_or_else(|| self.connect(), Ok)?;
        let done = work(&mut client).map_err(|error| self.failed_at_work(error));
        if !matches!(done, Err(Failed::Lost(_))) {
            *self.client.borrow_mut() = Some(client);
        }
        done
    }

    fn connect(&self) -> Result<Client, Failed> {
        let refused = |why: String| Failed::ForGood(self.refused(why));
        let config = self.address.config();
        let mut config = config.map_err(|error| refused(error.to_string()))?;
        config
            .application_name("crownhead")
            .connect_timeout(CONNECT)
            .tcp_user_timeout(4 * PROBE)
            .keepalives_idle(PROBE)
            .keepalives_interval(PROBE)
            .keepalives_retries(3);
        let connector = self.address.security().connector().map_err(refused)?;
        let client = config.connect(connector).and_then(|mut client| {
            // Passed as a value, because others can see the text of statements.
            let set = "SELECT set_config('crownhead.key', $1, FALSE)";
            client.query(set, &[&self.key])?;
            Ok(client)
        });
        client.map_err(|error| self.failed(&error))
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
