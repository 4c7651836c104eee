//! What is reported about a failed turn, from what was seen of it.

use super::times::how_time_went;
use super::*;
use crownhead_record::Termination;
use crownhead_record::judge::{Overrun, Spent};
use std::time::Duration;

const FIRST: &str = "b\n.r.r.r.r\nr.r.r.r.\n.r.r.r.r\n........\n........\nb.b.b.b.\n.b.b.b.b\nb.b.b.b.\n2\nC3B4\nG3F4\n";
const SECOND: &str = ".r.r.r.r\nr.r.r.r.\n.r.r.r..\n......r.\n.b......\nb...b.b.\n.b.b.b.b\nb.b.b.b.\n2\nB4A5\nE3D4\n";

/// The second turn of a bot, failed in this way.
fn second<'a>(termination: Termination, facts: &'a TurnFacts, probe: &'a Probe) -> FailedTurn<'a> {
    FailedTurn {
        termination,
        limit: Duration::from_millis(100),
        spent: None,
        own_turn: 2,
        sent: SECOND,
        has_board: true,
        sent_before: Some(FIRST),
        reply: None,
        facts,
        probe,
        stderr: b"",
        memory: &[],
    }
}

fn only_cause(turn: FailedTurn<'_>) -> String {
    let causes = turn.diagnose().causes;
    assert_eq!(causes.len(), 1, "{causes:?}");
    causes.into_iter().next().unwrap()
}

#[test]
fn a_number_that_another_line_was_taken_for_tells_how_far_the_bot_is_off() {
    let probe = Probe::default();
    let facts = TurnFacts {
        unread: Some(0),
        ..TurnFacts::default()
    };
    let crash = |message: &'static str, own_turn, sent| FailedTurn {
        stderr: message.as_bytes(),
        own_turn,
        sent,
        ..second(Termination::Crash, &facts, &probe)
    };
    let message = "ValueError: invalid literal for int() with base 10: 'B4A5'";
    let told = only_cause(crash(message, 2, SECOND));
    assert_eq!(
        told,
        "it took `B4A5`, move 1 of 2, for the number of moves: it is one line ahead, as a bot that reads the colour \
         line at every turn: that comes once, before the first turn"
    );
    let told = only_cause(crash(
        "NumberFormatException: For input string: \"b.b.b.b.\"",
        2,
        SECOND,
    ));
    assert!(told.contains("`b.b.b.b.`, row 1 of the board"), "{told}");
    assert!(
        told.ends_with("it is 1 line behind: it had not read all of the list of the turn before")
    );
    let told = only_cause(crash("invalid literal for int(): 'b.b.b.b.\\n'", 1, FIRST));
    assert!(
        told.ends_with("1 line too few before it; the first line is the colour"),
        "{told}"
    );
    let told = only_cause(crash("cannot parse integer `G3F4`", 1, FIRST));
    assert!(
        told.ends_with("it had read 2 lines too many before it"),
        "{told}"
    );
    for message in ["KeyError: 'B4A5'", "ValueError: invalid int() 'B4'", ""] {
        let diagnosis = crash(message, 2, SECOND).diagnose();
        assert_eq!(diagnosis.causes, Vec::<String>::new(), "{message}");
    }
}

#[test]
fn lines_left_in_the_pipe_are_named() {
    let probe = Probe::default();
    let facts = |left_over, unread| TurnFacts {
        left_over,
        unread: Some(unread),
        ..TurnFacts::default()
    };
    fn turn<'a>(facts: &'a TurnFacts, probe: &'a Probe) -> FailedTurn<'a> {
        second(Termination::IllegalReply, facts, probe)
    }
    assert_eq!(
        only_cause(turn(&facts(5, 40), &probe)),
        "it answered the turn before with 1 line of it unread, from `G3F4`, move 2 of 2: read the whole list"
    );
    assert!(turn(&facts(0, 0), &probe).diagnose().causes.is_empty());
}

#[test]
fn the_place_where_a_bot_stopped_reading_is_only_a_hint() {
    let probe = Probe::default();
    let told = |unread| {
        let facts = TurnFacts {
            unread: Some(unread),
            ..TurnFacts::default()
        };
        let diagnosis = second(Termination::IllegalReply, &facts, &probe).diagnose();
        assert!(diagnosis.causes.is_empty());
        diagnosis.hint
    };
    assert_eq!(
        told(10).unwrap(),
        "it had read 9 of the 11 lines of its turn; the next was `B4A5`, move 1 of 2"
    );
    assert_eq!(
        told(SECOND.len()).unwrap(),
        "it had read none of the 11 lines of its turn"
    );
    assert_eq!(told(0), None);
}

