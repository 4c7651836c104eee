//! Ladders in a database that many machines share: where one is ([`Address`]), and who opens it ([`Databases`]).
//!
//! The ladder knows no such database itself: the program tells once which it was built with ([`use_databases`]).

use super::{Store, StoreError};
use crate::{UnusableLadder, refuse};
use std::sync::OnceLock;

/// A ladder that was opened, or why it was not.
pub type Opened = Result<Box<dyn Store>, StoreError>;

/// How ladders in databases are opened.
#[derive(Clone, Copy, Debug)]
pub struct Databases {
    /// Looks at an address; gives what people must be told of a connection that others could read or answer in the
    /// server's place.
    pub check: fn(&str) -> Result<Option<&'static str>, UnusableLadder>,
    /// Opens the ladder at an address that was checked.
    pub open: fn(&str, Access) -> Opened,
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

static DATABASES: OnceLock<Databases> = OnceLock::new();

/// Tells the ladder how databases are opened; the first call counts.
pub fn use_databases(databases: Databases) {
    let _ = DATABASES.set(databases);
}

/// The database of a ladder, as `postgres://user@host/name` says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    url: String,
    warning: Option<&'static str>,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// When it is none, names no database, or has a password; and where the program was built without databases.
    pub fn parse(url: &str) -> Result<Address, UnusableLadder> {
        let known = ["postgres://", "postgresql://"];
        if !known.iter().any(|scheme| url.starts_with(scheme)) {
            return Err(refuse(
                "expected an address like postgres://user@host/database",
            ));
        }
        let databases = DATABASES.get().ok_or_else(|| {
            refuse(
                "this crownhead was built without databases; `cargo build --release --features shared` builds one with",
            )
        })?;
        Ok(Address {
            url: url.into(),
            warning: (databases.check)(url)?,
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
    pub fn open(&self, access: Access) -> Opened {
        let databases = DATABASES.get().expect("an address was checked by them");
        (databases.open)(&self.url, access)
    }
}
