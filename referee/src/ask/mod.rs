//! `crownhead ask`: sends one turn to a bot, or all turns of a player.

mod all;

use crate::conditions::{unusable, warn_missing};
use crate::failure::{Failure, about, usage};
use crate::interrupts::{check, interrupts};
use crate::options::{DrawingOptions, board_of_any};
use crate::output::write_json;
use crate::recorded::{View, find_game, write_answer, write_position};
use crate::words::paragraph;
use clap::Args;
use crownhead_arena::contest::Contest;
use crownhead_arena::headings::{OUTPUT, RULES};
use crownhead_arena::options::{BotOptions, parse_time};
use crownhead_arena::runner::{AskedTurn, Participant, Question, RecordedRequest, ask};
use crownhead_arena::seat::BotSpec;
use crownhead_arena::settings::GameSettings;
use crownhead_bots::{Board, games};
use crownhead_record::judge::{Profile, TimeLimits};
use crownhead_record::numbers::{counted, show_count, show_time};
use crownhead_record::totals::{Times, times};
use crownhead_record::{GameRecord, PlayerRecord, TurnRecord};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
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
  crownhead ask games.jsonl ./my_bot --all --player mine

A recorded turn is sent as the bot had it in its game: the colour line, each of its turns before, and then the turn. \
The answers to the turns before are not judged. The limits, the profile and the clock are those of the game, unless an \
option names others. Turns are counted from 1, including those of the opening.

Exit status: 0 the bot answered with a legal move, or with --all answered; 1 it did not; 2 unusable arguments; 130 interrupted."
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
    /// Put all turns of a player, and list where the answers differ from the record
    ///
    /// Without --number, those of each game of the file.
    #[arg(long, conflicts_with_all = ["turn", "from_start", "only_this_turn", "fen", "repeat"], help_heading = TURN)]
    all: bool,
    /// Name of the recorded player whose turns are put [default: the one that lost]
    #[arg(long, value_name = "NAME", requires = "all", help_heading = TURN)]
    player: Option<String>,
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

/// A turn to put to the bot, whatever its source.
struct Turn {
    title: String,
    question: Question,
    /// The bot's recorded turns that it is sent again, including the last one.
    recorded: Vec<TurnRecord>,
    settings: GameSettings,
}

