//! What a match prints when it is over, and what of it a test prints too.

use super::faults::{fault_json, write_faults};
use super::playing::usual_openings;
use super::table::{bold, crosstable, known, left, points_cell, right, stdout_screen, table};
use super::words::{listed, paragraph};
use crownhead_arena::contest::Contest;
use crownhead_arena::runner::MatchPlan;
use crownhead_arena::settings::GameSettings;
use crownhead_record::judge::{Clock, TimeLimits};
use crownhead_record::numbers::{
    counted, show_count, show_limit, show_mean, show_percent, show_rate, show_rating, show_time,
};
use crownhead_record::totals::{BotSummary, GivenBack, MatchSummary, Tally};
use crownhead_record::{GameRecord, RefereeProtocol};
use crownhead_sandbox::SandboxMode;
use crownhead_stats::{Elo, Interval};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};

/// The result as tables for people.
pub(super) fn write_table(
    plan: &MatchPlan,
    summary: &MatchSummary,
    games: &[GameRecord],
    out: &mut impl Write,
) -> io::Result<()> {
    let contest = &plan.settings.contest;
    let played = counted(summary.games, "game");
    let heading = format!("{played} of {}", settings_in_words(plan));
    writeln!(out, "{}\n", paragraph("", &heading))?;
    let sides = (0..contest.players()).map(|player| contest.side_name(player));
    let sides: Vec<String> = sides.collect();
    write!(out, "{}", score_table(&sides, summary))?;
    if summary.bots.len() > 2 {
        let names: Vec<&str> = summary.bots.iter().map(|bot| bot.name.as_str()).collect();
        let cell = |one, other| points_cell(summary.results.points_between(one, other));
        write!(out, "\n{}", crosstable(&names, cell, stdout_screen()))?;
        for remark in &summary.remarks {
            writeln!(out, "\n{remark}")?;
        }
    } else if let Some(elo) = &summary.elo {
        let (first, normalised) = (&summary.bots[0].name, summary.normalised_elo.as_ref());
        let elo = show_elo(elo, normalised, first);
        writeln!(out, "\n{}  {elo}", bold("Elo"))?;
    }
    let pairs = pairs_or_rounds(contest.players());
    let uncounted = [
        (
            "not rated",
            summary.unrated,
            &*format!("of void {pairs}, played again, or the referee failed"),
        ),
        (
            &*format!("void {pairs}"),
            summary.void_pairs,
            "a bot timed out each time the game was played, and the machine was too busy to say why",
        ),
        (
            "repeated",
            repeated(games),
            "move for move the same as another game, so they say nothing new; other --openings make games differ",
        ),
    ];
    let uncounted = uncounted.into_iter().filter(|(_, count, _)| *count > 0);
    let uncounted =
        uncounted.map(|(label, count, why)| format!("{label:<10} {} ({why})", show_count(count)));
    write_games(summary, games, uncounted, out)
}

/// The most endings that are listed by the referee's reasons.
const ENDINGS: usize = 6;

/// How fast bots answered, what they printed, how games ended, which were not counted, and the faults.
pub(super) fn write_games(
    summary: &MatchSummary,
    games: &[GameRecord],
    uncounted: impl IntoIterator<Item = String>,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(out, "\n{}", times_table(summary))?;
    for bot in &summary.bots {
        if let Some(time) = given_back(bot) {
            let text = format!("{}: {time}", bot.name);
            writeln!(out, "\n{}{}", bold("given back"), paragraph("  ", &text))?;
        }
    }
    write!(out, "{}", stats_table(summary).unwrap_or_default())?;
    // By kind if the referee has too many reasons to read.
    let ended = match summary.endings.len() {
        ..=ENDINGS => listed(&summary.endings),
        _ => listed(&summary.terminations),
    };
    if !ended.is_empty() {
        writeln!(out, "\n{}  {ended}", bold("ended by"))?;
    }
    for line in uncounted {
        writeln!(out, "{line}")?;
    }
    write_faults(games, out)
}

