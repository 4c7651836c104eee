//! `crownhead match`: games between two bots.

use super::Failure;
use super::calibrate::warn_of_too_many;
use super::conditions::{ConditionsOptions, tell_gaps};
use super::options::parse_time;
use super::report;
use crate::judge::TimeLimits;
use crate::ladder::{self, MatchPlan};
use crate::record::GameRecord;
use crate::seat::BotSpec;
use crate::stats::{score_interval, summarise};
use anyhow::Context;
use clap::Args;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead_bots::games::{GameName, InGame, Played, rules_of};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Play games between two bots and say who is better, why games ended, and how fast each answered
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead match ./my_bot alphabeta --games 10
  crownhead match 'python3 bot.py' 'alphabeta --nodes 20000' --games 100 --opening-plies 4
  crownhead match ./new ./old --name new --name old --record games.jsonl

Games are played in pairs: the same opening, colours swapped. The first bot has the first move in \
the first game of each pair.

Exit status: 0 when the match ran, 1 when it failed, 2 for unusable arguments, 130 when it was \
interrupted (the games played until then are shown and recorded).")]
pub(super) struct Match {
    /// A bot: a built-in's name (random, greedy, alphabeta) with its options, or a command line
    #[arg(
        value_name = "A",
        required = false,
        required_unless_present = "explain"
    )]
    #[arg(default_value_if("explain", clap::builder::ArgPredicate::IsPresent, ""))]
    a: String,
    /// Its opponent
    #[arg(
        value_name = "B",
        required = false,
        required_unless_present = "explain"
    )]
    #[arg(default_value_if("explain", clap::builder::ArgPredicate::IsPresent, ""))]
    b: String,
    /// What to call a bot; give it twice to name both
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Repeats openings and the built-ins' chance [default: by chance]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Begin with so many random moves, the same for both games of a pair
    #[arg(long, value_name = "K", default_value_t = 0)]
    opening_plies: u32,
    /// How many games at once [default: one for every two cores, so that nobody waits for a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// The time limit of a turn
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = parse_time)]
    time: Duration,
    /// The time limit of a bot's first turn
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    first_turn: Duration,
    /// Draw after so many turns, a turn being one side's move [default: as the rule book says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
    /// The game to play
    #[arg(long, value_name = "NAME", default_value = "checkers")]
    game: GameName,
    /// The rule book, for checkers contest or classroom [default: the game's first]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    #[command(flatten)]
    conditions: ConditionsOptions,
    /// Say in words how bots are judged under these options, and play nothing
    #[arg(long)]
    explain: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Write every game to this new file as it ends, one JSON object a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Match {
    pub(super) fn run(&self) -> Result<(), Failure> {
        struct PlayMatch<'a>(&'a Match);
        impl InGame for PlayMatch<'_> {
            type Output = Result<(), Failure>;
            fn run<G: Played>(self) -> Result<(), Failure> {
                if self.0.explain {
                    self.0.explain::<G>()
                } else {
                    self.0.play::<G>()
                }
            }
        }
        self.game.choose(PlayMatch(self))
    }

    fn play<G: Notation>(&self) -> Result<(), Failure> {
        let plan = self.plan::<G>()?;
        tell_gaps(&plan.conditions.room)?;
        warn_of_too_many(plan.concurrency);
        let mut record = self.record.as_ref().map(create).transpose()?;
        let interrupted = interrupts()?;
        let progress = Progress::new(&plan, self.json);
        let mut games = Vec::new();
        ladder::run::<G, anyhow::Error>(&plan, &interrupted, |game| {
            if let Some(file) = &mut record {
                serde_json::to_writer(&mut *file, &game)?;
                file.write_all(b"\n")?;
                // A game already played is never lost.
                file.flush()?;
            }
            games.push(game);
            progress.show(&games);
            Ok(())
        })
        .context("the match ended early")?;
        progress.finish();
        games.sort_by_key(|game| game.number);

        let names = plan.bots.each_ref().map(|bot| bot.name.as_str());
        let summary = summarise(&games, names);
        let mut out = anstream::stdout().lock();
        if self.json {
            let result = report::json(G::NAME, &plan, &summary, &games);
            serde_json::to_writer_pretty(&mut out, &result)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", report::table(G::NAME, &plan, &summary, &games))?;
        }
        if interrupted.load(Ordering::Relaxed) {
            Err(Failure::Interrupted)
        } else {
            Ok(())
        }
    }

    fn explain<G: Notation>(&self) -> Result<(), Failure> {
        let profile = self.conditions.conditions()?.profile;
        let turns = self.rules::<G>()?.length.max_turns;
        anstream::stdout().write_all(profile.explain(self.limits(), turns).as_bytes())?;
        Ok(())
    }

    fn limits(&self) -> TimeLimits {
        TimeLimits {
            first_turn: self.first_turn,
            turn: self.time,
        }
    }

    /// The rule book, with the limit on turns that is in force.
    fn rules<G: Notation>(&self) -> Result<RuleBook, Failure> {
        let mut rules = rules_of::<G>(self.rules.as_deref())
            .map_err(|problem| Failure::Usage(format!("--rules: {problem}")))?;
        rules.length.max_turns = self.max_turns.or(rules.length.max_turns);
        Ok(rules)
    }

    fn plan<G: Notation>(&self) -> Result<MatchPlan, Failure> {
        let bot = |words| BotSpec::parse(words).map_err(|error| Failure::Usage(error.to_string()));
        let mut bots = [bot(&self.a)?, bot(&self.b)?];
        if self.names.len() > 2 {
            return Err(Failure::Usage(
                "--name can be given twice at most: there are two bots".into(),
            ));
        }
        for (bot, name) in bots.iter_mut().zip(&self.names) {
            bot.name.clone_from(name);
        }
        tell_apart(&mut bots);
        let rules = self.rules::<G>()?;
        let plan = MatchPlan {
            bots,
            rules,
            limits: self.limits(),
            conditions: self.conditions.conditions()?,
            replay_suspect: self.conditions.replay_suspect,
            games: self.games,
            seed: self.seed.unwrap_or_else(rand::random),
            opening_plies: self.opening_plies,
            concurrency: self.concurrency.map_or_else(games_at_once, usize::from),
            crownhead: std::env::current_exe()
                .context("cannot find the program crownhead itself")?,
        };
        if let Some(why) = plan
            .conditions
            .profile
            .too_long(plan.limits, rules.length.max_turns)
        {
            return Err(Failure::Usage(why));
        }
        if plan.fixture::<G>(1).is_none() {
            return Err(Failure::Usage(format!(
                "--opening-plies {}: no game lasts that long; a dozen is plenty",
                self.opening_plies
            )));
        }
        Ok(plan)
    }
}

