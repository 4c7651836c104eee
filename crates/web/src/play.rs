//! Play: a table for a person in a browser. The loop, the judging and the bots' seats are the same as everywhere; a
//! page replaces the terminal.

use super::kept::KeptGames;
use super::seats::{Person, Program, Thinker};
use super::sessions::SessionThread;
use super::site::Site;
use super::table::Table;
use crownhead::rules::RuleBook;
use crownhead_arena::contest::{Contest, ContestName};
use crownhead_arena::options::BotOptions;
use crownhead_arena::runner::{Participant, command};
use crownhead_arena::seat::{BotSpec, Placement, Process};
use crownhead_arena::settings::GameSettings;
use crownhead_arena::table::{self, Policy, Seated, TurnLog};
use crownhead_bots::options::BuiltInBot;
use crownhead_bots::{Board, BoardGame, BoardPlayer, PlayerSpec, games};
use crownhead_browser::{Challenge, OPPONENTS, Opponent};
use crownhead_record::PlayerRecord;
use crownhead_record::judge::TimeLimits;
use std::path::Path;
use std::time::Duration;

/// A person's name in records.
const HUMAN: &str = "human";

/// How long a bot may think if its clock does not count.
const WITHOUT_CLOCK: TimeLimits = TimeLimits {
    first_turn: Duration::from_secs(60),
    turn: Duration::from_secs(60),
};

/// A game that can begin.
pub(super) struct Prepared {
    game: &'static dyn BoardGame,
    board: Box<dyn Board>,
    /// The number of the player who asked for the game.
    person: usize,
    computer: Option<(Participant, GameSettings)>,
    limits: TimeLimits,
}

/// The game that a page requests. Reads the position and finds the bot.
///
/// # Errors
/// With a message, when there is no such game, side, bot or position.
pub(super) fn prepare(challenge: &Challenge, site: &Site) -> Result<Prepared, String> {
    let (game, mut rules) = challenge.setup.find()?;
    let person = challenge.person(rules.side_names)?;
    let computer = match &challenge.opponent {
        Opponent::Person => None,
        Opponent::BuiltIn(words) => {
            if !OPPONENTS.contains(&words.as_str()) {
                return Err(format!("no built-in opponent is called `{words}`"));
            }
            let spec = BotSpec::parse(words).map_err(|error| error.to_string())?;
            let contest = Contest::Board { game, rules };
            let settings = BotOptions::default().settings(contest, Path::new(""));
            let settings = settings.map_err(|error| error.to_string())?;
            Some((Participant::from(spec), settings))
        }
        Opponent::Bot(name) => Some(ladder_bot(site, name, game, &rules)?),
    };
    let limits = match &computer {
        Some((_, settings)) if challenge.clock => settings.limits,
        _ => WITHOUT_CLOCK,
    };
    // The turn limit is for computers; people know when to stop.
    rules.length.max_turns = None;
    Ok(Prepared {
        game: games::find(game.name()).expect("a game of the list"),
        board: challenge.setup.board(game, rules)?,
        person,
        computer,
        limits,
    })
}

/// The bot of this name in the site's ladder, as the ladder starts it.
fn ladder_bot(
    site: &Site,
    name: &str,
    game: &dyn BoardGame,
    rules: &RuleBook,
) -> Result<(Participant, GameSettings), String> {
    let config = &site.config;
    let (Some(folder), Some(number)) = (site.folder(), config.number_of(name)) else {
        return Err(format!("no bot of this ladder is called `{name}`"));
    };
    let ContestName {
        game: own_game,
        rules: own_rules,
        ..
    } = &config.contest;
    if own_game != game.name() || own_rules != rules.name {
        return Err(format!(
            "{name} plays {own_game} by the rule book {own_rules}"
        ));
    }
    let participant = folder.bot(config, number);
    let both = participant.and_then(|participant| Ok((participant, folder.settings(config)?)));
    both.map_err(|error| format!("{error:#}"))
}

