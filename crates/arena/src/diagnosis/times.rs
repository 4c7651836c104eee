//! How the time of a turn went, in words.

use super::failed_turn::{Doing, FailedTurn};
use crownhead_record::judge::Spent;
use std::time::Duration;

/// The ticks in which Windows counts the time of processes.
const TICK: Duration = Duration::from_millis(16);

/// How the time of a turn went: `it worked 3 ms, waited 0 ms for a core and was idle for 97 ms`. Where the system
/// does not tell, less.
pub(super) fn how_time_went(spent: &Spent) -> String {
    let overrun = spent.overrun.unwrap_or_default();
    let wall = show(spent.wall);
    let waited = match spent.overrun {
        Some(overrun) => Some(overrun.queued),
        None => spent.waited,
    };
    // With threads and children, where their time is known.
    let Some(work) = spent.work.max(spent.overrun.map(|overrun| overrun.work)) else {
        return format!("how it spent the {wall} is not known on this system");
    };
    // A system that does not tell how long a bot waited counts its work in ticks.
    let precision = waited.map_or(TICK, |_| Duration::ZERO);
    if work > spent.wall + precision {
        let work = show(work);
        return format!("it worked {work} in {wall}, on several cores at once");
    }
    let stolen = overrun.stolen.min(spent.wall);
    // What is being stolen looks like work until the core is back.
    let work = work.min(spent.wall - stolen);
    let known = waited.unwrap_or_default();
    let known = known.min(spent.wall - stolen - work);
    let rest = spent.wall - stolen - work - known;
    let mut away = String::new();
    if spent.lag.sum >= rest / 2 && spent.lag.longest >= Duration::from_millis(10) {
        let lag = show(spent.lag.sum);
        away = format!("; for {lag} of that the referee was not watching");
    }
    let mut taken = String::new();
    if !stolen.is_zero() {
        let stolen = show(stolen);
        taken = format!(", which the machine's hypervisor took away for another {stolen},");
    }
    let [work, known, rest] = [work, known, rest].map(show);
    match waited {
        Some(_) => format!(
            "it worked {work}, waited {known} for a core{taken} and was idle for {rest}{away}"
        ),
        None => format!("it worked {work}, and was idle or waited for a core for {rest}{away}"),
    }
}

/// What a bot was at that had not answered when it was waited for no longer, in a turn that was its own: of what is not
/// seen to be so, nothing.
pub(super) fn still_at_work(
    turn: &FailedTurn<'_>,
    doing: Option<Doing>,
    watched: Duration,
) -> Option<String> {
    let at_deadline = turn.facts.doing?;
    let has_read_nothing = turn
        .facts
        .unread
        .is_some_and(|unread| unread >= turn.sent.len());
    match (at_deadline, doing) {
        (Doing::Computes, _) if has_read_nothing && turn.own_turn == 1 => Some(
            "it computed, and had read nothing yet: what it loads or computes at its start takes too long".into(),
        ),
        (Doing::Computes, Some(Doing::Computes)) if watched > turn.limit => {
            Some(format!("after {} it was still computing", show(watched)))
        }
        (Doing::Sleeps, Some(Doing::Sleeps)) if has_read_nothing => {
            Some("it had read nothing of what it was sent".into())
        }
        _ => None,
    }
}

fn show(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else if milliseconds < 1e4 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", milliseconds / 1e3)
    }
}
