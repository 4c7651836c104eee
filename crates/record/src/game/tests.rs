//! A record as programs write and read it, and the questions to it.

mod schema;

use super::*;
use crate::tests::{faulty, game, played};
use crownhead_bots::{CHECKERS, CHESS};
use serde_json::{Value, json};

/// Reads the record in this JSON, or says why it is not one.
fn read(value: &Value) -> Result<GameRecord, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

#[test]
fn default_values_are_left_out_and_others_read_back() {
    let usual = played(&["B4C5"]);
    let written = serde_json::to_value(&usual).unwrap();
    for name in ["referee", "suspect", "replayed", "start"] {
        assert!(written.get(name).is_none(), "{name}");
    }
    let turn = written["turns"][0].as_object().unwrap();
    let names: Vec<&str> = turn.keys().map(String::as_str).collect();
    assert_eq!(names, ["player", "reply", "us"]);
    assert_eq!(read(&written), Ok(usual.clone()));
    assert_eq!(usual.turns[0].lines, 1);

    let mut unusual = usual;
    (unusual.suspect, unusual.replayed) = (true, true);
    unusual.turns[0].lines = 3;
    unusual.turns[0].limit = Some(Duration::from_millis(40));
    unusual.turns[0].work = Some(Duration::from_micros(7));
    unusual.turns[0].lag = Duration::from_millis(20);
    unusual.turns[0].given_back = Duration::from_millis(30);
    let written = serde_json::to_value(&unusual).unwrap();
    assert_eq!(written["suspect"], true);
    assert_eq!(written["replayed"], true);
    let turn = json!({
        "player": 0, "lines": 3, "limit_us": 40_000, "reply": "B4C5", "us": 1_000_000, "work_us": 7,
        "given_back_us": 30_000, "lag_us": 20_000,
    });
    assert_eq!(written["turns"][0], turn);
    assert_eq!(read(&written), Ok(unusual));
}