impl Prepared {
    /// Plays the game to its end, on this thread, and keeps it.
    pub(super) fn play(mut self, session: SessionThread, games: &KeptGames) {
        let computer_of = |player| self.computer.as_ref().filter(|_| player != self.person);
        let names = self.board.player_names();
        let table = Table::new(
            [0, 1].map(|player| match (computer_of(player), &self.computer) {
                (Some((bot, _)), _) => bot.spec.name.clone(),
                (None, Some(_)) => "you".into(),
                (None, None) => names[player].into(),
            }),
            session,
        );
        let [mut black, mut white] = [0, 1].map(|player| match computer_of(player) {
            Some((bot, settings)) => computer_seat(&table, self.game, player, bot, settings),
            None => Box::new(Person {
                table: &table,
                against_person: self.computer.is_none(),
            }),
        });
        // The seat asks a person again until the input is a move.
        let mut policy = Policy::strict(self.limits);
        let board = self.board.as_mut();
        // Everything is shown when a seat is asked.
        let mut shown = ();
        let mut log = TurnLog::new(board, &mut shown);
        let seats: &mut [&mut dyn Seated] = &mut [&mut *black, &mut *white];
        let verdict = table::play(board, seats, &mut policy, &mut log);
        table.say(None);
        let sides = board.player_names();
        let players = [0, 1].map(|player| match computer_of(player) {
            Some((bot, _)) => PlayerRecord::new(sides[player], &bot.spec.name, &bot.spec.name),
            None => PlayerRecord::new(sides[player], HUMAN, ""),
        });
        if let Some(record) = log.record(board, players.into(), self.limits, verdict.clone()) {
            table.keep(games.add(record));
        }
        table.show(board, &[], Some(&verdict));
    }
}

fn computer_seat<'a>(
    table: &'a Table,
    game: &'static dyn BoardGame,
    player: usize,
    bot: &Participant,
    settings: &GameSettings,
) -> Box<dyn Seated + 'a> {
    if let Some(built_in) = bot.spec.built_in() {
        return Box::new(Thinker {
            table,
            player: built_in_player(game, built_in, settings),
        });
    }
    let mut command = command(settings, bot, rand::random());
    let colour = game.colour_letter(player);
    let stopped = table.session.stopped.clone();
    let (conditions, anywhere) = (bot.conditions(settings), Placement::default());
    let process = Process::start(&mut command, Some(colour), &conditions, &anywhere, stopped);
    Box::new(Program {
        table,
        stderr: process.stderr_listener(),
        process,
    })
}

/// A built-in bot as a player in this process.
fn built_in_player(
    game: &'static dyn BoardGame,
    bot: BuiltInBot,
    settings: &GameSettings,
) -> Box<dyn BoardPlayer> {
    game.player(&match bot {
        BuiltInBot::Random(options) => PlayerSpec::Random {
            seed: options.seed.unwrap_or_else(rand::random),
        },
        BuiltInBot::Greedy(options) => PlayerSpec::Greedy {
            seed: options.seed.unwrap_or_else(rand::random),
        },
        BuiltInBot::Alphabeta(options) => {
            let rules = match &settings.contest {
                Contest::Board { rules, .. } => *rules,
                Contest::External(_) => game.rule_books()[0],
            };
            let named = options.rules.as_deref().unwrap_or(rules.name);
            PlayerSpec::AlphaBeta {
                rules: game.rules(Some(named)).unwrap_or(rules),
                limits: options.limits(),
                // Neither the page's opponents nor a ladder's built-in bots name one.
                network: None,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::site::tests::Ladder;
    use super::*;
    use serde_json::json;

    fn challenge(rules: &str, bot: &str, clock: bool) -> Challenge {
        let opponent = json!({ "bot": bot });
        let challenge = json!({"game": "checkers", "rules": rules, "opponent": opponent, "side": "black", "clock": clock});
        serde_json::from_value(challenge).unwrap()
    }

    #[test]
    fn a_bot_of_the_ladder_plays_what_the_ladder_plays_and_by_its_clock_where_that_counts() {
        let ladder = Ladder::new(&["anna", "bert"]);
        let site = ladder.site();
        let own = site.config.options.limits();
        assert!(own.turn < WITHOUT_CLOCK.turn);
        for (clock, limits) in [(true, own), (false, WITHOUT_CLOCK)] {
            let prepared = prepare(&challenge("contest", "anna", clock), &site).unwrap();
            assert_eq!(prepared.limits, limits);
            let (bot, _) = prepared.computer.unwrap();
            assert_eq!(bot.spec.name, "anna");
        }
        let refused = |challenge| prepare(&challenge, &site).err().unwrap();
        assert_eq!(
            refused(challenge("classroom", "anna", true)),
            "anna plays checkers by the rule book contest"
        );
        assert_eq!(
            refused(challenge("contest", "carl", true)),
            "no bot of this ladder is called `carl`"
        );
    }
}
