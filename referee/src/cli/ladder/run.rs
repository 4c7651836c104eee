//! `crownhead ladder run`: plays what is left, and shows how it goes.

use super::super::calibrate::warn_of_too_many;
use super::super::playing::{interrupts, warn_missing};
use super::super::progress::progress_bar;
use super::super::{Failure, usage};
use super::WithLadder;
use super::bots::enable;
use super::standings::table;
use crate::ladder::{Folder, Progress, RunOptions, run_ladder};
use clap::Args;
use crownhead_bots::games::Played;
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
#[command(after_help = "\
The run can be interrupted or killed at any moment: no finished pair is lost, none is played again. \
Run it several times at once to share the work. It takes up bots that are added, retired, disabled or enabled \
meanwhile.

Exit status: 0 when all pairs are played, 1 when it failed, 2 for an unusable configuration, 130 when it was \
interrupted.")]
pub(super) struct Run {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// Let bots that have changed play on as new versions, rated apart
    #[arg(long)]
    accept_changes: bool,
    /// Enable a bot first, as `ladder enable` does
    #[arg(long, value_name = "NAME", hide = true)]
    unbench: Vec<String>,
}

impl WithLadder for Run {
    fn run<G: Played>(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config::<G>()?;
        warn_missing(&folder.settings(&config)?.conditions.sandbox)?;
        warn_of_too_many(config.concurrency);
        if !self.unbench.is_empty() {
            enable(folder, &self.unbench).map_err(|why| usage(format!("--unbench {why}")))?;
        }
        let interrupted = interrupts()?;
        let mut view = View {
            bar: progress_bar(false, None, "{msg}"),
            drawn: None,
            told: None,
        };
        let options = RunOptions {
            accept_changes: self.accept_changes,
        };
        run_ladder::<G>(folder, options, &interrupted, |progress| {
            view.show(progress);
            Ok(())
        })?;
        view.bar.finish();
        if interrupted.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        Ok(())
    }
}

/// The table and the games under way on a terminal; plain lines elsewhere.
struct View {
    bar: ProgressBar,
    drawn: Option<Instant>,
    /// The last plain line, and the pairs finished then.
    told: Option<(Instant, u64)>,
}

/// How often the table is drawn anew: it is fitted from all games.
const REDRAW: Duration = Duration::from_millis(500);
const PLAIN_LINES: Duration = Duration::from_secs(30);

impl View {
    fn show(&mut self, progress: &Progress<'_>) {
        if let Some(news) = &progress.news {
            match self.bar.is_hidden() {
                false => self.bar.println(news),
                true => anstream::eprintln!("{news}"),
            }
        }
        if self.bar.is_hidden() {
            let due = match self.told {
                None => true,
                Some((_, finished)) if progress.left == 0 => finished < progress.finished(),
                Some((told, _)) => told.elapsed() >= PLAIN_LINES,
            };
            if due {
                self.told = Some((Instant::now(), progress.finished()));
                anstream::eprintln!("{}", line(progress));
            }
        } else if self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            self.drawn = Some(Instant::now());
            let pairs = progress.under_way.iter();
            let playing: Vec<String> = pairs
                .map(|[one, other]| format!("{one} : {other}"))
                .collect();
            self.bar.set_message(format!(
                "{}\nplaying  {}\n{}",
                table(&progress.standings()),
                playing.join("   "),
                line(progress)
            ));
        }
    }
}

/// "120 pairs finished, 30 left; 3600 games an hour, 1m left"; at the end, how much of the time was the bots'
/// instead.
fn line(progress: &Progress<'_>) -> String {
    let hours = progress.elapsed.as_secs_f64() / 3600.0;
    let speed = progress.games as f64 / hours;
    let time = match progress.left {
        0 => {
            let share = progress.thinking.as_secs_f64() / progress.seats_time().as_secs_f64();
            format!("{:.1} % of the time spent waiting for bots", 100.0 * share)
        }
        left => {
            let left = Duration::from_secs((2.0 * left as f64 / speed * 3600.0) as u64);
            format!("{} left", humantime::format_duration(left))
        }
    };
    let time = match progress.games {
        0 => String::new(),
        _ => format!("; {speed:.0} games an hour, {time}"),
    };
    format!(
        "{} pairs finished, {} left{time}",
        progress.finished(),
        progress.left
    )
}