/// One game for every two cores: a bot may use a second thread, and the referee needs a moment too.
fn games_at_once() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
}

/// Two bots of one name are called by their places.
fn tell_apart(bots: &mut [BotSpec; 2]) {
    if bots[0].name == bots[1].name {
        bots[0].name.push_str(" (A)");
        bots[1].name.push_str(" (B)");
    }
}

fn create(path: &PathBuf) -> Result<BufWriter<File>, Failure> {
    match File::create_new(path) {
        Ok(file) => Ok(BufWriter::new(file)),
        Err(error) => Err(Failure::Usage(format!(
            "--record {}: {error}; games are written to a new file, so that no earlier ones are lost",
            path.display()
        ))),
    }
}

/// A flag that the first interrupt raises; the second one ends the program at once.
fn interrupts() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, interrupted.clone())?;
        signal_hook::flag::register(signal, interrupted.clone())?;
    }
    Ok(interrupted)
}

/// The live line: games, score, time left. Only on a terminal.
struct Progress {
    bar: ProgressBar,
    name: String,
}

impl Progress {
    fn new(plan: &MatchPlan, quiet: bool) -> Progress {
        let bar = if quiet {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(plan.games)
        };
        let style = "{bar:30} {pos} of {len} games   {msg}   {eta} left";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress {
            bar,
            name: plan.bots[0].name.clone(),
        }
    }

    fn show(&self, games: &[GameRecord]) {
        if self.bar.is_hidden() {
            return;
        }
        let clusters = crate::stats::clusters(games, &self.name);
        if let Some(score) = score_interval(&clusters) {
            self.bar
                .set_message(format!("{} {}", self.name, report::percent(&score)));
        }
        self.bar.set_position(games.len() as u64);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::tell_apart;
    use crate::seat::BotSpec;

    #[test]
    fn two_bots_of_one_name_are_told_apart() {
        let mut bots = [
            BotSpec::parse("random").unwrap(),
            BotSpec::parse("random").unwrap(),
        ];
        tell_apart(&mut bots);
        assert_eq!(bots.map(|bot| bot.name), ["random (A)", "random (B)"]);
    }
}