/// The game and its conditions, with all that are not the default: `contest checkers, profile strict, 100 ms a turn,
/// sandbox off, 2 at once, seed 7`.
pub(super) fn settings_in_words(plan: &MatchPlan) -> String {
    let GameSettings {
        contest,
        limits,
        conditions,
        ..
    } = &plan.settings;
    let (name, rules) = (contest.name(), contest.rules_name());
    let played = match contest {
        Contest::Board { .. } => format!("{rules} {name}"),
        Contest::External(_) if rules.is_empty() => name.into(),
        Contest::External(_) => format!("{name}, {rules}"),
    };
    let mut words = vec![played, format!("profile {}", conditions.profile.name)];
    if limits_in_force(&plan.settings).is_some() {
        words.push(format!("{} a turn", show_limit(limits.turn)));
        if limits.first_turn != TimeLimits::default().first_turn {
            words.push(format!("{} for the first", show_limit(limits.first_turn)));
        }
    }
    if conditions.clock != Clock::default() {
        words.push(format!("{} clock", conditions.clock.name()));
    }
    let openings = plan.openings.source();
    if *openings != usual_openings(&plan.settings) {
        words.push(format!("openings {openings}"));
    }
    if let Some(turns) = plan.settings.adjudicate {
        let turns = counted(turns, "turn");
        words.push(format!("adjudicated after {turns} without progress"));
    }
    if conditions.sandbox.mode != SandboxMode::default() {
        words.push(format!("sandbox {}", conditions.sandbox.mode.name()));
    }
    words.push(format!("{} at once", plan.concurrency));
    words.push(format!("seed {}", plan.settings.seed));
    words.join(", ")
}

/// A number of pairs or rounds: `1 pair`.
pub(super) fn count_pairs(count: u64, players: usize) -> String {
    counted(count, pairs_or_rounds(players).trim_end_matches('s'))
}

/// What games that share an opening or a seed are called: two of them, colours swapped, are a pair.
pub(super) fn pairs_or_rounds(players: usize) -> &'static str {
    if players == 2 { "pairs" } else { "rounds" }
}

/// The limits of turns; `None` if the referee sets them turn by turn.
pub(super) fn limits_in_force(settings: &GameSettings) -> Option<TimeLimits> {
    let sets_limits = matches!(&settings.contest, Contest::External(external)
        if external.referee.protocol == RefereeProtocol::Engine);
    (!sets_limits).then_some(settings.limits)
}

/// What each bot scored, in all and as each of these sides.
fn score_table(sides: &[String], summary: &MatchSummary) -> String {
    let several = summary.bots.len() > 2;
    let has_places = sides.len() > 2;
    let mut columns = vec![left("bot")];
    if several {
        columns.extend([right("rating"), right("±")]);
    }
    if has_places {
        columns.push(right("mean place"));
    }
    // The heading also explains the cells of the columns after it.
    columns.extend(["score", "95 % interval", "W-D-L"].map(right));
    if !several {
        columns.extend(sides.iter().map(|side| right(format!("as {side}"))));
    }
    let unknown = || ["-", "-"].map(String::from);
    let rows = summary.bots.iter().map(|bot| {
        let mut cells = vec![bot.name.clone()];
        if several {
            let rating = bot.rating.map(|rating| rating.map(show_rating));
            cells.extend(rating.unwrap_or_else(unknown));
        }
        if has_places {
            cells.push(known(bot.mean_place, |place| format!("{place:.2}")));
        }
        let tally = |tally: &Tally| format!("{}-{}-{}", tally.wins, tally.draws, tally.losses);
        cells.extend(bot.score.as_ref().map_or_else(unknown, percent_cells));
        cells.push(tally(&bot.total()));
        if !several {
            cells.extend(bot.by_seat.iter().map(tally));
        }
        cells
    });
    table(&columns, rows, stdout_screen())
}

/// How fast each bot answered.
fn times_table(summary: &MatchSummary) -> String {
    let rows = summary.bots.iter().filter_map(|bot| {
        let times = bot.times.as_ref()?;
        let quantiles = [times.median, times.p99, times.p999, times.worst].map(show_time);
        let mut cells = vec![bot.name.clone(), show_count(times.answers)];
        cells.extend(quantiles);
        cells.push(known(bot.start_up, |times| show_time(times.median)));
        Some(cells)
    });
    let of_times = ["answers", "median", "p99", "p99.9", "worst", "start-up"].map(right);
    let columns = [vec![left("answered in")], of_times.into()].concat();
    table(&columns, rows, stdout_screen())
}

