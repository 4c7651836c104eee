//! `crownhead match`: games between two bots, or a round robin of several.

use super::output::{ResultOptions, write_json};
use super::playing::PlayingOptions;
use super::progress::{Progress, note};
use super::report;
use super::run::Run;
use crate::failure::Failure;
use anyhow::anyhow;
use clap::Args;
use crownhead_arena::runner::{RunProgress, run_match};
use crownhead_record::StderrKept;
use crownhead_record::totals::{clusters, summarise};
use crownhead_stats::score_interval;
use std::collections::BTreeSet;

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
    /// Games to play, of each two bots
    ///
    /// Games are played in pairs, so an even number is fair. If a game has more than two players, each group of as many bots
    /// plays N games.
    #[arg(long, short, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    playing: PlayingOptions,
    #[command(flatten)]
    result: ResultOptions,
}

impl Match {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut bots = self.bots.clone();
        // No built-in plays the game of an external referee.
        if bots.len() == 1 && self.playing.options.referee.referee.is_none() {
            bots.push(DEFAULT_OPPONENT.into());
        }
        let earlier = self.result.earlier()?;
        let mut plan = self.playing.plan(&bots, self.games, earlier.as_ref())?;
        let players = plan.settings.contest.players() as u64;
        if players > 2 && !plan.games.is_multiple_of(2 * players) {
            note(format_args!(
                "{} games of {players} players: seats are even after {}, {} and so on",
                plan.games,
                2 * players,
                4 * players
            ));
        }
        let mut run = Run::start(&self.result, &mut plan, None, earlier.as_ref())?;
        let mut games = earlier.map_or(Vec::new(), |earlier| earlier.games);
        let counted = games.iter().filter(|game| !game.replayed);
        let played: BTreeSet<u64> = counted.map(|game| game.number).collect();
        let all = plan.all_games();
        let mut progress = Progress::new("games", Some(all));
        let (watch, stop) = (run.watch(), run.stop.clone());
        let told = |done: usize| RunProgress {
            unit: "games".into(),
            done: done as u64,
            all,
            sprt: None,
        };
        run.show(&games, Some(told(games.len())));
        let referee_fails = run_match(&plan, &played, &stop, watch.as_deref(), |mut game| {
            run.keep([&game]);
            run.show([&game], Some(told(games.len() + 1)));
            // Only the last words of a fault are shown. All of a long match may not fit into memory.
            game.keep_stderr(StderrKept::Faults, usize::MAX);
            games.push(game);
            let first = &plan.bots[0].spec.name;
            progress.show(games.len() as u64, || {
                let score = score_interval(&clusters(&games, first));
                score.map_or(String::new(), |score| {
                    format!("{first} {}", report::percent(&score))
                })
            });
        });
        progress.finish();
        games.sort_by_key(|game| game.number);

        let names: Vec<&str> = plan.bots.iter().map(|bot| bot.spec.name.as_str()).collect();
        let summary = summarise(&games, &names);
        let mut result = Vec::new();
        if self.result.json {
            write_json(&mut result, &report::json(&plan, &summary, &games))?;
        } else {
            report::write_table(&plan, &summary, &games, &mut result)?;
        }
        let played = format_args!(
            "the match ended early, after {} of {all} games",
            summary.games
        );
        run.end(&result, false, played)?;
        if referee_fails {
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
        run.wait()
    }
}
