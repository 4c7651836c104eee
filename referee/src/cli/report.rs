//! What a match prints when it is over.

use super::table::{header, left, right, row, times_cells, times_columns, widest};
use super::words::{paragraph, place_of_fault, write_last_words};
use crate::record::GameRecord;
use crate::runner::MatchPlan;
use crate::stats::{BotSummary, Interval, MatchSummary, Tally};
use crownhead::board::Side;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::io::{self, Write};

/// Lost games that are explained one by one; more are only counted.
const EXPLAINED: usize = 10;

/// The result as a table for people.
pub(super) fn write_table(
    game: &str,
    plan: &MatchPlan,
    summary: &MatchSummary,
    games: &[GameRecord],
    out: &mut impl Write,
) -> io::Result<()> {
    let bold = anstyle::Style::new().bold();
    writeln!(
        out,
        "{} games of {} {game}, {} a turn, {} at once, seed {}\n",
        summary.games,
        plan.settings.rules.name,
        humantime::format_duration(plan.settings.limits.turn),
        plan.concurrency,
        plan.settings.seed
    )?;
    let width = widest(summary.bots.iter().map(|bot| bot.name.as_str()), "bot");
    let [black, white] =
        Side::BOTH.map(|side| format!("as {}", plan.settings.rules.side_name(side)));
    let columns = [
        left(0, width, "bot"),
        right(2, 24, "score     95 % interval"),
        right(3, 3, "won"),
        right(1, 5, "drawn"),
        right(1, 4, "lost"),
        right(3, 12, &black),
        right(3, 12, &white),
    ];
    writeln!(out, "{}", header(&columns))?;
    for bot in &summary.bots {
        let score = bot
            .score
            .as_ref()
            .map_or_else(|| "no score yet".into(), percent_columns);
        let total = bot.total();
        let tally = |tally: &Tally| format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        let cells = [
            bot.name.clone(),
            score,
            total.wins.to_string(),
            total.draws.to_string(),
            total.losses.to_string(),
            tally(&bot.as_black),
            tally(&bot.as_white),
        ];
        writeln!(out, "{}", row(&columns, cells))?;
    }
    let columns = times_columns(left(0, width, "answered in"));
    writeln!(out, "\n{}", header(&columns))?;
    for bot in &summary.bots {
        if let Some(times) = &bot.times {
            writeln!(
                out,
                "{}",
                row(&columns, times_cells(bot.name.clone(), times))
            )?;
        }
    }
    for bot in summary.bots.iter().filter(|bot| !bot.said.is_empty()) {
        writeln!(
            out,
            "\n{bold}said{bold:#}  {}: {}",
            bot.name,
            said_on_average(bot)
        )?;
    }
    let ended = ended_by(&summary.terminations);
    writeln!(out, "\n{bold}ended by{bold:#}  {ended}")?;
    if summary.unrated > 0 {
        writeln!(
            out,
            "not rated  {} (played again, or the referee failed or was interrupted)",
            summary.unrated
        )?;
    }
    let repeated = repeated(games);
    if repeated > 0 {
        writeln!(
            out,
            "repeated   {repeated} (the moves of another game: they tell nothing new; --openings makes games differ)"
        )?;
    }
    write_faults(games, out)
}

/// Numbers that a bot said which are shown; `--json` has all.
const NUMBERS_SHOWN: usize = 6;

/// What a bot said about itself: `depth 14.2, nodes 412345, score 3.1 on average; 4.61 million nodes a second`.
fn said_on_average(bot: &BotSummary) -> String {
    let shown = bot.said.iter().take(NUMBERS_SHOWN);
    let means = shown.map(|(name, said)| match said.mean.abs() {
        1000.0.. => format!("{name} {:.0}", said.mean),
        _ => format!("{name} {:.1}", said.mean),
    });
    let mut text = means.collect::<Vec<_>>().join(", ") + " on average";
    if let Some(speed) = bot.nodes_per_second {
        text += &format!("; {:.2} million nodes a second", speed / 1e6);
    }
    text
}