#[test]
fn a_record_whose_lists_disagree_is_refused() {
    let mut good = faulty(1, &["anna", "bert"], &[0.0, 1.0], &[0]);
    good.start = Some(StartRecord {
        rows: Vec::new(),
        player: 1,
    });
    let good = serde_json::to_value(&good).unwrap();
    assert!(read(&good).is_ok());
    for (place, value) in [
        ("/players", json!([good["players"][0]])),
        ("/scores", json!([1.0])),
        ("/scores", json!([1.0, 0.0, 0.0])),
        ("/turns/0/player", json!(2)),
        ("/start/player", json!(2)),
        ("/referee/failed/0/turn", json!(1)),
        ("/referee/failed/0/turn", json!(2)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = value;
        let told = read(&bad).unwrap_err();
        assert!(told.starts_with("its lists disagree"), "{place}: {told}");
    }
    // A single player, with consistent lists.
    let mut alone = good.clone();
    alone["players"] = json!([good["players"][0]]);
    (alone["scores"], alone["start"]) = (json!([1.0]), Value::Null);
    assert!(read(&alone).is_err());
}

#[test]
fn text_written_by_a_stranger_is_escaped() {
    let mut record = played(&[]);
    record.players[0].name = "\u{1b}[31m".into();
    record.players[1].side = "a\nb".into();
    record.reason = "\u{7}".into();
    let read = read(&serde_json::to_value(&record).unwrap()).unwrap();
    assert_eq!(read.players[0].name, r"\x1b[31m");
    assert_eq!(read.players[1].side, r"a\x0ab");
    assert_eq!(read.reason, r"\x07");
}

#[test]
fn a_game_counts_unless_it_is_void_or_was_played_again() {
    let counted = game(1, &["anna", "bert"], &[0.0, 1.0]);
    assert_eq!(counted.rated(), Some(&[0.0, 1.0][..]));
    assert_eq!(counted.result(), Some(RecordedResult::White));
    assert!(!counted.starved());
    let mut void = counted.clone();
    (void.scores, void.suspect) = (None, true);
    assert_eq!((void.rated(), void.result()), (None, None));
    assert!(void.starved());
    void.suspect = false;
    assert!(!void.starved(), "the referee was at fault");
    let mut again = counted;
    again.replayed = true;
    assert_eq!(again.rated(), None);
    (again.scores, again.suspect) = (None, true);
    assert!(!again.starved());
    let three = game(1, &["anna", "bert", "carl"], &[1.0, 0.5, 0.0]);
    assert_eq!(three.result(), None);
}

#[test]
fn the_result_of_two_players_is_that_of_the_better_score() {
    use RecordedResult::{Black, Draw, White};
    for (scores, result) in [([1.0, 0.0], Black), ([0.0, 1.0], White), ([0.5, 0.5], Draw)] {
        assert_eq!(RecordedResult::of_scores(&scores), result);
    }
}

#[test]
fn a_player_is_found_by_its_name_with_its_score_and_its_time() {
    let mut record = played(&["B4C5", "D6B4", "C3D4"]);
    record.scores = Some(vec![1.0, 0.0]);
    assert_eq!(
        ["anna", "bert", "carl"].map(|name| record.place_of(name)),
        [Some(0), Some(1), None]
    );
    assert_eq!(
        ["anna", "bert", "carl"].map(|name| record.score_of(name)),
        [Some(1.0), Some(0.0), None]
    );
    assert_eq!([0, 1].map(|player| record.turns_of(player).count()), [2, 1]);
    assert_eq!(
        [0, 1].map(|player| record.time_used(player).as_secs()),
        [2, 1]
    );
    record.scores = None;
    assert_eq!(record.score_of("anna"), None);
}

#[test]
fn time_given_back_does_not_count_as_the_players() {
    let mut turn = TurnRecord::new(0, None, Duration::from_millis(120));
    assert_eq!(turn.counted(), Duration::from_millis(120));
    turn.given_back = Duration::from_millis(30);
    assert_eq!(turn.counted(), Duration::from_millis(90));
}

/// A game that bert lost on time in its second turn, while the referee was away for this long.
fn late(lag: Duration) -> GameRecord {
    let mut record = played(&["B4C5", "D6B4", "C3D4", "H6G5"]);
    record.limits.first_turn = Duration::from_secs(1);
    record.limits.turn = Duration::from_millis(100);
    (record.scores, record.termination) = (Some(vec![1.0, 0.0]), Termination::Timeout);
    record.turns[3].reply = None;
    record.turns[3].lag = lag;
    record
}

#[test]
fn the_fault_of_a_game_is_that_of_its_last_turn_and_the_losers() {
    let away = Duration::from_millis(100);
    let record = late(away);
    assert_eq!(record.lag(), away);
    assert_eq!(
        [0, 1].map(|player| record.fault_of(player)),
        [None, Some(Termination::Timeout)]
    );
    assert_eq!(
        (record.decisive_turn(), record.fault_turn()),
        (Some(3), Some(3))
    );
    assert_eq!(record.decisive_player().unwrap().name, "bert");
    assert!(!record.has_failed_start());
    let mut lost = record.clone();
    lost.termination = Termination::NoMoves;
    assert_eq!((lost.fault_of(1), lost.fault_turn()), (None, None));
    let mut void = record.clone();
    void.scores = None;
    assert_eq!(void.fault_of(1), None);
    let mut unstarted = record;
    (unstarted.termination, unstarted.turns) = (Termination::CannotStart, Vec::new());
    assert!(unstarted.has_failed_start());
    assert_eq!(
        (unstarted.decisive_turn(), unstarted.decisive_player()),
        (None, None)
    );
}

#[test]
fn an_external_referees_game_is_decided_by_who_failed_first() {
    let mut record = faulty(1, &["anna", "bert", "carl"], &[1.0, 0.5, 0.0], &[2, 1]);
    record.turns.push(TurnRecord::new(0, None, Duration::ZERO));
    record.referee.as_mut().unwrap().failed[1].termination = Termination::Timeout;
    let faults = [0, 1, 2].map(|player| record.fault_of(player));
    assert_eq!(
        faults,
        [None, Some(Termination::Timeout), Some(Termination::Crash)]
    );
    assert_eq!(record.decisive_turn(), Some(0));
    assert_eq!(record.decisive_player().unwrap().name, "carl");
}

#[test]
fn a_finished_game_gives_its_referees_reason() {
    let mut record = faulty(1, &["anna", "bert"], &[1.0, 0.0], &[1]);
    record.referee.as_mut().unwrap().reason = Some("all ships sunk".into());
    assert_eq!(record.ended_by(), Termination::Crash.to_string());
    record.termination = Termination::Scores;
    assert_eq!(record.ended_by(), "all ships sunk");
    record.referee.as_mut().unwrap().reason = None;
    assert_eq!(record.ended_by(), Termination::Scores.to_string());
}

#[test]
fn a_record_is_rebuilt_move_by_move_and_its_last_reply_may_be_the_fault() {
    let record = played(&["B4C5", "D6B4", "C3D4"]);
    let board = record.rebuild(CHECKERS).unwrap();
    assert_eq!(board.moves(), ["A3B4", "B6A5", "B4C5", "D6B4", "C3D4"]);
    let mut illegal = record.clone();
    illegal.turns[2].reply = Some("A1B2 ".into());
    let told = illegal.rebuild(CHECKERS).unwrap_err().to_string();
    assert_eq!(
        told,
        "turn 5 of the record is `A1B2`, which is no legal move there"
    );
    illegal.termination = Termination::IllegalReply;
    assert_eq!(illegal.rebuild(CHECKERS).unwrap().moves().len(), 4);
    // A move that is legal, and came too late.
    let mut slow = record.clone();
    slow.termination = Termination::Timeout;
    assert_eq!(slow.rebuild(CHECKERS).unwrap().moves().len(), 5);
    // No reply came: the one before it is no fault.
    slow.turns[2].reply = None;
    slow.turns[1].reply = Some("A1B2".into());
    assert!(slow.rebuild(CHECKERS).is_err());
}

#[test]
fn a_record_of_another_game_of_other_rules_or_of_more_players_is_not_rebuilt() {
    let record = played(&[]);
    let told = |record: &GameRecord, game| record.rebuild(game).unwrap_err().to_string();
    assert!(told(&record, CHESS).contains("of the game `checkers`"));
    let mut other = record.clone();
    other.rules = "draughts".into();
    assert!(told(&other, CHECKERS).contains("the rule book `draughts`"));
    let mut other = record;
    other
        .players
        .push(PlayerRecord::new("third", "carl", "carl"));
    assert!(told(&other, CHECKERS).contains("of 3 players"));
}

#[test]
fn the_limit_of_turns_of_a_record_is_that_of_its_game() {
    let mut record = played(&["B4C5", "D6B4", "C3D4"]);
    assert!(record.rebuild(CHECKERS).unwrap().result().is_none());
    record.max_turns = Some(5);
    let over = record.rebuild(CHECKERS).unwrap().result();
    assert!(over.is_some(), "five turns were played");
}
