//! `crownhead ask`: sends one turn to a bot.

mod result;

use super::options::{DrawingOptions, board_of_any};
use super::output::write_json;
use super::recorded::{ExternalView, find_game, has_no_board, recorded_game, write_position};
use crate::conditions::{unusable, warn_missing};
use crate::failure::{Failure, about, usage};
use crate::interrupts::{check, interrupts};
use clap::Args;
use crownhead_arena::contest::Contest;
use crownhead_arena::headings::{OUTPUT, RULES};
use crownhead_arena::options::{BotOptions, parse_time};
use crownhead_arena::runner::{Participant, Question, RecordedRequest, ask};
use crownhead_arena::seat::BotSpec;
use crownhead_arena::settings::GameSettings;
use crownhead_bots::alphabeta::SearchLimits;
use crownhead_bots::options::BuiltInBot;
use crownhead_bots::{Board, games};
use crownhead_record::judge::Profile;
use crownhead_record::{GameRecord, TurnRecord, is_pdn};
use result::{Advice, Repeated, json, write_answer, write_turns_before};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Ask a bot for one move, in a recorded game or any position
#[derive(Debug, Args)]
#[command(
    override_usage = "\
crownhead ask [OPTIONS] <FILE> <BOT>
       crownhead ask [OPTIONS] --fen <FEN> <BOT>",
    before_help = "\
Examples:
  crownhead ask games.jsonl ./my_bot --number 3 --turn 12
  crownhead ask --fen B:W18,K32:B11,K15 ./my_bot",
    after_long_help = "\
More examples:
  crownhead ask games.jsonl ./my_bot --number 3 --repeat 20
  crownhead ask night ./my_bot --number 3 --against 'alphabeta --time 1s'

A recorded turn is sent as the bot had it in its game: the colour line, each of its turns before, and then the turn. \
The answers to the turns before are not judged. The limits, the profile and the clock are those of the game, unless an \
option names others. Turns are counted from 1, including those of the opening.

Exit status: 0 the bot answered with a legal move; 1 it did not; 2 unusable arguments; 130 interrupted."
)]
pub(super) struct Ask {
    /// Ladder folder, file of `match --record`, or PDN file; with --fen, the bot
    #[arg(value_name = "FILE")]
    first: String,
    /// The bot: a built-in bot with its options, or a command
    #[arg(value_name = "BOT")]
    second: Option<String>,
    /// Number of the game [default: the first]
    #[arg(long, short, alias = "game", value_name = "N", help_heading = TURN)]
    number: Option<u64>,
    /// Turn to send [default: the one lost by a fault, or the last]
    #[arg(long, value_name = "N", help_heading = TURN)]
    turn: Option<usize>,
    /// Show all turns up to this one, and where the answers differ from the record
    #[arg(long, conflicts_with = "only_this_turn", help_heading = TURN)]
    from_start: bool,
    /// Send the colour line and this turn, without the turns before
    #[arg(long, alias = "fresh", help_heading = TURN)]
    only_this_turn: bool,
    /// Position to ask about: FEN of draughts, or the rows and the side to move
    ///
    /// Rows start with the last one and have / between them, such as '8/2p5/3P4/1p6/8/8/5P2/8 w'.
    #[arg(
        long,
        value_name = "FEN",
        help_heading = TURN,
        conflicts_with_all = ["number", "turn", "from_start", "only_this_turn"]
    )]
    fen: Option<String>,
    /// Ask N times, each time a fresh process, and show how answers and times vary
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeat: u32,
    /// Searching bot to compare with: its move, and how much more it is worth
    #[arg(long, value_name = "BOT")]
    against: Option<String>,
    /// Print the answer and what the options ask for as one JSON object
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// Time limit of the turn [default: the game's, else 100ms]
    #[arg(long, short, value_name = "TIME", help_heading = RULES, value_parser = parse_time)]
    time: Option<Duration>,
    /// Time limit of the bot's first turn [default: the game's, else 1s]
    #[arg(long, value_name = "TIME", help_heading = RULES, value_parser = parse_time)]
    first_turn: Option<Duration>,
    #[command(flatten)]
    bots: BotOptions,
    #[command(flatten)]
    drawing: DrawingOptions,
}

/// The heading of the options that say which turn is meant.
const TURN: &str = "Which turn";

/// A turn, whatever its source.
struct Turn {
    /// `None` in a game that only its own referee knows.
    board: Option<Box<dyn Board>>,
    player: usize,
    requests: Vec<RecordedRequest>,
    before: Vec<TurnRecord>,
    /// The bot's recorded turns that it is sent again, including the last one.
    recorded: Vec<TurnRecord>,
    colour_line: Option<char>,
    title: String,
}

