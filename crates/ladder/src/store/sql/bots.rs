//! Versions of bots, and which are disabled.

use super::{Lock, Sql};
use crate::store::{BotStates, BotVersion, StoreError};

pub(super) fn versions(sql: &mut dyn Sql) -> Result<Vec<BotVersion>, StoreError> {
    let select = "SELECT bot, version, description, interpreter,
            accepted = (SELECT max(accepted) FROM version other WHERE other.bot = version.bot)
         FROM version ORDER BY id";
    let rows = sql.rows(select, &[])?;
    let version = |row: &super::Row| {
        Ok(BotVersion {
            bot: row.text(0)?,
            version: row.text(1)?,
            description: row.text(2)?,
            interpreter: row.optional_text(3)?,
            current: row.is_true(4),
        })
    };
    rows.iter().map(version).collect()
}

pub(super) fn accept(sql: &mut dyn Sql, accepted: &BotVersion) -> Result<(), StoreError> {
    let BotVersion {
        bot,
        version,
        description,
        interpreter,
        current: _,
    } = accepted;
    sql.lock(Lock::Version)?;
    let known = "SELECT count(*) FROM version WHERE bot = ?1";
    let is_replaced = sql.number(known, &[bot.into()])? > 0;
    sql.change(
        "INSERT INTO version (bot, version, description, interpreter, accepted)
         VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(max(accepted), 0) + 1 FROM version))
         ON CONFLICT (bot, version) DO UPDATE
         SET accepted = excluded.accepted, interpreter = excluded.interpreter",
        &[
            bot.into(),
            version.into(),
            description.into(),
            interpreter.as_ref().into(),
        ],
    )?;
    if is_replaced {
        sql.change("DELETE FROM disabled WHERE bot = ?1", &[bot.into()])?;
    }
    Ok(())
}

pub(super) fn states(sql: &mut dyn Sql) -> Result<BotStates, StoreError> {
    let disabled = sql.rows("SELECT bot, reason FROM disabled ORDER BY bot", &[])?;
    let disabled = disabled.iter().map(|row| Ok((row.text(0)?, row.text(1)?)));
    let enabled = sql.rows("SELECT bot, after FROM enabled ORDER BY bot", &[])?;
    let enabled = enabled.iter().map(|row| Ok((row.text(0)?, row.number(1)?)));
    Ok(BotStates {
        disabled: disabled.collect::<Result<_, StoreError>>()?,
        enabled: enabled.collect::<Result<_, StoreError>>()?,
    })
}

pub(super) fn set_disabled(
    sql: &mut dyn Sql,
    bot: &str,
    reason: Option<&str>,
) -> Result<(), StoreError> {
    if let Some(reason) = reason {
        let insert = "INSERT INTO disabled (bot, reason) VALUES (?1, ?2)
             ON CONFLICT (bot) DO UPDATE SET reason = excluded.reason";
        sql.change(insert, &[bot.into(), reason.into()])?;
        return Ok(());
    }
    sql.change("DELETE FROM disabled WHERE bot = ?1", &[bot.into()])?;
    sql.change(
        "INSERT INTO enabled (bot, after)
         VALUES (?1, (SELECT coalesce(max(finished), 0) FROM pair))
         ON CONFLICT (bot) DO UPDATE SET after = excluded.after",
        &[bot.into()],
    )?;
    Ok(())
}
