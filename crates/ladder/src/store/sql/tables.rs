//! The tables of every ladder, in any database.

use super::{Phrases, Sql, spell};
use crate::store::StoreError;

/// The version of the tables, the same for every database. A ladder with another version is refused.
pub const VERSION: i64 = 7;

/// A pair is open, leased to a `run`, or stored. `fence` is raised with each claim and stays when the pair is stored.
/// `finished` numbers the stored pairs in the order in which they are read; `void` pairs have no games, and the column
/// says why. `bots` is a list of names and versions in JSON, and `summary` is what lists of games and ratings need of a
/// record: records are long, and a server's JSON refuses an escaped NUL, which a bot may reply. `accepted` is highest for
/// the version of a bot that plays. `after` is the last pair that was finished when a bot was enabled.
const TABLES: &str = "
    CREATE TABLE run (
        id {id},
        began {now}
    ){strict};
    CREATE TABLE pair (
        id {id},
        bots {name} NOT NULL,
        round {number} NOT NULL CHECK (round >= 0),
        fence {number} NOT NULL DEFAULT 0,
        finished {number} UNIQUE CHECK (finished > 0),
        void TEXT,
        {pair},
        UNIQUE (bots, round)
    ){strict};
    CREATE INDEX pair_open ON pair (id) WHERE {open};
    CREATE TABLE game (
        pair {number} NOT NULL REFERENCES pair,
        place {number} NOT NULL CHECK (place >= 0),
        record TEXT NOT NULL,
        summary TEXT NOT NULL,
        PRIMARY KEY (pair, place)
    ){strict};
    CREATE TABLE void_game (
        id {id},
        at {now},
        record TEXT NOT NULL
    ){strict};
    CREATE TABLE disabled (
        bot {name} PRIMARY KEY,
        reason TEXT NOT NULL,
        since {now}
    ){strict};
    CREATE TABLE enabled (
        bot {name} PRIMARY KEY,
        after {number} NOT NULL
    ){strict};
    CREATE TABLE version (
        id {id},
        bot {name} NOT NULL,
        version {name} NOT NULL,
        description TEXT NOT NULL,
        since {now},
        accepted {number} NOT NULL,
        UNIQUE (bot, version)
    ){strict};";

/// Creates the tables of a new ladder. `types` has the phrases of `TABLES`; `more` has statements for the tables that
/// only this database has.
///
/// # Errors
/// When the database fails.
pub fn create_tables(sql: &mut dyn Sql, types: &Phrases, more: &str) -> Result<(), StoreError> {
    let tables = spell(types, TABLES) + more;
    for statement in tables.trim().split_terminator(';') {
        sql.change(statement, &[])?;
    }
    Ok(())
}
