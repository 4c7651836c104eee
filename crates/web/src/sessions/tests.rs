//! Running games and analyses: their places, their commands, and their end.

use super::*;
use serde_json::json;

/// How long something may take on a busy machine.
const PATIENT: Duration = Duration::from_secs(60);

/// The two ends of a session: its thread's, and those that the sessions hold.
pub(in super::super) fn session() -> (SessionThread, Sender<Order>, watch::Receiver<Json>) {
    let (send, orders) = mpsc::channel();
    let (states, shown) = watch::channel(Json::from("{}"));
    let thread = SessionThread {
        orders,
        states,
        stopped: Arc::default(),
        started: Instant::now(),
    };
    (thread, send, shown)
}

#[test]
fn there_are_so_many_seats_and_one_that_is_left_is_free_again() {
    let sessions = Sessions::new(1);
    let first = sessions
        .begin(|session| while session.wait() != Order::Stop {})
        .unwrap();
    let refused = sessions.begin(|_| {}).unwrap_err();
    assert_eq!(refused, NoSeat(1));
    assert!(sessions.tell(&first, Order::Undo));
    assert!(sessions.tell(&first, Order::Stop));
    let again = Instant::now();
    while sessions.begin(|_| {}).is_err() {
        assert!(again.elapsed() < PATIENT, "the seat stays taken");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!sessions.tell(&first, Order::Undo));
}

#[test]
fn each_session_has_a_name_of_its_own_and_its_orders_and_states() {
    let sessions = Sessions::new(2);
    let repeat = |session: SessionThread| {
        loop {
            match session.wait() {
                Order::Stop => return,
                order => session.show(&format!("{order:?}")),
            }
        }
    };
    let [one, other] = [0, 1].map(|_| sessions.begin(repeat).unwrap());
    assert_ne!(one, other);
    assert!(one.len() >= 32, "it cannot be guessed: {one}");
    assert!(sessions.tell(&one, Order::Undo));
    let states = sessions.states(&one).unwrap();
    let begun = Instant::now();
    while &**states.borrow() != "\"Undo\"" {
        assert!(begun.elapsed() < PATIENT);
        std::thread::yield_now();
    }
    assert_eq!(&**sessions.states(&other).unwrap().borrow(), "{}");
    assert!(sessions.states("nobody").is_none());
    assert!(!sessions.tell("nobody", Order::Undo));
    sessions.close();
}

#[test]
fn only_an_order_to_stop_stops_a_session_at_once() {
    let sessions = Sessions::new(1);
    let (tell, told) = mpsc::channel();
    let work = move |session: SessionThread| {
        for _ in 0..2 {
            let order = session.wait();
            let stopped = session.stopped.load(Ordering::Relaxed);
            tell.send((order, stopped)).unwrap();
        }
    };
    let name = sessions.begin(work).unwrap();
    for (order, stopped) in [(Order::Redo, false), (Order::Stop, true)] {
        assert!(sessions.tell(&name, order.clone()));
        assert_eq!(told.recv_timeout(PATIENT).unwrap(), (order, stopped));
    }
}

#[test]
fn all_that_goes_on_is_stopped_in_the_end_and_may_say_its_last_words() {
    let sessions = Sessions::new(1);
    let (tell, told) = mpsc::channel();
    let work = move |session: SessionThread| {
        let order = session.wait();
        let stopped = session.stopped.load(Ordering::Relaxed);
        // As if its game were being written.
        std::thread::sleep(Duration::from_millis(30));
        tell.send((order, stopped)).unwrap();
    };
    sessions.begin(work).unwrap();
    let begun = Instant::now();
    sessions.close();
    let (has_ended, took) = (told.try_recv(), begun.elapsed());
    assert!(
        has_ended == Ok((Order::Stop, true)) || took >= LAST_WORDS,
        "it was left after {took:?}"
    );
    assert!(has_ended.is_ok() || told.recv_timeout(PATIENT).is_ok());
}

#[test]
fn what_does_not_end_is_not_waited_for() {
    let sessions = Sessions::new(1);
    let (end, ended) = mpsc::channel::<()>();
    sessions
        .begin(move |_| ended.recv().unwrap_or_default())
        .unwrap();
    sessions.close();
    drop(end);
}

#[test]
fn whether_a_page_looks_on_is_known() {
    let (session, _send, shown) = session();
    assert!(!session.is_watched());
    let page = shown.clone();
    assert!(session.is_watched());
    drop(page);
    assert!(!session.is_watched());
}

/// The result of a session by a clock on which this time passes without commands.
fn left_for(session: &SessionThread, send: &Sender<Order>, time: Duration) -> Order {
    let begun = Instant::now();
    let mut asked = 0;
    session.wait_by(Duration::ZERO, || {
        asked += 1;
        if asked > 2 {
            send.send(Order::Redo).unwrap();
        }
        begun + time * u32::from(asked > 1)
    })
}

#[test]
fn a_game_waits_a_quarter_of_an_hour_for_a_person_and_two_minutes_where_no_page_shows_it() {
    let (session, send, shown) = session();
    let left_for = |time| {
        let order = left_for(&session, &send, time);
        session.drop_orders();
        order
    };
    assert_eq!(left_for(UNATTENDED), Order::Redo);
    assert_eq!(left_for(UNATTENDED + TICK), Order::Stop);
    let _page = shown.clone();
    assert_eq!(left_for(PATIENCE), Order::Redo);
    assert_eq!(left_for(PATIENCE + TICK), Order::Stop);
}

#[test]
fn orders_that_came_too_early_are_passed_over() {
    let (session, send, _shown) = session();
    send.send(Order::Undo).unwrap();
    send.send(Order::Undo).unwrap();
    session.drop_orders();
    send.send(Order::Redo).unwrap();
    assert_eq!(session.wait(), Order::Redo);
    drop(send);
    assert_eq!(session.wait(), Order::Stop, "nobody is there any more");
}

#[test]
fn what_is_shown_last_is_what_a_page_reads() {
    let (session, _send, shown) = session();
    session.show(&json!(1));
    session.show(&json!({"turns": []}));
    assert_eq!(&**shown.borrow(), r#"{"turns":[]}"#);
}
