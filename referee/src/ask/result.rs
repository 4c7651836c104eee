//! What came of a turn that was put to a bot: in words, and as JSON.

use super::Turn;
use crate::failure::Failure;
use crate::words::{paragraph, stats_in_words, write_stderr};
use crownhead_arena::diagnosis::how_time_went;
use crownhead_arena::runner::AskedTurn;
use crownhead_record::TurnRecord;
use crownhead_record::judge::Spent;
use crownhead_record::numbers::{counted, show_count, show_time};
use crownhead_record::totals::{Times, times};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

/// Each turn before the last, and how it differs from the record.
pub(super) fn write_turns_before(
    asked: &AskedTurn,
    recorded: &[TurnRecord],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let before = &asked.turns[..asked.turns.len().saturating_sub(1)];
    for (number, (turn, recorded)) in (1..).zip(before.iter().zip(recorded)) {
        let answer = turn.reply.as_deref().unwrap_or("nothing");
        let differs = match recorded.reply.as_deref() {
            Some(reply) if reply != answer => format!("; the record has {reply}"),
            _ => String::new(),
        };
        let time = show_time(turn.time);
        writeln!(out, "Its turn {number}: {answer} in {time}{differs}")?;
        write_stderr(&turn.stderr, out)?;
    }
    Ok(())
}

/// What the bot answered last, how its time went, and what it printed.
pub(super) fn write_answer(
    asked: &AskedTurn,
    turn: &Turn,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Some(last) = asked.turns.last() else {
        return Ok(());
    };
    if asked.turns.len() < turn.requests.len() {
        let (failed, all) = (asked.turns.len(), turn.requests.len());
        writeln!(
            out,
            "It failed before that turn, in turn {failed} of the {all} that it was sent"
        )?;
    }
    if let Some(reply) = &last.reply {
        let recorded = match turn.recorded.last().and_then(|turn| turn.reply.as_ref()) {
            None => String::new(),
            Some(recorded) if recorded == reply => ", as in the record".into(),
            Some(recorded) => format!("; the record has `{recorded}`"),
        };
        let time = show_time(last.time);
        writeln!(out, "It answered `{reply}` in {time}{recorded}")?;
    }
    // A shorter time is not worth a sentence.
    if last.work.is_some() && asked.answer.is_ok() && last.time >= Duration::from_millis(1) {
        let spent = Spent {
            wall: last.time,
            work: last.work,
            waited: last.waited,
            ..Spent::default()
        };
        writeln!(out, "Of its time {}", how_time_went(&spent))?;
    }
    if !last.said.is_empty() {
        writeln!(out, "Stats: {}", stats_in_words(&last.said))?;
    }
    write_stderr(&last.stderr, out)?;
    match &asked.answer {
        Ok(_) if turn.board.is_none() => {}
        Ok(name) => writeln!(out, "{name} is a legal move")?,
        Err(reason) => writeln!(out, "{}", paragraph("", reason))?,
    }
    Ok(())
}

/// How often a move was answered.
#[derive(Serialize)]
struct AnswerCount {
    /// `None` is a failure.
    answer: Option<String>,
    count: u32,
}

/// How answers and times vary.
#[derive(Serialize)]
pub(super) struct Repeated {
    /// The most frequent first.
    answers: Vec<AnswerCount>,
    #[serde(rename = "quickest_us", with = "crownhead_record::judge::microseconds")]
    quickest: Duration,
    times: Option<Times>,
}

impl Repeated {
    /// Sums up the same turn, asked again and again.
    pub(super) fn of(all: impl Iterator<Item = AskedTurn>) -> Repeated {
        let mut answers: BTreeMap<Option<String>, u32> = BTreeMap::new();
        let mut measured = Vec::new();
        for asked in all {
            measured.extend(asked.turns.last().map(|turn| turn.time));
            *answers.entry(asked.answer.ok()).or_default() += 1;
        }
        let answers = answers.into_iter();
        let answers = answers.map(|(answer, count)| AnswerCount { answer, count });
        let mut answers: Vec<AnswerCount> = answers.collect();
        answers.sort_by_key(|one| std::cmp::Reverse(one.count));
        Repeated {
            answers,
            quickest: measured.iter().min().copied().unwrap_or_default(),
            times: times(measured),
        }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        let answers = self.answers.iter().map(|one| {
            let answer = one.answer.as_deref().unwrap_or("a failure");
            format!("{answer} ×{}", show_count(one.count))
        });
        let answers = answers.collect::<Vec<_>>().join(", ");
        if let Some(times) = &self.times {
            let [quickest, worst, median] =
                [self.quickest, times.worst, times.median].map(show_time);
            let asked = counted(times.answers, "time");
            writeln!(
                out,
                "Asked {asked}: {answers}; {quickest} to {worst}, median {median}"
            )?;
        }
        Ok(())
    }
}

/// All of it as programs read it: the answer, or the reason for which there is none, and the bot's turns.
pub(super) fn json(
    turn: &Turn,
    asked: &AskedTurn,
    from_start: bool,
    repeated: Option<&Repeated>,
) -> Value {
    let shown = match from_start {
        true => &asked.turns[..],
        false => &asked.turns[asked.turns.len().saturating_sub(1)..],
    };
    let recorded = turn.recorded.last().and_then(|turn| turn.reply.as_ref());
    json!({
        "answer": asked.answer.as_ref().ok(),
        "reason": asked.answer.as_ref().err(),
        "recorded": recorded,
        "turns": shown,
        "repeated": repeated,
    })
}
