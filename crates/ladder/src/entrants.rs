//! Makes a ladder's bots ready: builds them, examines them, compares them with the known version, and tries new ones.

use super::config::Config;
use super::error::{LadderError, fail, refuse};
use super::folder::Folder;
use super::version::{Description, Ready, examine};
use crate::store::{BotVersion, Store};
use crownhead_arena::runner::SmokeGames;
use crownhead_record::GameRecord;
use crownhead_record::bench;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The outcome for a bot's version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// The version that played until now.
    pub before: Option<String>,
    /// The one that plays from now on.
    pub now: String,
}

/// Makes a built bot ready, and reports what is new about it. `accept` says whether a changed bot plays as a new
/// version.
///
/// # Errors
/// With [`LadderError::Unusable`] when the bot differs from the one whose games are stored; also when its entry in the
/// configuration cannot be used, or its files cannot be read.
pub(super) fn admit(
    folder: &Folder,
    config: &Config,
    number: usize,
    store: &mut Store,
    accept: bool,
) -> Result<(Ready, Option<String>), LadderError> {
    let bot = &config.bots[number];
    let (spec, files) = folder.entry(config, number)?;
    let signature = spec.built_in().map(|_| bench::signature(config.game()));
    let ready = examine(bot, spec, signature, files)?;
    let version = &ready.version;
    let current = store.current_version(&bot.name)?;
    let mut news = Vec::new();
    let is_new = match &current {
        Some(current) if current.version == version.version => false,
        // A version without games is replaced without asking.
        Some(current) if !accept && store.has_played(&bot.name, Some(&current.version))? => {
            return Err(changed(folder.path(), current, version));
        }
        Some(current) => {
            let (name, before, now) = (&bot.name, &current.version, &version.version);
            news.push(format!(
                "{name} has changed: from now on version {now} plays, until now it was {before}"
            ));
            true
        }
        None => true,
    };
    if is_new {
        store.accept(version)?;
        if signature.is_none() && ready.files.folder.is_none() {
            news.push(format!(
                "{} runs in its private folder and reads only the files that its command names: what lies beside them is \
                 not its own. `files` in ladder.toml adds to them",
                bot.name
            ));
        }
    }
    Ok((ready, (!news.is_empty()).then(|| news.join("\n"))))
}

/// Makes the present files the version of a bot that plays.
///
/// # Errors
/// When there is no such bot, or it cannot be built or read.
pub fn update(folder: &Folder, name: &str) -> Result<Update, LadderError> {
    let config = folder.config()?;
    let number = config.expect_bot(name).map_err(refuse)?;
    let mut store = folder.store()?;
    let before = store.current_version(name)?.map(|known| known.version);
    folder.build(&config.bots[number])?;
    let (ready, _) = admit(folder, &config, number, &mut store, true)?;
    Ok(Update {
        before,
        now: ready.entrant().version,
    })
}

/// Plays the [short games](SmokeGames) of bot `number` of the configuration. Gives the game in which it failed, if it did.
///
/// # Errors
/// When the bot cannot be built, or its entry cannot be used.
pub fn smoke_game(
    folder: &Folder,
    config: &Config,
    number: usize,
    interrupted: &Arc<AtomicBool>,
) -> Result<Option<GameRecord>, LadderError> {
    folder.build(&config.bots[number])?;
    let bot = folder.bot(config, number)?;
    let games = SmokeGames::new(&folder.settings(config)?, &bot).map_err(fail)?;
    let pair = games.play(interrupted);
    let name = &bot.spec.name;
    let failed = |game: &GameRecord| {
        let own = game.place_of(name);
        game.scores.is_none() || own.is_some_and(|player| game.fault_of(player).is_some())
    };
    Ok(pair.games.into_iter().find(failed))
}

/// The refusal to mix up two versions, with what differs and what to type.
fn changed(folder: &Path, before: &BotVersion, now: &BotVersion) -> LadderError {
    let (name, folder) = (&now.bot, folder.display());
    refuse(format!(
        "{name} has changed: its games are stored as version {}, and {}. To let it play as a new version, rated apart: \
         `crownhead ladder update {folder} {name}`, or `crownhead ladder run {folder} --accept-changes` for all that \
         have changed; if it writes there itself, say with `files` in ladder.toml what it consists of",
        before.version,
        differences(&before.description, &now.description)
    ))
}

/// "its command and bot.py differ".
fn differences(before: &str, now: &str) -> String {
    let read = |text| serde_json::from_str::<Description>(text);
    let (Ok(before), Ok(now)) = (read(before), read(now)) else {
        return "it differs".into();
    };
    let mut what: Vec<String> = Vec::new();
    let mut note = |differs: bool, name: &str| what.extend(differs.then(|| name.to_string()));
    note(before.command != now.command, "its command");
    let environment = |of: &Description| (of.environment.clone(), of.inherited.clone());
    note(environment(&before) != environment(&now), "its environment");
    note(before.signature != now.signature, "the built-in search");
    let names: BTreeSet<&String> = before.files.keys().chain(now.files.keys()).collect();
    for name in names {
        note(before.files.get(name) != now.files.get(name), name);
    }
    const SHOWN: usize = 5;
    let more = what.len().saturating_sub(SHOWN);
    what.truncate(SHOWN);
    let list = what.join(", ");
    match (more, what.len()) {
        (0, 1) => format!("{list} differs"),
        (0, _) => format!("{list} differ"),
        _ => format!("{list} and {more} more differ"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What differs between a bot with some files and the same bot after this change.
    fn told(change: impl Fn(&mut serde_json::Value)) -> String {
        let file = |hash: &str| serde_json::json!({"sha256": hash});
        let before = serde_json::json!({
            "command": "python3 bot.py", "environment": {"DEPTH": "5"}, "signature": 1,
            "files": {"a": file("1"), "b": file("2"), "bot.py": file("3")},
        });
        let mut now = before.clone();
        change(&mut now);
        differences(&before.to_string(), &now.to_string())
    }

    #[test]
    fn differences_between_two_versions_are_named() {
        assert_eq!(
            told(|now| now["command"] = "pypy3 bot.py".into()),
            "its command differs"
        );
        assert_eq!(
            told(|now| now["environment"]["DEPTH"] = "6".into()),
            "its environment differs"
        );
        assert_eq!(
            told(|now| now["signature"] = 2.into()),
            "the built-in search differs"
        );
        assert_eq!(
            told(|now| now["files"]["a"]["sha256"] = "9".into()),
            "a differs"
        );
        let both = told(|now| {
            now["command"] = "pypy3 bot.py".into();
            now["files"]["bot.py"] = serde_json::json!({"program": "3"});
        });
        assert_eq!(both, "its command, bot.py differ");
        assert_eq!(differences("no description", "{}"), "it differs");
    }

    #[test]
    fn of_many_files_that_differ_the_first_are_named_and_the_rest_counted() {
        let many = told(|now| {
            for name in ["a", "c", "d", "e", "f", "g", "h"] {
                now["files"][name] = serde_json::json!({"sha256": "9"});
            }
        });
        assert_eq!(many, "a, c, d, e, f and 2 more differ");
    }
}
