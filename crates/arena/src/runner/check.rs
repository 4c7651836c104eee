//! Tries one bot on what the contest does: each side, either letter for red, other line ends, a late first turn.
//!
//! Plays board games. Short games of one bot, by which most of what goes wrong shows in seconds, are played of any
//! contest. Leaves out how the result is shown.

use super::ask::{Question, ask};
use super::cores::GamePlacement;
use super::game::{GameSetup, play};
use super::pair::{PlayedPair, play_pair};
use super::spec::{GameSpec, Participant};
use super::start_check::check_starts;
use crate::contest::Contest;
use crate::seat::BotSpec;
use crate::settings::GameSettings;
use crownhead_bots::Board;
use crownhead_record::judge::ColourLine;
use crownhead_record::numbers::{counted, show_limit, show_time};
use crownhead_record::openings::{Opening, Source, SourceError};
use crownhead_record::seed::Purpose;
use crownhead_record::{GameRecord, Termination};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One thing that a bot was tried on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BotCheck {
    /// What programs call it.
    pub name: &'static str,
    /// What the bot does if it passes, such as "plays red (sent `w`)".
    pub what: String,
    /// What was measured.
    pub measured: Option<String>,
    /// Why it fails, and how to fix that. `None` if it passes.
    pub problem: Option<String>,
}

impl BotCheck {
    fn new(name: &'static str, what: impl Into<String>, problem: Option<String>) -> BotCheck {
        BotCheck {
            name,
            what: what.into(),
            measured: None,
            problem,
        }
    }

    fn measuring(self, measured: String) -> BotCheck {
        BotCheck {
            measured: Some(measured),
            ..self
        }
    }
}

/// How late a first turn comes: a bot whose clock starts with its process has then used up the contest's first turn.
const LATE: Duration = Duration::from_millis(1200);

/// How often a game is played at most if the machine is too busy to judge it.
const ATTEMPTS: usize = 3;

/// Tries a bot of a board game, and passes on each check as it is made. After a bot that does not start, or does not reply
/// to its first turn, nothing else is tried. Nothing follows once `interrupted` is set.
///
/// # Errors
/// Those of [`SmokeGames::new`].
pub fn check_bot(
    settings: &GameSettings,
    bot: &Participant,
    interrupted: &Arc<AtomicBool>,
    tell: &mut impl FnMut(BotCheck),
) -> Result<(), SourceError> {
    let trials = Trials {
        settings,
        bot,
        interrupted,
    };
    let mut passes_gates = true;
    let checks: [(bool, &dyn Fn() -> BotCheck); 4] = [
        (true, &|| trials.start()),
        (true, &|| trials.first_turn()),
        (false, &|| trials.line_ends()),
        (false, &|| trials.late_turn()),
    ];
    for (is_gate, check) in checks {
        let check = check();
        if trials.is_interrupted() {
            return Ok(());
        }
        passes_gates &= !is_gate || check.problem.is_none();
        tell(check);
        if !passes_gates {
            return Ok(());
        }
    }
    trials.games(tell)
}

struct Trials<'a> {
    settings: &'a GameSettings,
    bot: &'a Participant,
    interrupted: &'a Arc<AtomicBool>,
}

