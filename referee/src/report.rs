//! What a match prints when it is over.

use super::options::show_rating;
use super::table::{known, left, right, times_cells, times_columns};
use super::table_form::TableForm;
use super::words::{listed_endings, paragraph, place_of_fault, places_of_fault, write_last_words};
use crownhead_arena::contest::Contest;
use crownhead_arena::runner::MatchPlan;
use crownhead_arena::settings::GameSettings;
use crownhead_record::GameRecord;
use crownhead_record::judge::TimeLimits;
use crownhead_record::text::show_time;
use crownhead_record::totals::{
    BotSummary, FigureRange, FigureSummary, GivenBack, MatchSummary, Tally,
};
use crownhead_record::{RefereeProtocol, Termination};
use crownhead_stats::{Elo, Interval};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

/// Lost games that are explained one by one; more are only counted.
const EXPLAINED: usize = 10;

/// The result as tables for people.
pub(super) fn write_table(
    plan: &MatchPlan,
    summary: &MatchSummary,
    games: &[GameRecord],
    form: TableForm,
    out: &mut impl Write,
) -> io::Result<()> {
    let GameSettings {
        contest,
        limits,
        seed,
        ..
    } = &plan.settings;
    let (name, rules) = (contest.name(), contest.rules_name());
    let played = match contest {
        Contest::Board { .. } => {
            let turn = humantime::format_duration(limits.turn);
            format!("{rules} {name}, {turn} a turn")
        }
        // How long a turn may last is the referee's to say.
        Contest::External(_) if rules.is_empty() => name.into(),
        Contest::External(_) => format!("{name}, {rules}"),
    };
    writeln!(
        out,
        "{} {} of {played}, {} at once, seed {seed}\n",
        summary.games,
        if summary.games == 1 { "game" } else { "games" },
        plan.concurrency,
    )?;
    let sides = (0..contest.players()).map(|player| contest.side_name(player));
    let sides: Vec<String> = sides.collect();
    write!(out, "{}", score_table(&sides, summary, form))?;
    if summary.bots.len() > 2 {
        let names: Vec<&str> = summary.bots.iter().map(|bot| bot.name.as_str()).collect();
        let points = |one, other| summary.results.points_between(one, other);
        write!(out, "\n{}", form.crosstable(&names, points))?;
        for remark in &summary.remarks {
            writeln!(out, "\n{remark}")?;
        }
    } else if let Some(elo) = &summary.elo {
        let (first, normalised) = (&summary.bots[0].name, summary.normalised_elo.as_ref());
        let elo = show_elo(elo, normalised, first);
        writeln!(out, "\n{}  {elo}", form.bold("Elo"))?;
    }
    write!(out, "\n{}", times_table(summary, form))?;
    let of_bots = |label: &str, told: &dyn Fn(&BotSummary) -> Option<String>| {
        let told = |bot: &BotSummary| Some(format!("{}: {}", bot.name, told(bot)?));
        let told = summary.bots.iter().filter_map(told);
        let label = form.bold(label);
        let line = |told: String| format!("\n{label}{}\n", paragraph("  ", &told));
        told.map(line).collect::<String>()
    };
    write!(out, "{}", of_bots("given back", &given_back))?;
    write!(out, "{}", of_bots("said", &said_on_average))?;
    write!(
        out,
        "{}",
        of_bots("figures", &|bot| show_figures(&bot.figures))
    )?;
    if let Some(told) = show_figures(&summary.figures) {
        writeln!(out, "\n{}{}", form.bold("games"), paragraph("  ", &told))?;
    }
    let ended = listed_endings(&summary.endings, &summary.terminations);
    writeln!(out, "\n{}  {ended}", form.bold("ended by"))?;
    let pairs = pairs_or_rounds(contest.players());
    for (label, count, what) in [
        (
            "not rated",
            summary.unrated,
            &*format!("of void {pairs}, played again, or the referee failed"),
        ),
        (
            &*format!("void {pairs}"),
            summary.void_pairs,
            "a bot lost a game on time each time that it was played, and the machine was too busy to tell why",
        ),
        (
            "repeated",
            repeated(games),
            "the moves of another game: they tell nothing new; other --openings make games differ",
        ),
    ] {
        if count > 0 {
            writeln!(out, "{label:<10} {count} ({what})")?;
        }
    }
    write_faults(games, form, out)
}

