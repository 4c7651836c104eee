//! A ladder's store in SQL, written once for every database: its statements ([`Sql`]), the phrases in which databases
//! differ ([`Phrases`]), and what each database does in its own way ([`Database`]). Connections are made elsewhere.

mod pairs;
mod store;
mod tables;
mod value;

#[cfg(test)]
pub(super) use pairs::PAIRS;
pub use store::Store;
pub use tables::{VERSION, create_tables};
pub use value::{Row, Value};

use super::{Problem, StoreError};
use std::fmt::Debug;
use std::path::PathBuf;

/// Work on a database.
pub type Work<'a> = dyn Fn(&mut dyn Sql) -> Result<(), StoreError> + 'a;

/// A database with a ladder, for a [`Store`].
///
/// # Errors
/// All methods fail when the database does.
pub trait Database: Debug + Send {
    /// See [`Store::renew`]; leases need no renewal where they last while their run lives.
    fn renew(&mut self, _run: u64, _pairs: &[u64]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Reads. The work may run twice if a connection is lost meanwhile.
    fn read(&self, work: &Work<'_>) -> Result<(), StoreError>;

    /// Writes all or nothing. The work may run twice, as with [`Database::read`].
    fn write(&mut self, work: &Work<'_>) -> Result<(), StoreError>;

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

    /// Waits for the ladder's lock and holds it until the transaction ends, for work that only one program does at a
    /// time: changing the tables, numbering the stored pairs, accepting a version.
    fn lock(&mut self) -> Result<(), StoreError>;

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
