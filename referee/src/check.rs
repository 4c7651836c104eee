//! `crownhead check`: whether a bot does what the contest asks of it, in a few seconds.

use crate::conditions::{unusable, warn_missing};
use crate::failure::{Failure, about, usage};
use crate::interrupts::{check, interrupts};
use crate::options::check_mark;
use crate::output::write_json;
use crate::words::paragraph;
use clap::Args;
use crownhead_arena::contest::Contest;
use crownhead_arena::headings::RULES;
use crownhead_arena::options::{BotOptions, parse_time};
use crownhead_arena::runner::{BotCheck, Participant, check_bot};
use crownhead_arena::seat::BotSpec;
use crownhead_arena::settings::GameSettings;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::judge::TimeLimits;
use crownhead_record::numbers::counted;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Check that a bot is ready for the contest
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead check ./my_bot
  crownhead check 'python3 my_bot.py' --json",
    after_long_help = "\
The bot plays short games as each side, and red twice: told `r`, as the contest's statement says, and `w`, as its site \
does. It also reads lines that end with \\r\\n, and waits for a first turn that comes late. Variables of your shell, such as \
PYTHONUNBUFFERED, do not help it. Bots for a game with a referee of its own are tried by `crownhead match --referee`.

Exit status: 0 all checks pass; 1 a check fails; 2 unusable arguments; 130 interrupted."
)]
pub(super) struct Check {
    /// The bot: a command, or a built-in bot with its options
    #[arg(value_name = "BOT")]
    bot: String,
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser(), help_heading = RULES)]
    game: &'static dyn BoardGame,
    /// Rule book; checkers has contest and classroom [default: the game's first]
    #[arg(long, value_name = "NAME", help_heading = RULES)]
    rules: Option<String>,
    /// Time limit of a turn
    #[arg(long, short, value_name = "TIME", default_value = "100ms", help_heading = RULES, value_parser = parse_time)]
    time: Duration,
    /// Time limit of a bot's first turn
    #[arg(long, value_name = "TIME", default_value = "1s", help_heading = RULES, value_parser = parse_time)]
    first_turn: Duration,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bots: BotOptions,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let bot = Participant::from(BotSpec::parse(&self.bot).map_err(usage)?);
        let rules = self.game.rules(self.rules.as_deref());
        let contest = Contest::Board {
            game: self.game,
            rules: rules.map_err(about("--rules"))?,
        };
        let settings = self.bots.settings(contest, Path::new(""));
        let settings = GameSettings {
            limits: TimeLimits {
                first_turn: self.first_turn,
                turn: self.time,
            },
            ..settings.map_err(unusable)?
        };
        warn_missing(&settings.conditions)?;
        let interrupted = interrupts()?;
        let mut checks: Vec<BotCheck> = Vec::new();
        let mut written = Ok(());
        check_bot(&settings, &bot, &interrupted, &mut |check| {
            if !self.json && written.is_ok() {
                written = write_check(&check);
            }
            checks.push(check);
        })?;
        check(&interrupted)?;
        written?;
        let failed = checks
            .iter()
            .filter(|check| check.problem.is_some())
            .count();
        let mut out = anstream::stdout().lock();
        if self.json {
            let checks = checks.iter().map(|check| {
                let mut value = json!(check);
                value["passed"] = json!(check.problem.is_none());
                value
            });
            let result = json!({
                "version": 1,
                "bot": bot.spec.name,
                "passed": failed == 0,
                "checks": checks.collect::<Vec<_>>(),
            });
            write_json(&mut out, &result)?;
        } else {
            let name = &bot.spec.name;
            match failed {
                0 => writeln!(out, "{name} passed all {} checks.", checks.len())?,
                _ => writeln!(out, "{name} failed {}.", counted(failed, "check"))?,
            }
        }
        match failed {
            0 => Ok(()),
            _ => Err(Failure::Silent),
        }
    }
}

/// Writes a line as soon as a check is made, and the way out of a failure below it.
fn write_check(check: &BotCheck) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let mark = check_mark(check.problem.is_none());
    let measured = check.measured.as_ref();
    let measured = measured.map_or(String::new(), |measured| format!(" ({measured})"));
    writeln!(out, "{mark} {}{measured}", check.what)?;
    if let Some(problem) = &check.problem {
        writeln!(out, "{}", paragraph("    ", &sentence(problem)))?;
    }
    out.flush()
}

/// A reason as a sentence, with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let text: String = first.into_iter().chain(letters).collect();
    format!("{}.", text.trim_end_matches('.'))
}
