//! `crownhead calibrate`: measures how many games at once this machine plays without delaying bots.

use super::progress::{Progress, note};
use super::table::{left, right, times_cells, times_columns};
use super::table_form::TableForm;
use crate::conditions::{unusable, warn_missing};
use crate::failure::Failure;
use anyhow::Context;
use clap::Args;
use crownhead_arena::calibrate::{Measured, busy_cores, cores, measure, plan};
use crownhead_arena::options::{BotOptions, parse_time, sandbox_mode};
use crownhead_record::input::read_text;
use crownhead_record::numbers::{counted, show_limit, show_time};
use crownhead_sandbox::SandboxMode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Measure how many games at once do not delay bots
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead calibrate
  crownhead calibrate --max-games 8",
    after_long_help = "\
A bot that answers at once plays a bot that thinks all its time, in more and more games at once. The time that the first \
one takes is the machine's delay. A number of games is safe if 999 in 1,000 answers come within 5 ms, a twentieth of the \
contest's limit. The result is kept for your user account, and `crownhead match` warns if you ask for more games at once. \
If other programs keep the machine busy, there is no result.

Exit status: 0 it has measured; 1 it failed, or the machine is busy; 2 unusable arguments."
)]
pub(super) struct Calibrate {
    /// Games at once to try at most [default: twice the cores]
    #[arg(long, alias = "upto", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_games: Option<u16>,
    /// Time that the thinking bot takes for a turn
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = parse_time)]
    think: Duration,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Isolation: auto, require or off
    #[arg(long, value_name = "MODE", default_value = "auto", hide_possible_values = true, value_parser = sandbox_mode())]
    sandbox: SandboxMode,
}

/// The result for this machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Calibration {
    version: u32,
    /// How many games at once are safe; 0 when not even one is.
    safe_games: usize,
    cores: usize,
}

const VERSION: u32 = 1;

impl Calibrate {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let bots = BotOptions {
            sandbox: self.sandbox,
            ..BotOptions::default()
        };
        let plan = plan(self.think, &bots).map_err(unusable)?;
        warn_missing(&plan.settings.conditions)?;
        let cores = cores();
        let max_games = self.max_games.map_or(2 * cores, usize::from);
        let busy = busy_cores();
        let mut progress = Progress::new("numbers of games at once", Some(max_games as u64));
        let mut measured = Vec::new();
        for at_once in 1..=max_games {
            let one = measure(&plan, at_once)?;
            progress.show(at_once as u64, || {
                format!("99.9 % within {}", show_time(one.times.p999))
            });
            measured.push(one);
        }
        progress.finish();
        let safe = measured.iter().take_while(|one| one.is_safe()).count();
        let mut out = anstream::stdout().lock();
        self.tell(cores, &measured, busy, safe, &mut out)?;
        if busy.is_some() {
            return Err(Failure::Silent);
        }
        save(&Calibration {
            version: VERSION,
            safe_games: safe,
            cores,
        })
    }

    fn tell(
        &self,
        cores: usize,
        measured: &[Measured],
        busy: Option<f64>,
        safe: usize,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        if self.json {
            let result = json!({
                "version": VERSION,
                "cores": cores,
                "measured": measured,
                "cores_of_others": busy,
                "safe_games": busy.is_none().then_some(safe),
            });
            return Ok(writeln!(out, "{result:#}")?);
        }
        let think = show_limit(self.think);
        writeln!(
            out,
            "{}; a bot that answers at once plays one that thinks {think}\n",
            counted(cores, "core")
        )?;
        let mut columns = times_columns(right("at once"));
        columns.push(left(""));
        let rows = measured.iter().map(|one| {
            let verdict = if one.is_safe() { "" } else { "too late" };
            let mut cells = times_cells(one.at_once.to_string(), &one.times);
            cells.push(verdict.into());
            cells
        });
        writeln!(out, "{}", TableForm::on_stdout().table(&columns, rows))?;
        match (busy, safe) {
            (Some(others), _) => writeln!(
                out,
                "no verdict: the machine is busy, other programs keep {others:.1} of its cores at work; end them and \
                 try again"
            )?,
            (None, 0) => writeln!(
                out,
                "not even one game at a time is safe here: give bots more time"
            )?,
            (None, 1) => writeln!(out, "one game at a time is safe")?,
            (None, _) => writeln!(out, "up to {safe} games at once are safe")?,
        }
        Ok(())
    }
}