impl Ask {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let turn = match (&self.fen, &self.second) {
            (Some(fen), None) => self.turn_of_position(fen)?,
            (Some(_), Some(_)) => {
                return Err(usage(
                    "--fen gives the turn: expected the bot alone, in quotes if it is several words",
                ));
            }
            (None, None) if Path::new(&self.first).exists() => {
                return Err(usage(format_args!(
                    "expected a bot after `{0}`: `crownhead ask {0} ./my_bot`",
                    self.first
                )));
            }
            (None, None) => {
                return Err(usage(
                    "expected a file of games or a ladder before the bot: `crownhead ask games.jsonl ./my_bot`",
                ));
            }
            (None, Some(_)) => {
                let file = Path::new(&self.first);
                if self.all {
                    return self.put_all(file);
                }
                let record = find_game(file, self.number)?;
                let number = View::new(&record, file, self.drawing.apply())?.of_interest();
                self.turn_of(&record, file, self.turn.unwrap_or(number))?
            }
        };
        self.put(turn)
    }

    /// The turn of this number of a recorded game.
    fn turn_of(&self, record: &GameRecord, file: &Path, number: usize) -> Result<Turn, Failure> {
        let view = View::new(record, file, self.drawing.apply())?;
        let place = view.place(number)?;
        let player = record.turns[place].player;
        let own = record.turns[..=place].iter();
        let own = own.filter(|turn| turn.player == player);
        let requests = own.clone().zip(view.requests(number)?);
        let requests = requests.map(|(turn, text)| RecordedRequest {
            text,
            lines: turn.lines,
            limit: turn.limit.filter(|_| self.time.is_none()),
        });
        let (mut requests, mut recorded): (Vec<_>, Vec<_>) =
            (requests.collect(), own.cloned().collect());
        let first = if self.only_this_turn { place } else { 0 };
        if self.only_this_turn {
            requests.drain(..requests.len() - 1);
            recorded.drain(..recorded.len() - 1);
            if let Some(board) = &view.board {
                requests[0].text = board.request_alone(number);
            }
        }
        let board = view.board.as_ref().map(|game| game.before(number));
        let PlayerRecord { name, side, .. } = &record.players[player];
        Ok(Turn {
            title: format!(
                "Game {}, turn {number}: {name} ({side}) was asked",
                record.number
            ),
            settings: self.settings_of(record, board.as_deref())?,
            question: Question {
                board,
                player,
                requests,
                before: record.turns[first..place].to_vec(),
                colour_line: view.board.as_ref().map(|game| game.colour_line(player)),
                wait: Duration::ZERO,
            },
            recorded,
        })
    }

    /// The turn of the position that --fen names.
    fn turn_of_position(&self, fen: &str) -> Result<Turn, Failure> {
        let board = board_of_any(fen)?;
        if board.legal_moves().is_empty() {
            return Err(usage("there is no legal move in this position"));
        }
        let mut settings = settings(&self.bots, Some(board.as_ref()))?;
        settings.limits = self.limits(settings.limits);
        let letter = self.bots.colour_line_in_force();
        let letter = letter.letter(board.mover_letter());
        let request = format!("{letter}\n{}", board.turn_text());
        Ok(Turn {
            title: format!("The position {fen}"),
            settings,
            question: Question {
                player: board.mover(),
                board: Some(board),
                requests: vec![request.into()],
                before: Vec::new(),
                colour_line: Some(letter),
                wait: Duration::ZERO,
            },
            recorded: Vec::new(),
        })
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
            limits: self.limits(record.limits),
            seed: record.seed,
            ..settings(&bots, board)?
        })
    }

    /// The limits in force, where these are usual.
    fn limits(&self, usual: TimeLimits) -> TimeLimits {
        TimeLimits {
            first_turn: self.first_turn.unwrap_or(usual.first_turn),
            turn: self.time.unwrap_or(usual.turn),
        }
    }

    /// The bot, which is to play the game of this turn.
    fn bot(&self, turn: &Turn) -> Result<Participant, Failure> {
        let words = self.second.as_ref().unwrap_or(&self.first);
        let spec = BotSpec::parse(words).map_err(usage)?;
        if turn.question.board.is_none() && spec.built_in().is_some() {
            return Err(usage(format_args!(
                "{}: the built-in bots play Crownhead's own games, and this one is known to its referee alone; expected \
                 a command line",
                spec.name
            )));
        }
        Ok(spec.into())
    }

    /// Asks, and prints the result.
    fn put(&self, turn: Turn) -> Result<(), Failure> {
        let bot = self.bot(&turn)?;
        let board = turn.question.board.as_deref();
        warn_missing(&turn.settings.conditions)?;
        let drawing = self.drawing.apply();
        let interrupted = interrupts()?;
        let mut out = anstream::stdout().lock();
        if !self.json {
            writeln!(out, "{}", turn.title)?;
            board.map_or(Ok(()), |board| write_position(board, drawing, &mut out))?;
        }
        let ask = || ask(&turn.settings, &bot, &turn.question, &interrupted);
        let asked = ask();
        check(&interrupted)?;
        if !self.json {
            self.write_answer(&asked, &turn, &mut out)?;
        }
        let again = (1..self.repeat).map(|_| ask());
        let again = again.take_while(|_| check(&interrupted).is_ok());
        let repeated =
            (self.repeat > 1).then(|| Repeated::of([asked.clone()].into_iter().chain(again)));
        if self.json {
            write_json(&mut out, &self.as_json(&asked, &turn, repeated.as_ref()))?;
        } else if let Some(repeated) = repeated {
            repeated.write(&mut out)?;
        }
        check(&interrupted)?;
        asked.answer.map(drop).map_err(|_| Failure::Silent)
    }

    /// What the bot answered, how its time went, and what it printed; each turn before it, too, if that is wanted.
    fn write_answer(&self, asked: &AskedTurn, turn: &Turn, out: &mut impl Write) -> io::Result<()> {
        let Some((last, before)) = asked.turns.split_last() else {
            return Ok(());
        };
        let mut recorded = turn.recorded.iter();
        for (number, turn) in (1..).zip(before) {
            let compared = compared(turn, recorded.next());
            if self.from_start {
                write_answer(&format!("Its turn {number}: it"), turn, &compared, out)?;
            }
        }
        let (failed, all) = (asked.turns.len(), turn.question.requests.len());
        if failed < all {
            writeln!(
                out,
                "It failed before that turn, in turn {failed} of the {all} that it was sent"
            )?;
        }
        write_answer("It", last, &compared(last, recorded.next()), out)?;
        match &asked.answer {
            Ok(_) if turn.question.board.is_none() => Ok(()),
            Ok(name) => writeln!(out, "{name} is a legal move"),
            Err(reason) => writeln!(out, "{}", paragraph("", reason)),
        }
    }

    /// All of it as programs read it: the answer, or the reason for which there is none, and the bot's turns.
    fn as_json(&self, asked: &AskedTurn, turn: &Turn, repeated: Option<&Repeated>) -> Value {
        let first = match self.from_start {
            true => 0,
            false => asked.turns.len().saturating_sub(1),
        };
        json!({
            "answer": asked.answer.as_ref().ok(),
            "reason": asked.answer.as_ref().err(),
            "recorded": turn.recorded.last().and_then(|turn| turn.reply.as_ref()),
            "turns": asked.turns[first..],
            "repeated": repeated.map(Repeated::as_json),
        })
    }
}

