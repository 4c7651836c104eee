//! What bots wrote on standard error, and where they failed, as people read it.

use crownhead_record::numbers::{counted, show_count};
use crownhead_record::text::printable;
use crownhead_record::{Figures, GameRecord, Stderr, Termination};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// How many of the first and last lines are shown that a bot wrote in the turn of its fault. Some interpreters print the
/// message first, others last.
const FIRST_LINES: usize = 3;
const LAST_LINES: usize = 5;

/// The most characters of a line that are shown.
const LONGEST: usize = 160;

/// The last words of the bot that failed, as indented lines.
pub(super) fn last_words(game: &GameRecord) -> Vec<String> {
    // The reason then quotes all that the external referee wrote.
    if game.referee.is_some() && game.termination == Termination::RefereeFault {
        return Vec::new();
    }
    let words = game.stderr_of_fault();
    let mut lines: Vec<String> = shown(&words).collect();
    let left_out = lines.len().saturating_sub(FIRST_LINES + LAST_LINES);
    if left_out > 1 {
        let note = format!("… ({})", counted(left_out, "line"));
        lines.splice(FIRST_LINES..FIRST_LINES + left_out, [note]);
    }
    lines.iter().map(|line| format!("      | {line}")).collect()
}

/// A fault and the last words of the bot, as lines without the last one's end.
pub(super) fn fault_with_words(game: &GameRecord) -> String {
    let place = named(place_of_fault(game), game);
    let mut lines = vec![format!("{place}: {}", game.reason)];
    lines.extend(last_words(game));
    lines.join("\n")
}

/// Writes all that is kept of a part of a game's standard error, each line after `| `.
pub(super) fn write_stderr(stderr: &Stderr, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    if stderr.cut > 0 {
        let bytes = counted(stderr.cut, "byte");
        writeln!(out, "| … ({bytes} before this were not kept)")?;
    }
    for line in shown(&stderr.kept) {
        writeln!(out, "| {line}")?;
    }
    Ok(())
}

/// The lines that are not blank, shortened.
fn shown(text: &[u8]) -> impl Iterator<Item = String> {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| printable(line.trim_ascii_end()));
    let lines = lines.filter(|line| !line.trim().is_empty());
    lines.map(|line| match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    })
}

/// Names with their numbers: `depth 17, nodes 375,808`, `no legal move 7, timeout 1`.
pub(super) fn listed<K: Display, N: Display>(numbers: impl IntoIterator<Item = (K, N)>) -> String {
    let numbers = numbers.into_iter();
    let numbers = numbers.map(|(name, number)| format!("{name} {number}"));
    numbers.collect::<Vec<_>>().join(", ")
}

/// The stats that a bot printed in a turn: `depth 17, nodes 375,808`.
pub(super) fn stats_in_words(stats: &Figures) -> String {
    listed(stats.iter().map(|(name, stat)| match stat.is_f64() {
        true => (name, stat.to_string()),
        false => (name, show_count(stat)),
    }))
}

/// A paragraph with this indent: broken into lines on a terminal, one line in a pipe.
pub(super) fn paragraph(indent: &str, text: &str) -> String {
    if std::io::stdout().is_terminal() {
        wrapped(indent, text)
    } else {
        format!("{indent}{text}")
    }
}

/// Lines broken at the terminal's width; the rest of each line is indented further.
pub(super) fn wrapped_lines(text: &str) -> String {
    let wrap = |line: &str| {
        let words = line.trim_start_matches([' ', '|']);
        wrapped(&line[..line.len() - words.len()], words)
    };
    text.lines().map(wrap).collect::<Vec<_>>().join("\n")
}

fn wrapped(indent: &str, text: &str) -> String {
    let further = " ".repeat(indent.len() + 2);
    let options = textwrap::Options::with_termwidth();
    let options = options.initial_indent(indent).subsequent_indent(&further);
    textwrap::fill(text, options)
}

/// Numbers of games: `games 1–4, 7`.
pub(super) fn places_of_faults(games: &[&GameRecord]) -> String {
    let mut runs: Vec<[u64; 2]> = Vec::new();
    for game in games {
        match runs.last_mut() {
            Some([_, last]) if *last + 1 >= game.number => *last = game.number,
            _ => runs.push([game.number; 2]),
        }
    }
    let runs = runs.iter().map(|[first, last]| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    });
    format!("games {}", runs.collect::<Vec<_>>().join(", "))
}

/// The bot that was at fault; `None` if the referee failed.
pub(super) fn bot_at_fault(game: &GameRecord) -> Option<&str> {
    let is_bots = game.termination != Termination::RefereeFault;
    let asked = game.decisive_player().filter(|_| is_bots);
    asked.map(|player| player.name.as_str())
}

/// A place with the bot that was at fault there: `game 12, turn 5 (my_bot)`.
pub(super) fn named(place: String, game: &GameRecord) -> String {
    match bot_at_fault(game) {
        Some(bot) => format!("{place} ({bot})"),
        None => place,
    }
}

/// Where a game was lost: `game 12, turn 5`.
pub(super) fn place_of_fault(game: &GameRecord) -> String {
    // This counts moves. If a side moved twice in a row, there are fewer turns than moves, as in `replay`.
    let mut following = game.turns.windows(2);
    let moved_again = game.referee.is_none() && following.any(|two| two[0].player == two[1].player);
    let unit = if moved_again { "move" } else { "turn" };
    let turn = game.decisive_turn().map_or(0, |place| place + 1);
    let number = game.opening.len() + turn;
    format!("game {}, {unit} {number}", game.number)
}

#[cfg(test)]
mod tests {
    use super::write_stderr;
    use crownhead_record::Stderr;

    #[test]
    fn words_are_shown_line_by_line_and_never_steer_the_terminal() {
        let stderr = Stderr {
            kept: b"one \\\n\n\x1b[2Jtwo\xff".to_vec(),
            cut: 7,
        };
        let mut out = Vec::new();
        write_stderr(&stderr, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "| … (7 bytes before this were not kept)\n| one \\\n| \\x1b[2Jtwo\\xff\n"
        );
    }
}
