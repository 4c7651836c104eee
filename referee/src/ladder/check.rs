//! `crownhead ladder check`: everything is looked at before anything is reported as right.

use super::super::options::show_time;
use super::folder_command::FolderCommand;
use crate::failure::Failure;
use clap::Args;
use crownhead_board::GameRules;
use crownhead_ladder::store::{Problem, Store, StoreError};
use crownhead_ladder::{Config, Folder};
use crownhead_record::GameRecord;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crownhead ladder check night --repair")]
pub(super) struct Check {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// Have pairs played again that cannot be right; their games are kept unrated, and a file is copied before
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
        let mut store = if self.repair {
            folder.store()?
        } else {
            folder.read_store()?
        };
        let (problems, games) = look(config.game(), store.as_ref())?;
        let mut sound = problems.is_empty();
        let mut mended = Vec::new();
        if self.repair && !sound {
            mended = mend(store.as_mut(), &problems)?;
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
        if self.json {
            writeln!(out, "{:#}", json!(findings))?;
        } else {
            self.write(&findings, folder, &mut out)?;
        }
        if !findings.mistakes.is_empty() {
            let file = folder.config_file();
            let problem = format!("{}: the configuration cannot be used", file.display());
            return Err(Failure::Usage(problem));
        }
        if findings.sound {
            Ok(())
        } else {
            Err(Failure::Silent)
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
        let found = if self.repair {
            &findings.mended
        } else {
            &findings.problems
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
    let mut games = 0_u64;
    let problems = store.problems(&mut |game| {
        games += 1;
        contradiction(rules, game).or_else(|| unwatched(game))
    })?;
    Ok((problems, games))
}

/// Has the pairs played again that cannot be right, once there is a copy of the file as it was; tells for each problem
/// what was done.
fn mend(store: &mut dyn Store, problems: &[Problem]) -> Result<Vec<String>, StoreError> {
    let copy = store.rescue()?;
    let copy =
        copy.map(|(path, _)| format!("{}: a copy of the games as they were", path.display()));
    let pairs: BTreeSet<u64> = problems.iter().filter_map(|problem| problem.pair).collect();
    let pairs: Vec<u64> = pairs.into_iter().collect();
    store.play_again(&pairs)?;
    let told = |problem: &Problem| {
        let done = match problem.pair {
            Some(_) => "its games are kept unrated, and it is played again",
            None => {
                "cannot be mended here; put a copy of the file back, or save what can be read with \
                 `sqlite3 games.db .recover`"
            }
        };
        format!("{}: {done}", problem.told)
    };
    Ok(copy.into_iter().chain(problems.iter().map(told)).collect())
}

/// Why a game cannot have been played as it is recorded, if it cannot.
fn contradiction(rules: &'static dyn GameRules, game: &GameRecord) -> Option<String> {
    match game.rebuild(rules) {
        Err(error) => Some(format!("game {}: {error}", game.number)),
        Ok(rebuilt) if game.termination.is_regular() => {
            let scores = rebuilt.result().map(|ended| ended.scores);
            let told = format!("game {}: its moves do not lead to its result", game.number);
            (scores != game.scores).then_some(told)
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
        ready.then(|| folder.bot(config, number).err())?
    });
    let all = openings.into_iter().chain(settings).chain(participants);
    all.map(|error| format!("{error:#}")).collect()
}
