//! What a match prints when it is over.

use super::options::{show_rating, show_time};
use super::table::{crosstable, left, right, table, times_cells, times_columns};
use super::words::{paragraph, place_of_fault, write_last_words};
use crownhead::board::Side;
use crownhead_arena::runner::MatchPlan;
use crownhead_record::GameRecord;
use crownhead_record::stats::{BotSummary, Elo, GivenBack, Interval, MatchSummary, Tally};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::io::{self, Write};

/// Lost games that are explained one by one; more are only counted.
pub(super) const EXPLAINED: usize = 10;

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
    let [black, white] =
        Side::BOTH.map(|side| format!("as {}", plan.settings.rules.side_name(side)));
    let several = summary.bots.len() > 2;
    let mut columns = vec![left("bot")];
    if several {
        columns.extend([right("rating"), right("±")]);
    }
    columns.extend(["score", "95 % interval", "won", "drawn", "lost"].map(right));
    if !several {
        columns.extend([black.as_str(), &white].map(right));
    }
    let rows = summary.bots.iter().map(|bot| {
        let mut cells = vec![bot.name.clone()];
        if several {
            let rating = bot.rating.map(|rating| rating.map(show_rating));
            cells.extend(rating.unwrap_or_else(|| ["-", "-"].map(String::from)));
        }
        let score = bot.score.map_or(["-".into(), "-".into()], percent_cells);
        let total = bot.total();
        let tally = |tally: &Tally| format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        cells.extend(score);
        cells.extend([total.wins, total.draws, total.losses].map(|count| count.to_string()));
        if !several {
            cells.extend([tally(&bot.as_black), tally(&bot.as_white)]);
        }
        cells
    });
    write!(out, "{}", table(&columns, rows))?;
    if several {
        let names: Vec<&str> = summary.bots.iter().map(|bot| bot.name.as_str()).collect();
        let points = |one, other| summary.results.points_between(one, other);
        write!(out, "\n{}", crosstable(&names, points))?;
    } else if let Some(elo) = &summary.elo {
        let first = &summary.bots[0].name;
        writeln!(
            out,
            "\n{bold}Elo{bold:#}  {} for {first}",
            show_elo(elo, summary.normalised_elo.as_ref())
        )?;
    }
    let timed = summary.bots.iter().filter_map(|bot| {
        let mut cells = times_cells(bot.name.clone(), bot.times.as_ref()?);
        let start_up = bot.start_up.map(|times| show_time(times.median));
        cells.push(start_up.unwrap_or_else(|| "-".into()));
        Some(cells)
    });
    let mut columns = times_columns(left("answered in"));
    columns.push(right("start-up"));
    write!(out, "\n{}", table(&columns, timed))?;
    write_given_back(summary, out)?;
    for bot in summary.bots.iter().filter(|bot| !bot.said.is_empty()) {
        let said = format!("{}: {}", bot.name, said_on_average(bot));
        writeln!(out, "\n{bold}said{bold:#}{}", paragraph("  ", &said))?;
    }
    let ended = ended_by(&summary.terminations);
    writeln!(out, "\n{bold}ended by{bold:#}  {ended}")?;
    if summary.unrated > 0 {
        writeln!(
            out,
            "not rated  {} (of void pairs, played again, or the referee failed or was interrupted)",
            summary.unrated
        )?;
    }
    if summary.void_pairs > 0 {
        writeln!(
            out,
            "void pairs {} (a bot lost a game on time each time that it was played, and the machine was too busy to tell why)",
            summary.void_pairs
        )?;
    }
    let repeated = repeated(games);
    if repeated > 0 {
        writeln!(
            out,
            "repeated   {repeated} (the moves of another game: they tell nothing new; other --openings make games differ)"
        )?;
    }
    write_faults(games, out)
}

/// What was given back to bots of their time.
fn write_given_back(summary: &MatchSummary, out: &mut impl Write) -> io::Result<()> {
    let bold = anstyle::Style::new().bold();
    for bot in &summary.bots {
        let GivenBack { turns, time } = bot.given_back;
        if turns > 0 {
            let turns = match turns {
                1 => "1 turn".into(),
                _ => format!("{turns} turns"),
            };
            let told = format!(
                "{}: {} in {turns}, in which it waited for a core or the referee was away",
                bot.name,
                show_time(time)
            );
            writeln!(out, "\n{bold}given back{bold:#}{}", paragraph("  ", &told))?;
        }
    }
    Ok(())
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
        (&game.players[0].name, &game.start, &game.opening, replies)
    };
    let different: HashSet<_> = games.iter().map(moves).collect();
    games.len() - different.len()
}

/// The games that a bot lost by its own fault, or that are void, with the reason.
pub(super) fn write_faults(games: &[GameRecord], out: &mut impl Write) -> io::Result<()> {
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
            "{suspect} of them may be the machine's fault, though they were played again: try fewer games at once"
        )?;
    }
    Ok(())
}

/// A score in percent with its interval: `98.5 % (95.2 to 99.6)`.
pub(super) fn percent(score: &Interval) -> String {
    let [score, low, high] = [score.score, score.low, score.high].map(|part| part * 100.0);
    format!("{score:.1} % ({low:.1} to {high:.1})")
}

fn percent_cells(score: Interval) -> [String; 2] {
    let [score, low, high] = [score.score, score.low, score.high].map(|part| part * 100.0);
    [format!("{score:.1} %"), format!("{low:.1} to {high:.1}")]
}

/// A difference in Elo with its interval: `+35 (+12 to +58), normalised +60 (+21 to +99)`.
pub(super) fn show_elo(elo: &Elo, normalised: Option<&Elo>) -> String {
    let show = |elo: &Elo| {
        format!(
            "{:+.0} ({:+.0} to {:+.0})",
            elo.difference, elo.low, elo.high
        )
    };
    let beside = normalised.map_or(String::new(), |elo| format!(", normalised {}", show(elo)));
    show(elo) + &beside
}

/// A fault, as programs read it.
pub(super) fn fault_json(game: &GameRecord) -> Value {
    json!({
        "game": game.number,
        "turn": game.opening.len() + game.turns.len(),
        "bot": game.last_asked().map(|player| &player.name),
        "result": game.result(),
        "termination": game.termination,
        "reason": game.reason,
        "suspect": game.suspect,
        "replayed": game.replayed,
    })
}

/// The result as one JSON object.
pub(super) fn json(
    game: &str,
    plan: &MatchPlan,
    summary: &MatchSummary,
    games: &[GameRecord],
) -> Value {
    let faults = games.iter().filter(|game| !game.termination.is_regular());
    let between = plan.pairings().into_iter().map(|[one, other]| {
        let (points, games) = summary.results.points_between(one, other);
        let [first, second] = [one, other].map(|bot| &summary.bots[bot].name);
        json!({"bots": [first, second], "points": points, "games": games})
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
        "void_pairs": summary.void_pairs,
        "repeated": repeated(games),
        "bots": summary.bots.iter().map(bot_json).collect::<Vec<_>>(),
        "elo": summary.elo,
        "normalised_elo": summary.normalised_elo,
        "crosstable": between.collect::<Vec<_>>(),
        "terminations": summary.terminations,
        "faults": faults.map(fault_json).collect::<Vec<_>>(),
    })
}

fn bot_json(bot: &BotSummary) -> Value {
    let mut value = serde_json::to_value(bot).expect("a summary is plain data");
    value["total"] = json!(bot.total());
    value
}
