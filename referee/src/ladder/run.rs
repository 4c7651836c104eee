//! `crownhead ladder run`: plays the remaining games and shows the progress.

use super::super::output::write_json;
use super::super::progress::{Progress, tell};
use super::super::report::count_pairs;
use super::super::serve::{RunServer, open_site};
use super::super::table::{stderr_screen, stdout_screen};
use super::super::words::{fault_with_words, wrapped_lines};
use super::FolderCommand;
use super::standings::{standings_of, table};
use crate::conditions::{warn_missing, warn_of_too_many};
use crate::failure::{Failure, usage};
use crate::interrupts::{check, interrupts};
use clap::Args;
use crownhead_ladder::{Config, Folder, Progress as LadderProgress, run_ladder};
use crownhead_record::numbers::{counted, show_count, show_estimate, show_time};
use crownhead_record::{GameRecord, Termination};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead ladder run night
  crownhead ladder run night --serve",
    after_long_help = "\
You can interrupt or kill the run at any moment: no finished pair is lost, and none is played again. Several runs at once \
share the work. A run notices bots that are added, retired, disabled or enabled while it plays.

Exit status: 0 all pairs are played; 1 it failed; 2 unusable configuration; 130 interrupted."
)]
pub(super) struct Run {
    /// Accept changed bots as new versions with their own ratings
    #[arg(long)]
    accept_changes: bool,
    /// Print the standings as one JSON object at the end
    #[arg(long)]
    json: bool,
    /// Show the ladder in a browser
    ///
    /// Without --json, the pages stay until Ctrl-C.
    #[arg(long)]
    serve: bool,
}

impl FolderCommand for Run {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config()?;
        expect_bots(folder, &config)?;
        warn_missing(&folder.settings(&config)?.conditions)?;
        warn_of_too_many(config.concurrency);
        let interrupted = interrupts()?;
        let server = match self.serve {
            true => Some(RunServer::start(open_site(folder.path())?, &interrupted)),
            false => None,
        };
        let mut view = View::new(!self.json);
        let mut is_announced = false;
        let mut show = |progress: &LadderProgress<'_>| {
            if !is_announced && progress.games == 0 && progress.left > 0 {
                is_announced = true;
                view.tell(&announcement(progress, config.concurrency));
            }
            view.show(progress)
        };
        run_ladder(folder, self.accept_changes, &interrupted, &mut show)?;
        if self.json {
            write_json(&mut anstream::stdout(), &standings_of(folder)?.0)?;
        }
        check(&interrupted)?;
        if let Some(server) = server.filter(|_| !self.json) {
            return server.wait();
        }
        Ok(())
    }
}

/// # Errors
/// When there are fewer bots to play than a game has players.
fn expect_bots(folder: &Folder, config: &Config) -> Result<(), Failure> {
    let (disabled, path) = (
        folder.read_store()?.bot_states()?.disabled,
        folder.path().display(),
    );
    let is_disabled = |name: &String| disabled.iter().any(|(disabled, _)| disabled == name);
    let listed = config.bots.iter().filter(|bot| !bot.retired);
    let (out, playing): (Vec<_>, Vec<_>) = listed.partition(|bot| is_disabled(&bot.name));
    let players = config.players();
    if playing.len() >= players {
        return Ok(());
    }
    let way = match out.first() {
        Some(bot) => format!(
            "Let {0} play again: `crownhead ladder enable {path} {0}`",
            bot.name
        ),
        None => format!("Add one: `crownhead ladder add {path} NAME COMMAND`"),
    };
    let count = match playing.len() {
        0 => "no bot".into(),
        1 => "one bot".into(),
        more => format!("{more} bots"),
    };
    let needed = match players {
        2 => "two are needed".into(),
        _ => format!("games of {players} players need at least {players} bots"),
    };
    Err(usage(format_args!(
        "{path} has {count} to play; {needed}. {way}"
    )))
}

