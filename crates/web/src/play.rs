//! Play: a table at which a person in a browser sits. The loop, the judging and the bots' seats are those of every
//! other table; here a page takes the place of the terminal.

use super::position::Variant;
use super::seats::{Person, Program, Thinker};
use super::sessions::SessionThread;
use super::site::Site;
use super::table::{Players, Table};
use crate::position::SideNames;
use crownhead::board::Side;
use crownhead::rules::RuleBook;
use crownhead_arena::runner::{Participant, command};
use crownhead_arena::seat::{BotSpec, Placement, Process};
use crownhead_arena::settings::{BotOptions, GameSettings};
use crownhead_arena::table::{self, IllegalReply, Policy, Seated};
use crownhead_bots::games::ListedGame;
use crownhead_bots::options::Bot;
use crownhead_bots::players::{BoardPlayer, PlayerSpec};
use crownhead_record::judge::TimeLimits;
use serde::Deserialize;
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

impl Prepared {
    /// Plays the game to its end, on this thread.
    pub(super) fn play(self, session: SessionThread) {
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
        let players = Players {
            names: Side::BOTH.map(name_of),
            sides: SideNames::from(&rules),
        };
        let table = Table::new(game.name(), players, session);
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
        let stopped = table.session.stopped.clone();
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
