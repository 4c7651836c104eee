//! `crownhead ladder run`: plays what is left, and shows how it goes.

use super::super::calibrate::warn_of_too_many;
use super::super::playing::warn_left_out;
use super::super::progress::Progress;
#[cfg(feature = "browser")]
use super::super::serve::{LinkTo, RunServer, open_site};
use super::super::table_form::TableForm;
use super::super::words::{fault_with_words, wrapped_lines};
use super::folder_command::FolderCommand;
use super::standings::table;
use crate::conditions::warn_missing;
use crate::failure::{Failure, usage};
use crate::interrupts::{check, interrupts};
use clap::Args;
use crownhead_ladder::{Config, Folder, Progress as LadderProgress, TimeLeft, run_ladder};
use crownhead_record::GameRecord;
use crownhead_record::Termination;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead ladder run night

The run can be interrupted or killed at any moment: no finished pair is lost, none is played again. \
Run it several times at once to share the work. It takes up bots that are added, retired, disabled or enabled \
meanwhile.

Exit status: 0 when all pairs are played, 1 when it failed, 2 for an unusable configuration, 130 when it was \
interrupted.")]
pub(super) struct Run {
    /// Let bots that have changed play on as new versions, rated apart
    #[arg(long)]
    accept_changes: bool,
    /// Show the ladder in a browser while it is played, and then until it is interrupted
    #[cfg(feature = "browser")]
    #[arg(long)]
    serve: bool,
}

impl FolderCommand for Run {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config()?;
        expect_two_bots(folder, &config)?;
        warn_missing(&folder.settings(&config)?.conditions)?;
        warn_of_too_many(config.concurrency);
        warn_left_out(&folder.openings(&config)?);
        let interrupted = interrupts()?;
        #[cfg(feature = "browser")]
        let server = match self.serve {
            true => Some(RunServer::start(
                open_site(folder.path())?,
                &interrupted,
                LinkTo::Stdout,
            )),
            false => None,
        };
        let mut view = View::new();
        let mut is_announced = false;
        let mut show = |progress: &LadderProgress<'_>| {
            if !is_announced && progress.games == 0 && progress.left > 0 {
                is_announced = true;
                view.tell(&announcement(progress, config.concurrency));
            }
            view.show(progress);
            Ok(())
        };
        run_ladder(folder, self.accept_changes, &interrupted, &mut show)?;
        check(&interrupted)?;
        #[cfg(feature = "browser")]
        if let Some(server) = server {
            return server.wait();
        }
        Ok(())
    }
}

/// # Errors
/// When there are no two bots to play.
fn expect_two_bots(folder: &Folder, config: &Config) -> Result<(), Failure> {
    let (disabled, path) = (
        folder.read_store()?.bot_states()?.disabled,
        folder.path().display(),
    );
    let is_disabled = |name: &String| disabled.iter().any(|(disabled, _)| disabled == name);
    let listed = config.bots.iter().filter(|bot| !bot.retired);
    let (out, playing): (Vec<_>, Vec<_>) = listed.partition(|bot| is_disabled(&bot.name));
    if playing.len() >= 2 {
        return Ok(());
    }
    let way = match out.first() {
        Some(bot) => format!(
            "Let {0} play again: `crownhead ladder enable {path} {0}`",
            bot.name
        ),
        None => format!("Add one: `crownhead ladder add {path} NAME COMMAND`"),
    };
    let count = ["no bot", "one bot"][playing.len()];
    Err(usage(format_args!(
        "{path} has {count} to play; two are needed. {way}"
    )))
}

/// The table and the games under way on a terminal; plain lines elsewhere. At the end it leaves how the run stands then.
pub(crate) struct View {
    line: Progress,
    drawn: Option<Instant>,
    /// The last plain line, and what it has counted.
    told: Option<(Instant, String)>,
    /// How many faults were shown, by bot and kind.
    faults: HashMap<(String, Termination), u32>,
}

/// Faults of one bot and kind that are shown; `ladder games --faults` lists them all.
const FAULTS_SHOWN: u32 = 2;

/// How often the table is drawn anew: it is fitted from all games.
const REDRAW: Duration = Duration::from_millis(500);
const PLAIN_LINES: Duration = Duration::from_secs(30);

impl View {
    pub(crate) fn new() -> View {
        View {
            line: Progress::new("pairs", None),
            drawn: None,
            told: None,
            faults: HashMap::new(),
        }
    }

    /// Shows what it is given.
    pub(crate) fn shown(&mut self) -> impl FnMut(&LadderProgress<'_>) -> anyhow::Result<()> {
        |progress| {
            self.show(progress);
            Ok(())
        }
    }

