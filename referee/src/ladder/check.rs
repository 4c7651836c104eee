//! `crownhead ladder check`: everything is looked at before anything is reported as right.

use super::super::options::show_time;
use super::FolderCommand;
use crate::failure::Failure;
use anyhow::Context;
use clap::Args;
use crownhead_board::GameRules;
use crownhead_ladder::store::{Problem, SqliteStore, Store, StoreError};
use crownhead_ladder::{Config, Folder};
use crownhead_record::{GameRecord, RecordedResult};
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crownhead ladder check night --repair")]
pub(super) struct Check {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// Mend what is wrong with the stored games: what cannot be right is kept unrated and played again
    #[arg(long)]
    repair: bool,
    /// Print what was found as one JSON object
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Findings {
    bots: usize,
    games: u64,
    /// What the configuration says that cannot be used.
    mistakes: Vec<String>,
    /// What is wrong with the stored games.
    problems: Vec<String>,
    /// What was mended of that.
    mended: Vec<String>,
    /// Whether all is well with the games now.
    sound: bool,
}

impl FolderCommand for Check {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config()?;
        let about_file = || folder.games_file().display().to_string();
        let is_file = folder.database()?.is_none();
        let marks =
            (self.repair && is_file).then(|| SqliteStore::restore_marks(&folder.games_file()));
        let marks = marks.transpose().with_context(about_file)?;
        let mut mended: Vec<String> = marks.flatten().into_iter().collect();
        let mut store = match self.repair {
            true => folder.store()?,
            false => folder.read_store()?,
        };
        let (problems, games) = look(config.game(), store.as_ref())?;
        let mut sound = problems.is_empty();
        if self.repair && !sound {
            mended.extend(store.repair(&problems)?);
            sound = look(config.game(), store.as_ref())?.0.is_empty();
        }
        let findings = Findings {
            bots: config.bots.len(),
            games,
            mistakes: mistakes(folder, &config),
            problems: problems.into_iter().map(|problem| problem.told).collect(),
            mended,
            sound,
        };
        let mut out = anstream::stdout().lock();
        match self.json {
            true => writeln!(out, "{:#}", json!(findings))?,
            false => self.write(&findings, folder, &mut out)?,
        }
        if !findings.mistakes.is_empty() {
            let file = folder.config_file();
            let problem = format!("{}: the configuration cannot be used", file.display());
            return Err(Failure::Usage(problem));
        }
        match findings.sound {
            true => Ok(()),
            false => Err(Failure::Silent),
        }
    }
}

impl Check {
    fn write(
        &self,
        findings: &Findings,
        folder: &Folder,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let found = match self.repair {
            true => &findings.mended,
            false => &findings.problems,
        };
        for line in findings.mistakes.iter().chain(found) {
            writeln!(out, "{line}")?;
        }
        if !findings.mistakes.is_empty() {
            return Ok(());
        }
        match (findings.problems.len(), findings.sound) {
            (0, _) => {
                let Findings { bots, games, .. } = findings;
                writeln!(out, "{bots} bots and {games} games: all is well")
            }
            (mended, true) => writeln!(out, "{mended} problems are mended: all is well now"),
            (_, false) if self.repair => Ok(()),
            (_, false) => {
                let path = folder.path().display();
                let told = format!("`crownhead ladder check {path} --repair` mends what can be");
                writeln!(out, "{told}")
            }
        }
    }
}

/// What is wrong with the stored games, and how many there are.
fn look(
    rules: &'static dyn GameRules,
    store: &dyn Store,
) -> Result<(Vec<Problem>, u64), StoreError> {
    let mut problems = store.problems()?;
    let mut games = 0_u64;
    store.each_record(&mut |pair, record| {
        games += 1;
        // What cannot be read is among the problems already.
        let doubt = |game| contradiction(rules, &game).or_else(|| unwatched(&game));
        if let Some(told) = record.ok().and_then(doubt) {
            problems.push(Problem::of_pair(pair, told));
        }
        ControlFlow::Continue(())
    })?;
    Ok((problems, games))
}

/// Why a game cannot have been played as it is recorded, if it cannot.
fn contradiction(rules: &'static dyn GameRules, game: &GameRecord) -> Option<String> {
    match game.rebuild(rules) {
        Err(error) => Some(format!("game {}: {error}", game.number)),
        Ok(rebuilt) if game.termination.is_regular() => {
            let ended = rebuilt.result();
            let outcome = ended.map(|ended| RecordedResult::of_scores(&ended.scores));
            let told = format!("game {}: its moves do not lead to its result", game.number);
            (outcome != game.result).then_some(told)
        }
        Ok(_) => None,
    }
}

/// Why a game's verdict cannot be relied on, if it cannot.
fn unwatched(game: &GameRecord) -> Option<String> {
    let told = || {
        format!(
            "game {}: it was lost on time, and the referee was not watching for {}, as long as a turn may last or longer",
            game.number,
            show_time(game.lag())
        )
    };
    game.is_unwatched_timeout().then(told)
}

/// What the configuration says that cannot be used.
fn mistakes(folder: &Folder, config: &Config) -> Vec<String> {
    let openings = folder.openings(config).err();
    let settings = folder.settings(config).err();
    let participants = config.bots.iter().enumerate().filter_map(|(number, bot)| {
        // What a build command makes need not be there before the first run.
        let ready = !bot.retired && bot.build.is_none();
        ready.then(|| folder.mistake(config, number))?
    });
    let all = openings.into_iter().chain(settings).chain(participants);
    all.map(|error| format!("{error:#}")).collect()
}
