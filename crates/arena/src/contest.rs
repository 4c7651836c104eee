//! What is played, and who knows its rules: a game of Crownhead's own, or one that an external referee knows.

use crate::headings::CONTESTS;
use crate::trust::Trust;
use clap::Args;
use crownhead::rules::RuleBook;
use crownhead_bots::BoardGame;
use crownhead_external::{
    Course, ExternalReferee, RefereeError, RefereeOptions, RefereeProcess, game_name,
};
use crownhead_record::openings::Opening;
use crownhead_record::{GameRecord, RefereeProtocol, RefereeRecord};
use crownhead_sandbox::Sandbox;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Which external referee judges games, as flags of a command or keys of a file.
#[derive(Clone, PartialEq, Eq, Default, Debug, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RefereeFlags {
    /// Program that judges: a command or CodinGame's jar
    ///
    /// A build folder of CodinGame's contest engine works too.
    ///
    /// Crownhead then runs the bots and holds the clock, and this program knows the game: what each player is sent, which
    /// answers are legal, and who wins.
    #[arg(
        long,
        value_name = "COMMAND",
        help_heading = CONTESTS,
        conflicts_with_all = ["game", "rules", "max_turns"]
    )]
    pub referee: Option<String>,
    /// How the referee speaks [default: automatic]
    #[arg(long, value_name = "HOW", requires = "referee", help_heading = CONTESTS, hide = true)]
    pub referee_protocol: Option<RefereeProtocol>,
    /// League of the contest [default: chosen by the referee]
    #[arg(long, value_name = "N", requires = "referee", help_heading = CONTESTS, hide_short_help = true)]
    pub league: Option<u32>,
    /// Players of a game [default: 2]
    #[arg(
        long,
        value_name = "N",
        requires = "referee",
        help_heading = CONTESTS, hide_short_help = true,
        value_parser = clap::value_parser!(u8).range(2..=8)
    )]
    pub players: Option<u8>,
    /// Parameter to pass to the referee (repeatable)
    #[arg(
        long,
        value_name = "KEY=VALUE",
        requires = "referee",
        help_heading = CONTESTS,
        hide_short_help = true,
        value_parser = parse_option
    )]
    pub referee_option: Vec<String>,
    /// The folder of its files and the sandbox that it runs in, if somebody else has sent it.
    #[arg(skip)]
    #[serde(skip)]
    pub confined: Option<(PathBuf, Sandbox)>,
}

impl RefereeFlags {
    /// What is wrong with them, if something is: the keys that it may be, and what was expected.
    pub fn problem(&self) -> Option<(&'static [&'static str], String)> {
        if (self.players).is_some_and(|players| !(2..=8).contains(&players)) {
            return Some((&["players"], "expected 2 to 8 players".into()));
        }
        if self.referee.is_none() && *self != RefereeFlags::default() {
            return Some((
                &["referee_protocol", "league", "players", "referee_option"],
                "it is for games with a `referee`, and none is named".into(),
            ));
        }
        let mut names = BTreeSet::from_iter(self.league.map(|_| "league"));
        let problem = self.referee_option.iter().find_map(|option| {
            if let Err(problem) = parse_option(option) {
                return Some(format!("`{option}`: {problem}"));
            }
            let name = option.split('=').next().unwrap_or_default();
            (!names.insert(name)).then(|| format!("`{name}` is said twice"))
        });
        Some((&["referee_option"], problem?))
    }

    /// What the contest is called, without looking for the referee; `None` where none is meant.
    pub fn contest_name(&self) -> Option<ContestName> {
        let options = self.options()?;
        Some(ContestName {
            game: game_name(&options.command),
            rules: told(&options.parameters),
            sides: (0..options.players).map(player_name).collect(),
        })
    }

    /// The options of the referee, without the seed; `None` where none is meant.
    fn options(&self) -> Option<RefereeOptions> {
        let option = |option: &String| {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            (key.to_string(), value.to_string())
        };
        let league = (self.league).map(|league| ("league".into(), league.to_string()));
        Some(RefereeOptions {
            command: self.referee.clone()?,
            protocol: self.referee_protocol,
            players: self.players.map_or(2, usize::from),
            parameters: self
                .referee_option
                .iter()
                .map(option)
                .chain(league)
                .collect(),
        })
    }

    /// The external referee that is meant, if one is, with paths relative to `folder`.
    ///
    /// # Errors
    /// When it is not there, or speaks no protocol that is known.
    pub fn find(&self, folder: &Path) -> Result<Option<Contest>, RefereeError> {
        let Some(options) = self.options() else {
            return Ok(None);
        };
        if let Some((keys, problem)) = self.problem() {
            return Err(RefereeError::NotFound(format!("{}: {problem}", keys[0])));
        }
        let (place, sandbox) = self.confined.clone().unzip();
        let mut referee = ExternalReferee::find(&options, place.as_deref().unwrap_or(folder))?;
        referee.sandbox = sandbox;
        Ok(Some(Contest::External(Arc::new(External {
            referee,
            waiting: Mutex::default(),
            trust: Mutex::default(),
        }))))
    }
}

fn parse_option(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some(("seed", _)) => Err("seeds are the openings: say `--openings \"seeds 1\"`".into()),
        Some((key, _)) if !key.is_empty() && !text.contains(char::is_control) => Ok(text.into()),
        _ => Err("expected KEY=VALUE".into()),
    }
}

