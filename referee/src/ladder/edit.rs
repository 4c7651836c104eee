//! `crownhead ladder new` and `add`. The configuration keeps its comments and its order.

use super::super::output_file::{OutputPath, make_folder};
use super::super::progress::note;
use super::super::words::last_words;
use super::{FolderCommand, in_folder};
use crate::failure::{Failure, usage};
use crate::interrupts::{check, interrupts};
use crate::recorded::warn_of_store;
use anyhow::{Context, bail};
use clap::Args;
use crownhead_arena::environment::{self, Variable};
use crownhead_arena::runner::Participant;
use crownhead_arena::seat::{BotSpec, command_seen_from, folder_seen_from};
use crownhead_bots::{CHECKERS, games};
use crownhead_ladder::store::Address;
use crownhead_ladder::{CONFIG_FILE, Config, Folder, smoke_game};
use crownhead_record::input::read_text;
use crownhead_record::system_error::OfFile;
use crownhead_record::{GameRecord, Termination};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use toml_edit::{Array, DocumentMut, Item, Table, value};

/// The configuration of a new ladder, with every setting explained.
const TEMPLATE: &str = include_str!("ladder.toml");

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead ladder new night
  crownhead ladder new night --referee olymbits.jar --players 3
  crownhead ladder new night --store postgres://me@db.example/night",
    after_long_help = "\
The folder gets a ladder.toml that explains every setting. If the folder already has one, the ladder that it describes is \
started."
)]
pub(super) struct New {
    /// Folder to create
    folder: PathBuf,
    /// PostgreSQL database for the games, to share them: postgres://user@host/database
    ///
    /// It must be empty. The password comes from PGPASSWORD or ~/.pgpass.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Program that judges the games: a command or CodinGame's jar
    ///
    /// A build folder of CodinGame's contest engine works too.
    #[arg(long, value_name = "COMMAND")]
    referee: Option<String>,
    /// Players of a game [default: 2]
    #[arg(long, value_name = "N", requires = "referee", value_parser = clap::value_parser!(u8).range(2..=8))]
    players: Option<u8>,
}

/// The configuration of a new ladder of this program's usual game, in this database if there is one.
fn template(store: Option<&Address>) -> String {
    let game = games::usual();
    let mut text = TEMPLATE
        .replace(
            "\ngame = \"checkers\"",
            &format!("\ngame = \"{}\"", game.name()),
        )
        .replace(
            "# rules = \"contest\"",
            &format!("# rules = \"{}\"", game.rule_books()[0].name),
        );
    if game.name() != CHECKERS.name() {
        text = text.replace("openings = \"ballots\"", "openings = \"random 6\"");
    }
    if let Some(address) = store {
        let line = "# store = \"postgres://user@host/database\"\n";
        text = text.replace(line, &format!("store = {}\n", value(address.url())));
    }
    text
}

impl New {
    /// The referee and its players as keys of the file.
    fn name_referee(&self, text: &str) -> String {
        let Some(referee) = &self.referee else {
            return text.into();
        };
        let seen = match Path::new(referee).is_dir() && !self.folder.join(referee).exists() {
            true => folder_seen_from(&self.folder, referee),
            false => None,
        };
        let seen = seen.unwrap_or_else(|| command_seen_from(&self.folder, referee));
        let players = self.players.unwrap_or(2);
        text.replace(
            "# referee = \"../SpringChallenge2023\"",
            &format!("referee = {}", value(seen)),
        )
        .replace("# players = 2", &format!("players = {players}"))
        .replace("openings = \"ballots\"", "openings = \"seeds\"")
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        let folder = self.folder.display();
        // A message does not repeat what was typed, because it may have a password.
        let store = self.store.as_deref().map(Address::parse);
        let store = store.transpose().map_err(usage)?;
        make_folder(&self.folder)?;
        let path = self.folder.join(CONFIG_FILE);
        let (file, was_there) = (path.display(), path.exists());
        let in_file = [
            (store.is_some(), "database in it: store = \"postgres://…\""),
            (self.referee.is_some(), "referee in it: referee = \"…\""),
        ];
        let in_file = in_file.into_iter().find(|(is_given, _)| *is_given);
        if let (true, Some((_, key))) = (was_there, in_file) {
            return Err(usage(format_args!(
                "`{file}` already exists. Name the {key}"
            )));
        }
        if !was_there {
            let mut made = File::create_new(&path).of_file(&path).map_err(usage)?;
            let text = self.name_referee(&template(store.as_ref()));
            made.write_all(text.as_bytes())?;
        }
        let ladder = Folder::open(&self.folder).map_err(usage)?;
        let begin = || {
            let config = ladder.config()?;
            ladder.settings(&config)?;
            ladder.begin()?;
            anyhow::Ok(config)
        };
        let config = begin().map_err(|error| {
            if !was_there {
                // The same command can be typed again.
                let _ = std::fs::remove_file(&path);
            }
            usage(error)
        })?;
        warn_of_store(&ladder)?;
        let mut out = anstream::stdout();
        match was_there {
            true => writeln!(out, "The ladder that {file} describes has begun.")?,
            false => writeln!(out, "{file} explains every setting.")?,
        }
        let add = match config.bots.is_empty() {
            true => format!("crownhead ladder add {folder} NAME COMMAND, then "),
            false => String::new(),
        };
        Ok(writeln!(out, "Next: {add}crownhead ladder run {folder}")?)
    }
}

