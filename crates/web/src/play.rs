//! Play: a table at which a person in a browser sits. The loop, the judging and the bots' seats are those of every
//! other table; here a page takes the place of the terminal.

use super::plies::{BoardView, Ply, plies, side_word};
use super::position::{LegalMove, Variant, legal};
use super::seats::{Person, Players, Program, Thinker};
use super::sessions::Desk;
use super::site::Site;
use crownhead::board::Side;
use crownhead::rules::RuleBook;
use crownhead_arena::runner::{Participant, command};
use crownhead_arena::seat::{BotSpec, Placement, Process};
use crownhead_arena::settings::{BotOptions, GameSettings};
use crownhead_arena::table::{self, IllegalReply, Policy, Seated, Verdict};
use crownhead_board::Board;
use crownhead_bots::games::ListedGame;
use crownhead_bots::options::Bot;
use crownhead_bots::players::{BoardPlayer, PlayerSpec};
use crownhead_record::Termination;
use crownhead_record::judge::TimeLimits;
use crownhead_record::{RecordedResult, SideNames};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

/// The built-in bots that a page offers, from the weakest on.
pub(super) const OPPONENTS: [&str; 7] = [
    "random",
    "greedy",
    "alphabeta --depth 1",
    "alphabeta --depth 3",
    "alphabeta --depth 6",
    "alphabeta",
    "alphabeta --time 1s",
];

/// The most a bot may think where its clock does not count.
const WITHOUT_CLOCK: Duration = Duration::from_secs(60);

/// What a page asks for.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Challenge {
    #[serde(flatten)]
    variant: Variant,
    opponent: Opponent,
    /// The side of the person.
    side: String,
    /// Whether a bot that thinks longer than its limit loses.
    #[serde(default)]
    clock: bool,
    /// Where to begin; the start if it is empty.
    #[serde(default)]
    position: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Opponent {
    /// One of [`OPPONENTS`].
    BuiltIn(String),
    /// A bot of the ladder, by its name.
    Bot(String),
    /// Somebody at the same page.
    Person,
}

/// A game that can begin: all that can be wrong with a challenge has been looked at.
pub(super) struct Prepared {
    challenge: Challenge,
    game: ListedGame,
    computer: Option<(Participant, GameSettings)>,
}

impl Challenge {
    /// Finds the bot.
    ///
    /// # Errors
    /// With a sentence, when there is no such game, side, bot or position.
    pub(super) fn prepare(self, site: &Site) -> Result<Prepared, String> {
        if !["black", "white"].contains(&self.side.as_str()) {
            return Err("a side is black or white".into());
        }
        let (game, rules) = self.variant.find()?;
        self.variant.board(&self.position)?;
        let computer = match &self.opponent {
            Opponent::Person => None,
            Opponent::BuiltIn(words) => {
                if !OPPONENTS.contains(&words.as_str()) {
                    return Err(format!("no built-in opponent is called `{words}`"));
                }
                let spec = BotSpec::parse(words).map_err(|error| error.to_string())?;
                let settings = BotOptions::default().settings(game.object(), rules, Path::new(""));
                let settings = settings.map_err(|error| error.to_string())?;
                Some((Participant::from(spec), settings))
            }
            Opponent::Bot(name) => Some(ladder_bot(site, name, game, &rules)?),
        };
        Ok(Prepared {
            challenge: self,
            game,
            computer,
        })
    }
}

fn ladder_bot(
    site: &Site,
    name: &str,
    game: ListedGame,
    rules: &RuleBook,
) -> Result<(Participant, GameSettings), String> {
    let config = site.config();
    let (Some(folder), Some(number)) = (site.folder(), config.number_of(name)) else {
        return Err(format!("no bot of this ladder is called `{name}`"));
    };
    if site.game() != game || config.rules.name != rules.name {
        return Err(format!(
            "{name} plays {} by the rule book {}",
            site.game().name(),
            config.rules.name
        ));
    }
    let participant = folder.bot(config, number);
    let settings = folder.settings(config);
    let both = participant.and_then(|participant| Ok((participant, settings?)));
    both.map_err(|error| format!("{error:#}"))
}

/// A table as a page shows it.
#[derive(Serialize)]
struct Shown<'a> {
    game: &'a str,
    rules: &'a str,
    sides: &'a SideNames,
    row_1_on_top: bool,
    players: &'a [String; 2],
    start: BoardView,
    turns: Vec<Ply>,
    /// Whose turn it is.
    side: &'a str,
    /// The legal moves of the person; none while a computer thinks.
    legal: Vec<LegalMove>,
    can_undo: bool,
    can_redo: bool,
    /// Why the last try was refused.
    message: Option<String>,
    /// What to know of the position.
    note: Option<String>,
    /// What the computer wrote in its last turn, and how long it took.
    words: String,
    answered_us: Option<u64>,
    verdict: Option<ShownVerdict>,
}

#[derive(Serialize)]
struct ShownVerdict {
    result: Option<RecordedResult>,
    termination: Termination,
    reason: String,
}

/// A table with its page.
pub(super) struct Table {
    game: &'static str,
    pub(super) desk: Desk,
    players: Players,
    told: RefCell<Told>,
}

#[derive(Default)]
struct Told {
    message: Option<String>,
    words: String,
    answered: Option<Duration>,
}

/// The longest part of a bot's words that a page shows.
const LONGEST_WORDS: usize = 4096;

