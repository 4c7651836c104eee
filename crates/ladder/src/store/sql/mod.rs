//! A ladder's store in SQL, written once for every database: what it asks ([`Sql`]), the phrases in which databases
//! differ ([`Dialect`]), and what each does in its own way ([`Database`]). Leaves out how a database is reached.

mod bots;
mod claims;
mod pairs;
mod problems;
mod store;
mod value;

#[cfg(test)]
pub(super) use pairs::{SELECT_PAIRS, SELECT_SUMMARIES};
pub use value::{Row, Value};

use super::shared::SharedStore;
use super::{Problem, StoreError};
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::Duration;

/// The version of the tables, the same for every database. A ladder of another one is refused.
pub const VERSION: i64 = 5;

/// A database that holds a ladder. What implements this is a [`Store`](super::Store).
///
/// # Errors
/// All methods fail when the database does.
pub trait Database: Debug + Send + Sized {
    /// How often a run renews its leases.
    const RENEWAL: Duration;

    /// Reads. What is done may be done twice, where a connection is lost meanwhile.
    fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError>;

    /// Writes all or nothing; may be done twice, as [`Database::read`].
    fn write<T: Send + 'static>(
        &mut self,
        durability: Durability,
        work: impl Fn(&mut dyn Sql) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError>;

    /// The same ladder, opened anew to be read.
    fn reopen(self) -> Result<Self, StoreError>;

    /// From now on waits only a moment for a database that is locked or cannot be reached.
    fn be_impatient(&mut self) -> Result<(), StoreError>;

    /// Before a claim: ends the leases of runs that were seen to have died, where nothing else does.
    fn end_lapsed_leases(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Before pairs are read: gives those that were stored their numbers, where storing does not.
    fn number_stored(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// See [`Store::shared`](super::Store::shared).
    fn shared(&self) -> Option<&dyn SharedStore> {
        None
    }

    /// See [`Store::rescue`](super::Store::rescue).
    fn rescue(&self) -> Result<Option<(PathBuf, u64)>, StoreError> {
        Ok(None)
    }

    /// What is wrong with the file, if there is one.
    fn problems_of_file(&self) -> Result<Vec<Problem>, StoreError> {
        Ok(Vec::new())
    }
}

/// What a write must survive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// The loss of power.
    Disk,
    /// The death of this program: what is lost is played again.
    Process,
}

/// What only one of a ladder's programs does at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    /// Changing the tables.
    Schema = 1,
    /// Giving stored pairs their numbers.
    Order = 2,
    /// Claiming within a quota.
    Quota = 3,
    /// Accepting a version.
    Version = 4,
}

/// A database, ready to take statements. Their values stand as `?1`, `?2` and so on.
///
/// # Errors
/// All methods fail when the database does.
pub trait Sql {
    /// How statements read here.
    fn dialect(&self) -> &'static Dialect;

    /// Runs a statement that gives rows.
    fn query(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, StoreError>;

    /// Runs a statement and gives how many rows it has changed.
    fn execute(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError>;

    /// Waits for a lock and holds it until the transaction ends.
    fn lock(&mut self, lock: Lock) -> Result<(), StoreError>;
}

impl dyn Sql + '_ {
    /// The rows of a statement with phrases of the dialect, such as `{open}`.
    fn rows(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let statement = self.dialect().spell(statement);
        self.query(&statement, values)
    }

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

    /// How many rows a statement with phrases of the dialect changes.
    fn change(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError> {
        let statement = self.dialect().spell(statement);
        self.execute(&statement, values)
    }
}

/// The phrases in which databases differ; statements name them in braces.
#[derive(Debug)]
pub struct Dialect {
    /// A condition: a pair is not finished.
    pub open: &'static str,
    /// A condition: a pair is finished.
    pub stored: &'static str,
    /// A condition: an open pair is leased.
    pub held: &'static str,
    /// A condition: a finished pair is not rated.
    pub void: &'static str,
    /// Assigned besides `run` and `fence` when a pair is leased.
    pub lease: &'static str,
    /// Assigned besides `run` when a lease ends.
    pub free: &'static str,
    /// Assigned when a pair is stored.
    pub store: &'static str,
    /// Assigned when a stored pair is opened again.
    pub reopen: &'static str,
    /// Renews the leases of the run `?1` to `{pairs}`.
    pub renew: &'static str,
    /// After the name of the table of games, where no record is read.
    pub summary: &'static str,
}

impl Dialect {
    /// A statement with its phrases written out.
    pub(super) fn spell(&self, statement: &str) -> String {
        if !statement.contains('{') {
            return statement.into();
        }
        let phrases = [
            ("{renew}", self.renew),
            ("{open}", self.open),
            ("{stored}", self.stored),
            ("{held}", self.held),
            ("{void}", self.void),
            ("{lease}", self.lease),
            ("{free}", self.free),
            ("{store}", self.store),
            ("{reopen}", self.reopen),
            ("{summary}", self.summary),
        ];
        let spell = |text: String, (name, phrase)| text.replace(name, phrase);
        phrases.into_iter().fold(statement.to_string(), spell)
    }
}

/// Numbers as a list in a statement.
fn list(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    numbers.join(", ")
}