#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  crownhead ladder add night mine ./my_bot
  crownhead ladder add night mine 'python3 my_bot.py' --folder ../my_bot")]
pub(super) struct Add {
    /// Folder of the ladder
    folder: PathBuf,
    /// Name of the bot (it cannot change once the bot has played)
    name: String,
    /// The bot: a built-in bot with its options, or a command
    command: String,
    /// Folder that the bot runs in [default: the ladder's]
    ///
    /// It is looked up from the ladder's folder, then from the current one.
    #[arg(long = "folder", value_name = "FOLDER")]
    folder_of_bot: Option<String>,
    /// Variable for the bot: NAME (with its value here) or NAME=VALUE (repeatable)
    #[arg(long = "env", value_name = "NAME[=VALUE]")]
    environment: Vec<Variable>,
    /// Shell command that builds the bot
    #[arg(long, value_name = "COMMAND")]
    build: Option<String>,
    /// Do not test the bot by a short game
    #[arg(long)]
    no_smoke_game: bool,
}

impl Add {
    /// The folder that the bot runs in as it is named from the ladder's, wherever it was named from.
    fn folder_of_bot(&self) -> Result<Option<String>, Failure> {
        let Some(named) = &self.folder_of_bot else {
            return Ok(None);
        };
        if self.folder.join(named).is_dir() {
            return Ok(Some(named.clone()));
        }
        let seen = folder_seen_from(&self.folder, named);
        let ladder = self.folder.display();
        let missing = format_args!(
            "--folder {named}: there is no such folder, neither in {ladder} nor in the current one"
        );
        seen.map(Some).ok_or_else(|| usage(missing))
    }

    /// The command as it is to be run where the bot runs.
    fn command(&self, folder_of_bot: Option<&str>) -> Result<String, Failure> {
        // What is built need not be there yet, and is named from where it is built.
        if self.build.is_some() {
            return Ok(self.command.clone());
        }
        let place = self.folder.join(folder_of_bot.unwrap_or_default());
        let command = command_seen_from(&place, &self.command);
        BotSpec::parse_in(&command, &place).map_err(usage)?;
        Ok(command)
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        self.enter()?;
        in_folder(&self.folder, self)
    }

    /// Writes the bot into the configuration.
    fn enter(&self) -> Result<(), Failure> {
        environment::values(&self.environment)
            .map_err(|error| usage(format_args!("--env: {error}")))?;
        let folder_of_bot = self.folder_of_bot()?;
        let command = self.command(folder_of_bot.as_deref())?;
        edit(&self.folder, |before| {
            self.expect_a_new_name(&before.parse()?)?;
            let mut bot = Table::new();
            bot["name"] = value(&self.name);
            bot["command"] = value(&command);
            if let Some(folder) = &folder_of_bot {
                bot["folder"] = value(folder);
            }
            if !self.environment.is_empty() {
                let variables = self.environment.iter().map(Variable::to_string);
                bot["env"] = value(variables.collect::<Array>());
            }
            if let Some(build) = &self.build {
                bot["build"] = value(build);
            }
            Ok(format!("{}\n\n[[bot]]\n{bot}", before.trim_end()))
        })
    }

