//! Ladders in a database that many machines share: where one is ([`Address`]), and who opens it ([`Databases`]).
//!
//! The ladder knows no such database itself: the program tells once which it was built with ([`use_databases`]).

use super::{Store, StoreError};
use std::sync::OnceLock;

/// Opens ladders in databases.
///
/// # Errors
/// All methods fail with what is wrong, and what was expected.
pub trait Databases: Sync {
    /// Looks at an address; gives what people must be told of a connection that others could read or answer in the
    /// server's place.
    fn check(&self, url: &str) -> Result<Option<&'static str>, AddressError>;

    /// Opens a ladder.
    fn open(&self, address: &Address, access: Access) -> Result<Box<dyn Store>, StoreError>;
}

/// What a ladder is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// One that has begun, to be written.
    Write,
    /// The same for readers: a lost connection is told after a moment.
    Read,
    /// A new one, in an empty database.
    New,
}

static DATABASES: OnceLock<&'static dyn Databases> = OnceLock::new();

/// Tells the ladder how databases are opened; the first call counts.
pub fn use_databases(databases: &'static dyn Databases) {
    let _ = DATABASES.set(databases);
}

/// The database of a ladder, as `postgres://user@host/name` says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    url: String,
    warning: Option<&'static str>,
}

/// An address cannot be used: what is wrong, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

impl AddressError {
    /// The error that is told so.
    pub fn new(why: impl Into<String>) -> AddressError {
        AddressError(why.into())
    }
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// When it is none, names no database, or has a password; and where the program was built without databases.
    pub fn parse(url: &str) -> Result<Address, AddressError> {
        let known = ["postgres://", "postgresql://"];
        if !known.iter().any(|scheme| url.starts_with(scheme)) {
            let expected = "expected an address like postgres://user@host/database";
            return Err(AddressError::new(expected));
        }
        let databases = DATABASES.get().ok_or_else(|| {
            AddressError::new(
                "this crownhead was built without databases; `cargo build --release --features shared` builds one with",
            )
        })?;
        Ok(Address {
            url: url.into(),
            warning: databases.check(url)?,
        })
    }

    /// As it was written.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What people must be told of a connection that others could read or answer in the server's place.
    pub fn warning(&self) -> Option<&'static str> {
        self.warning
    }

    /// Opens the ladder.
    ///
    /// # Errors
    /// When it cannot be opened so.
    pub fn open(&self, access: Access) -> Result<Box<dyn Store>, StoreError> {
        let databases = DATABASES.get().expect("an address was checked by them");
        databases.open(self, access)
    }
}