/// How often games ended in which way: `no legal move 7, timeout 1`.
pub(super) fn ended_by(terminations: &BTreeMap<impl Display, u64>) -> String {
    let counts = terminations
        .iter()
        .map(|(how, count)| format!("{how} {count}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// How many games are the same as an earlier one of the same bots, move by move.
fn repeated<'a>(games: &'a [GameRecord]) -> usize {
    let moves = |game: &'a GameRecord| {
        let replies: Vec<_> = game.turns.iter().map(|turn| &turn.reply).collect();
        (&game.black.name, &game.start, &game.opening, replies)
    };
    let different: HashSet<_> = games.iter().map(moves).collect();
    games.len() - different.len()
}

/// The games that a bot lost by its own fault, or that are void, with the reason.
fn write_faults(games: &[GameRecord], out: &mut impl Write) -> io::Result<()> {
    let faulty: Vec<&GameRecord> = games
        .iter()
        .filter(|game| !game.termination.is_regular())
        .collect();
    if faulty.is_empty() {
        return Ok(());
    }
    let bold = anstyle::Style::new().bold();
    writeln!(out, "\n{bold}faults{bold:#}")?;
    for game in faulty.iter().take(EXPLAINED) {
        let again = if game.replayed {
            "; it was played again"
        } else {
            ""
        };
        let place = place_of_fault(game);
        let told = format!("{place}: {}{again}", game.reason);
        writeln!(out, "{}", paragraph("  ", &told))?;
        write_last_words(game, out)?;
    }
    if faulty.len() > EXPLAINED {
        writeln!(
            out,
            "  and {} more; --record keeps them all",
            faulty.len() - EXPLAINED
        )?;
    }
    let suspect = faulty
        .iter()
        .filter(|game| game.suspect && !game.replayed)
        .count();
    if suspect > 0 {
        writeln!(
            out,
            "{suspect} of them may be the machine's fault: try fewer games at once, --clock fair or --replay-suspect"
        )?;
    }
    Ok(())
}

/// A score in percent with its interval: `98.5 % (95.2 to 99.6)`.
pub(super) fn percent(score: &Interval) -> String {
    let [score, low, high] = [score.score, score.low, score.high].map(|part| part * 100.0);
    format!("{score:.1} % ({low:.1} to {high:.1})")
}

fn percent_columns(score: &Interval) -> String {
    let [score, low, high] = [score.score, score.low, score.high].map(|part| part * 100.0);
    format!("{score:>5.1} %   {low:>5.1} to {high:>5.1}")
}

/// The result as one JSON object.
pub(super) fn json(
    game: &str,
    plan: &MatchPlan,
    summary: &MatchSummary,
    games: &[GameRecord],
) -> Value {
    let faults = games
        .iter()
        .filter(|game| !game.termination.is_regular())
        .map(|game| {
            json!({
                "game": game.number,
                "turn": game.opening.len() + game.turns.len(),
                "result": game.result,
                "termination": game.termination,
                "reason": game.reason,
                "suspect": game.suspect,
                "replayed": game.replayed,
            })
        });
    json!({
        "version": 1,
        "game": game,
        "rules": plan.settings.rules.name,
        "limits": plan.settings.limits,
        "max_turns": plan.settings.rules.length.max_turns,
        "seed": plan.settings.seed,
        "openings": plan.openings.source().to_string(),
        "concurrency": plan.concurrency,
        "games": summary.games,
        "unrated": summary.unrated,
        "repeated": repeated(games),
        "bots": summary.bots.each_ref().map(bot_json),
        "terminations": summary.terminations,
        "faults": faults.collect::<Vec<_>>(),
    })
}

fn bot_json(bot: &BotSummary) -> Value {
    let mut value = serde_json::to_value(bot).expect("a summary is plain data");
    value["total"] = json!(bot.total());
    value
}
