//! The games that bots lost by their own fault, grouped by bot and cause.

use super::table::bold;
use super::words::{bot_at_fault, last_words, named, paragraph, place_of_fault, places_of_faults};
use crownhead_record::GameRecord;
use crownhead_record::numbers::counted;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Reasons that are listed, and those of one bot and cause; the others are only counted.
const MOST: usize = 20;
const OF_A_CAUSE: usize = 3;

/// Lists the games that a bot lost by its own fault, and those in which the referee failed, with the reasons.
pub(super) fn write_faults(games: &[GameRecord], out: &mut impl Write) -> io::Result<()> {
    let is_faulty = |game: &&GameRecord| !game.termination.is_regular();
    let faulty: Vec<&GameRecord> = games.iter().filter(is_faulty).collect();
    if faulty.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", bold("faults"))?;
    let mut of_causes = BTreeMap::new();
    let mut groups = by_reason(&faulty);
    groups.retain(|games| {
        let cause = (bot_at_fault(games[0]), games[0].termination);
        let count: &mut usize = of_causes.entry(cause).or_default();
        *count += 1;
        *count <= OF_A_CAUSE
    });
    let mut left = faulty.len();
    for games in groups.into_iter().take(MOST) {
        left -= games.len();
        let place = match games.as_slice() {
            [game] => place_of_fault(game),
            games => places_of_faults(games),
        };
        write_reason(named(place, games[0]), &games, out)?;
    }
    if left > 0 {
        let more = counted(left, "more game");
        writeln!(out, "  and {more}; --record keeps them all")?;
    }
    let suspect = |game: &&&GameRecord| game.suspect && !game.replayed;
    let suspect = faulty.iter().filter(suspect).count();
    if suspect > 0 {
        let games = counted(suspect, "game");
        writeln!(
            out,
            "{games} of these may be the machine's fault, even after a replay: play fewer games at once"
        )?;
    }
    Ok(())
}

/// Where games were lost, the reason, and the last words of the bot in the first of them.
fn write_reason(place: String, games: &[&GameRecord], out: &mut impl Write) -> io::Result<()> {
    let game = games[0];
    let reason = match games.len() {
        1 => game.reason.clone(),
        _ => own_reason(game),
    };
    let mut text = format!("{place}: {reason}");
    match games.iter().filter(|game| game.replayed).count() {
        0 => {}
        again if again == games.len() && again == 1 => text += "; it was played again",
        again => text += &format!("; {again} of them were played again"),
    }
    let mut sentences = sentences(&text).into_iter();
    let verdict = sentences.next().unwrap_or_default();
    writeln!(out, "{}", paragraph("  ", verdict))?;
    for cause in sentences {
        writeln!(out, "{}", paragraph("    ", &format!("- {cause}")))?;
    }
    let mut words = last_words(game).into_iter();
    words.try_for_each(|line| writeln!(out, "{line}"))
}

/// The sentences of a reason: the verdict, then its causes.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut begin = 0;
    for (stop, _) in text.match_indices(". ") {
        let next = stop + 2;
        let is_quoted = text[begin..stop].matches('`').count() % 2 == 1;
        if !is_quoted && text[next..].starts_with(char::is_uppercase) {
            sentences.push(&text[begin..stop]);
            begin = next;
        }
    }
    sentences.push(&text[begin..]);
    sentences
}

/// The games of one bot with one reason, in the order of their first game.
fn by_reason<'a>(faulty: &[&'a GameRecord]) -> Vec<Vec<&'a GameRecord>> {
    let mut groups: Vec<Vec<&GameRecord>> = Vec::new();
    let mut places = BTreeMap::new();
    for &game in faulty {
        let reason = (bot_at_fault(game), own_reason(game));
        let place = *places.entry(reason).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(game);
    }
    groups
}

/// The reason of a fault, without the side that its bot played.
fn own_reason(game: &GameRecord) -> String {
    let side = game.decisive_player().map(|player| player.side.as_str());
    let rest = side.and_then(|side| game.reason.strip_prefix(side));
    match rest {
        Some(rest) if rest.starts_with("'s bot ") => format!("the bot{}", &rest["'s bot".len()..]),
        Some(rest) if rest.starts_with(' ') => format!("it{rest}"),
        _ => game.reason.clone(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_record::{PlayerRecord, Termination, TurnRecord};
    use std::time::Duration;

    /// A game that black lost in its first turn.
    fn lost(number: u64, bot: &str, termination: Termination, reason: &str) -> GameRecord {
        let player = |side, name| PlayerRecord::new(side, name, name);
        GameRecord {
            number,
            seed: 1,
            turns: vec![TurnRecord::new(0, None, Duration::ZERO)],
            scores: Some(vec![0.0, 1.0]),
            termination,
            reason: reason.into(),
            ..GameRecord::new(
                "checkers",
                "contest",
                vec![player("black", bot), player("red", "other")],
            )
        }
    }

    #[test]
    fn faults_are_grouped_by_bot_and_reason_and_few_of_each_cause_are_listed() {
        let illegal = |number: u64| {
            let reason = format!("black answered `{number}`");
            lost(number, "anna", Termination::IllegalReply, &reason)
        };
        let crash = |number| lost(number, "bert", Termination::Crash, "black's bot died");
        let games: Vec<GameRecord> = (1..=4).map(illegal).chain((5..=7).map(crash)).collect();
        let mut text = Vec::new();
        write_faults(&games, &mut text).unwrap();
        let text = anstream::adapter::strip_bytes(&text).into_vec();
        let expected = "
faults
  game 1, turn 1 (anna): black answered `1`
  game 2, turn 1 (anna): black answered `2`
  game 3, turn 1 (anna): black answered `3`
  games 5–7 (bert): the bot died
  and 1 more game; --record keeps them all
";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn a_reason_is_its_verdict_and_a_line_for_each_cause() {
        let reason =
            "game 2: black's bot crashed: `No. It`. It read 3 lines. Its last line: `a. B` (v. 2)";
        let expected = [
            "game 2: black's bot crashed: `No. It`",
            "It read 3 lines",
            "Its last line: `a. B` (v. 2)",
        ];
        assert_eq!(sentences(reason), expected);
    }
}
