//! `crownhead ladder check`: everything is looked at before anything is reported as right.

use super::super::Failure;
use super::WithLadder;
use crate::ladder::{Config, Folder};
use crate::record::GameRecord;
use crate::store::{Problem, Store, StoreError};
use anyhow::Context;
use clap::Args;
use crownhead::explain::Explain;
use crownhead_bots::games::Played;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct Check {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// Mend what is wrong with the stored games: what cannot be right is kept unrated and played again
    #[arg(long)]
    repair: bool,
}

impl WithLadder for Check {
    fn run<G: Played>(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config::<G>()?;
        let mut out = anstream::stdout().lock();
        let mistakes = mistakes::<G>(folder, &config);
        for mistake in &mistakes {
            writeln!(out, "{mistake}")?;
        }
        let about_file = || folder.games_file().display().to_string();
        if self.repair
            && let Some(mended) =
                Store::restore_marks(&folder.games_file()).with_context(about_file)?
        {
            writeln!(out, "{mended}")?;
        }
        let mut store = match self.repair {
            true => folder.store()?,
            false => folder.read_store()?,
        };
        let (problems, games) = look::<G>(&store)?;
        let mut is_sound = problems.is_empty();
        if self.repair && !is_sound {
            for mended in store.repair(&problems)? {
                writeln!(out, "{mended}")?;
            }
            is_sound = look::<G>(&store)?.0.is_empty();
        } else {
            for problem in &problems {
                writeln!(out, "{}", problem.told)?;
            }
        }
        if !mistakes.is_empty() {
            let file = folder.config_file();
            let problem = format!("{}: the configuration cannot be used", file.display());
            return Err(Failure::Usage(problem));
        }
        let bots = config.bots.len();
        match (problems.len(), is_sound) {
            (0, _) => writeln!(out, "{bots} bots and {games} games: all is well")?,
            (mended, true) => writeln!(out, "{mended} problems are mended: all is well now")?,
            (_, false) if self.repair => return Err(Failure::Silent),
            (_, false) => {
                let path = folder.path().display();
                writeln!(
                    out,
                    "`crownhead ladder check {path} --repair` mends what can be"
                )?;
                return Err(Failure::Silent);
            }
        }
        Ok(())
    }
}

/// What is wrong with the stored games, and how many there are.
fn look<G: Explain>(store: &Store) -> Result<(Vec<Problem>, u64), StoreError> {
    let mut problems = store.problems()?;
    let mut games = 0_u64;
    store.each_record(|pair, record| -> Result<(), StoreError> {
        games += 1;
        // What cannot be read is among the problems already.
        if let Some(told) = record.ok().and_then(|game| contradiction::<G>(&game)) {
            problems.push(Problem::of_pair(pair, told));
        }
        Ok(())
    })?;
    Ok((problems, games))
}

/// Why a game cannot have been played as it is recorded, if it cannot.
fn contradiction<G: Explain>(game: &GameRecord) -> Option<String> {
    match game.rebuild::<G>() {
        Err(error) => Some(format!("game {}: {error}", game.number)),
        Ok(rebuilt) if game.termination.is_regular() => {
            let outcome = rebuilt.result().map(|(outcome, _)| outcome.into());
            let told = format!("game {}: its moves do not lead to its result", game.number);
            (outcome != game.result).then_some(told)
        }
        Ok(_) => None,
    }
}

/// What the configuration says that cannot be used.
fn mistakes<G: Explain>(folder: &Folder, config: &Config) -> Vec<String> {
    let openings = folder.openings::<G>(config).err();
    let settings = folder.settings(config).err();
    let participants = config.bots.iter().enumerate().filter_map(|(number, bot)| {
        // What a build command makes need not be there before the first run.
        let ready = !bot.retired && bot.build.is_none();
        ready.then(|| folder.mistake(config, number))?
    });
    let all = openings.into_iter().chain(settings).chain(participants);
    all.map(|error| format!("{error:#}")).collect()
}
