//! Who sits where, and the seed of computers.

use crate::conditions::unusable;
use crate::failure::{Failure, usage};
use crownhead::rules::RuleBook;
use crownhead_arena::contest::Contest;
use crownhead_arena::options::BotOptions;
use crownhead_arena::runner::command;
use crownhead_arena::seat::{BotError, BotSpec, BuiltIn, Placement, Process, SharedDialogue};
use crownhead_arena::settings::GameSettings;
use crownhead_arena::table::{Answer, Seat, TurnRequest};
use crownhead_bots::alphabeta::SearchLimits;
use crownhead_bots::options::BuiltInBot;
use crownhead_bots::{BoardGame, BoardPlayer, PlayerSpec};
use crownhead_record::PlayerRecord;
use crownhead_record::input::read_text;
use crownhead_record::judge::TimeLimits;
use crownhead_record::seed::{by_chance, stable_hash};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A seat of any kind.
pub(super) type AnySeat<'a> = Box<dyn Seat + 'a>;

/// Who was asked for on the command line.
#[derive(Clone, Debug)]
pub(super) enum PlayerChoice {
    Human,
    Bot(BotSpec),
}

impl PlayerChoice {
    pub(super) fn is_human(&self) -> bool {
        matches!(self, PlayerChoice::Human)
    }

    /// The player that `word` means, where a name may be in any case of letters.
    pub(super) fn parse(word: &str) -> Result<PlayerChoice, Failure> {
        let end = word.find(' ').unwrap_or(word.len());
        let (name, options) = word.split_at(end);
        let spec = match name.to_ascii_lowercase().as_str() {
            HUMAN if options.is_empty() => return Ok(PlayerChoice::Human),
            SIMPLE => BotSpec::parse(&format!("{GREEDY}{options}")),
            name if BuiltInBot::NAMES.contains(&name) => {
                BotSpec::parse(&format!("{name}{options}"))
            }
            _ => BotSpec::parse(word),
        };
        spec.map(PlayerChoice::Bot).map_err(|error| {
            usage(match (meant(word), &error) {
                (Some(player), _) => {
                    format!("there is no player `{word}`. Did you mean `{player}`?")
                }
                (None, BotError::Options { .. }) => error.to_string(),
                (None, _) => format!("{error}. A player may also be `human` or `simple`"),
            })
        })
    }
}

/// A person.
pub(super) const HUMAN: &str = "human";
/// The built-in that a person plays if no player is named.
pub(super) const GREEDY: &str = "greedy";
/// The classroom's name for greedy.
const SIMPLE: &str = "simple";

/// The player whose name is nearest to a mistyped word, if one is near.
fn meant(word: &str) -> Option<&'static str> {
    let names = BuiltInBot::NAMES.into_iter().chain([HUMAN, SIMPLE]);
    let word = word.to_ascii_lowercase();
    let near = names.map(|name| (strsim::damerau_levenshtein(&word, name), name));
    let (distance, name) = near.min()?;
    (1..=2).contains(&distance).then_some(name)
}

/// The seed of computers' chance: the option, else what `seed.txt` says, else chance.
///
/// A number in the file is the seed; any other text gives one by a hash that is the same everywhere.
pub(super) fn seed(option: Option<u64>, players: &[PlayerChoice; 2]) -> Result<u64, Failure> {
    const FILE: &str = "seed.txt";
    if let Some(seed) = option {
        return Ok(seed);
    }
    if players.iter().all(PlayerChoice::is_human) {
        return Ok(0);
    }
    let why = match read_text(Path::new(FILE)).as_deref().map(str::trim) {
        Ok("") => "is empty".into(),
        Ok(text) => return Ok(text.parse().unwrap_or_else(|_| stable_hash(text))),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(by_chance()),
        Err(error) => format!("cannot be read ({error})"),
    };
    Err(usage(format_args!(
        "{FILE} in this folder {why}; write a number into it, or give --seed"
    )))
}

/// How many positions alphabeta looks at in a turn by default: about a tenth of a second's worth.
/// Counted rather than timed, so that it plays a turn again as it did before.
const NODES_A_TURN: u64 = 250_000;

/// A table laid for a game.
pub(super) struct Table {
    pub(super) game: &'static dyn BoardGame,
    pub(super) rules: RuleBook,
    /// Who moves first, who second.
    pub(super) players: [PlayerChoice; 2],
    seed: u64,
    /// How long each move of a computer is held up.
    delay: Option<Duration>,
    /// How bots that are programs are started.
    settings: GameSettings,
}