/// How an answer differs from the recorded one: the end of a line.
fn compared(turn: &TurnRecord, recorded: Option<&TurnRecord>) -> String {
    match (&turn.reply, recorded.and_then(|turn| turn.reply.as_ref())) {
        (_, None) => String::new(),
        (Some(reply), Some(recorded)) if reply == recorded => ", as in the record".into(),
        (_, Some(recorded)) => format!("; the record has `{recorded}`"),
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

/// How answers and times vary.
struct Repeated {
    /// Each with how often it was given, the most frequent first; `None` is a failure.
    answers: Vec<(Option<String>, u32)>,
    quickest: Duration,
    times: Option<Times>,
}

impl Repeated {
    /// Sums up the same turn, asked again and again.
    fn of(all: impl Iterator<Item = AskedTurn>) -> Repeated {
        let mut answers: BTreeMap<Option<String>, u32> = BTreeMap::new();
        let mut measured = Vec::new();
        for asked in all {
            measured.extend(asked.turns.last().map(|turn| turn.time));
            *answers.entry(asked.answer.ok()).or_default() += 1;
        }
        let mut answers: Vec<_> = answers.into_iter().collect();
        answers.sort_by_key(|(_, count)| Reverse(*count));
        Repeated {
            answers,
            quickest: measured.iter().min().copied().unwrap_or_default(),
            times: times(measured),
        }
    }

    fn as_json(&self) -> Value {
        let answers = self.answers.iter();
        let answers = answers.map(|(answer, count)| json!({"answer": answer, "count": count}));
        json!({
            "answers": answers.collect::<Vec<_>>(),
            "quickest_us": self.quickest.as_micros() as u64,
            "times": self.times,
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(times) = &self.times else {
            return Ok(());
        };
        let answers = self.answers.iter().map(|(answer, count)| {
            let answer = answer.as_deref().unwrap_or("a failure");
            format!("{answer} ×{}", show_count(*count))
        });
        let answers = answers.collect::<Vec<_>>().join(", ");
        let [quickest, worst, median] = [self.quickest, times.worst, times.median].map(show_time);
        let asked = counted(times.answers, "time");
        writeln!(
            out,
            "Asked {asked}: {answers}; {quickest} to {worst}, median {median}"
        )
    }
}
