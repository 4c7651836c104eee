//! What commands of several kinds do with a ladder's database.

use crate::failure::{Failure, usage};
use crownhead_ladder::Folder;
use crownhead_ladder::store::Store;
use crownhead_record::GameRecord;

/// Warns if others could read the connection to a ladder's database.
pub(crate) fn warn_of_store(folder: &Folder) -> Result<(), Failure> {
    if let Some(address) = folder.database().map_err(usage)?
        && let Some(warning) = address.warning()
    {
        anstream::eprintln!("warning: {}: {warning}", address.url());
    }
    Ok(())
}

/// Hands all rated games of a ladder to `visit`.
///
/// # Errors
/// When one cannot be read, after all others.
pub(crate) fn each_stored(
    store: &Store,
    mut visit: impl FnMut(GameRecord) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut unreadable = None;
    for record in store.records() {
        match record {
            Ok(game) => visit(game)?,
            Err(error) => unreadable = unreadable.or(Some(error)),
        }
    }
    unreadable.map_or(Ok(()), |error| Err(error.into()))
}