    /// Refuses a name that another bot has, with the ways out.
    fn expect_a_new_name(&self, document: &DocumentMut) -> anyhow::Result<()> {
        let (name, ladder) = (&self.name, self.folder.display());
        let bots = document.get("bot").and_then(Item::as_array_of_tables);
        let mut bots = bots.into_iter().flatten();
        let is_named = |bot: &&Table| bot.get("name").and_then(Item::as_str) == Some(name);
        let Some(bot) = bots.find(is_named) else {
            return Ok(());
        };
        if bot.get("retired").and_then(Item::as_bool) == Some(true) {
            bail!(
                "`{name}` is retired, and its games are kept: give the new bot another name, or let that one play again \
                 without `retired` in its [[bot]], and after `crownhead ladder update {ladder} {name}` with another command"
            );
        }
        bail!(
            "a bot is named `{name}` already: give the new one another name, or take that one away with \
             `crownhead ladder remove {ladder} {name}`"
        )
    }
}

impl FolderCommand for Add {
    /// Says what was added, shows what goes wrong with the bot in a short game, and leaves it to people what follows.
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config()?;
        let name = BotSpec::parse_name(&self.name).unwrap_or_default();
        let Some(number) = config.number_of(&name) else {
            return Ok(());
        };
        let mut out = anstream::stdout();
        let bot = &config.bots[number];
        let place = bot.folder.as_ref().map(|place| {
            let place = folder.path().join(place);
            format!(" in {}", place.display())
        });
        writeln!(
            out,
            "{name} is added to {}: it plays by `{}`{}",
            folder.config_file().display(),
            bot.command,
            place.unwrap_or_default()
        )?;
        let built_in = |bot: Participant| bot.spec.built_in().is_some();
        if self.no_smoke_game || folder.bot(&config, number).is_ok_and(built_in) {
            return Ok(());
        }
        let (games, opponent) = match config.options.referee.referee {
            Some(_) if config.players() > 2 => ("a game in each seat", "itself"),
            Some(_) => ("two games", "itself"),
            None => ("a short game as each side", "a built-in"),
        };
        let interrupted = interrupts()?;
        let played = smoke_game(folder, &config, number, &interrupted);
        check(&interrupted)?;
        let (why, game) = match played {
            Ok(None) => {
                let told = format!("{name} played {games} against {opponent} without a fault");
                return Ok(writeln!(out, "{told}")?);
            }
            Ok(Some(game)) => (game.reason.clone(), Some(game)),
            Err(error) => (format!("{error:#}"), None),
        };
        let by_referee = |game: &GameRecord| game.termination == Termination::RefereeFault;
        let what = match game.as_ref().is_some_and(by_referee) {
            true => "could not be tried",
            false => "failed",
        };
        let mut err = anstream::stderr().lock();
        writeln!(
            err,
            "warning: {name} {what} in {games} against {opponent}: {why}"
        )?;
        let mut words = game.iter().flat_map(last_words);
        Ok(words.try_for_each(|line| writeln!(err, "{line}"))?)
    }
}

/// Changes the text of the configuration, unless the change would break it.
pub(super) fn edit(
    path: &Path,
    change: impl FnOnce(&str) -> anyhow::Result<String>,
) -> Result<(), Failure> {
    let folder = Folder::open(path).map_err(usage)?;
    let file = folder.config_file();
    let name = file.display().to_string();
    let before = read_text(&file).of_file(&file).map_err(usage)?;
    // The ladder's reader knows the line of an error, and says it in its own words.
    let after = change(&before);
    let after = after.map_err(|error| Config::parse(&before).err().map_or(error, Into::into));
    let after = after.context(name.clone()).map_err(usage)?;
    // An error that the file already has is told by its line there. The change may mend it: an anchor may name the bot
    // that is being added.
    Config::parse(&after)
        .or_else(|error| Config::parse(&before).and(Err(error)))
        .context(name.clone())
        .map_err(usage)?;
    // Whole or not at all: a run may be reading it.
    OutputPath::new(&file, true)?.write(&after)?;
    if folder.database()?.is_some() {
        let folder = path.display();
        note(format_args!(
            "workers play it so after `crownhead ladder publish {folder}`"
        ));
    }
    Ok(())
}
