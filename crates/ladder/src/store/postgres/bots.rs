//! Versions of bots, and which are disabled.

use super::lock::{self, Lock};
use super::order::order;
use super::{PostgresStore, natural};
use crate::store::{BotStore, BotVersion, StoreError};

impl BotStore for PostgresStore {
    fn versions(&self) -> Result<Vec<BotVersion>, StoreError> {
        self.connection.run(|client| {
            let select = "SELECT bot, version, description, interpreter,
                    accepted = max(accepted) OVER (PARTITION BY bot)
                 FROM version ORDER BY id";
            let rows = client.query(select, &[])?;
            let version = |row: &postgres::Row| BotVersion {
                bot: row.get(0),
                version: row.get(1),
                description: row.get(2),
                interpreter: row.get(3),
                current: row.get(4),
            };
            Ok(rows.iter().map(version).collect())
        })
    }

    fn accept(&mut self, version: &BotVersion) -> Result<(), StoreError> {
        let version = version.clone();
        self.connection.run(move |client| {
            let BotVersion {
                bot,
                version,
                description,
                interpreter,
                current: _,
            } = &version;
            let mut transaction = client.transaction()?;
            lock::take(&mut transaction, Lock::Version)?;
            let known = "SELECT EXISTS (SELECT 1 FROM version WHERE bot = $1)";
            let is_replaced: bool = transaction.query_one(known, &[bot])?.get(0);
            transaction.execute(
                "INSERT INTO version (bot, version, description, interpreter, accepted)
                 VALUES ($1, $2, $3, $4, (SELECT coalesce(max(accepted), 0) + 1 FROM version))
                 ON CONFLICT (bot, version) DO UPDATE
                 SET accepted = excluded.accepted, interpreter = excluded.interpreter",
                &[bot, version, description, interpreter],
            )?;
            if is_replaced {
                transaction.execute("DELETE FROM bench WHERE bot = $1", &[bot])?;
            }
            transaction.commit()
        })
    }

    fn disable(&mut self, bot: &str, reason: &str) -> Result<(), StoreError> {
        let (bot, reason) = (bot.to_string(), reason.to_string());
        self.connection.run(move |client| {
            let insert = "INSERT INTO bench (bot, reason) VALUES ($1, $2)
                 ON CONFLICT (bot) DO UPDATE SET reason = $2, since = clock_timestamp()";
            client.execute(insert, &[&bot, &reason])?;
            Ok(())
        })
    }

    fn enable(&mut self, bot: &str) -> Result<(), StoreError> {
        let bot = bot.to_string();
        self.connection.run(move |client| {
            order(client)?;
            let mut transaction = client.transaction()?;
            transaction.execute("DELETE FROM bench WHERE bot = $1", &[&bot])?;
            transaction.execute(
                "INSERT INTO enabled (bot, after)
                 VALUES ($1, (SELECT coalesce(max(finished), 0) FROM pair))
                 ON CONFLICT (bot) DO UPDATE SET after = excluded.after",
                &[&bot],
            )?;
            transaction.commit()
        })
    }

    fn disabled(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.connection.run(|client| {
            let rows = client.query("SELECT bot, reason FROM bench ORDER BY bot", &[])?;
            Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
        })
    }

    fn enabled(&self) -> Result<Vec<(String, u64)>, StoreError> {
        self.connection.run(|client| {
            let rows = client.query("SELECT bot, after FROM enabled ORDER BY bot", &[])?;
            let enabled = |row: &postgres::Row| (row.get(0), natural(row.get(1)));
            Ok(rows.iter().map(enabled).collect())
        })
    }

    fn tell_once(&mut self, what: &str) -> Result<bool, StoreError> {
        let what = what.to_string();
        self.connection.run(move |client| {
            let insert = "INSERT INTO told (what) VALUES ($1) ON CONFLICT DO NOTHING";
            Ok(client.execute(insert, &[&what])? == 1)
        })
    }
}
