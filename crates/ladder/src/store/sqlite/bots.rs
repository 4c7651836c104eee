//! What is known of a ladder's bots besides their games: their versions, and which are disabled.

use super::SqliteStore;
use crate::store::{BotStore, BotVersion, StoreError};
use rusqlite::params;

impl BotStore for SqliteStore {
    fn versions(&self) -> Result<Vec<BotVersion>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT bot, version, description, interpreter,
                    accepted = (SELECT max(accepted) FROM version other WHERE other.bot = version.bot)
             FROM version ORDER BY id",
        )?;
        let versions = statement.query_map((), |row| {
            Ok(BotVersion {
                bot: row.get(0)?,
                version: row.get(1)?,
                description: row.get(2)?,
                interpreter: row.get(3)?,
                current: row.get(4)?,
            })
        })?;
        Ok(versions.collect::<Result<_, _>>()?)
    }

    fn accept(&mut self, version: &BotVersion) -> Result<(), StoreError> {
        let now = self.clock.calendar_ms();
        self.write(|transaction| {
            let replaced: bool = transaction.query_row(
                "SELECT EXISTS (SELECT 1 FROM version WHERE bot = ?1)",
                [&version.bot],
                |row| row.get(0),
            )?;
            transaction.execute(
                "INSERT INTO version (bot, version, description, interpreter, since_ms, accepted)
                 VALUES (?1, ?2, ?3, ?4, ?5, (SELECT coalesce(max(accepted), 0) + 1 FROM version))
                 ON CONFLICT (bot, version) DO UPDATE
                 SET accepted = (SELECT max(accepted) + 1 FROM version), interpreter = ?4",
                params![
                    version.bot,
                    version.version,
                    version.description,
                    version.interpreter,
                    now
                ],
            )?;
            if replaced {
                transaction.execute("DELETE FROM bench WHERE bot = ?1", [&version.bot])?;
            }
            Ok(())
        })
    }

    fn disable(&mut self, bot: &str, reason: &str) -> Result<(), StoreError> {
        let now = self.clock.calendar_ms();
        self.write(|transaction| {
            let insert = "INSERT OR REPLACE INTO bench (bot, reason, since_ms) VALUES (?1, ?2, ?3)";
            transaction.execute(insert, params![bot, reason, now])?;
            Ok(())
        })
    }

    fn enable(&mut self, bot: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM bench WHERE bot = ?1", [bot])?;
            transaction.execute(
                "INSERT OR REPLACE INTO enabled (bot, after)
                 VALUES (?1, (SELECT coalesce(max(finished), 0) FROM pair))",
                [bot],
            )?;
            Ok(())
        })
    }

    fn disabled(&self) -> Result<Vec<(String, String)>, StoreError> {
        let select = "SELECT bot, reason FROM bench ORDER BY bot";
        let mut statement = self.connection.prepare_cached(select)?;
        let disabled = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(disabled.collect::<Result<_, _>>()?)
    }

    fn enabled(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let select = "SELECT bot, after FROM enabled ORDER BY bot";
        let mut statement = self.connection.prepare_cached(select)?;
        let enabled = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(enabled.collect::<Result<_, _>>()?)
    }

    fn tell_once(&mut self, what: &str) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let insert = "INSERT OR IGNORE INTO told (what) VALUES (?1)";
            Ok(transaction.execute(insert, [what])? == 1)
        })
    }
}
