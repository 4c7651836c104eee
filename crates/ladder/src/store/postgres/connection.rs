//! One connection to the server, reconnected whenever it is lost.
//!
//! The server may have done some work although its reply was lost. So every piece of work can be done twice, and the
//! second time changes nothing.

use super::address::{Address, chain};
use crate::store::StoreError;
use postgres::error::SqlState;
use postgres::{Client, Error};
use rand::RngExt;
use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;
use std::cell::RefCell;
use std::error::Error as _;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

/// How long to wait for the server to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// A network that swallows messages ends the connection after four of these, so a lease outlasts that.
const PROBE: Duration = Duration::from_secs(5);
/// The pauses between attempts, which double.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The games of one ladder, in a database of its own.
pub struct PostgresStore {
    address: Address,
    /// The client, while it is connected.
    client: RefCell<Option<Client>>,
    /// The key by which the server knows this program's runs, also on the next connection. The roles' rules check it.
    key: String,
    /// How long to try to reconnect before reporting it.
    pub(crate) patience: Duration,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "PostgresStore({})", self.url())
    }
}

impl PostgresStore {
    /// Connects.
    ///
    /// # Errors
    /// When that cannot be done now.
    pub(crate) fn to(address: Address, patience: Duration) -> Result<PostgresStore, StoreError> {
        let store = PostgresStore {
            address,
            // It cannot be guessed.
            key: format!("{:032x}", UnwrapErr(SysRng).random::<u128>()),
            client: RefCell::new(None),
            patience,
        };
        *store.client.borrow_mut() = Some(store.connect()?);
        Ok(store)
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
            match self.attempt(&work) {
                Err(error) if error.is_passing() && began.elapsed() < self.patience => {}
                done => return done,
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    fn attempt<T>(
        &self,
        work: impl Fn(&mut Client) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let client = self.client.borrow_mut().take();
        let mut client = client.map_or_else(|| self.connect(), Ok)?;
        let done = work(&mut client).map_err(|error| {
            let told = match &error {
                StoreError::Database(cause) => cause.downcast_ref(),
                _ => None,
            };
            told.map(|told| self.failed(told)).unwrap_or(error)
        });
        // A lost connection is replaced by the next attempt.
        if !done.as_ref().is_err_and(StoreError::is_passing) {
            *self.client.borrow_mut() = Some(client);
        }
        done
    }

    fn connect(&self) -> Result<Client, StoreError> {
        let refused = |why: String| StoreError::server(self.url(), why);
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

    /// What an error of the client means: another attempt may succeed if it is passing.
    fn failed(&self, error: &Error) -> StoreError {
        let failed = |why, is_passing| StoreError::Server {
            url: self.url().into(),
            why,
            is_passing,
        };
        let Some(refusal) = error.as_db_error() else {
            // The error kind shows that TLS does not trust the server.
            let is_io = |error: &io::Error| error.kind() != io::ErrorKind::InvalidData;
            let cause = error.source().and_then(|cause| cause.downcast_ref());
            return failed(chain(error), error.is_closed() || cause.is_some_and(is_io));
        };
        let told = refusal.message().to_string();
        match refusal.code() {
            &SqlState::ADMIN_SHUTDOWN
            | &SqlState::CRASH_SHUTDOWN
            | &SqlState::CANNOT_CONNECT_NOW
            | &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::T_R_DEADLOCK_DETECTED
            // Another session of the same role may have ended this statement.
            | &SqlState::QUERY_CANCELED => failed(told, true),
            &SqlState::UNDEFINED_DATABASE => failed(told + "; `createdb` makes it", false),
            &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                let way_out = "; the password is read from PGPASSWORD, or from ~/.pgpass";
                failed(told + way_out, false)
            }
            &SqlState::INSUFFICIENT_PRIVILEGE => StoreError::Denied {
                url: self.url().into(),
                why: told,
            },
            // Connection errors, and resources that others may free: disk, memory, connections.
            code => failed(told, ["08", "53"].iter().any(|class| code.code().starts_with(class))),
        }
    }
}
