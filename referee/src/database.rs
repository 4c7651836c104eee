//! The database of a ladder: its address as it was typed, and what to know of the connection.

use crate::failure::{Failure, usage};
use crownhead_ladder::Folder;
use crownhead_ladder::store::Address;

/// Warns if others could read the connection to a ladder's database.
pub(crate) fn warn_of_store(folder: &Folder) -> Result<(), Failure> {
    if let Some(address) = folder.database().map_err(usage)?
        && let Some(warning) = address.warning()
    {
        anstream::eprintln!("warning: {}: {warning}", address.url());
    }
    Ok(())
}

/// The address of a ladder's database as it was typed. A message does not repeat it, because it may have a password.
pub(crate) fn address(typed: &str) -> Result<Address, Failure> {
    Address::parse(typed).map_err(usage)
}