impl Table {
    /// Says this to the person from now on.
    pub(super) fn say(&self, message: Option<String>) {
        self.told.borrow_mut().message = message;
    }

    /// What the computer said in its turn, and how long it took.
    pub(super) fn heard(&self, words: &str, time: Duration) {
        let mut told = self.told.borrow_mut();
        let begin = words.len().saturating_sub(LONGEST_WORDS);
        let begin = (begin..=words.len()).find(|&at| words.is_char_boundary(at));
        words[begin.unwrap_or(0)..].clone_into(&mut told.words);
        told.answered = Some(time);
    }

    /// Shows a turn; `moves` are those that the person can choose from.
    pub(super) fn show_turn(&self, board: &dyn Board, moves: &[String]) {
        self.show(board, moves, None);
    }

    fn show(&self, board: &dyn Board, moves: &[String], verdict: Option<&Verdict>) {
        let told = self.told.borrow();
        let rules = board.rules();
        let redo = board.duplicate().redo();
        let (start, turns) = plies(board);
        self.desk.show(&Shown {
            game: self.game,
            rules: rules.name,
            sides: &self.players.sides,
            row_1_on_top: rules.row_1_on_top,
            players: &self.players.names,
            start,
            turns,
            side: side_word(board.mover()),
            legal: legal(board, moves),
            can_undo: !moves.is_empty() && board.turn() > 1,
            can_redo: !moves.is_empty() && redo,
            message: told.message.clone(),
            note: board.note().filter(|_| verdict.is_none()),
            words: told.words.clone(),
            answered_us: told
                .answered
                .map(crownhead_record::judge::whole_microseconds),
            verdict: verdict.map(|verdict| ShownVerdict {
                result: verdict.scores.as_deref().map(RecordedResult::of_scores),
                termination: verdict.termination,
                reason: verdict.reason.clone(),
            }),
        });
    }
}

impl Prepared {
    /// Plays the game to its end, on this thread.
    pub(super) fn play(self, desk: Desk) {
        // It was looked at when the game was prepared.
        let Ok((game, mut rules)) = self.challenge.variant.find() else {
            return;
        };
        // It ends games of computers; people know when to stop.
        rules.length.max_turns = None;
        let Ok(board) = self.challenge.variant.board(&self.challenge.position) else {
            return;
        };
        let board = game.object().set_up(&board.rows(), board.mover(), rules);
        let mut board = board.expect("the position was read before");
        let own = match self.challenge.side.as_str() {
            "black" => Side::Black,
            _ => Side::White,
        };
        let name_of = |side: Side| match &self.computer {
            Some((bot, _)) if side != own => bot.spec.name.clone(),
            Some(_) => "you".into(),
            None => rules.side_name(side).into(),
        };
        let table = Table {
            game: game.name(),
            players: Players {
                names: Side::BOTH.map(name_of),
                sides: SideNames::from(&rules),
            },
            told: RefCell::default(),
            desk,
        };
        let mut limits = TimeLimits {
            first_turn: WITHOUT_CLOCK,
            turn: WITHOUT_CLOCK,
        };
        if let (true, Some((_, settings))) = (self.challenge.clock, &self.computer) {
            limits = settings.limits;
        }
        let mut seats = Side::BOTH.map(|side| self.seat(&table, side, own));
        let [black, white] = &mut seats;
        let mut policy = Policy {
            limits,
            illegal_reply: Side::BOTH
                .map(|side| {
                    if self.computer.is_some() && side != own {
                        IllegalReply::Loses
                    } else {
                        IllegalReply::IsAskedAgain
                    }
                })
                .to_vec(),
            adjudicate: None,
            before_turn: None,
        };
        // Everything that is shown is shown when a seat is asked.
        let verdict = table::play(
            board.as_mut(),
            &mut [&mut **black, &mut **white],
            &mut policy,
            &mut (),
        );
        table.say(None);
        table.show(board.as_ref(), &[], Some(&verdict));
    }

    fn seat<'a>(&self, table: &'a Table, side: Side, own: Side) -> Box<dyn Seated + 'a> {
        let person = |against_person| Person {
            table,
            against_person,
        };
        let Some((bot, settings)) = &self.computer else {
            return Box::new(person(true));
        };
        if side == own {
            return Box::new(person(false));
        }
        let seed = rand::random();
        if let Some(built_in) = bot.spec.built_in() {
            return Box::new(Thinker {
                table,
                player: player(self.game, built_in, settings, seed),
            });
        }
        let mut command = command(settings, bot, seed);
        let colour = self.game.colour_letter(side.index());
        let stopped = table.desk.stopped.clone();
        let (conditions, anywhere) = (bot.conditions(settings), Placement::default());
        let process = Process::start(&mut command, colour, &conditions, &anywhere, stopped);
        Box::new(Program::new(table, process))
    }
}

/// A built-in bot as a player in this process.
fn player(game: ListedGame, bot: Bot, settings: &GameSettings, seed: u64) -> Box<dyn BoardPlayer> {
    game.player(&match bot {
        Bot::Random(options) => PlayerSpec::Random {
            seed: options.seed.unwrap_or(seed),
        },
        Bot::Greedy(options) => PlayerSpec::Greedy {
            seed: options.seed.unwrap_or(seed),
        },
        Bot::Alphabeta(options) => {
            let named = options.rules.as_deref().unwrap_or(settings.rules.name);
            PlayerSpec::AlphaBeta {
                rules: game.rules(Some(named)).unwrap_or(settings.rules),
                limits: options.limits(),
            }
        }
    })
}