/// The name of a contest, from its files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestName {
    /// The game.
    pub game: String,
    /// The rule book, or the options of an external referee, such as `league=4`.
    pub rules: String,
    /// What people call the players' sides.
    pub sides: Vec<String>,
}

impl ContestName {
    /// That of a recorded game.
    pub fn of_record(record: &GameRecord) -> ContestName {
        ContestName {
            game: record.game.clone(),
            rules: record.rules.clone(),
            sides: record
                .players
                .iter()
                .map(|player| player.side.clone())
                .collect(),
        }
    }
}

fn told(parameters: &BTreeMap<String, String>) -> String {
    let told = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    told.collect::<Vec<_>>().join(" ")
}

fn player_name(player: usize) -> String {
    format!("player {}", player + 1)
}

/// What is played.
#[derive(Clone, Debug)]
pub enum Contest {
    /// A game that Crownhead knows.
    Board {
        /// The game.
        game: &'static dyn BoardGame,
        /// The rule book, with the limit on turns that is in force.
        rules: RuleBook,
    },
    /// A game that an external referee knows.
    External(Arc<External>),
}

impl Contest {
    /// What the game is called.
    pub fn name(&self) -> &str {
        match self {
            Contest::Board { game, .. } => game.name(),
            Contest::External(external) => &external.referee.name,
        }
    }

    /// The name of its rules: a rule book, or the options of the referee, such as `league=4`.
    pub fn rules_name(&self) -> String {
        match self {
            Contest::Board { rules, .. } => rules.name.into(),
            Contest::External(external) => told(&external.referee.options.parameters),
        }
    }

    /// What it is called.
    pub fn contest_name(&self) -> ContestName {
        ContestName {
            game: self.name().into(),
            rules: self.rules_name(),
            sides: (0..self.players())
                .map(|player| self.side_name(player))
                .collect(),
        }
    }

    /// How many players a game has.
    pub fn players(&self) -> usize {
        match self {
            Contest::Board { rules, .. } => rules.side_names.len(),
            Contest::External(external) => external.referee.options.players,
        }
    }

    /// The player who begins.
    pub fn first_player(&self) -> usize {
        self.rules().map_or(0, |rules| rules.moves_first.index())
    }

    /// What people call a player's side.
    pub fn side_name(&self, player: usize) -> String {
        match self.rules() {
            Some(rules) => rules.side_names[player].into(),
            None => player_name(player),
        }
    }

    /// The rule book of a game that Crownhead knows.
    pub fn rules(&self) -> Option<&RuleBook> {
        match self {
            Contest::Board { rules, .. } => Some(rules),
            Contest::External(_) => None,
        }
    }

    /// The turns after which a game is drawn, if there is such a limit.
    pub fn max_turns(&self) -> Option<u32> {
        self.rules()?.length.max_turns
    }

    /// The letter of a player's colour line, in games that have one.
    pub fn colour_letter(&self, player: usize) -> Option<char> {
        match self {
            Contest::Board { game, .. } => Some(game.colour_letter(player)),
            Contest::External(_) => None,
        }
    }
}

/// An external referee, and those of its processes that wait for the games to come.
#[derive(Debug)]
pub struct External {
    /// The referee.
    pub referee: ExternalReferee,
    /// Each with the cores that it runs on.
    waiting: Mutex<Vec<(Vec<usize>, RefereeProcess)>>,
    /// Which games it judges twice.
    trust: Mutex<Trust>,
}

impl External {
    /// What a record says of it before a game with this opening.
    pub(crate) fn record(&self, opening: &Opening) -> RefereeRecord {
        let referee = &self.referee;
        let mut parameters = referee.options.parameters.clone();
        parameters.extend(opening.parameters.clone());
        RefereeRecord {
            command: referee.options.command.clone(),
            protocol: referee.protocol,
            hash: referee.hash.clone(),
            seed: opening.seed.unwrap_or_default(),
            parameters,
            scores: Vec::new(),
            reason: None,
            failed: Vec::new(),
            frames: Vec::new(),
            metadata: Vec::new(),
            input: Vec::new(),
        }
    }

    /// Starts a process for the next game, so that it has loaded when that begins. One that does not start is left to
    /// that game.
    pub(crate) fn prepare(&self, cores: &[usize]) {
        if let Ok(process) = self.referee.start(cores) {
            lock(&self.waiting).push((cores.into(), process));
        }
    }

    /// A process for a game: one that waits on these cores, or a new one.
    pub(crate) fn take(&self, cores: &[usize]) -> Result<RefereeProcess, RefereeError> {
        let mut waiting = lock(&self.waiting);
        waiting.retain_mut(|(_, process)| !process.has_ended());
        let place = waiting.iter().position(|(own, _)| own == cores);
        let taken = place.map(|place| waiting.swap_remove(place).1);
        drop(waiting);
        taken.map_or_else(|| self.referee.start(cores), Ok)
    }

    /// Gives it the seed and the answers of this game again, if that is due.
    ///
    /// # Errors
    /// When it comes to another result.
    pub(crate) fn repeat(
        &self,
        course: &Course,
        cores: &[usize],
        interrupted: &AtomicBool,
    ) -> Result<(), RefereeError> {
        if !lock(&self.trust).is_due() {
            return Ok(());
        }
        let mut repeated = self.referee.repeat(course, cores, interrupted);
        if !matches!(repeated, Err(RefereeError::Protocol { .. })) {
            // Whatever else failed says nothing of the game.
            repeated = Ok(());
        }
        lock(&self.trust).judged(repeated.is_ok());
        repeated
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