impl Table {
    /// A table by these rules, but for their limit on turns where a person sits: it ends games of
    /// computers, and people know when to stop.
    pub(super) fn new(
        game: &'static dyn BoardGame,
        rules: RuleBook,
        players: [PlayerChoice; 2],
        seed: u64,
        delay: Option<Duration>,
    ) -> Result<Table, Failure> {
        let contest = Contest::Board { game, rules };
        let settings = BotOptions::default().settings(contest, Path::new(""));
        let settings = settings.map_err(unusable)?;
        let mut table = Table {
            game,
            rules,
            players,
            seed,
            delay,
            settings,
        };
        if table.person_sits() {
            table.rules.length.max_turns = None;
        }
        Ok(table)
    }

    pub(super) fn person_sits(&self) -> bool {
        self.players.iter().any(PlayerChoice::is_human)
    }

    fn player(&self, number: usize) -> &PlayerChoice {
        &self.players[usize::from(number != self.rules.moves_first.index())]
    }

    /// People learn why a reply is refused; a program loses by it.
    pub(super) fn is_person(&self, number: usize) -> bool {
        matches!(self.player(number), PlayerChoice::Human)
    }

    /// The players for a record, black first. The words that asked for a computer are its command.
    pub(super) fn records(&self) -> Vec<PlayerRecord> {
        let record = |(number, side): (usize, &&str)| match self.player(number) {
            PlayerChoice::Human => PlayerRecord::new(side, HUMAN, ""),
            PlayerChoice::Bot(spec) => PlayerRecord::new(side, &spec.name, &spec.name),
        };
        let sides = self.rules.side_names.iter();
        sides.enumerate().map(record).collect()
    }

    /// The seat of a player, where `person` makes one for people. What is shown before a computer's delay is
    /// `dialogue`'s.
    pub(super) fn seat<'a>(
        &self,
        number: usize,
        person: &impl Fn() -> AnySeat<'a>,
        dialogue: &'a SharedDialogue<'a>,
    ) -> Result<AnySeat<'a>, Failure> {
        let spec = match self.player(number) {
            PlayerChoice::Human => return Ok(person()),
            PlayerChoice::Bot(spec) => spec,
        };
        let computer: AnySeat<'a> = match spec.built_in() {
            Some(bot) => Box::new(self.built_in(bot)?),
            None => Box::new(self.process(spec, number)),
        };
        Ok(match self.delay {
            None => computer,
            Some(delay) => Box::new(Delayed {
                computer,
                delay,
                dialogue,
            }),
        })
    }

    /// A built-in bot. Its game, and what the table decides of its options, are the table's.
    fn built_in(&self, mut bot: BuiltInBot) -> Result<BuiltIn, Failure> {
        match &mut bot {
            BuiltInBot::Random(options) | BuiltInBot::Greedy(options) => {
                options.seed.get_or_insert(self.seed);
            }
            BuiltInBot::Alphabeta(search) => {
                search.game = self.game;
                search.rules.get_or_insert(self.rules.name.into());
                if (search.time, search.depth, search.nodes) == (None, None, None) {
                    search.nodes = Some(NODES_A_TURN);
                }
            }
        }
        Ok(BuiltIn::new(self.game, bot.spec().map_err(Failure::Usage)?))
    }

    /// A strong player for people who ask for a hint.
    pub(super) fn adviser(&self) -> Box<dyn BoardPlayer> {
        self.game.player(&PlayerSpec::AlphaBeta {
            rules: self.rules,
            limits: SearchLimits {
                time: Some(TimeLimits::default().turn),
                depth: None,
                nodes: None,
            },
            network: None,
        })
    }

    fn process(&self, spec: &BotSpec, number: usize) -> Process {
        let mut command = command(&self.settings, &spec.clone().into(), self.seed);
        let (letter, anywhere) = (self.game.colour_letter(number), Placement::default());
        let conditions = &self.settings.conditions;
        Process::start(
            &mut command,
            Some(letter),
            conditions,
            &anywhere,
            Arc::default(),
        )
    }
}

/// A computer whose moves are held up, so that people can follow them. Its own clock begins after that.
struct Delayed<'a> {
    computer: AnySeat<'a>,
    delay: Duration,
    dialogue: &'a SharedDialogue<'a>,
}

impl Seat for Delayed<'_> {
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let is_seen = self.dialogue.borrow_mut().flush();
        if is_seen {
            std::thread::sleep(self.delay);
        }
        self.computer.ask(turn)
    }
}