/// What games that share an opening or a seed are called: two of them, colours swapped, are a pair.
pub(super) fn pairs_or_rounds(players: usize) -> &'static str {
    if players == 2 { "pairs" } else { "rounds" }
}

/// The limits of turns; `null` where the referee sets them for each.
pub(super) fn limits_in_force(settings: &GameSettings) -> Option<TimeLimits> {
    let sets_limits = matches!(&settings.contest, Contest::External(external)
        if external.referee.protocol() == RefereeProtocol::Engine);
    (!sets_limits).then_some(settings.limits)
}

/// What each bot scored, in a game of these sides.
fn score_table(sides: &[String], summary: &MatchSummary, form: TableForm) -> String {
    let several = summary.bots.len() > 2;
    let has_places = sides.len() > 2;
    let mut columns = vec![left("bot")];
    if several {
        columns.extend([right("rating"), right("±")]);
    }
    if has_places {
        columns.push(right("mean place"));
    }
    columns.extend(["score", "95 % interval", "won", "drawn", "lost"].map(right));
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
        let total = bot.total();
        let tally = |tally: &Tally| format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        cells.extend(bot.score.as_ref().map_or_else(unknown, percent_cells));
        cells.extend([total.wins, total.draws, total.losses].map(|count| count.to_string()));
        if !several {
            cells.extend(bot.by_seat.iter().map(tally));
        }
        cells
    });
    form.table(&columns, rows)
}

/// How fast each bot answered.
fn times_table(summary: &MatchSummary, form: TableForm) -> String {
    let rows = summary.bots.iter().filter_map(|bot| {
        let mut cells = times_cells(bot.name.clone(), bot.times.as_ref()?);
        cells.push(known(bot.start_up, |times| show_time(times.median)));
        Some(cells)
    });
    let mut columns = times_columns(left("answered in"));
    columns.push(right("start-up"));
    form.table(&columns, rows)
}

/// What was given back to a bot of its time.
fn given_back(bot: &BotSummary) -> Option<String> {
    let GivenBack { turns, time } = bot.given_back;
    let unit = if turns == 1 { "turn" } else { "turns" };
    let time = show_time(time);
    let told =
        format!("{time} in {turns} {unit}, in which it waited for a core or the referee was away");
    (turns > 0).then_some(told)
}

/// Numbers that a bot said which are shown; `--json` has all.
const NUMBERS_SHOWN: usize = 6;

/// What a bot said about itself: `depth 14.2, nodes 412345, score 3.1 on average; 4.61 million nodes a second`.
fn said_on_average(bot: &BotSummary) -> Option<String> {
    let shown = bot.said.iter().take(NUMBERS_SHOWN);
    let means = shown.map(|(name, said)| format!("{name} {}", show_mean(said.mean)));
    let mut text = means.collect::<Vec<_>>().join(", ") + " on average";
    if let Some(speed) = bot.nodes_per_second {
        text += &format!("; {:.2} million nodes a second", speed / 1e6);
    }
    (!bot.said.is_empty()).then_some(text)
}

/// Texts of one figure that are shown.
const TEXTS_SHOWN: usize = 4;

