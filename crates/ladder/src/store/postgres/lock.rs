//! What only one of a ladder's programs does at a time, anywhere.

use postgres::{Error, GenericClient};

/// What the locks of Crownhead are told from others' by: "CrHd".
const CLASS: i32 = 0x4372_4864;

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lock {
    /// Changing the tables.
    Schema = 1,
    /// Giving stored pairs their numbers.
    Order = 2,
    /// Claiming within a quota.
    Quota = 3,
    /// Accepting a version.
    Version = 4,
}

/// Waits for a lock and holds it until the transaction ends, which is after what it wrote can be seen. The next
/// statement sees what those wrote who had the lock before.
pub(super) fn take(transaction: &mut impl GenericClient, lock: Lock) -> Result<(), Error> {
    let take = "SELECT pg_advisory_xact_lock($1, $2)";
    transaction.execute(take, &[&CLASS, &(lock as i32)])?;
    Ok(())
}