    fn show(&mut self, progress: &LadderProgress<'_>) {
        if let Some(news) = &progress.news {
            self.tell(news);
        }
        for game in &progress.faults {
            self.tell_fault(game);
        }
        if !self.line.is_drawn() {
            self.show_plain(progress);
        } else if progress.is_last {
            self.line.finish_with(&picture(progress));
        } else if self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            self.drawn = Some(Instant::now());
            self.line.show(progress.finished(), || picture(progress));
        }
    }

    fn show_plain(&mut self, progress: &LadderProgress<'_>) {
        let counts = counts(progress);
        let is_over = progress.left == 0 || progress.is_last;
        let is_due = match &self.told {
            None => true,
            Some((_, told)) if is_over => *told != counts,
            Some((at, _)) => at.elapsed() >= PLAIN_LINES,
        };
        if is_due {
            self.line.tell(&line(progress));
            self.told = Some((Instant::now(), counts));
        }
    }

    /// Lines that stay.
    fn tell(&mut self, text: &str) {
        if self.line.is_drawn() {
            self.line.tell(&wrapped_lines(text))
        } else {
            self.line.tell(text)
        }
    }

    fn tell_fault(&mut self, game: &GameRecord) {
        let Some(player) = game.decisive_player() else {
            return;
        };
        let name = player.name.clone();
        let kind = game.termination;
        let shown = self.faults.entry((name.clone(), kind)).or_default();
        *shown += 1;
        match (*shown).cmp(&(FAULTS_SHOWN + 1)) {
            Ordering::Less => self.tell(&fault_with_words(game)),
            Ordering::Equal => self.tell(&format!(
                "{name}: one more {kind}; more of them are not shown, `crownhead ladder games --faults` lists all"
            )),
            Ordering::Greater => {}
        }
    }
}

/// "190 pairs left, about 3 h 10 min with 2 games at once".
fn announcement(progress: &LadderProgress<'_>, at_once: usize) -> String {
    let counted = |count: u64, one: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let pairs = counted(progress.left, "pair");
    let games = counted(at_once as u64, "game");
    match progress.time_left() {
        Some(TimeLeft::About(time)) => {
            format!("{pairs} left, about {} with {games} at once", rough(time))
        }
        Some(TimeLeft::AtMost(time)) => {
            format!("{pairs} left, at most {} with {games} at once", rough(time))
        }
        None => format!("{pairs} left, {games} at once"),
    }
}

/// A time in the two units that matter.
fn rough(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0..2) => format!("{} s", seconds.max(1)),
        (0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// The table, the pairs under way and the line below.
fn picture(progress: &LadderProgress<'_>) -> String {
    let pairs = progress.under_way.iter();
    let pairs: Vec<String> = pairs
        .map(|[one, other]| format!("{one} : {other}"))
        .collect();
    let mut below = line(progress);
    if !pairs.is_empty() {
        below = format!("playing  {}\n{below}", pairs.join("   "));
    }
    let standings = table(&progress.standings(), TableForm::Terminal);
    format!("{standings}\n{}", wrapped_lines(&below))
}

/// "18 pairs finished, 2 of them void, 0 left".
fn counts(progress: &LadderProgress<'_>) -> String {
    let (finished, left) = (progress.finished(), progress.left);
    let void = match progress.void() {
        0 => String::new(),
        void => format!("{void} of them void, "),
    };
    format!("{finished} pairs finished, {void}{left} left")
}

/// "120 pairs finished, 30 left; 3600 games an hour, 1m left"; at the end, how much of the time was the bots'
/// instead.
fn line(progress: &LadderProgress<'_>) -> String {
    let counts = counts(progress);
    if progress.games == 0 {
        return counts;
    }
    let hours = progress.elapsed.as_secs_f64() / 3600.0;
    let speed = progress.games as f64 / hours;
    let time = if progress.left == 0 || progress.is_last {
        let share = progress.thinking.as_secs_f64() / progress.seats_time().as_secs_f64();
        format!("{:.1} % of the time spent waiting for bots", 100.0 * share)
    } else {
        let left = Duration::from_secs((2.0 * progress.left as f64 / speed * 3600.0) as u64);
        format!("{} left", humantime::format_duration(left))
    };
    format!("{counts}; {speed:.0} games an hour, {time}")
}

#[cfg(test)]
mod tests {
    use super::rough;
    use std::time::Duration;

    #[test]
    fn a_long_time_is_told_in_two_units() {
        let told = |seconds| rough(Duration::from_secs(seconds));
        let times = [0, 43, 119, 283, 3600, 11_400].map(told);
        let expected = [
            "1 s",
            "43 s",
            "119 s",
            "4 min 43 s",
            "1 h 0 min",
            "3 h 10 min",
        ];
        assert_eq!(times, expected);
    }
}
