//! A ladder's store in SQL, written once for every database: its statements ([`Sql`]), the phrases in which databases
//! differ ([`Phrases`]), and what each database does in its own way ([`Database`]). Connections are made elsewhere.

mod pairs;
mod shared;
mod store;
mod tables;
mod value;

#[cfg(test)]
pub(super) use pairs::{PAIRS, SUMMARIES};
pub use store::Store;
pub use tables::{VERSION, create_tables};
pub use value::{Row, Value};

use super::{Problem, StoreError};
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::Duration;

/// Work on a database.
pub type Work<'a> = dyn Fn(&mut dyn Sql) -> Result<(), StoreError> + 'a;

/// A database with a ladder, for a [`Store`].
///
/// # Errors
/// All methods fail when the database does.
pub trait Database: Debug + Send {
    /// See [`Store::renewal`]; leases need no renewal where they last while their run lives.
    fn renewal(&self) -> Duration {
        Duration::MAX
    }

    /// See [`Store::renew`].
    fn renew(&mut self, _run: u64, _pairs: &[u64]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Reads. The work may run twice if a connection is lost meanwhile.
    fn read(&self, work: &Work<'_>) -> Result<(), StoreError>;

    /// Writes all or nothing. The work may run twice, as with [`Database::read`].
    fn write(&mut self, durability: Durability, work: &Work<'_>) -> Result<(), StoreError>;

    /// Plays as this run: from now on, waits only a moment for a database that is locked or unreachable.
    fn play(&mut self, run: u64) -> Result<(), StoreError>;

    /// Before a claim: ends the leases of dead runs, if nothing else does.
    fn end_lapsed_leases(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Before reading pairs: numbers the stored ones, if storing does not.
    fn number_stored(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// See [`Store::is_shared`].
    fn is_shared(&self) -> bool {
        false
    }

    /// See [`Store::rescue`].
    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError> {
        Ok(None)
    }

    /// The problems of the file, if there is one.
    fn problems_of_file(&self) -> Result<Vec<Problem>, StoreError> {
        Ok(Vec::new())
    }
}

/// What a write must survive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// The loss of power.
    Disk,
    /// The death of this program. Lost pairs are played again.
    Process,
}

/// Work that only one of a ladder's programs does at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    /// Changing the tables.
    Schema = 1,
    /// Giving stored pairs their numbers.
    Order = 2,
    /// Accepting a version.
    Version = 4,
}

/// The phrases in which databases differ, by the names that statements give them in braces:
///
/// - `{open}`, `{stored}`: conditions that a pair is not finished, or is;
/// - `{held}`: a condition that an open pair is leased;
/// - `{lease}`: assigned in addition to `run` and `fence` when a pair is leased;
/// - `{free}`: assigned in addition to `run` when a lease ends;
/// - `{store}`: assigned when a pair is stored;
/// - `{reopen}`: assigned when a stored pair is opened again;
/// - `{summary}`: after the name of the table of games, where no record is read.
pub type Phrases = [(&'static str, &'static str)];

/// A statement with its phrases written out.
pub fn spell(phrases: &Phrases, statement: &str) -> String {
    let spell = |text: String, (name, phrase): &(&str, &str)| text.replace(name, phrase);
    phrases.iter().fold(statement.to_string(), spell)
}

/// A database, ready to take statements with phrases, such as `{open}`. Their values stand as `?1`, `?2` and so on.
///
/// # Errors
/// All methods fail when the database does.
pub trait Sql {
    /// The rows of a statement.
    fn rows(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, StoreError>;

    /// How many rows a statement changes.
    fn change(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError>;

    /// Waits for a lock and holds it until the transaction ends.
    fn lock(&mut self, lock: Lock) -> Result<(), StoreError>;

    /// The first row, if there is one.
    fn row(&mut self, statement: &str, values: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(statement, values)?.into_iter().next())
    }

    /// The number in the only row of a statement.
    fn number(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError> {
        match self.row(statement, values)? {
            Some(row) => row.number(0),
            None => Err(value::unexpected("no row", "a number")),
        }
    }
}

/// Numbers as a list in a statement.
pub(super) fn list(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    numbers.join(", ")
}
