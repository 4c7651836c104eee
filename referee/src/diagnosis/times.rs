//! How the time of a turn went, in words.

use super::TurnFacts;
use crate::judge::Spent;
use std::time::Duration;

/// How the time of a turn went: `it worked 3 ms, waited 0 ms for a core and was idle for 97 ms`. Where the system
/// does not tell, less. A bot that is `queued` stood waiting for a core at the end, for a time that the system has
/// not counted yet.
pub fn how_time_went(spent: &Spent, queued: bool) -> String {
    // With threads and children, where their time is known.
    let Some(work) = spent.work.max(spent.whole) else {
        return format!(
            "how it spent the {} is not known on this system",
            show(spent.wall)
        );
    };
    let waited = spent.waited.unwrap_or_default();
    let stolen = spent.stolen.unwrap_or_default().min(spent.wall);
    if work > spent.wall {
        return format!(
            "it worked {} in {}, on several cores at once",
            show(work),
            show(spent.wall)
        );
    }
    // What is being stolen looks like work until the core is back.
    let work = work.min(spent.wall - stolen);
    let rest = spent.wall.saturating_sub(work + waited + stolen);
    let idle = match queued {
        true => "idle or still waiting for one",
        false => "idle",
    };
    let [work, waited, rest] = [work, waited, rest].map(show);
    if stolen.is_zero() {
        return format!("it worked {work}, waited {waited} for a core and was {idle} for {rest}");
    }
    let stolen = show(stolen);
    format!(
        "it worked {work}, waited {waited} for a core, which the machine's hypervisor took away for another {stolen}, \
         and was {idle} for {rest}"
    )
}

/// What kept a bot from reading for half of its limit or more, if anything did. Of one that has read nothing, a
/// twentieth of the limit is work. `sent` is the length of its first
/// turn.
pub(super) fn slow_start(
    facts: &TurnFacts,
    spent: Option<&Spent>,
    sent: usize,
    limit: Duration,
) -> Option<String> {
    const ADVICE: &str = "what it loads or computes at its start takes too long";
    if let Some(first) = facts.first_read {
        let worked = first.work.map_or_else(
            || "it first read".into(),
            |work| format!("it worked {} before it first read", show(work)),
        );
        let after = show(first.after);
        return (first.after >= limit / 2)
            .then(|| format!("{worked}, {after} after its clock had started: {ADVICE}"));
    }
    let nothing = facts.unread.is_some_and(|unread| unread >= sent);
    let work = spent
        .and_then(|spent| spent.work)
        .filter(|&work| work >= limit / 20);
    nothing.then(|| match work {
        Some(work) => format!(
            "it worked {} and had read nothing yet: {ADVICE}",
            show(work)
        ),
        None => "it had read nothing of what it was sent".into(),
    })
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