impl Ask {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.second.is_none() {
            return self.ask_given();
        }
        if self.fen.is_some() {
            let problem =
                "--fen gives the turn: expected the bot alone, in quotes if it is several words";
            return Err(usage(problem));
        }
        let file = PathBuf::from(&self.first);
        let record = find_game(&file, self.number)?;
        self.ask_recorded(&file, &record)
    }

    /// A turn of a recorded game.
    fn ask_recorded(&self, path: &Path, record: &GameRecord) -> Result<(), Failure> {
        if let Some(game) = ExternalView::of(record) {
            return self.ask_external(&game, record);
        }
        let recorded = recorded_game(record, path)?;
        let number = self.turn.unwrap_or_else(|| recorded.of_interest());
        let Some(place) = recorded.place(number) else {
            let (asked, game) = (recorded.asked(), record.number);
            return Err(usage(format_args!(
                "--turn {number}: the bots of game {game} were asked in turns {} to {}",
                asked.start(),
                asked.end()
            )));
        };
        let asked = record.turns[place].player;
        let (requests, first) = if self.only_this_turn {
            (vec![recorded.request_alone(number)], place)
        } else {
            (recorded.requests(number), 0)
        };
        let own = record.turns[first..=place].iter();
        let own = own.filter(|turn| turn.player == asked).cloned();
        let board = recorded.before(number);
        let (game, player) = (record.number, &record.players[asked].name);
        let mover = board.mover_name();
        let settings = self.settings_of(record, Some(board.as_ref()))?;
        let turn = Turn {
            player: asked,
            requests: requests.into_iter().map(RecordedRequest::from).collect(),
            before: record.turns[first..place].to_vec(),
            recorded: own.collect(),
            colour_line: Some(recorded.colour_line(asked)),
            title: format!("Game {game}, turn {number}: {player} ({mover}) was to move"),
            board: Some(board),
        };
        self.put(turn, settings)
    }

    /// A turn of a recorded game that an external referee judged.
    fn ask_external(&self, game: &ExternalView<'_>, record: &GameRecord) -> Result<(), Failure> {
        if self.against.is_some() {
            return Err(has_no_board("--against"));
        }
        let of_interest = || record.decisive_turn().map_or(1, |place| place + 1);
        let number = self.turn.unwrap_or_else(of_interest);
        let mut own = game.own_turns(number)?;
        if self.only_this_turn {
            own.drain(..own.len() - 1);
        }
        let request = |turn: &&TurnRecord| RecordedRequest {
            text: turn.sent.clone().unwrap_or_default(),
            lines: turn.lines,
            limit: turn.limit.filter(|_| self.time.is_none()),
        };
        let asked = game.find(number)?.player;
        let (game, player) = (record.number, &record.players[asked]);
        let (name, side) = (&player.name, &player.side);
        let settings = self.settings_of(record, None)?;
        let turn = Turn {
            board: None,
            player: asked,
            requests: own.iter().map(request).collect(),
            before: record.turns[..number - 1].to_vec(),
            recorded: own.into_iter().cloned().collect(),
            colour_line: None,
            title: format!("Game {game}, turn {number}: {name} ({side}) was asked"),
        };
        self.put(turn, settings)
    }

    /// A position from the command line.
    fn ask_given(&self) -> Result<(), Failure> {
        let Some(fen) = &self.fen else {
            if is_of_games(&self.first) {
                return Err(usage(format_args!(
                    "`{0}` holds games. Name the bot that is asked too: `crownhead ask {0} ./my_bot`",
                    self.first
                )));
            }
            let problem = "expected a file of games or a ladder before the bot: `crownhead ask games.jsonl ./my_bot`";
            return Err(usage(problem));
        };
        let board = board_of_any(fen)?;
        let letter = self.bots.colour_line_in_force();
        let colour = letter.letter(board.mover_letter());
        let request = format!("{colour}\n{}", board.turn_text());
        if board.legal_moves().is_empty() {
            return Err(usage("there is no legal move in this position"));
        }
        let settings = settings(&self.bots, Some(board.as_ref()))?;
        let turn = Turn {
            colour_line: Some(colour),
            player: board.mover(),
            recorded: Vec::new(),
            before: Vec::new(),
            board: Some(board),
            requests: vec![request.into()],
            title: format!("The position {fen}"),
        };
        self.put(turn, settings)
    }

    /// The settings of a recorded game, except those that the command line sets.
    fn settings_of(
        &self,
        record: &GameRecord,
        board: Option<&dyn Board>,
    ) -> Result<GameSettings, Failure> {
        let mut bots = self.bots.clone();
        if bots.profile.is_none() {
            let (game, name) = (record.number, &record.profile);
            let subject = format!("game {game} was judged by the profile `{name}`; --profile");
            bots.profile = Some(Profile::named(name).map_err(about(subject))?);
        }
        bots.clock = bots.clock.or(Some(record.clock));
        Ok(GameSettings {
            limits: record.limits,
            seed: record.seed,
            ..settings(&bots, board)?
        })
    }

    /// Asks, and prints the result.
    fn put(&self, turn: Turn, mut settings: GameSettings) -> Result<(), Failure> {
        let words = self.second.as_ref().unwrap_or(&self.first);
        let spec = BotSpec::parse(words).map_err(usage)?;
        if turn.board.is_none() && spec.built_in().is_some() {
            return Err(usage(format_args!(
                "{}: the built-in bots play Crownhead's own games, and this one is known to its referee alone; expected \
                 a command line",
                spec.name
            )));
        }
        let bot = Participant::from(spec);
        settings.limits.turn = self.time.unwrap_or(settings.limits.turn);
        settings.limits.first_turn = self.first_turn.unwrap_or(settings.limits.first_turn);
        let against = self.against.as_deref().map(search_limits).transpose()?;
        warn_missing(&settings.conditions)?;
        let drawing = self.drawing.apply();
        let interrupted = interrupts()?;
        let board = turn.board.as_deref();
        let mut out = anstream::stdout().lock();
        let in_words = !self.json;
        if in_words {
            writeln!(out, "{}", turn.title)?;
        }
        if let Some(board) = board.filter(|_| in_words) {
            write_position(board, drawing, &mut out)?;
        }
        let question = Question {
            wait: Duration::ZERO,
            board,
            player: turn.player,
            requests: &turn.requests,
            before: &turn.before,
            colour_line: turn.colour_line,
        };
        let ask = || ask(&settings, &bot, &question, &interrupted);
        let asked = ask();
        check(&interrupted)?;
        if self.from_start && in_words {
            write_turns_before(&asked, &turn.recorded, &mut out)?;
        }
        if in_words {
            write_answer(&asked, &turn, &mut out)?;
        }
        let repeated = (self.repeat > 1).then(|| {
            let all = std::iter::once(asked.clone()).chain((1..self.repeat).map(|_| ask()));
            Repeated::of(all.take_while(|_| check(&interrupted).is_ok()))
        });
        if let Some(repeated) = repeated.as_ref().filter(|_| in_words) {
            repeated.write(&mut out)?;
        }
        let advice = against.zip(board).and_then(|(limits, board)| {
            let answer = asked.answer.as_deref().ok();
            Advice::of(board, answer, limits)
        });
        if let Some(advice) = advice.as_ref().filter(|_| in_words) {
            advice.write(&mut out)?;
        }
        if self.json {
            let (repeated, advice) = (repeated.as_ref(), advice.as_ref());
            let result = json(&turn, &asked, self.from_start, repeated, advice);
            write_json(&mut out, &result)?;
        }
        check(&interrupted)?;
        asked.answer.map(drop).map_err(|_| Failure::Silent)
    }
}

/// The settings for the game of this board.
fn settings(bots: &BotOptions, board: Option<&dyn Board>) -> Result<GameSettings, Failure> {
    // Without a board, no built-in bot is asked, and only a built-in needs the game.
    let usual = games::usual();
    let contest = Contest::Board {
        game: board.map_or(usual, |board| board.game()),
        rules: board.map_or(usual.rule_books()[0], |board| *board.rules()),
    };
    let settings = bots.settings(contest, Path::new(""));
    settings.map_err(unusable)
}

/// Whether this names games, and no bot.
fn is_of_games(words: &str) -> bool {
    let path = Path::new(words);
    let is_record = path.extension().is_some_and(|kind| kind == "jsonl");
    path.is_dir() || path.is_file() && (is_record || is_pdn(path))
}

/// The limits of the searching bot that --against names.
fn search_limits(words: &str) -> Result<SearchLimits, Failure> {
    let spec = BotSpec::parse(words).map_err(about("--against"))?;
    match spec.built_in() {
        Some(BuiltInBot::Alphabeta(options)) if options.net.is_none() => Ok(options.limits()),
        _ => Err(usage(format_args!(
            "--against {words}: expected the searching bot, `alphabeta` or `alphabeta --time 1s`"
        ))),
    }
}
