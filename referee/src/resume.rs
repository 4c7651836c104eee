//! How a match or a test that was interrupted continues: what its record holds, and whether it is still the same one.

use super::output_file::is_stdout;
use super::progress::note;
use crate::failure::{Failure, about, usage};
use anyhow::Context;
use clap::ValueEnum;
use crownhead_arena::runner::{MatchPlan, command};
use crownhead_arena::seat::{BotSpec, SuspendIdle};
use crownhead_ladder::version_of_files;
use crownhead_record::system_error::OfFile;
use crownhead_record::{GameRecord, StderrKept, is_pdn, read_game};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// Notes in the plan what identifies its match besides: the versions of its bots, and the options that no other field of a
/// record has; of a test its hypotheses.
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

    /// The seed of its games.
    pub(super) fn seed(&self) -> Option<u64> {
        self.games.first().map(|game| game.seed)
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
        let differences = ends.into_iter().flatten().map(|game| {
            let told = of_settings(game, plan);
            match told.is_empty() {
                true => of_seats(game, plan).into_iter().collect(),
                false => told,
            }
        });
        let mut differences = differences.filter(|told| !told.is_empty());
        let Some(differences) = differences.next() else {
            return Ok(());
        };
        Err(usage(format_args!(
            "{} holds games of another match: {}. Repeat its command with --resume, or name another file",
            self.path.display(),
            differences.join(", ")
        )))
    }
}

/// How a game was played otherwise than the plan's are.
fn of_settings(game: &GameRecord, plan: &MatchPlan) -> Vec<String> {
    let settings = &plan.settings;
    let seed = ("seed", game.seed.to_string(), settings.seed.to_string());
    let mut compared = settings.compare(game);
    compared.push(seed);
    for (player, recorded) in game.players.iter().enumerate() {
        let letter = settings.contest.colour_letter(player);
        let letter = letter.map(|letter| settings.conditions.colour_line.letter(letter));
        let shown = |letter: Option<char>| letter.map_or("none".into(), String::from);
        compared.push(("colour_line", shown(recorded.colour_line), shown(letter)));
    }
    let options: BTreeSet<&String> = game.options.keys().chain(settings.options.keys()).collect();
    for name in options {
        let value =
            |of: &BTreeMap<String, String>| of.get(name).map_or("none".into(), String::clone);
        compared.push((name, value(&game.options), value(&settings.options)));
    }
    compared.retain(|(_, before, now)| before != now);
    let told = |(name, before, now): (&str, String, String)| {
        format!("--{} was {before} and is {now}", name.replace('_', "-"))
    };
    let mut told: Vec<String> = compared.into_iter().map(told).collect();
    for player in &game.players {
        let mut bots = plan.bots.iter();
        let now = bots.find(|bot| bot.spec.name == player.name);
        let now = now.and_then(|bot| bot.version.as_ref());
        if let (Some(before), Some(now)) = (&player.version, now)
            && before != now
        {
            told.push(format!("the files of {} have changed", player.name));
        }
    }
    told
}

/// How other bots played a game than the plan's, or from where.
fn of_seats(game: &GameRecord, plan: &MatchPlan) -> Option<String> {
    let Some((bots, spec)) = plan.game(game.number) else {
        return Some(format!("the plan has no game {}", game.number));
    };
    let bots = spec.seats.iter().map(|&seat| &plan.bots[bots[seat]].spec);
    let bots: Vec<&BotSpec> = bots.collect();
    let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    let recorded = game.players.iter().map(|player| player.name.as_str());
    let recorded: Vec<&str> = recorded.collect();
    if names != recorded {
        let (was, is) = (recorded.join(" and "), names.join(" and "));
        return Some(format!(
            "game {} was between {was}, and is between {is}",
            game.number
        ));
    }
    let seeds = spec.seats.iter().map(|&seat| spec.bot_seeds[seat]);
    for ((bot, seed), player) in bots.into_iter().zip(seeds).zip(&game.players) {
        let now = command(&plan.settings, &bot.clone().into(), seed);
        let now: Vec<_> = now.get_args().map(|word| word.to_string_lossy()).collect();
        // The program is known by what is in its file.
        let before = shlex::split(&player.command).unwrap_or_default();
        if before.iter().skip(1).ne(now.iter()) {
            return Some(format!("{} was started as `{}`", bot.name, player.command));
        }
    }
    let seed = game.referee.as_ref().map(|referee| referee.seed);
    let began = (&game.start, &game.opening, seed);
    let begins = (&spec.opening.start, &spec.opening.moves, spec.opening.seed);
    (began != begins).then(|| format!("--openings were others, as game {} shows", game.number))
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
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
