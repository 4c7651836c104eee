//! The schema of records in the guide has what is written, and nothing else.

#[path = "../../../../../tests/support/record_schema.rs"]
mod record_schema;

use crate::judge::{Clock, TimeLimits};
use crate::site::{SiteDifference, SiteRecord};
use crate::stderr::Stderr;
use crate::{FailedTurn, Figures, Frame, GameRecord, PlayerRecord, RefereeProtocol};
use crate::{RefereeRecord, StartRecord, Termination, TurnRecord, VERSION};
use record_schema::RecordSchema;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;

/// A game in which every field is written. It names each field, so that a new one is not forgotten here.
fn full() -> GameRecord {
    let time = Duration::from_millis(20);
    let stderr = |kept: &[u8]| Stderr {
        kept: kept.into(),
        cut: 1,
    };
    let lines = || vec!["a line".to_string()];
    let named = || [("league".to_string(), "4".to_string())].into();
    let player = PlayerRecord {
        side: "player 1".into(),
        name: "anna".into(),
        command: "./anna".into(),
        version: Some("0123456789abcdef".into()),
        start_up: Some(time),
        colour_line: Some('w'),
        stderr_before: stderr(b"text"),
        stderr_after: stderr(b"\xff"),
    };
    let failed = FailedTurn {
        turn: 0,
        termination: Termination::Timeout,
    };
    let frame = Frame {
        turn: 0,
        view: "{}".into(),
        show: ". . .".into(),
        summary: lines(),
        tooltips: vec!["0 late".into()],
    };
    let referee = RefereeRecord {
        command: "referee.jar".into(),
        protocol: RefereeProtocol::Engine,
        hash: "0123456789abcdef".into(),
        seed: 5,
        parameters: named(),
        scores: vec![-1.0, 2.5],
        reason: Some("too late".into()),
        failed: vec![failed],
        frames: vec![frame],
        metadata: lines(),
        input: lines(),
    };
    let turn = TurnRecord {
        player: 0,
        sent: Some("1 2\n".into()),
        lines: 2,
        limit: Some(time),
        reply: None,
        opening: Some("TAKE 1".into()),
        time,
        work: Some(time),
        waited: Some(time),
        given_back: time,
        lag: time,
        stderr: stderr(b"text"),
        said: Figures::from([("depth".into(), 7.into())]),
    };
    let site = SiteRecord {
        game: Some(7),
        title: Some("Dice".into()),
        verified: false,
        difference: Some(SiteDifference {
            turn: 3,
            what: "scores".into(),
            file: "1 0".into(),
            here: "0 1".into(),
        }),
        unverified: Some("it differs".into()),
    };
    GameRecord {
        version: VERSION,
        game: "dice".into(),
        rules: "league=4".into(),
        number: 1,
        seed: 1,
        referee: Some(referee),
        site: Some(site),
        players: vec![player.clone(), player],
        limits: TimeLimits {
            first_turn: time,
            turn: time,
        },
        profile: "strict".into(),
        clock: Clock::Wall,
        suspect: true,
        replayed: true,
        options: named(),
        max_turns: Some(200),
        start: Some(StartRecord {
            rows: lines(),
            player: 0,
        }),
        opening: lines(),
        turns: vec![turn],
        scores: Some(vec![0.0, 1.0]),
        termination: Termination::Timeout,
        reason: "player 1 did not answer".into(),
    }
}

#[test]
fn the_schema_has_every_field_that_is_written_and_no_other() {
    let schema = RecordSchema::load();
    let met = schema
        .check(&serde_json::to_value(full()).unwrap())
        .unwrap();
    assert_eq!(met, schema.properties());
}

/// The page about records.
const PAGE: &str = include_str!("../../../../../docs/guide/reference/record-format.md");

#[test]
fn the_game_on_the_page_is_a_record_that_keeps_to_the_schema() {
    let (_, game) = PAGE.split_once("```json\n").unwrap();
    let (game, _) = game.split_once("```").unwrap();
    RecordSchema::load()
        .check(&serde_json::from_str(game).unwrap())
        .unwrap();
    assert!(serde_json::from_str::<GameRecord>(game).is_ok());
}

#[test]
fn the_page_lists_each_termination_and_says_which_are_faults() {
    for word in RecordSchema::load().texts("/$defs/termination/enum") {
        let mut rows = PAGE
            .lines()
            .filter(|line| line.starts_with(&format!("| `{word}` |")));
        let row = rows
            .next()
            .unwrap_or_else(|| panic!("{word} is not on the page"));
        let termination: Termination = serde_json::from_value(json!(word)).unwrap();
        assert_eq!(row.contains("| yes"), termination.is_fault(), "{row}");
    }
}

#[test]
fn the_schema_refuses_fields_that_no_record_has() {
    let schema = RecordSchema::load();
    let full = serde_json::to_value(full()).unwrap();
    for (place, value, problem) in [
        (
            "/players",
            json!([]),
            "game.players violates minItems 2: []",
        ),
        (
            "/turns/0",
            json!({"player": 0, "reply": null}),
            "turn violates required",
        ),
        ("/limits", json!({"more": 1}), "limits.more is not known"),
        ("/termination", json!("late"), "termination violates enum"),
    ] {
        let mut bad = full.clone();
        *bad.pointer_mut(place).unwrap() = value;
        let told = schema.check(&bad).unwrap_err();
        assert!(told.starts_with(problem), "{place}: {told}");
    }
}

#[test]
fn the_schema_has_every_word_of_an_enumeration_and_no_other() {
    /// The words of `T`, as its reader names them when it is given another.
    fn words<T: DeserializeOwned>() -> BTreeSet<String> {
        let error = serde_json::from_str::<T>("\"?\"")
            .err()
            .unwrap()
            .to_string();
        let (_, listed) = error.split_once("expected").unwrap();
        listed
            .split('`')
            .skip(1)
            .step_by(2)
            .map(String::from)
            .collect()
    }
    let schema = RecordSchema::load();
    for (place, words) in [
        ("/$defs/termination/enum", words::<Termination>()),
        (
            "/$defs/referee/properties/protocol/enum",
            words::<RefereeProtocol>(),
        ),
        ("/properties/clock/enum", words::<Clock>()),
    ] {
        assert_eq!(
            schema.texts(place),
            words.iter().map(String::as_str).collect()
        );
    }
}
