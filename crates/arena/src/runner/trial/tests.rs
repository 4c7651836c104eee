//! How much it takes until a bot is accused, with bots that are functions.

use super::*;
use crate::table::ExitKind;

const BEFORE: &str = ".r.r.r.r\nr.r.r.r.\n.r.r.r.r\n........\n........\nb.b.b.b.\n.b.b.b.b\nb.b.b.b.\n2\nB6A5\nB6C5\n";
const TURN: &str = ".r.r.r.r\nr.r.r.r.\n...r.r.r\nr.......\n.b......\nb...b.b.\n.b.b.b.b\nb.b.b.b.\n2\nD6C5\nC7B6\n";
const ELSEWHERE: &str = ".r.r.r.r\nr.r.r.r.\n.r...r.r\n....r...\n.b......\nb...b.b.\n.b.b.b.b\nb.b.b.b.\n2\nF6G5\nE5D4\n";

/// Red's failure in its second turn, with this reply.
fn failure<'a>(reply: Option<&'a str>, opponents_moves: &[String]) -> Failure<'a> {
    Failure {
        termination: match reply {
            Some(_) => Termination::IllegalReply,
            None => Termination::Crash,
        },
        size: BoardSize::default(),
        colour: 'r',
        opponents_colour: 'b',
        live_colour: Some('w'),
        own_turn: 2,
        before: Some(BEFORE.into()),
        turn: TURN.into(),
        elsewhere: Some(ELSEWHERE.into()),
        reply,
        opponents_moves: opponents_moves.to_vec(),
        has_hint: false,
    }
}

const ENDED: Fault = Fault::Ended(ExitKind::Signal(11));

/// What is seen of a bot that answers each turn of a script as `answer` says, from all it was sent until then.
fn seen(script: &Script, mut answer: impl FnMut(&str) -> Result<Vec<u8>, Fault>) -> Vec<Seen> {
    let mut all = Vec::new();
    for place in 0..script.len() {
        let reply = answer(&script[..=place].concat());
        let failed = reply.is_err();
        let (early, after) = (None, Vec::new());
        all.push(Seen {
            reply,
            early,
            after,
        });
        if failed {
            break;
        }
    }
    all
}

/// The last line that was sent: a listed move.
fn last_move(sent: &str) -> Result<Vec<u8>, Fault> {
    Ok(sent.lines().next_back().unwrap_or_default().into())
}

fn find(failure: Failure<'_>, answer: impl Fn(&str) -> Result<Vec<u8>, Fault>) -> Option<String> {
    let ask = |script: &Script, _| seen(script, &answer);
    Trial::new(failure, ask).find()
}

#[test]
fn a_bot_that_fails_by_chance_is_hardly_ever_accused() {
    let mut state = 7_u64;
    let mut chance = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % 10
    };
    for failing in [2, 5, 8] {
        let mut accused = 0;
        for _ in 0..1000 {
            let ask = |script: &Script, _| {
                let all = script.concat();
                seen(script, |sent| match chance() < failing {
                    true if sent == all => Err(ENDED),
                    _ => last_move(sent),
                })
            };
            let failure = failure(None, &[]);
            accused += usize::from(Trial::new(failure, ask).find().is_some());
        }
        assert!(accused <= 10, "{accused} of 1000 at {failing} in 10");
    }
}

#[test]
fn however_the_ways_fare_a_bot_is_started_two_dozen_times_at_most() {
    let opponents = ["A3B4".to_string()];
    for reply in [Some(""), Some("A3B4"), None] {
        let mut starts = 0;
        let ask = |script: &Script, _| {
            starts += 1;
            seen(script, |sent| {
                if sent.contains(TURN) && script.len() > 1 {
                    Err(ENDED)
                } else {
                    last_move(sent)
                }
            })
        };
        let failure = failure(reply, &opponents);
        Trial::new(failure, ask).find();
        assert!(starts <= MOST_STARTS, "{starts}");
    }
}

#[test]
fn a_bot_that_is_silent_now_and_was_not_in_the_game_is_started_once() {
    let mut starts = 0;
    let limit = Duration::from_millis(100);
    let ask = |script: &Script, _| {
        starts += 1;
        seen(script, |_| {
            Err(Fault::Timeout {
                limit,
                input_closed: false,
            })
        })
    };
    let failure = failure(None, &[]);
    assert_eq!(Trial::new(failure, ask).find(), None);
    assert_eq!(starts, 1);
}

#[test]
fn a_bot_that_knows_w_answers_to_no_other_letter() {
    let known = |letters: &'static str| {
        find(failure(Some("A7C5"), &[]), move |sent| {
            if sent.starts_with(|colour| letters.contains(colour)) {
                last_move(sent)
            } else {
                Ok(b"A7C5".to_vec())
            }
        })
    };
    let Some(told) = known("w") else {
        panic!("nothing is told");
    };
    assert!(told.contains("knows `w`"), "{told}");
    assert_eq!(known("wb"), None, "it goes wrong for `r` alone");
    assert_eq!(known("rwb"), None, "it does not fail again");
}

#[test]
fn a_bot_that_hears_its_colour_is_not_said_to_ignore_it() {
    let opponents = ["A3B4".to_string()];
    let plays_black = |letters: &'static str| {
        find(failure(Some("A3B4"), &opponents), move |sent| {
            if sent.starts_with(|colour| letters.contains(colour)) {
                Ok(b"A3B4".to_vec())
            } else {
                Ok(b"A7B6".to_vec())
            }
        })
    };
    let Some(told) = plays_black("rwb") else {
        panic!("nothing is told");
    };
    assert!(told.contains("does not look at the colour line"), "{told}");
    for letters in ["r", "rw", "rb"] {
        assert_eq!(plays_black(letters), None, "{letters}");
    }
}

/// What is reported about a bot that did this in its two turns.
fn told_of_lines(turns: [Seen; 2]) -> String {
    let failure = failure(Some("depth 3"), &[]);
    let trial = Trial::new(failure, |_: &Script, _| turns.to_vec());
    trial.find().unwrap_or_default()
}

fn replied(reply: &str, after: &[&str]) -> Seen {
    Seen {
        reply: Ok(reply.into()),
        early: None,
        after: after.iter().map(|&line| line.into()).collect(),
    }
}

#[test]
fn a_line_after_the_move_is_told_from_a_line_before_it() {
    let late = told_of_lines([replied("B6A5", &["depth 3"]), replied("depth 3", &[])]);
    assert!(
        late.starts_with("it writes more lines after its move, `depth 3`"),
        "{late}"
    );
    let before = told_of_lines([replied("B6A5", &[]), replied("depth 3", &["D6C5"])]);
    assert!(
        before.starts_with("it writes other lines to its output before its move, here `depth 3`"),
        "{before}"
    );
    let neither = told_of_lines([replied("B6A5", &[]), replied("depth 3", &["B6A5"])]);
    assert_eq!(neither, "", "what it wrote next is no listed move");
}

#[test]
fn a_bot_that_answers_before_it_has_its_turn_has_lost_its_place_and_writes_nothing_else() {
    let early = |seen: Seen| Seen {
        early: Some(b"........".to_vec()),
        ..seen
    };
    let second = early(replied("........", &["D6C5"]));
    assert_eq!(told_of_lines([replied("B6A5", &[]), second]), "");
    let first = early(replied("B6A5", &["........"]));
    assert_eq!(told_of_lines([first, replied("........", &[])]), "");
}
