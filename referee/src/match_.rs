//! `crownhead match`: games between two bots, or a round robin of several.

use super::output::{ResultOptions, write_json};
use super::playing::{PlayingOptions, expect_starts};
use super::progress::{Progress, note};
use super::recorded::has_no_board;
use super::report;
#[cfg(feature = "browser")]
use super::serve::LiveMatch;
use super::watch::LiveScreen;
use crate::failure::{Failure, usage};
use crate::interrupts::{check, interrupts, raised_by_interrupts};
use anyhow::anyhow;
use clap::Args;
use crownhead_arena::headings::OUTPUT;
#[cfg(feature = "browser")]
use crownhead_arena::runner::RunProgress;
use crownhead_arena::runner::{MatchEnd, Watch, run_match};
use crownhead_bots::BoardGame;
use crownhead_record::StderrKept;
use crownhead_record::totals::{clusters, summarise};
use crownhead_stats::score_interval;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::IsTerminal;
use std::sync::atomic::Ordering;

const EXAMPLES: &str = "\
Examples:
  crownhead match ./my_bot
  crownhead match 'python3 my_bot.py' alphabeta --profile contest --games 100";

const NOTES: &str = "\
More examples:
  crownhead match ./new ./old --names new,old --record games.jsonl
  crownhead match ./my_bot 'alphabeta --nodes 20000' --openings 'random 6'
  crownhead match ./one ./other greedy alphabeta
  crownhead match ./my_bot ./other --referee contest.jar --league 4

Games are played in pairs: the same opening, colours swapped. The first bot has the first move in the first game of each \
pair. Three bots or more play a round robin. If a game has more than two players, each opening is played once for each \
player, with the seats rotated.

A match that ended early continues with --resume. Use the same command, bots, settings and seed.

Exit status: 0 the match ran; 1 it failed; 2 unusable arguments; 130 interrupted (129 by SIGHUP, 143 by SIGTERM). The \
games that were played before an interrupt are shown and recorded.";

/// Plays against a bot that is alone: stronger than random moves, and quick.
const DEFAULT_OPPONENT: &str = "greedy";

/// Play games between bots: scores, reasons for losses, answer times
#[derive(Debug, Args)]
#[command(
    override_usage = "crownhead match [OPTIONS] <BOT>...",
    before_help = EXAMPLES,
    after_long_help = NOTES
)]
pub(super) struct Match {
    /// A built-in bot (random, greedy, alphabeta) or a command
    ///
    /// A bot with options or arguments is one word in quotes, such as 'alphabeta --depth 6' or 'python3 my_bot.py'. One bot
    /// alone plays against `greedy`.
    #[arg(value_name = "BOT", num_args = 1.., required = true)]
    bots: Vec<String>,
    #[command(flatten)]
    options: MatchOptions,
}

/// Options of a match, of its bots and of its output.
#[derive(Debug, Args)]
pub(super) struct MatchOptions {
    /// Games to play, of each two bots
    ///
    /// Games are played in pairs, so an even number is fair. If a game has more than two players, each group of as many bots
    /// plays N games.
    #[arg(long, short, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Show the game under way on the terminal
    ///
    /// Games are played one at a time. The terminal shows the board, the clocks, and what the bots write on standard error.
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    /// Show the match in a browser
    ///
    /// Without --json or --markdown, the pages stay until Ctrl-C.
    #[cfg(feature = "browser")]
    #[arg(long)]
    serve: bool,
    #[command(flatten)]
    playing: PlayingOptions,
    #[command(flatten)]
    result: ResultOptions,
    /// Print the result with tables in Markdown
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT, hide_short_help = true)]
    markdown: bool,
}

impl Match {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match self.bots.as_slice() {
            // No built-in plays the game of an external referee.
            [bot] if !self.options.has_external_referee() => {
                self.options.run(&[bot.clone(), DEFAULT_OPPONENT.into()])
            }
            bots => self.options.run(bots),
        }
    }
}