#[test]
fn a_reply_that_stands_in_the_input_is_known() {
    let (facts, probe) = Default::default();
    let told = |reply| {
        let turn = FailedTurn {
            reply: Some(reply),
            ..second(Termination::IllegalReply, &facts, &probe)
        };
        turn.diagnose().hint.unwrap_or_default()
    };
    assert!(told("......r.").contains("row 5 of the board: it answers a line of its input"));
    assert!(told("2").contains("`2` is the number of moves"));
    assert!(told("C3B4").contains("a move of the turn before"));
    assert_eq!(
        told("G3F4"),
        "",
        "G3 stands where it stood: another rule may be broken"
    );
    assert_eq!(told("E3F4"), "");
}

#[test]
fn a_bot_that_ended_without_reading_its_second_turn_is_told_that_there_are_more() {
    let probe = Probe::default();
    let causes = |termination, unread, own_turn, by_signal, stderr: &'static [u8]| {
        let facts = TurnFacts {
            unread,
            by_signal,
            ..TurnFacts::default()
        };
        let turn = FailedTurn {
            own_turn,
            stderr,
            ..second(termination, &facts, &probe)
        };
        turn.diagnose().causes
    };
    let all = Some(SECOND.len());
    let sentence =
        ["it ended after its first answer: a bot is asked turn after turn until its input ends"];
    assert_eq!(causes(Termination::Exit, all, 2, false, b""), sentence);
    assert_eq!(causes(Termination::Exit, None, 2, false, b""), sentence);
    assert_eq!(causes(Termination::Crash, all, 2, false, b""), sentence);
    let others = [
        causes(Termination::Exit, Some(0), 2, false, b""),
        causes(Termination::Exit, all, 3, false, b""),
        causes(Termination::Crash, all, 2, true, b""),
        causes(Termination::Crash, all, 2, false, b"KeyError: 'b'\n"),
    ];
    for causes in others {
        assert_eq!(causes, [""; 0]);
    }
}

#[test]
fn a_last_line_is_distinguished_from_an_exception() {
    let (facts, probe) = Default::default();
    let diagnosis = |stderr: &'static [u8]| {
        let turn = FailedTurn {
            stderr,
            ..second(Termination::Crash, &facts, &probe)
        };
        turn.diagnose()
    };
    let thinking = diagnosis(b"depth 2\ndepth 3\n");
    assert_eq!(thinking.headline, None);
    assert_eq!(
        thinking.last_line.unwrap(),
        "its last line on standard error: `depth 3`"
    );
    let failed = diagnosis(b"depth 3\nbot: bot.cpp:1: int main(): Assertion `n > 0' failed.\n");
    assert!(
        failed
            .headline
            .unwrap()
            .ends_with("Assertion `n > 0' failed.")
    );
    assert_eq!(failed.last_line, None);
}

#[test]
fn more_input_shows_what_a_silent_bot_was_waiting_for() {
    let facts = TurnFacts {
        unread: Some(0),
        ..TurnFacts::default()
    };
    let line = || b"A3B4".to_vec();
    let told = |probe: Probe| only_cause(second(Termination::Timeout, &facts, &probe));
    let cases = [
        (
            Probe {
                answer: Some((Took::Flush, line())),
                ..Probe::default()
            },
            "it had written `A3B4` without flushing; flush after every line",
        ),
        (
            Probe {
                answer: Some((Took::End, line())),
                ..Probe::default()
            },
            "only when its input had ended: it reads to the end of input",
        ),
        (
            Probe {
                answer: Some((Took::OneLineMore, line())),
                ..Probe::default()
            },
            "once one line more had come",
        ),
        (
            Probe {
                answer: Some((Took::NextTurn, line())),
                ..Probe::default()
            },
            "only when the next turn had come",
        ),
        (
            Probe {
                watched: Duration::from_micros(312_340),
                answer: Some((Took::Time, line())),
                ..Probe::default()
            },
            "it would have answered `A3B4` after 312 ms",
        ),
    ];
    for (probe, sentence) in cases {
        let told = told(probe);
        assert!(told.contains(sentence), "{told}");
    }
    let unfinished = TurnFacts {
        unfinished: line(),
        ..facts
    };
    let probe = Probe::default();
    let turn = second(Termination::Timeout, &unfinished, &probe);
    assert_eq!(
        only_cause(turn),
        "it had written `A3B4` without the end of the line"
    );
}

