//! Ladders in a database that many machines share: its address ([`Address`]), and how to open it ([`Databases`]).
//!
//! This crate knows no such database. The program registers the one it was built with, once ([`use_databases`]).

use super::{Store, StoreError};
use crate::{UnusableLadder, refuse};
use std::sync::OnceLock;

/// An open ladder, or why it cannot be opened.
pub type Opened = Result<Box<dyn Store>, StoreError>;

/// Opens ladders in databases.
#[derive(Clone, Copy, Debug)]
pub struct Databases {
    /// Checks an address. Returns a warning if others could read the connection or reply in the server's place.
    pub check: fn(&str) -> Result<Option<&'static str>, UnusableLadder>,
    /// Opens the ladder at a checked address.
    pub open: fn(&str, Access) -> Opened,
}

/// The purpose of opening a ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// To write an existing ladder.
    Write,
    /// To read an existing ladder. A lost connection is reported after a moment.
    Read,
    /// To create a ladder in an empty database.
    New,
}

static DATABASES: OnceLock<Databases> = OnceLock::new();

/// Registers how databases are opened; the first call counts.
pub fn use_databases(databases: Databases) {
    let _ = DATABASES.set(databases);
}

/// The address of a ladder's database, such as `postgres://user@host/name`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    url: String,
    warning: Option<&'static str>,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// When it is not an address, names no database, or has a password; or when the program was built without
    /// databases.
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

    /// The address as written.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A warning if others could read the connection or reply in the server's place.
    pub fn warning(&self) -> Option<&'static str> {
        self.warning
    }

    /// Opens the ladder.
    ///
    /// # Errors
    /// When it cannot be opened for this purpose.
    pub fn open(&self, access: Access) -> Opened {
        let databases = DATABASES.get().expect("an address was checked by them");
        (databases.open)(&self.url, access)
    }
}
