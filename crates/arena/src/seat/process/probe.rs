//! What a bot does that did not answer in time: looked at when its game is lost, to find out why.

use super::lag::{LagMeter, TICK};
use super::running::RunningBot;
use crate::diagnosis::{Doing, Probe, Took};
use crownhead_record::judge::HARD_CAP;
use crownhead_sandbox::Waited;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The longest that a late answer is waited for beyond its limit.
const LONGEST: Duration = Duration::from_secs(3);

/// How long a bot that was given more to read may take to answer, or to wait for still more.
const MORE: Duration = Duration::from_secs(1);

/// How long it may take once its input has ended, to write what it has kept back.
const LAST: Duration = Duration::from_secs(2);

/// What may be received and not taken: of a bot that writes on and on, no more is read.
const PLENTY: usize = 1 << 16;

/// Interval at which it is looked at what the bot does.
const STEP: Duration = Duration::from_millis(2);

/// What was waited for.
enum Found {
    Line(Vec<u8>),
    /// The bot has read what there is, and waits for more.
    AwaitsInput,
    Neither,
}

/// Lets the bot run on for up to ten limits. One that is seen to wait for input that it has not got is given one more
/// line, then the rest of one more turn, and then the end of its input, until it writes a line.
pub(super) fn probe(bot: &mut RunningBot, turn: &str, limit: Duration) -> Probe {
    let mut watch = LagMeter::start(Instant::now());
    let until = Instant::now() + (limit * (HARD_CAP - 1)).min(LONGEST);
    let found = look(bot, until, &mut watch);
    let mut probe = Probe {
        watched: bot.asked.elapsed(),
        ..Probe::default()
    };
    match found {
        Found::Line(line) => {
            // The time of an answer that came while the referee was not watching is not known.
            let seen = watch.lag.sum < TICK;
            probe.answer = seen.then_some((Took::Time, line));
        }
        Found::Neither => probe.doing = Some(bot.doing()),
        Found::AwaitsInput => {
            probe.doing = Some(Doing::AwaitsInput { for_good: true });
            probe.answer = give_more(bot, turn, &mut watch);
        }
    }
    probe
}

/// Gives a bot that waits for it more input, and in the end none, until it writes a line.
fn give_more(bot: &mut RunningBot, turn: &str, watch: &mut LagMeter) -> Option<(Took, Vec<u8>)> {
    let first_line = turn.find('\n').map_or(turn.len(), |end| end + 1);
    let (line, rest) = turn.split_at(first_line);
    for (part, took) in [(line, Took::OneLineMore), (rest, Took::NextTurn)] {
        bot.program.pipes.send(part.as_bytes());
        match look(bot, Instant::now() + MORE, watch) {
            Found::Line(line) => return Some((took, line)),
            Found::Neither => return None,
            Found::AwaitsInput => {}
        }
    }
    bot.program.pipes.close_input();
    // Two lines suffice: one for each turn that it got.
    let mut lines = lines(bot, 2, LAST).into_iter();
    let first = lines.next()?;
    Some((lines.next().map_or(Took::End, |_| Took::Flush), first))
}

/// Sends a part of a turn, and waits until the bot has read it and waits for the rest: whether it has within so much time.
pub(super) fn feed(bot: &mut RunningBot, part: &str, time: Duration) -> bool {
    let deadline = Instant::now() + time;
    bot.program.pipes.send(part.as_bytes());
    loop {
        let unread = bot.program.pipes.unread();
        let has_read = unread == Some(0);
        let waits = has_read && !matches!(bot.doing(), Doing::Computes | Doing::Sleeps);
        let gone = bot.program.pipes.output_ended() || unread.is_none();
        let floods = bot.program.pipes.lines.bytes().len() > PLENTY;
        if waits || gone || floods || Instant::now() >= deadline {
            return has_read;
        }
        if bot.wait(Instant::now() + STEP).is_err() {
            return false;
        }
    }
}

/// The lines within so much time, no more than `most`.
pub(super) fn lines(bot: &mut RunningBot, most: usize, time: Duration) -> Vec<Vec<u8>> {
    let deadline = Instant::now() + time;
    let lines = std::iter::from_fn(|| next_line(bot, deadline));
    lines.take(most).collect()
}

/// The next line until then, the last one without its end if the bot has ended.
fn next_line(bot: &mut RunningBot, deadline: Instant) -> Option<Vec<u8>> {
    loop {
        let line = bot.program.pipes.take_line();
        if line.is_some()
            || bot.program.pipes.output_ended()
            || bot.program.pipes.lines.bytes().len() > PLENTY
        {
            return line;
        }
        match bot.wait(deadline) {
            Ok(Waited::Something) if Instant::now() < deadline => {}
            Ok(_) => return bot.program.pipes.take_line(),
            Err(_) => return None,
        }
    }
}

/// Waits for a line, or until the bot waits for input.
fn look(bot: &mut RunningBot, until: Instant, watch: &mut LagMeter) -> Found {
    // It must be seen waiting twice: between two lines of one read it may be about to continue.
    let mut seen = 0;
    loop {
        watch.look(Instant::now());
        watch.due = Instant::now() + 2 * TICK;
        if let Some(line) = bot.program.pipes.take_line() {
            return Found::Line(line);
        }
        let floods = bot.program.pipes.lines.bytes().len() > PLENTY;
        if bot.program.pipes.output_ended() || floods || bot.interrupted.load(Ordering::Relaxed) {
            return Found::Neither;
        }
        let has_read = bot.program.pipes.unread() == Some(0);
        let is_over = Instant::now() >= until;
        seen = match bot.doing() {
            Doing::AwaitsInput { for_good } if has_read && (for_good || is_over) => seen + 1,
            _ => 0,
        };
        match (seen, is_over) {
            (2, _) => return Found::AwaitsInput,
            (0, true) => return Found::Neither,
            _ => {}
        }
        if bot.wait(Instant::now() + STEP).is_err() {
            return Found::Neither;
        }
    }
}
