//! `crownhead ladder`: a folder in which many bots play, and nothing that was played is lost.

mod edit;
mod export;
mod games;
mod moved;
mod run;
mod standings;

use super::{Failure, usage};
use crate::ladder::{Config, ConfigError, Folder};
use crate::store::StoreError;
use clap::{Args, Subcommand};
use crownhead::explain::Explain;
use crownhead::notation::Notation;
use crownhead_bots::games::{GameVisitor, Played};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Keep a ladder: many bots, honest ratings, nothing ever lost
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead ladder new my_ladder
  crownhead ladder add my_ladder weak 'alphabeta --depth 2'
  crownhead ladder add my_ladder mine './my_bot' --folder ../bots
  crownhead ladder run my_ladder
  crownhead ladder standings my_ladder

A ladder is a folder with one file that people write, ladder.toml, and the games that were played. A run can \
be stopped or killed at any moment and goes on where it was; two runs at once share the work.")]
pub(super) struct LadderCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a folder with a commented configuration
    New(edit::New),
    /// Add a bot
    Add(edit::Add),
    /// Retire a bot; its games are kept
    Remove(edit::Remove),
    /// Play what is left to play
    Run(run::Run),
    /// Show the table
    Standings(standings::ShowStandings),
    /// List the games that were played
    Games(games::Games),
    /// Check the configuration, the bots and every stored game
    Check(CheckLadder),
    /// Write all games to a file, as JSON lines or PDN
    Export(export::Export),
}

#[derive(Debug, Args)]
struct InFolder {
    /// The ladder's folder
    folder: PathBuf,
}

#[derive(Debug, Args)]
struct CheckLadder {
    /// The ladder's folder
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl LadderCommand {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::New(command) => command.run(),
            Command::Add(command) => command.run(),
            Command::Remove(command) => command.run(),
            Command::Run(command) => in_game(&command.folder, command),
            Command::Standings(command) => in_game(&command.folder, command),
            Command::Games(command) => in_game(&command.folder, command),
            Command::Check(command) => in_game(&command.folder, command),
            Command::Export(command) => in_game(&command.folder, command),
        }
    }
}

/// Something to be done with a ladder, whichever game it plays.
trait WithLadder {
    fn run<G: Explain>(&self, folder: &Folder) -> Result<(), Failure>;
}

fn in_game(path: &Path, visitor: &impl WithLadder) -> Result<(), Failure> {
    struct InGame<'a, D>(&'a D, Folder);
    impl<D: WithLadder> GameVisitor for InGame<'_, D> {
        type Output = Result<(), Failure>;
        fn run<G: Played>(self) -> Result<(), Failure> {
            self.0.run::<G>(&self.1)
        }
    }
    let folder = Folder::open(path).map_err(usage)?;
    let game = folder.game().map_err(usage)?;
    game.choose(InGame(visitor, folder))
        .map_err(by_configuration)
}

/// An error in the configuration is a usage error, wherever it shows.
fn by_configuration(failure: Failure) -> Failure {
    match failure {
        Failure::Failed(error) if error.is::<ConfigError>() => usage(error),
        other => other,
    }
}

impl WithLadder for CheckLadder {
    /// Everything is looked at before anything is reported as right.
    fn run<G: Explain>(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config::<G>()?;
        let mut problems = mistakes::<G>(folder, &config);
        let in_configuration = problems.len();
        let store = folder.store()?;
        problems.extend(store.problems()?);
        let mut games = 0_u64;
        store.each_game(|game| -> Result<(), StoreError> {
            games += 1;
            match game.rebuild::<G>() {
                Err(error) => problems.push(format!("game {}: {error}", game.number)),
                Ok(rebuilt) if game.termination.is_regular() => {
                    let outcome = rebuilt.result().map(|(outcome, _)| outcome.into());
                    if outcome != game.result {
                        problems.push(format!(
                            "game {}: its moves do not lead to its result",
                            game.number
                        ));
                    }
                }
                Ok(_) => {}
            }
            Ok(())
        })?;
        let mut out = anstream::stdout().lock();
        let bots = config.bots.len();
        if self.json {
            let result = json!({"bots": bots, "games": games, "problems": problems});
            writeln!(out, "{result:#}")?;
        } else {
            for problem in &problems {
                writeln!(out, "{problem}")?;
            }
            if problems.is_empty() {
                writeln!(out, "{bots} bots and {games} games: all is well")?;
            }
        }
        if problems.is_empty() {
            return Ok(());
        }
        if in_configuration > 0 {
            let file = folder.config_file();
            let problem = format!("{}: the configuration cannot be used", file.display());
            return Err(Failure::Usage(problem));
        }
        Err(Failure::Silent)
    }
}

/// What the configuration says that cannot be used.
fn mistakes<G: Notation>(folder: &Folder, config: &Config) -> Vec<String> {
    let openings = folder.openings::<G>(config).err();
    let settings = folder.settings(config).err();
    let participants = config.bots.iter().enumerate().filter_map(|(number, bot)| {
        // What a build command makes need not be there before the first run.
        let ready = !bot.retired && bot.build.is_none();
        ready.then(|| folder.participant(config, number).err())?
    });
    let all = openings.into_iter().chain(settings).chain(participants);
    all.map(|error| format!("{error:#}")).collect()
}