/// How many games at once are safe here, as measured before; if that is unknown, it is measured from `at_once` down.
pub(super) fn safe_games(at_once: usize) -> Result<usize, Failure> {
    if let Some(calibration) = load() {
        return Ok(calibration.safe_games);
    }
    let plan = plan(Duration::from_millis(20), &BotOptions::default()).map_err(unusable)?;
    for at_once in (1..=at_once).rev() {
        if measure(&plan, at_once)?.is_safe() {
            return Ok(at_once);
        }
    }
    Ok(0)
}

/// How many games at once do not delay bots here.
pub(super) struct SafeGames {
    pub(super) at_once: usize,
    /// Whether `crownhead calibrate` has measured it. Otherwise it is estimated from the cores.
    pub(super) measured: bool,
}

/// What is known of that without measuring.
pub(super) fn safe_games_known() -> SafeGames {
    let measured = load();
    SafeGames {
        measured: measured.is_some(),
        at_once: measured.map_or_else(games_at_once, |measured| measured.safe_games),
    }
}

/// Prints a note if this many games at once are more than are known to be safe.
pub(super) fn warn_of_too_many(at_once: usize) {
    let safe = safe_games_known();
    let advice = match safe.measured {
        true => "as `crownhead calibrate` measured",
        false => "as far as is known; `crownhead calibrate` measures it",
    };
    let safe = safe.at_once;
    if at_once > safe {
        note(format_args!(
            "{at_once} games at once may make bots late. This machine is safe with {safe}, {advice}"
        ));
    }
}

/// One game for every two cores: a bot may use a second thread, and the referee needs a moment too.
pub(super) fn games_at_once() -> usize {
    (cores() / 2).max(1)
}

/// The stored measurement, if the number of cores is still the same.
fn load() -> Option<Calibration> {
    let text = read_text(&path()?).ok()?;
    let calibration: Calibration = serde_json::from_str(&text).ok()?;
    (calibration.version == VERSION && calibration.cores == cores()).then_some(calibration)
}

fn save(calibration: &Calibration) -> Result<(), Failure> {
    let path = path().context("there is no home folder to keep the result in")?;
    let write = || {
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        std::fs::write(&path, serde_json::to_vec(calibration)?)
    };
    write().with_context(|| format!("cannot keep the result in {}", path.display()))?;
    Ok(())
}

/// Where results are kept (XDG Base Directory Specification 0.8, `XDG_STATE_HOME`).
fn path() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(std::env::home_dir()?.join(".local/state")))?;
    Some(state.join("crownhead/calibration.json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use crownhead_record::totals::times;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        calibrate: Calibrate,
    }

    /// What is told of machines that answer within so many microseconds, with one game and with two at once.
    fn told(slowest: [u64; 2], busy: Option<f64>) -> String {
        let measured: Vec<Measured> = (1..)
            .zip(slowest)
            .map(|(at_once, slowest)| {
                let answers = (1..=200).map(|part| Duration::from_micros(slowest * part / 200));
                Measured {
                    at_once,
                    times: times(answers.collect()).expect("there are some"),
                }
            })
            .collect();
        let safe = measured.iter().filter(|one| one.is_safe()).count();
        let words = Words::parse_from(["calibrate"]);
        let mut text = Vec::new();
        words
            .calibrate
            .tell(2, &measured, busy, safe, &mut text)
            .expect("memory is written to");
        let text = String::from_utf8(text).expect("what is told is text");
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn a_calibration_tells_what_it_measured_and_how_many_games_are_safe() {
        insta::assert_snapshot!(told([900, 7_000], None));
        let last = |slowest, busy| told(slowest, busy).lines().last().map(str::to_string);
        let verdicts = [
            last([900, 1_200], None),
            last([9_000, 9_000], None),
            last([900, 900], Some(1.25)),
        ];
        insta::assert_debug_snapshot!(verdicts);
    }
}
