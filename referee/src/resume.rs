//! How a match or a test that was interrupted continues: what its record holds, and whether it is still the same one.

use super::output_file::is_stdout;
use super::progress::note;
use crate::failure::{Failure, about, usage};
use anyhow::Context;
use clap::ValueEnum;
use crownhead_arena::runner::MatchPlan;
use crownhead_arena::seat::{BotSpec, SuspendIdle};
use crownhead_arena::settings::compare;
use crownhead_ladder::version_of_files;
use crownhead_record::system_error::OfFile;
use crownhead_record::{GameRecord, PlayerRecord, StderrKept, is_pdn, read_game};
use crownhead_sandbox::{join_words, split_words};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// Adds to the plan what else identifies its match: the versions of its bots, and the options that no other field of a
/// record has. For a test, these include its hypotheses.
///
/// # Errors
/// When a file of a bot cannot be read.
pub(super) fn identify(plan: &mut MatchPlan, test: Option<&impl Serialize>) -> anyhow::Result<()> {
    let settings = &mut plan.settings;
    for bot in &mut plan.bots {
        let version = version_of_files(&files_of(&bot.spec, &settings.crownhead));
        bot.version = Some(version.with_context(|| bot.spec.name.clone())?);
    }
    let (idle, options) = (settings.conditions.suspend_idle, &mut settings.options);
    if idle != SuspendIdle::default() {
        let name = idle.to_possible_value().expect("no value is skipped");
        options.insert("suspend-idle".into(), name.get_name().into());
    }
    if let Some(turns) = settings.adjudicate {
        options.insert("adjudicate".into(), turns.to_string());
    }
    if let serde_json::Value::Object(test) = serde_json::to_value(test)? {
        for (name, value) in test {
            let value = value.as_str().map_or(value.to_string(), Into::into);
            options.insert(name.replace('_', "-"), value);
        }
    }
    Ok(())
}

/// The files that decide how a bot plays: its program and what its command names; of a built-in this program, and its
/// network.
fn files_of(bot: &BotSpec, crownhead: &Path) -> BTreeMap<String, PathBuf> {
    let mut files: BTreeMap<String, PathBuf> = bot.files_named(Path::new("")).into_iter().collect();
    match bot.program() {
        None => {
            files.insert("crownhead".into(), crownhead.into());
            files.extend(bot.network_file().map(|file| ("network".into(), file)));
        }
        Some(program) if !program.installed || files.is_empty() => {
            files.insert(String::new(), program.path.clone());
        }
        Some(_) => {}
    }
    files
}

/// What was played of a match before it is resumed.
#[derive(Debug)]
pub(super) struct Earlier {
    path: PathBuf,
    /// Its games, without the words of bots that did not fail.
    pub(super) games: Vec<GameRecord>,
    /// How many bytes of the file hold them: a kill can leave half a game behind.
    pub(super) whole: u64,
}