impl Trials<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn start(&self) -> BotCheck {
        let bots = std::slice::from_ref(self.bot);
        let mut failed = check_starts(self.settings, bots, self.interrupted);
        BotCheck::new("start", "starts", failed.pop().map(|failed| failed.reason))
    }

    /// Puts the first turn of a game to the bot, after this delay; `change` writes it. Gives why the bot failed.
    fn put_first_turn(&self, change: impl Fn(String) -> String, wait: Duration) -> Option<String> {
        let Contest::Board { game, rules } = &self.settings.contest else {
            return None;
        };
        let board: Box<dyn Board> = game.start(*rules);
        let player = board.mover();
        let letter = self.settings.conditions.colour_line;
        let letter = letter.letter(game.colour_letter(player));
        let text = change(format!("{letter}\n{}", board.turn_text()));
        let question = Question {
            board: Some(board),
            player,
            requests: vec![text.into()],
            before: Vec::new(),
            colour_line: Some(letter),
            wait,
        };
        ask(self.settings, self.bot, &question, self.interrupted)
            .answer
            .err()
    }

    fn first_turn(&self) -> BotCheck {
        let failed = self.put_first_turn(|text| text, Duration::ZERO);
        let what = "replies to its first turn, and flushes the reply";
        let advice = "Print one of the listed moves, then flush the output";
        let problem = failed.map(|reason| format!("{reason}. {advice}"));
        BotCheck::new("first-turn", what, problem)
    }

    fn line_ends(&self) -> BotCheck {
        let failed = self.put_first_turn(|text| text.replace('\n', "\r\n"), Duration::ZERO);
        let advice = "Remove white space from both ends of each line";
        let problem = failed.map(|reason| format!("with \\r\\n {reason}. {advice}"));
        BotCheck::new("line-ends", "reads lines that end with \\r\\n", problem)
    }

    fn late_turn(&self) -> BotCheck {
        let failed = self.put_first_turn(|text| text, LATE);
        let late = show_time(LATE);
        let what = format!("waits for a first turn that comes after {late}");
        let advice =
            "Start your clock at the first line of a turn, and wait for input without a limit";
        let problem = failed.map(|reason| {
            format!("its first turn came {late} after its start, and {reason}. {advice}")
        });
        BotCheck::new("late-turn", what, problem)
    }

    /// Plays a short game as each player, and again as one that either of two letters may tell its colour.
    fn games(&self, tell: &mut impl FnMut(BotCheck)) -> Result<(), SourceError> {
        let mut quickest_start: Option<Duration> = None;
        let mut most_memory = None;
        let mut has_failed = false;
        for colour_line in [ColourLine::Statement, ColourLine::Live] {
            let mut games = SmokeGames::new(self.settings, self.bot)?;
            games.settings.conditions.colour_line = colour_line;
            for (place, spec) in games.specs.iter().enumerate() {
                let player = spec.seats.iter().position(|&bot| bot == 0).unwrap_or(0);
                let letter = games.settings.contest.colour_letter(player);
                let is_same = letter.map(|letter| ColourLine::Live.letter(letter)) == letter;
                if colour_line == ColourLine::Live && is_same {
                    continue;
                }
                let Some((game, memory)) = self.play(&games, spec) else {
                    return Ok(());
                };
                let name = match (colour_line, place) {
                    (ColourLine::Live, _) => "plays-second-live",
                    (ColourLine::Statement, 0) => "plays-first",
                    (ColourLine::Statement, _) => "plays-second",
                };
                let check = check_of(name, &game, player, colour_line);
                has_failed |= check.problem.is_some();
                tell(check);
                // The machine may be busy at one start, and less so at the next.
                let start = time_to_first_reply(&game, player);
                quickest_start = quickest_start.into_iter().chain(start).min();
                most_memory = most_memory.max(memory);
            }
        }
        // A lost game says little about times and memory.
        if !has_failed {
            if let Some(time) = quickest_start {
                tell(self.start_time(time));
            }
            if let Some(bytes) = most_memory {
                tell(self.memory(bytes));
            }
        }
        Ok(())
    }

    /// Plays a game, and again if the machine was too busy to judge it. Gives the bot's memory too; `None` once this is
    /// interrupted.
    fn play(&self, games: &SmokeGames, spec: &GameSpec) -> Option<(GameRecord, Option<u64>)> {
        let bots: Vec<_> = games.bots.iter().collect();
        let setup = GameSetup {
            settings: &games.settings,
            bots: &bots,
            spec,
            cores: GamePlacement::default(),
            interrupted: self.interrupted,
        };
        let mut played = None;
        for _ in 0..ATTEMPTS {
            played = play(&setup, None);
            if !played.as_ref().is_some_and(|(game, _)| game.starved()) {
                break;
            }
        }
        let (game, memory) = played?;
        let own = spec.seats.iter().position(|&bot| bot == 0)?;
        Some((game, memory.get(own).copied().flatten()))
    }

    fn start_time(&self, time: Duration) -> BotCheck {
        let limit = self.settings.limits.first_turn;
        let problem = (time > limit).then(|| {
            format!(
                "it took {} from its start to its first reply; a first turn has {}. On the contest's site the start may \
                 count: load and compute less before the first reply",
                show_time(time),
                show_limit(limit)
            )
        });
        let what = "starts and replies within the limit of a first turn";
        BotCheck::new("start-time", what, problem).measuring(show_time(time))
    }

    fn memory(&self, bytes: u64) -> BotCheck {
        let limit = crownhead_sandbox::MEMORY_LIMIT;
        let [used, limit_shown] = [bytes, limit].map(|bytes| bytes.div_ceil(1 << 20));
        let problem = (bytes > limit).then(|| {
            format!("it used {used} MB; the contest allows {limit_shown} MB. Make tables smaller")
        });
        let what = format!("stays within {limit_shown} MB of memory");
        BotCheck::new("memory", what, problem).measuring(format!("{used} MB"))
    }
}

