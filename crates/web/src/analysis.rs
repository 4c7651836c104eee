//! Analysis for a page that watches it. It gives way to games, and ends when the page is left.

use super::priority::give_way;
use super::sessions::SessionThread;
use crownhead_browser::{Findings, Setup, analyse};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long it continues when no page reads it.
const UNWATCHED: Duration = Duration::from_secs(5);
/// The niceness of its thread, which only takes idle time.
pub(super) const NICENESS: i32 = 19;

/// An analysis of this position, which runs until it is stopped.
///
/// # Errors
/// With a message, when there is no such game or position, or it is over.
pub(super) fn prepare(setup: &Setup) -> Result<impl FnOnce(SessionThread) + Send + use<>, String> {
    let board = setup.to_analyse()?;
    Ok(move |session: SessionThread| {
        give_way(NICENESS);
        let mut why_over = || why_over(&session);
        analyse(board.as_ref(), &mut why_over, &mut |found| {
            session.show(found);
        });
    })
}

/// Why the analysis of a position, which never ends by itself, is over.
fn why_over(session: &SessionThread) -> Option<&'static str> {
    why_stop(session).or_else(|| Findings::why_over(session.started.elapsed()))
}

/// Why to stop early: the page asked for it, or was left.
pub(super) fn why_stop(session: &SessionThread) -> Option<&'static str> {
    session.drop_orders();
    if session.stopped.load(Ordering::Relaxed) {
        Some("stopped")
    } else if session.started.elapsed() > UNWATCHED && !session.is_watched() {
        Some("no page was watching")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::sessions::tests::session;
    use super::*;
    use crownhead_browser::Order;
    use std::time::Instant;

    #[test]
    fn an_analysis_ends_when_it_is_told_to_or_left_and_that_of_a_position_after_a_time() {
        let (mut session, send, shown) = session();
        // However long this test takes, no time has passed.
        session.started += Duration::from_mins(60);
        assert_eq!(why_stop(&session), None, "a page may come yet");
        session.started = Instant::now() - UNWATCHED;
        assert_eq!(why_stop(&session), Some("no page was watching"));
        let page = shown.clone();
        assert_eq!(why_stop(&session), None);
        session.started -= Duration::from_mins(2);
        assert_eq!(why_over(&session), Some("two minutes are over"));
        // On a busy machine the positions of a game may take longer.
        assert_eq!(why_stop(&session), None);
        session.stopped.store(true, Ordering::Relaxed);
        assert_eq!(why_stop(&session), Some("stopped"));
        drop(page);

        send.send(Order::Undo).unwrap();
        why_stop(&session);
        drop(send);
        assert_eq!(session.wait(), Order::Stop, "it knows no other order");
    }
}