/// The table and the games under way on a terminal, plain lines elsewhere. At the end, the table goes to standard output.
pub(crate) struct View {
    line: Progress,
    drawn: Option<Instant>,
    /// The last plain line, and its counts.
    told: Option<(Instant, String)>,
    /// How many faults were shown, by bot and kind.
    faults: HashMap<(String, Termination), u32>,
    /// Whether the table is printed at the end.
    prints_table: bool,
}

/// Faults of one bot and kind that are shown; `replay --list --termination fault` lists them all.
const FAULTS_SHOWN: u32 = 2;

/// How often the table is drawn anew: it is fitted from all games.
const REDRAW: Duration = Duration::from_millis(500);
const PLAIN_LINES: Duration = Duration::from_secs(30);

impl View {
    pub(crate) fn new(prints_table: bool) -> View {
        View {
            line: Progress::new("pairs", None),
            drawn: None,
            told: None,
            faults: HashMap::new(),
            prints_table,
        }
    }

    pub(crate) fn show(&mut self, progress: &LadderProgress<'_>) -> io::Result<()> {
        if let Some(news) = &progress.news {
            self.tell(news);
        }
        for game in &progress.faults {
            self.tell_fault(game);
        }
        if progress.is_last && self.prints_table {
            self.line.finish();
            let standings = progress.standings();
            write!(anstream::stdout(), "{}", table(&standings, stdout_screen()))?;
        }
        if !self.line.is_drawn() {
            self.show_plain(progress);
        } else if progress.is_last {
            self.line.finish();
            tell(line(progress));
        } else if self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            self.drawn = Some(Instant::now());
            self.line.show(progress.finished(), || picture(progress));
        }
        Ok(())
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
                "{name}: one more {kind}; more of them are not shown; `crownhead replay LADDER --list --termination fault` lists all"
            )),
            Ordering::Greater => {}
        }
    }
}

/// "190 pairs left, about 3 h 10 min with 2 games at once".
fn announcement(progress: &LadderProgress<'_>, at_once: usize) -> String {
    let pairs = count_pairs(progress.left, progress.players());
    let games = counted(at_once, "game");
    match progress.time_left() {
        Some(time) => format!(
            "{pairs} left, about {} with {games} at once",
            show_estimate(time)
        ),
        None => format!("{pairs} left, {games} at once"),
    }
}

/// The table, the pairs under way and the line below.
fn picture(progress: &LadderProgress<'_>) -> String {
    let pairs = progress.under_way.iter();
    let pairs: Vec<String> = pairs.map(|bots| bots.join(" : ")).collect();
    let mut below = line(progress);
    if !pairs.is_empty() {
        below = format!("playing  {}\n{below}", pairs.join("   "));
    }
    let standings = table(&progress.standings(), stderr_screen());
    format!("{standings}\n{}", wrapped_lines(&below))
}

/// "18 pairs finished, 2 of them void, 0 left".
fn counts(progress: &LadderProgress<'_>) -> String {
    let finished = count_pairs(progress.finished(), progress.players());
    let void = match progress.void() {
        0 => String::new(),
        void => format!("{} of them void, ", show_count(void)),
    };
    format!(
        "{finished} finished, {void}{} left",
        show_count(progress.left)
    )
}

/// "120 pairs finished, 30 left; 3,600 games an hour, 12 s left"; at the end, the time that the run took.
fn line(progress: &LadderProgress<'_>) -> String {
    let counts = counts(progress);
    if progress.games == 0 {
        return counts;
    }
    let speed = progress.games as f64 / progress.elapsed.as_secs_f64();
    let time = if progress.left == 0 || progress.is_last {
        show_time(progress.elapsed)
    } else {
        let left =
            Duration::from_secs_f64(progress.players() as f64 * progress.left as f64 / speed);
        format!("{} left", show_estimate(left))
    };
    let an_hour = show_count((speed * 3600.0).round());
    format!("{counts}; {an_hour} games an hour, {time}")
}