/// The figures of games: `captured 4.2 on average; plan: defend in 3 games, rush in 7`.
fn show_figures(figures: &BTreeMap<String, FigureSummary>) -> Option<String> {
    let shown = figures.iter().take(NUMBERS_SHOWN);
    let shown = shown.flat_map(|(name, figure)| {
        let mean = |range: &FigureRange| format!("{name} {} on average", show_mean(range.mean));
        let games = |count: u64| if count == 1 { "game" } else { "games" };
        let texts = figure.texts.iter().take(TEXTS_SHOWN);
        let texts = texts.map(|(text, &count)| format!("{text} in {count} {}", games(count)));
        let texts = texts.collect::<Vec<_>>().join(", ");
        let texts = (!texts.is_empty()).then(|| format!("{name}: {texts}"));
        [figure.numbers.as_ref().map(mean), texts]
    });
    (!figures.is_empty()).then(|| shown.flatten().collect::<Vec<_>>().join("; "))
}

/// A mean, with a decimal where it tells something.
fn show_mean(mean: f64) -> String {
    match mean.abs() {
        1000.0.. => format!("{mean:.0}"),
        _ => format!("{mean:.1}"),
    }
}

/// How many games are the same as an earlier one of the same bots, move by move.
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

/// The games that a bot lost by its own fault, or that are void, with the reason.
pub(super) fn write_faults(
    games: &[GameRecord],
    form: TableForm,
    out: &mut impl Write,
) -> io::Result<()> {
    let faulty: Vec<&GameRecord> = games
        .iter()
        .filter(|game| !game.termination.is_regular())
        .collect();
    if faulty.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", form.bold("faults"))?;
    // Markdown would join the lines.
    let fence = match form {
        TableForm::Terminal => "",
        TableForm::Markdown => "~~~~~\n",
    };
    write!(out, "{fence}")?;
    let groups = same_faults(&faulty);
    for group in groups.iter().take(EXPLAINED) {
        let (game, rest) = (group[0], &group[1..]);
        let mut told = match rest.is_empty() {
            true => format!("{}: {}", place_of_fault(game), game.reason),
            false => format!("{}: {}", places_of_fault(group), own_reason(game)),
        };
        match group.iter().filter(|game| game.replayed).count() {
            0 => {}
            again if again == group.len() && rest.is_empty() => told += "; it was played again",
            again => told += &format!("; {again} of them were played again"),
        }
        writeln!(out, "{}", paragraph("  ", &told))?;
        write_last_words(game, out)?;
    }
    let more: usize = groups.iter().skip(EXPLAINED).map(Vec::len).sum();
    if more > 0 {
        writeln!(out, "  and {more} more; --record keeps them all")?;
    }
    write!(out, "{fence}")?;
    let suspect = |game: &&&GameRecord| game.suspect && !game.replayed;
    let suspect = faulty.iter().filter(suspect).count();
    if suspect > 0 {
        writeln!(
            out,
            "{suspect} of them may be the machine's fault, though they were played again: try fewer games at once"
        )?;
    }
    Ok(())
}

/// Games with one and the same fault of one bot, in the order of the first of each.
fn same_faults<'a>(faulty: &[&'a GameRecord]) -> Vec<Vec<&'a GameRecord>> {
    let bot = |game: &'a GameRecord| game.decisive_player().map(|player| &player.name);
    let is_same = |one: &'a GameRecord, other: &'a GameRecord| {
        let is_bots = one.termination != Termination::RefereeFault;
        one.termination == other.termination
            && (!is_bots || bot(one) == bot(other))
            && own_reason(one) == own_reason(other)
    };
    let mut groups: Vec<Vec<&GameRecord>> = Vec::new();
    for &game in faulty {
        match groups.iter_mut().find(|group| is_same(group[0], game)) {
            Some(group) => group.push(game),
            None => groups.push(vec![game]),
        }
    }
    groups
}

/// The reason of a fault, whichever side its bot has played.
fn own_reason(game: &GameRecord) -> String {
    let side = game.decisive_player().map(|player| player.side.as_str());
    let rest = side.and_then(|side| game.reason.strip_prefix(side));
    match rest {
        Some(rest) if rest.starts_with("'s bot ") => format!("the bot{}", &rest["'s bot".len()..]),
        Some(rest) if rest.starts_with(' ') => format!("it{rest}"),
        _ => game.reason.clone(),
    }
}

