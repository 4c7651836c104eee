//! Games of a referee that speaks lines, as a real process.

use crate::common::{Game, find, play, take};
use crownhead_external::{ExternalReferee, RefereeError, RefereeOptions};
use crownhead_record::RefereeProtocol;
use std::time::Duration;

fn referee(options: &str, players: usize) -> Game {
    Game::start("lines.py", options, players)
}

#[test]
fn each_player_is_sent_all_that_is_for_it_when_it_is_asked() {
    let mut game = referee("--rounds 2", 3);
    game.begin(5);
    let mut asked = Vec::new();
    let ended = game.play_on(|request| {
        asked.push((request.player, request.input.clone()));
        assert_eq!((request.lines, request.limit), (2, None));
        take(request)
    });
    let players: Vec<usize> = asked.iter().map(|(player, _)| *player).collect();
    assert_eq!(players, [0, 1, 2, 0, 1, 2]);
    let (first, second): (Vec<_>, Vec<_>) =
        (asked[..3].iter().collect(), asked[3..].iter().collect());
    for (player, input) in first {
        assert!(input.starts_with(&format!("{player} 3\n1 ")), "{input}");
        assert_eq!(input.lines().count(), 2);
    }
    assert!(
        second
            .iter()
            .all(|(_, input)| input.starts_with("2 ") && input.lines().count() == 1)
    );
    assert_eq!(ended.scores, [0.0, 1.0, 2.0]);
}

#[test]
fn players_of_one_place_have_the_same_score() {
    let ended = play("lines.py", "--even", 3, 5).unwrap();
    assert_eq!(ended.scores, [2.0, 2.0, 2.0]);
}

#[test]
fn the_referees_words_about_a_failed_player_are_shown() {
    let mut game = referee("", 2);
    game.begin(5);
    let mut errors = Vec::new();
    let ended = game.play_on(|request| {
        errors.extend(request.errors.clone());
        match request.player {
            0 => vec!["TAKE 9".into(), "###End 0 1".into()],
            _ => take(request),
        }
    });
    assert_eq!(
        errors,
        [(0, "expected TAKE and a die, found TAKE 9".into())]
    );
    assert_eq!(ended.scores, [0.0, 1.0]);
}

#[test]
fn a_limit_and_legal_answers_are_those_of_the_next_output_alone() {
    let mut game = referee("--legal --limit 70 --rounds 2", 2);
    game.begin(5);
    let mut limits = Vec::new();
    game.play_on(|request| {
        limits.push(request.limit);
        let legal = [
            "TAKE 0\nthe first",
            "TAKE 1\nthe second",
            "TAKE 2\nthe third",
        ];
        assert_eq!(request.legal, legal);
        take(request)
    });
    let limit = Some(Duration::from_millis(70));
    assert_eq!(limits, [limit, limit, None, None]);
}

#[test]
fn viewer_output_belongs_to_the_step_before_which_it_was_sent() {
    let mut game = referee("--show text --rounds 2", 2);
    game.begin(5);
    let mut shown = Vec::new();
    game.play_on(|request| {
        shown.push(request.frame.show.clone());
        take(request)
    });
    assert!(shown[0].starts_with("round 1\n|"), "{shown:?}");
    assert!(shown[2].starts_with("round 2\n|"), "{shown:?}");
    assert_eq!([&shown[1], &shown[3]], ["", ""]);
}

#[test]
fn scores_and_the_reason_are_reported_at_the_end() {
    let ended = play("lines.py", "--scores --reason 'all dice are rolled'", 2, 5).unwrap();
    assert_eq!(ended.reason.as_deref(), Some("all dice are rolled"));
    assert_eq!(ended.scores[1], ended.scores[0] + 1.0, "an index more");
    assert!(ended.scores[0] > 1.0, "no ranks: {:?}", ended.scores);
    assert_eq!(play("lines.py", "", 2, 5).unwrap().reason, None);
}

#[test]
fn one_that_failed_may_have_a_score_that_its_place_contradicts() {
    let mut game = referee("--fault contradiction --rounds 1", 2);
    game.begin(5);
    let ended = game.play_on(|request| match request.player {
        0 => vec!["TAKE 9".into(), String::new()],
        _ => take(request),
    });
    assert!(ended.scores[0] > ended.scores[1], "{:?}", ended.scores);
}

#[test]
fn it_cannot_be_told_that_a_player_failed() {
    let mut game = referee("", 2);
    game.begin(5);
    game.asked();
    assert!(!game.process.give_up());
}

#[test]
fn a_carriage_return_within_an_answer_is_no_second_line() {
    let mut game = referee("--rounds 1", 2);
    game.begin(5);
    let mut errors = Vec::new();
    game.play_on(|request| {
        errors.extend(request.errors.clone());
        match request.player {
            0 => vec!["TAKE 0\rTAKE 1".into(), String::new()],
            _ => take(request),
        }
    });
    let why = "expected TAKE and a die, found TAKE 0 TAKE 1";
    assert_eq!(errors, [(0, why.into())]);
}

#[test]
fn each_fault_of_a_referee_has_its_sentence() {
    let cases = [
        (
            "garbage",
            "said `###News of today`; expected one of `###Input PLAYER`, `###Output",
        ),
        (
            "exit",
            "ended with exit status 3; its standard error ends: no dice left; expected one of",
        ),
        ("text", "said `a stray line`; expected one of"),
        ("endless", "said more than 100 KiB at once"),
        (
            "player",
            "said `###Output 2 2`; expected `###Output PLAYER LINES`, with a player from 0 to 1",
        ),
        (
            "missing",
            "expected `###End` with each player from 0 to 1 once",
        ),
        (
            "contradiction",
            "expected a higher score for a better place",
        ),
        (
            "unlisted",
            "said `###Legal` with 0 lines before `###Output 0 2`; expected at least one answer",
        ),
        ("uneven", "said `###Legal` with 3 lines"),
        ("shown", "said more than 100 KiB at once"),
        ("homeless", "said `a stray line`; expected one of"),
    ];
    for (fault, sentence) in cases {
        let error = play("lines.py", &format!("--fault {fault}"), 2, 5).unwrap_err();
        assert!(matches!(error, RefereeError::Protocol { .. }), "{error:?}");
        let said = error.to_string();
        assert!(said.starts_with("the referee lines "), "{fault}: {said}");
        assert!(said.contains(sentence), "{fault}: {said}");
    }
}

#[test]
fn any_other_command_speaks_lines() {
    let found = find("lines.py", "", 2, None).unwrap();
    assert_eq!(found.protocol, RefereeProtocol::Lines);
}

#[test]
fn options_that_a_line_referee_does_not_have_are_refused() {
    let too_many = find("lines.py", "", 11, Some(RefereeProtocol::Lines)).unwrap_err();
    assert!(
        too_many
            .to_string()
            .contains("at most 10 players; found 11"),
        "{too_many}"
    );
    let mut options = RefereeOptions {
        command: "true".into(),
        protocol: Some(RefereeProtocol::Lines),
        players: 2,
        ..RefereeOptions::default()
    };
    let refused = |options: &RefereeOptions| {
        let found = ExternalReferee::find(options, ".".as_ref());
        found.unwrap_err().to_string()
    };
    options.parameters.insert("size".into(), "3".into());
    assert!(refused(&options).contains("takes no parameters, such as `size`"));
    options.parameters = [("league".into(), "3".into())].into();
    assert!(refused(&options).contains("Write `-Dleague.level=3` into its command line"));
    options.parameters = [("seed".into(), "3".into())].into();
    assert!(refused(&options).contains("each game has a seed of its own"));
}
