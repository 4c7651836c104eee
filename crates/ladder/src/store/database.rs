//! Why a ladder is opened, and its address in a program that was built without databases.

#[cfg(not(feature = "shared"))]
use super::{Store, StoreError, shared::Roles};
#[cfg(not(feature = "shared"))]
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

/// The address of a ladder's database. There is none, because this program was built without databases.
#[cfg(not(feature = "shared"))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {}

#[cfg(not(feature = "shared"))]
#[allow(missing_docs, clippy::missing_errors_doc)]
impl Address {
    pub fn parse(_: &str) -> Result<Address, UnusableLadder> {
        Err(refuse(
            "this crownhead was built without databases; `cargo build --release --features shared` builds one with",
        ))
    }

    pub fn url(&self) -> &str {
        match *self {}
    }

    pub fn warning(&self) -> Option<&'static str> {
        match *self {}
    }

    pub fn open(&self, _: Access) -> Result<Store, StoreError> {
        match *self {}
    }

    pub fn set_roles(&self, _: Option<&str>, _: Option<&str>) -> Result<Roles, StoreError> {
        match *self {}
    }
}
