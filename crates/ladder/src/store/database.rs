//! Ladders in a database that many machines share: its address ([`Address`]), and how to open it.

#[cfg(feature = "shared")]
use super::postgres::{PostgresStore, PostgresUrl};
use super::shared::Roles;
use super::{Store, StoreError};
use crate::{UnusableLadder, refuse};

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
        Ok(Address {
            url: url.into(),
            warning: warning_of(url)?,
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
    pub fn open(&self, access: Access) -> Result<Store, StoreError> {
        open(&self.url, access)
    }

    /// Creates the roles of owners and workers if they are missing, and sets their privileges. By default, they are named
    /// after the database.
    ///
    /// # Errors
    /// When a role may not be created here, or has powers that no privilege removes.
    pub fn set_roles(
        &self,
        owner: Option<&str>,
        worker: Option<&str>,
    ) -> Result<Roles, StoreError> {
        set_roles(&self.url, owner, worker)
    }
}

#[cfg(feature = "shared")]
fn warning_of(url: &str) -> Result<Option<&'static str>, UnusableLadder> {
    Ok(PostgresUrl::parse(url)?.warning())
}

#[cfg(feature = "shared")]
fn open(url: &str, access: Access) -> Result<Store, StoreError> {
    Ok(PostgresStore::open(url, access)?.into())
}

#[cfg(feature = "shared")]
fn set_roles(url: &str, owner: Option<&str>, worker: Option<&str>) -> Result<Roles, StoreError> {
    PostgresStore::open(url, Access::Write)?.set_roles(owner, worker)
}

#[cfg(not(feature = "shared"))]
fn warning_of(_: &str) -> Result<Option<&'static str>, UnusableLadder> {
    Err(refuse(
        "this crownhead was built without databases; `cargo build --release --features shared` builds one with",
    ))
}

#[cfg(not(feature = "shared"))]
fn open(_: &str, _: Access) -> Result<Store, StoreError> {
    unreachable!("every address is refused")
}

#[cfg(not(feature = "shared"))]
fn set_roles(_: &str, _: Option<&str>, _: Option<&str>) -> Result<Roles, StoreError> {
    unreachable!("every address is refused")
}