#[test]
fn the_state_of_a_silent_bot_is_reported_only_if_it_was_seen_twice() {
    let told = |unread: usize, then: Doing, later: Doing, own_turn: usize| {
        let facts = TurnFacts {
            unread: Some(unread),
            doing: Some(then),
            ..TurnFacts::default()
        };
        let probe = Probe {
            watched: Duration::from_secs(1),
            doing: Some(later),
            ..Probe::default()
        };
        let turn = FailedTurn {
            own_turn,
            ..second(Termination::Timeout, &facts, &probe)
        };
        turn.diagnose().causes.join("; ")
    };
    let (works, sleeps, all) = (Doing::Computes, Doing::Sleeps, SECOND.len());
    let reads = Doing::AwaitsInput { for_good: true };
    assert_eq!(
        told(0, works, works, 2),
        "after 1000 ms it was still computing"
    );
    let start = "it computed, and had read nothing yet: what it loads or computes at its start takes too long";
    assert_eq!(told(all, works, works, 1), start);
    assert_eq!(
        told(all, sleeps, sleeps, 1),
        "it had read nothing of what it was sent"
    );
    for (then, later) in [
        (works, sleeps),
        (sleeps, works),
        (sleeps, sleeps),
        (reads, reads),
    ] {
        assert_eq!(told(0, then, later, 2), "");
    }
    assert_eq!(told(0, Doing::Unknown, Doing::Unknown, 2), "");
}

#[test]
fn a_bot_that_was_kept_from_its_time_is_given_no_advice() {
    let facts = TurnFacts::default();
    let probe = Probe {
        answer: Some((Took::OneLineMore, b"A3B4".to_vec())),
        ..Probe::default()
    };
    let turn = |queued| {
        let spent = Spent {
            wall: Duration::from_millis(150),
            overrun: Some(Overrun {
                queued: Duration::from_millis(queued),
                ..Overrun::default()
            }),
            ..Spent::default()
        };
        FailedTurn {
            spent: Some(spent),
            ..second(Termination::Timeout, &facts, &probe)
        }
    };
    assert_eq!(turn(0).diagnose().causes.len(), 1);
    assert_eq!(turn(10).diagnose().causes, Vec::<String>::new());
}

#[test]
fn the_time_of_a_turn_is_reported_by_where_it_went() {
    let ms = Duration::from_millis;
    let spent = |wall, work: Option<u64>, waited: Option<u64>| {
        let spent = Spent {
            wall: ms(wall),
            work: work.map(ms),
            waited: waited.map(ms),
            ..Spent::default()
        };
        how_time_went(&spent)
    };
    assert_eq!(
        spent(101, Some(3), Some(0)),
        "it worked 3.0 ms, waited 0.0 ms for a core and was idle for 98 ms"
    );
    assert_eq!(
        spent(100, Some(380), Some(5)),
        "it worked 380 ms in 100 ms, on several cores at once"
    );
    assert!(spent(100, None, None).contains("not known"));
    assert_eq!(
        spent(101, Some(3), None),
        "it worked 3.0 ms, and was idle or waited for a core for 98 ms"
    );
    assert_eq!(
        spent(101, Some(109), None),
        "it worked 101 ms, and was idle or waited for a core for 0.0 ms"
    );
    let stolen = |work, stolen| Spent {
        wall: ms(101),
        work: Some(ms(work)),
        overrun: Some(Overrun {
            work: ms(work),
            stolen: ms(stolen),
            ..Overrun::default()
        }),
        ..Spent::default()
    };
    assert_eq!(
        how_time_went(&stolen(86, 10)),
        "it worked 86 ms, waited 0.0 ms for a core, which the machine's hypervisor took away for another 10 ms, and was \
         idle for 5.0 ms"
    );
    let still = how_time_went(&stolen(101, 20));
    assert!(still.starts_with("it worked 81 ms"), "{still}");
    let none = how_time_went(&stolen(86, 0));
    assert!(!none.contains("hypervisor"), "{none}");
}

#[test]
fn lines_that_lack_are_told_and_a_late_answer_that_has_all_is_not() {
    let probe = Probe::default();
    for (lines, told) in [
        ([1, 2], "it had answered 1 of the 2 lines that are wanted"),
        ([2, 2], ""),
        ([0, 2], ""),
    ] {
        let facts = TurnFacts {
            lines,
            ..TurnFacts::default()
        };
        let turn = second(Termination::Timeout, &facts, &probe);
        assert_eq!(turn.diagnose().causes.join("; "), told, "{lines:?}");
    }
}