/// A score in percent with its interval: `98.5 % (95.2 to 99.6)`.
pub(super) fn percent(score: &Interval) -> String {
    let [score, interval] = percent_cells(score);
    format!("{score} ({interval})")
}

fn percent_cells(score: &Interval) -> [String; 2] {
    let [score, low, high] = [score.score, score.low, score.high].map(|part| part * 100.0);
    [format!("{score:.1} %"), format!("{low:.1} to {high:.1}")]
}

/// How far `bot` is ahead in Elo, with the interval: `+35 (+12 to +58), normalised +60 (+21 to +99) for anna`. After a clean
/// sweep the difference has no other end: `anna won every game, +120 or more`.
pub(super) fn show_elo(elo: &Elo, normalised: Option<&Elo>, bot: &str) -> String {
    let number = |number: f64| format!("{:+.0}", number.round() + 0.0);
    let range = |elo: &Elo| match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => format!("{} to {}", number(elo.low), number(elo.high)),
        (true, false) => format!("{} or more", number(elo.low)),
        (false, true) => format!("{} or less", number(elo.high)),
        (false, false) => "too few games to say".into(),
    };
    if elo.difference.is_infinite() {
        let swept = if elo.difference > 0.0 { "won" } else { "lost" };
        return format!("{bot} {swept} every game, {}", range(elo));
    }
    let show = |elo: &Elo| format!("{} ({})", number(elo.difference), range(elo));
    let beside = normalised.map_or(String::new(), |elo| format!(", normalised {}", show(elo)));
    format!("{}{beside} for {bot}", show(elo))
}

/// A fault, as programs read it.
pub(super) fn fault_json(game: &GameRecord) -> Value {
    json!({
        "game": game.number,
        "turn": game.opening.len() + game.decisive_turn().map_or(0, |place| place + 1),
        "bot": game.decisive_player().map(|player| &player.name),
        "result": game.result_word(),
        "termination": game.termination,
        "reason": game.reason,
        "suspect": game.suspect,
        "replayed": game.replayed,
    })
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
        "figures": summary.figures,
        "faults": faults.map(fault_json).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_record::judge::Clock;
    use crownhead_record::totals::summarise;
    use crownhead_record::{PlayerRecord, Termination, VERSION};

    fn game(number: u64, players: [&str; 3], points: [f64; 3]) -> GameRecord {
        let player = |name| PlayerRecord::new("player", name, name);
        GameRecord {
            version: VERSION,
            game: "contest".into(),
            rules: String::new(),
            number,
            seed: 1,
            referee: None,
            figures: Default::default(),
            players: players.map(player).into(),
            limits: TimeLimits::default(),
            profile: "strict".into(),
            clock: Clock::Wall,
            suspect: false,
            replayed: false,
            options: Default::default(),
            max_turns: None,
            start: None,
            opening: Vec::new(),
            turns: Vec::new(),
            scores: Some(points.into()),
            termination: Termination::Scores,
            reason: "scores".into(),
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
        insta::assert_snapshot!(score_table(&sides, &summary, TableForm::Terminal));
    }

    #[test]
    fn a_clean_sweep_is_told_in_words() {
        let told = |difference, low, high| {
            let elo = Elo {
                difference,
                low,
                high,
            };
            show_elo(&elo, None, "anna")
        };
        const INFINITY: f64 = f64::INFINITY;
        assert_eq!(told(35.2, 12.0, 58.0), "+35 (+12 to +58) for anna");
        assert_eq!(told(-0.0, -58.0, 58.0), "+0 (-58 to +58) for anna");
        assert_eq!(
            told(INFINITY, -15.0, INFINITY),
            "anna won every game, -15 or more"
        );
        assert_eq!(
            told(-INFINITY, -INFINITY, 15.0),
            "anna lost every game, +15 or less"
        );
        assert_eq!(
            told(INFINITY, -INFINITY, INFINITY),
            "anna won every game, too few games to say"
        );
        assert_eq!(told(120.0, -30.0, INFINITY), "+120 (-30 or more) for anna");
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