/// Stats that have a column; `--json` has all.
const STATS: usize = 6;

/// The means of what bots printed turn by turn: a row for each bot, a column for each stat.
fn stats_table(summary: &MatchSummary) -> Option<String> {
    let names: BTreeSet<&String> = summary
        .bots
        .iter()
        .flat_map(|bot| bot.said.keys())
        .collect();
    if names.is_empty() {
        return None;
    }
    let mut columns = vec![left("mean per turn")];
    columns.extend(names.iter().take(STATS).map(|name| right(name.as_str())));
    let mut speeds = summary.bots.iter().map(|bot| bot.nodes_per_second);
    let has_speed = speeds.any(|speed| speed.is_some());
    columns.extend(has_speed.then(|| right("nodes/s")));
    let bots = summary.bots.iter().filter(|bot| !bot.said.is_empty());
    let rows = bots.map(|bot| {
        let mean = |name: &&String| known(bot.said.get(*name), |said| show_mean(said.mean));
        let speed = has_speed.then(|| known(bot.nodes_per_second, show_rate));
        let cells = names.iter().take(STATS).map(mean);
        [bot.name.clone()].into_iter().chain(cells).chain(speed)
    });
    let table = table(&columns, rows, stdout_screen());
    let more = match names.len().saturating_sub(STATS) {
        0 => String::new(),
        more => format!("and {}; --json has all\n", counted(more, "more stat")),
    };
    Some(format!("\n{table}{more}"))
}

/// The time that was given back to a bot, and why.
fn given_back(bot: &BotSummary) -> Option<String> {
    let GivenBack { turns, time } = bot.given_back;
    let (time, in_turns) = (show_time(time), counted(turns, "turn"));
    let text =
        format!("{time} in {in_turns}, because it waited for a core or the referee was delayed");
    (turns > 0).then_some(text)
}

/// How many games repeat an earlier game of the same bots, move by move.
fn repeated<'a>(games: &'a [GameRecord]) -> u64 {
    let moves = |game: &'a GameRecord| {
        let replies: Vec<_> = game.turns.iter().map(|turn| &turn.reply).collect();
        let players: Vec<_> = game.players.iter().map(|player| &player.name).collect();
        let seed = game.referee.as_ref().map(|referee| referee.seed);
        (players, seed, &game.start, &game.opening, replies)
    };
    let different: HashSet<_> = games.iter().map(moves).collect();
    (games.len() - different.len()) as u64
}

/// A score in percent with its interval: `98.5 % (95.2 to 99.6)`.
pub(super) fn percent(score: &Interval) -> String {
    let [score, interval] = percent_cells(score);
    format!("{score} ({interval})")
}

fn percent_cells(score: &Interval) -> [String; 2] {
    let [low, high] = [score.low, score.high].map(|part| part * 100.0);
    [show_percent(score.score), format!("{low:.1} to {high:.1}")]
}

/// How far `bot` is ahead in Elo, with the interval: `+35 (+12 to +58), normalised +60 (+21 to +99) for anna`. A clean
/// sweep has no estimate, only a bound.
pub(super) fn show_elo(elo: &Elo, normalised: Option<&Elo>, bot: &str) -> String {
    let number = |number: f64| format!("{:+.0}", number.round() + 0.0);
    let range = |elo: &Elo| match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => format!("{} to {}", number(elo.low), number(elo.high)),
        (true, false) => format!("at least {}", number(elo.low)),
        (false, true) => format!("at most {}", number(elo.high)),
        (false, false) => "too few games".into(),
    };
    if elo.difference.is_infinite() {
        return format!("no estimate after a clean sweep ({} for {bot})", range(elo));
    }
    let show = |elo: &Elo| format!("{} ({})", number(elo.difference), range(elo));
    let beside = normalised.map_or(String::new(), |elo| format!(", normalised {}", show(elo)));
    format!("{}{beside} for {bot}", show(elo))
}