impl Earlier {
    /// The games of a file; `None` where there is no file yet.
    ///
    /// # Errors
    /// When the file cannot hold a match that continues, or not all its games can be read.
    pub(super) fn read(path: &Path) -> Result<Option<Earlier>, Failure> {
        let failed = |problem: &str| usage(format_args!("--resume: {}: {problem}", path.display()));
        if is_pdn(path) {
            return Err(failed(
                "PDN does not hold all that a match needs to continue. Record JSON lines, such as games.jsonl",
            ));
        }
        if is_stdout(path) || path.exists() && !path.is_file() {
            return Err(failed(
                "no games can be read from it. Name a file with --record",
            ));
        }
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.of_file(path).map_err(usage)?,
        };
        let mut earlier = Earlier {
            path: path.into(),
            games: Vec::new(),
            whole: 0,
        };
        let (mut reader, mut line, mut number) = (BufReader::new(file), Vec::new(), 0);
        while reader.read_until(b'\n', &mut line).of_file(path)? > 0 {
            if !line.ends_with(b"\n") {
                note(format_args!(
                    "{} ends with half a game, which is removed and played again",
                    path.display()
                ));
                break;
            }
            number += 1;
            if !line.trim_ascii().is_empty() {
                let mut game = read_game(number, &line).map_err(about(path.display()))?;
                game.keep_stderr(StderrKept::Faults, usize::MAX);
                earlier.games.push(game);
            }
            earlier.whole += line.len() as u64;
            line.clear();
        }
        Ok(Some(earlier))
    }

    /// Refuses to continue another match than that of these games.
    ///
    /// # Errors
    /// With all that differs.
    pub(super) fn expect_same(&self, plan: &MatchPlan) -> Result<(), Failure> {
        // Who plays what is a function of the plan: two games show as much as all.
        let number = |game: &&GameRecord| game.number;
        let ends = [
            self.games.iter().min_by_key(number),
            self.games.iter().max_by_key(number),
        ];
        for game in ends.into_iter().flatten() {
            let told = match plan.header(game.number) {
                Some(now) => differences(game, &now),
                None => vec![format!("the plan has no game {}", game.number)],
            };
            if !told.is_empty() {
                return Err(usage(format_args!(
                    "{} holds games of another match: {}. Repeat its command with --resume, or name another file",
                    self.path.display(),
                    told.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// How a game was played otherwise than it would be now. If options differ, only they are named: other openings and
/// commands follow from them.
fn differences(game: &GameRecord, now: &GameRecord) -> Vec<String> {
    let both = [game, now];
    let mut compared = compare(game, now);
    compared.push(("seed", both.map(|game| game.seed.to_string())));
    let players = || game.players.iter().zip(&now.players);
    let letter = |player: &PlayerRecord| player.colour_line.map_or("none".into(), String::from);
    compared.extend(players().map(|(before, now)| ("colour_line", [before, now].map(letter))));
    let names: BTreeSet<&String> = both.iter().flat_map(|game| game.options.keys()).collect();
    for name in names {
        let value = |game: &GameRecord| game.options.get(name).cloned();
        compared.push((name, both.map(|game| value(game).unwrap_or("none".into()))));
    }
    compared.retain(|(_, [before, now])| before != now);
    let told = |(name, [before, now]): (&str, [String; 2])| {
        format!("--{} was {before} and is {now}", name.replace('_', "-"))
    };
    let mut told: Vec<String> = compared.into_iter().map(told).collect();
    for (before, now) in players().filter(|(before, now)| before.name == now.name) {
        if before.version.is_some() && now.version.is_some() && before.version != now.version {
            told.push(format!("the files of {} have changed", before.name));
        }
    }
    if !told.is_empty() {
        return told;
    }
    let [was, is] = both.map(|game| {
        let names: Vec<&str> = game.players.iter().map(|player| &*player.name).collect();
        names.join(" and ")
    });
    if was != is {
        return vec![format!(
            "game {} was between {was}, and is between {is}",
            game.number
        )];
    }
    // A program is known by what is in its file.
    let arguments = |player: &PlayerRecord| {
        split_words(&player.command).map(|words| words.into_iter().skip(1).collect::<Vec<_>>())
    };
    if let Some((before, _)) = players().find(|(before, now)| arguments(before) != arguments(now)) {
        return vec![format!(
            "{} was started as `{}`",
            before.name, before.command
        )];
    }
    let [began, begins] = both.map(|game| {
        let seed = game.referee.as_ref().map(|referee| referee.seed);
        (&game.start, &game.opening, seed)
    });
    let other = format!("--openings were others, as game {} shows", game.number);
    (began != begins).then_some(other).into_iter().collect()
}

/// The command of this process with `--resume`.
pub(super) fn resume_command() -> String {
    let mut words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .filter(|word| word != "--force")
        .collect();
    if !words.iter().any(|word| word == "--resume") {
        let end = words.iter().position(|word| word == "--");
        words.insert(end.unwrap_or(words.len()), "--resume".into());
    }
    join_words(&words)
}