impl MatchOptions {
    /// Plays the match of the bots that these words name.
    pub(super) fn run(&self, bots: &[String]) -> Result<(), Failure> {
        if self.watch && !std::io::stderr().is_terminal() {
            let problem = "`--watch` needs a terminal. Leave it out where standard error goes to a file or a pipe";
            return Err(usage(problem));
        }
        let earlier = self.result.earlier()?;
        let mut plan = self.playing.plan(bots, self.games, earlier.as_ref())?;
        if self.watch && plan.settings.contest.rules().is_none() {
            return Err(has_no_board("--watch"));
        }
        let players = plan.settings.contest.players() as u64;
        if players > 2 && !plan.games.is_multiple_of(2 * players) {
            note(format_args!(
                "{} games of {players} players: seats are even after {}, {} and so on",
                plan.games,
                2 * players,
                4 * players
            ));
        }
        let (interrupted, stop) = (interrupts()?, raised_by_interrupts()?);
        expect_starts(&plan, &interrupted)?;
        let mut record = self.result.open(&plan, None, earlier.as_ref())?;
        let mut games = earlier.map_or(Vec::new(), |earlier| earlier.games);
        let counted = games.iter().filter(|game| !game.replayed);
        let played: BTreeSet<u64> = counted.map(|game| game.number).collect();
        let all = plan.all_games();
        let mut progress = (!self.watch).then(|| Progress::new("games", Some(all)));
        let screen = self.watch.then(|| LiveScreen::new(plan.settings.limits));
        if self.watch {
            plan.concurrency = 1;
        }
        let mut watches: Vec<&dyn Watch> = Vec::new();
        watches.extend(screen.as_ref().map(|screen| screen as &dyn Watch));
        #[cfg(feature = "browser")]
        let mut live = self
            .serve
            .then(|| LiveMatch::start(&plan, &interrupted))
            .transpose()?;
        #[cfg(feature = "browser")]
        let live_run = live.as_ref().map(|live| live.run.clone());
        #[cfg(feature = "browser")]
        watches.extend(live_run.iter().map(|run| &**run as &dyn Watch));
        let watch = (!watches.is_empty()).then_some(&watches as &dyn Watch);
        #[cfg(feature = "browser")]
        if let Some(live) = &mut live {
            games.iter().try_for_each(|game| live.show(game))?;
        }
        let mut kept = Ok(());
        let Ok(end) = run_match::<Infallible>(&plan, &played, &stop, watch, |mut game| {
            if let Some(file) = record.as_mut().filter(|_| kept.is_ok()) {
                kept = file.add_all([&game]);
            }
            #[cfg(feature = "browser")]
            if let Some(live) = live.as_mut().filter(|_| kept.is_ok()) {
                kept = live.show(&game);
                live.run.tell(RunProgress {
                    unit: "games".into(),
                    done: games.len() as u64 + 1,
                    all,
                    sprt: None,
                });
            }
            // The games played so far are still shown.
            stop.fetch_or(kept.is_err(), Ordering::Relaxed);
            // Only the last words of a fault are shown. All of a long match may not fit into memory.
            game.keep_stderr(StderrKept::Faults, usize::MAX);
            games.push(game);
            let first = &plan.bots[0].name;
            if let Some(progress) = &mut progress {
                progress.show(games.len() as u64, || {
                    let score = score_interval(&clusters(&games, first));
                    score.map_or(String::new(), |score| {
                        format!("{first} {}", report::percent(&score))
                    })
                });
            }
            Ok(())
        });
        progress.iter().for_each(Progress::finish);
        screen.iter().for_each(LiveScreen::finish);
        games.sort_by_key(|game| game.number);

        let names: Vec<&str> = plan.bots.iter().map(|bot| bot.name.as_str()).collect();
        let summary = summarise(&games, &names);
        // After the last game, an interrupt ends only the page that shows the match.
        let ended = check(&interrupted);
        let mut result = Vec::new();
        if self.result.json {
            write_json(&mut result, &report::json(&plan, &summary, &games))?;
        } else {
            let form = self.result.form(self.markdown);
            report::write_table(&plan, &summary, &games, form, &mut result)?;
        }
        let printed = self.result.print(&result);
        if ended.is_err() || kept.is_err() {
            let (count, all) = (summary.games, plan.all_games());
            let told = format_args!("the match ended early, after {count} of {all} games");
            self.result.tell_how_to_resume(told);
        }
        ended?;
        printed?;
        kept?;
        if end == MatchEnd::RefereeFails {
            let spoiled = games.iter().rev().take_while(|game| game.scores.is_none());
            return Err(anyhow!(
                "the referee failed in {} games in a row, and the match has ended; the faults above tell why",
                spoiled.count()
            )
            .into());
        }
        if games.iter().all(|game| game.scores.is_none()) {
            return Err(anyhow!("no game could be rated; the faults above tell why").into());
        }
        // A program that reads the result waits for the end.
        #[cfg(feature = "browser")]
        if let Some(live) = live.filter(|_| !self.result.json && !self.markdown) {
            return live.wait();
        }
        Ok(())
    }

    fn has_external_referee(&self) -> bool {
        self.playing.options.referee.referee.is_some()
    }

    /// The game that is played.
    pub(super) fn game(&self) -> &'static dyn BoardGame {
        self.playing.options.game
    }
}