/// The result as one JSON object.
pub(super) fn json(plan: &MatchPlan, summary: &MatchSummary, games: &[GameRecord]) -> Value {
    let faults = games.iter().filter(|game| !game.termination.is_regular());
    let bots = summary.bots.len();
    let pairings = (0..bots).flat_map(|one| (one + 1..bots).map(move |other| [one, other]));
    let between = pairings.map(|bots| {
        let (points, games) = summary.results.points_between(bots[0], bots[1]);
        let names = bots.map(|bot| &summary.bots[bot].name);
        json!({"bots": names, "points": points, "games": games})
    });
    let bots = summary.bots.iter().map(|bot| {
        let mut value = json!(bot);
        value["total"] = json!(bot.total());
        match plan.settings.contest.rules() {
            Some(rules) => {
                for (side, tally) in rules.side_names.iter().zip(&bot.by_seat) {
                    value[format!("as_{side}")] = json!(tally);
                }
            }
            None => value["by_seat"] = json!(bot.by_seat),
        }
        value
    });
    json!({
        "version": 1,
        "game": plan.settings.contest.name(),
        "rules": plan.settings.contest.rules_name(),
        "limits": limits_in_force(&plan.settings),
        "max_turns": plan.settings.contest.max_turns(),
        "seed": plan.settings.seed,
        "openings": plan.openings.source().to_string(),
        "concurrency": plan.concurrency,
        "games": summary.games,
        "unrated": summary.unrated,
        "void_pairs": summary.void_pairs,
        "repeated": repeated(games),
        "bots": bots.collect::<Vec<_>>(),
        "elo": summary.elo,
        "normalised_elo": summary.normalised_elo,
        "crosstable": between.collect::<Vec<_>>(),
        "terminations": summary.terminations,
        "faults": faults.map(fault_json).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_record::totals::summarise;
    use crownhead_record::{PlayerRecord, Termination};

    fn game(number: u64, players: [&str; 3], points: [f64; 3]) -> GameRecord {
        let player = |name| PlayerRecord::new("player", name, name);
        GameRecord {
            number,
            seed: 1,
            scores: Some(points.into()),
            termination: Termination::Scores,
            reason: "scores".into(),
            ..GameRecord::new("contest", String::new(), players.map(player).into())
        }
    }

    #[test]
    fn among_three_players_the_table_has_their_mean_places() {
        let games = [
            game(1, ["anna", "bert", "carl"], [1.0, 0.5, 0.0]),
            game(2, ["carl", "anna", "bert"], [0.0, 0.75, 0.75]),
            game(3, ["bert", "carl", "anna"], [0.0, 0.5, 1.0]),
        ];
        let summary = summarise(&games, &["anna", "bert", "carl"]);
        let sides = ["first", "second", "third"].map(String::from);
        let table = score_table(&sides, &summary);
        insta::assert_snapshot!(anstream::adapter::strip_str(&table));
    }

    #[test]
    fn a_clean_sweep_has_a_bound_and_no_estimate() {
        let shown = |difference, low, high| {
            let elo = Elo {
                difference,
                low,
                high,
            };
            show_elo(&elo, None, "anna")
        };
        const INFINITY: f64 = f64::INFINITY;
        assert_eq!(shown(35.2, 12.0, 58.0), "+35 (+12 to +58) for anna");
        assert_eq!(shown(-0.0, -58.0, 58.0), "+0 (-58 to +58) for anna");
        assert_eq!(
            shown(INFINITY, -15.0, INFINITY),
            "no estimate after a clean sweep (at least -15 for anna)"
        );
        assert_eq!(
            shown(-INFINITY, -INFINITY, 15.0),
            "no estimate after a clean sweep (at most +15 for anna)"
        );
        assert_eq!(
            shown(INFINITY, -INFINITY, INFINITY),
            "no estimate after a clean sweep (too few games for anna)"
        );
        assert_eq!(
            shown(120.0, -30.0, INFINITY),
            "+120 (at least -30) for anna"
        );
    }

    #[test]
    fn the_same_moves_of_other_bots_are_no_repetition() {
        let points = [1.0, 0.5, 0.0];
        let games = [
            game(1, ["anna", "bert", "carl"], points),
            game(2, ["anna", "bert", "dora"], points),
            game(3, ["anna", "bert", "carl"], points),
        ];
        assert_eq!(repeated(&games), 1);
    }
}