/// The time from a bot's start to its first reply.
fn time_to_first_reply(game: &GameRecord, player: usize) -> Option<Duration> {
    let first = game.turns.iter().find(|turn| turn.player == player)?;
    Some(game.players[player].start_up? + first.counted())
}

/// What a game says about the bot that was this player.
fn check_of(
    name: &'static str,
    game: &GameRecord,
    player: usize,
    colour_line: ColourLine,
) -> BotCheck {
    let own: Vec<_> = game
        .turns
        .iter()
        .filter(|turn| turn.player == player)
        .collect();
    let slowest = own.iter().map(|turn| turn.counted()).max();
    let measured = slowest.map(|slowest| {
        let turns = counted(own.len(), "turn");
        format!("{turns}, slowest reply {}", show_time(slowest))
    });
    let side = &game.players[player].side;
    let reason = &game.reason;
    let problem = match game.fault_of(player) {
        Some(fault) => {
            let site = match colour_line {
                ColourLine::Live => {
                    " The contest's site sends `w` for red: be black on `b`, and red on all else."
                }
                ColourLine::Statement => "",
            };
            let fault = fault.name();
            Some(format!("{reason}.{site} See `crownhead explain {fault}`"))
        }
        None if game.termination == Termination::RefereeFault || game.scores.is_none() => {
            Some(format!("it could not be tried: {reason}. Try again"))
        }
        None => None,
    };
    let letter = game.players[player].colour_line;
    let told = letter.map_or(String::new(), |letter| format!(", told `{letter}`"));
    BotCheck {
        name,
        what: format!("plays {side}{told}"),
        measured,
        problem,
    }
}

/// Turns of a game at most, of both players.
const TURNS: u32 = 30;

/// Short games of one bot, one as each player, against the built-in `random`. If an external referee judges, the bot plays
/// against itself in every other seat, because no built-in knows the game.
#[derive(Debug)]
pub struct SmokeGames {
    /// The settings, with the limit of turns.
    pub settings: GameSettings,
    /// The bot, and its opponents.
    pub bots: Vec<Participant>,
    /// The games.
    pub specs: Vec<GameSpec>,
}

impl SmokeGames {
    /// The games of this bot under these settings.
    ///
    /// # Errors
    /// When an external referee has no opening for them.
    pub fn new(settings: &GameSettings, bot: &Participant) -> Result<SmokeGames, SourceError> {
        let mut settings = settings.clone();
        let opponent = match &mut settings.contest {
            Contest::Board { rules, .. } => {
                let turns = &mut rules.length.max_turns;
                *turns = Some(turns.map_or(TURNS, |turns| turns.min(TURNS)));
                Participant::from(BotSpec::parse("random").expect("it is built in"))
            }
            Contest::External(_) => bot.clone(),
        };
        let opponents = settings.contest.players() - 1;
        let named = |number: usize| {
            // Their names distinguish them in records.
            let mut opponent = opponent.clone();
            opponent.spec.name = match opponents {
                1 => format!("the opponent of {}", bot.spec.name),
                _ => format!("opponent {number} of {}", bot.spec.name),
            };
            opponent
        };
        let bots = [bot.clone()].into_iter().chain((1..=opponents).map(named));
        let bots = bots.collect();
        let opening = match &settings.contest {
            Contest::Board { .. } => None,
            Contest::External(_) => settings
                .openings(&Source::Seeds(None), Path::new(""))?
                .get(0),
        };
        let opening: Opening = opening.unwrap_or_default();
        let specs = GameSpec::round(&settings, 0, 1, &opening, |_, bot| Purpose::MatchBot {
            game: 0,
            bot,
        });
        Ok(SmokeGames {
            settings,
            bots,
            specs,
        })
    }

    /// Plays all of them.
    pub fn play(&self, interrupted: &Arc<AtomicBool>) -> PlayedPair {
        let bots: Vec<_> = self.bots.iter().collect();
        let (settings, specs) = (&self.settings, &self.specs);
        play_pair(
            settings,
            &bots,
            specs,
            GamePlacement::default(),
            interrupted,
            None,
        )
    }
}
