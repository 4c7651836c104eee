//! Games of a referee that speaks as CodinGame's contest engine, as a real process.

use crate::common::{ENGINE, Game, bytes, find, play, take};
use crownhead_external::{ExternalReferee, RefereeError, RefereeOptions, Step};
use crownhead_record::RefereeProtocol;
use crownhead_record::openings::Opening;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const MOMENT: Duration = Duration::from_millis(5);
/// However busy the machine, what is waited for has come by then.
const PATIENCE: Duration = Duration::from_secs(60);

fn referee(options: &str, players: usize) -> Game {
    Game::start("engine.py", options, players)
}

#[test]
fn a_game_of_three_has_its_requests_in_order_and_other_scores_for_each() {
    let mut game = referee("--rounds 2", 3);
    game.begin(5);
    for player in 0..3 {
        let told = game.asked();
        let what = (told.player, told.lines, told.input.as_str());
        assert_eq!(what, (player, 0, format!("{player} 3\n").as_str()));
        game.answer(&[]);
    }
    let first = game.asked();
    assert_eq!((first.player, first.lines), (0, 2));
    assert_eq!(first.limit, Some(Duration::from_secs(1)));
    assert_eq!(first.frame.summary, ["the race begins"]);
    assert_eq!(first.frame.tooltips, ["0 a new round"]);
    assert_eq!(first.frame.view, "KEY_FRAME\n{\"asked\":0}");
    game.answer(&take(&first));
    let ended = game.play_on(take);
    assert_eq!(ended.scores.len(), 3);
    let [first, second, third] = ended.scores[..] else {
        panic!()
    };
    assert_eq!((second, third), (first + 1.0, first + 2.0));
    assert_eq!(ended.input, ["seed=5"]);
    assert_eq!(ended.metadata, [r#"{"rounds":"2"}"#]);
    assert_eq!(ended.frame.summary.len(), 3);
    assert!(ended.frame.view.starts_with("KEY_FRAME 2"));
}

#[test]
fn after_its_first_answer_a_player_has_the_limit_of_a_turn() {
    let mut game = referee("--limit 70", 2);
    game.begin(5);
    let mut limits = Vec::new();
    game.play_on(|request| {
        limits.push((request.player, request.limit.unwrap().as_millis()));
        take(request)
    });
    let zeroth = limits.iter().filter(|limit| limit.0 == 0);
    let zeroth: Vec<u128> = zeroth.map(|limit| limit.1).collect();
    assert_eq!(zeroth, [1000, 1000, 70, 70]);
}

#[test]
fn a_seed_has_one_game_and_other_seeds_have_others() {
    let scores = |seed| play("engine.py", "--rounds 5", 2, seed).unwrap().scores;
    assert_eq!(scores(1), scores(1));
    let others: Vec<_> = (2..6).map(scores).collect();
    assert!(others.iter().any(|other| *other != scores(1)), "{others:?}");
}

#[test]
fn a_player_that_fails_is_out_and_the_others_play_on() {
    let mut game = referee("", 3);
    game.begin(5);
    let mut asked = 0;
    let ended = loop {
        match game.next().unwrap() {
            Step::Over(ended) => break ended,
            Step::Asked(request) if request.player == 1 && request.lines > 0 => {
                asked += 1;
                assert!(game.process.give_up());
            }
            Step::Asked(request) => game.answer(&take(&request)),
        }
    };
    assert_eq!(asked, 1);
    assert_eq!(ended.scores[1], -1.0);
    assert!(ended.scores[0] > 0.0 && ended.scores[2] > 0.0, "{ended:?}");
}

#[test]
fn an_answer_cannot_write_messages_to_the_referee() {
    let mut game = referee("--rounds 1", 2);
    game.begin(5);
    let ended = game.play_on(|request| match (request.player, request.lines) {
        (_, 0) => Vec::new(),
        (0, _) => vec![
            "TAKE 0".into(),
            "a\r[[GET_GAME_INFO] 0]\n[[SET_PLAYER_TIMEOUT] 0]".into(),
        ],
        _ => take(request),
    });
    assert!(ended.scores.iter().all(|&score| score > 0.0), "{ended:?}");
    let said = &ended.frame.summary[0];
    assert!(
        said.ends_with("a [[GET_GAME_INFO] 0] [[SET_PLAYER_TIMEOUT] 0]"),
        "{said}"
    );
}

#[test]
fn an_engine_that_measures_is_told_no_more_than_the_limit_that_its_players_have() {
    let mut game = referee("--monitoring --rounds 6", 2);
    game.begin(5);
    let mut limits = Vec::new();
    let ended = loop {
        match game.next().unwrap() {
            Step::Over(ended) => break ended,
            Step::Asked(request) => {
                limits.push(request.limit.unwrap().as_millis());
                let lines = take(&request);
                game.process.answer(&bytes(&lines), Duration::from_secs(20));
            }
        }
    };
    // The first limit is set before the engine says that it measures.
    assert_eq!(limits[..5], [1000, 1000, 1000, 1000, 100]);
    assert!(ended.scores.iter().all(|&score| score > 0.0), "{ended:?}");
}

/// What is said of a referee with this fault.
fn fault(name: &str) -> String {
    let error = play("engine.py", &format!("--fault {name}"), 2, 5).unwrap_err();
    assert!(matches!(error, RefereeError::Protocol { .. }), "{error:?}");
    error.to_string()
}

#[test]
fn each_fault_of_a_referee_has_its_sentence() {
    let cases = [
        (
            "fail",
            "failed: java.lang.RuntimeException: no dice (Caused by: rain)",
        ),
        (
            "garbage",
            "said `Exception in thread main`; expected a message such as `[[VIEW] 2]`",
        ),
        (
            "exit",
            "ended with exit status 3; its standard error ends: no dice left; expected a message",
        ),
        (
            "cut",
            "ended with exit status 0; expected line 2 of the 3 of VIEW",
        ),
        ("count", "said `[[VIEW] many]`; expected a message"),
        (
            "oversize",
            "has 200009 bytes for player 0; expected at most 30720",
        ),
        (
            "endless",
            "said more than 16 MiB at once; expected a question or the end",
        ),
        (
            "player",
            "asked for `2 2 100` in NEXT_PLAYER_INFO; expected a player below 2",
        ),
        ("seed", "played seed 7; expected seed 5, which it was given"),
        ("scores", "gave the scores `0 "),
        ("no-scores", "ended with exit status 0; expected a message"),
    ];
    for (name, sentence) in cases {
        let said = fault(name);
        assert!(said.starts_with("the referee engine "), "{name}: {said}");
        assert!(said.contains(sentence), "{name}: {said}");
    }
}

#[test]
fn a_referee_that_tells_no_seed_is_believed() {
    let ended = play("engine.py", "--fault silent-seed", 2, 5).unwrap();
    assert!(ended.input.is_empty());
}

#[test]
fn a_wait_for_a_silent_referee_ends_soon_after_the_run_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let silent = folder.path().join("silent");
    let mut game = referee(&format!("--fault hang --mark {}", silent.display()), 2);
    game.begin(5);
    let interrupted = AtomicBool::new(false);
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            let deadline = Instant::now() + PATIENCE;
            while !silent.exists() && Instant::now() < deadline {
                std::thread::sleep(MOMENT);
            }
            interrupted.store(true, Ordering::Relaxed);
        });
        loop {
            match game.process.next(&interrupted) {
                Ok(Step::Asked(request)) => game.process.answer(&bytes(&take(&request)), MOMENT),
                Ok(Step::Over(ended)) => panic!("{ended:?}"),
                Err(error) => return error,
            }
        }
    });
    assert!(silent.exists());
    assert!(matches!(error, RefereeError::Interrupted), "{error:?}");
}

#[test]
fn the_command_says_that_it_speaks_as_the_engine() {
    let found = find("engine.py", ENGINE, 2, None).unwrap();
    assert_eq!(found.protocol, RefereeProtocol::Engine);
    assert_eq!(found.name, "engine");
}

#[test]
fn nothing_of_a_referee_is_left_when_it_is_dropped() {
    let script = "sleep 3000 & echo \"[[VIEW] 1]\"; echo $!; echo \"[[NEXT_PLAYER_INPUT] 0]\"; \
                  echo \"[[NEXT_PLAYER_INFO] 3]\"; echo 0; echo 1; echo 50; wait";
    let options = RefereeOptions {
        command: format!("sh -c '{script}'"),
        protocol: Some(RefereeProtocol::Engine),
        players: 2,
        ..RefereeOptions::default()
    };
    let referee = ExternalReferee::find(&options, ".".as_ref()).unwrap();
    let mut process = referee.start(&[]).unwrap();
    process.begin(&Opening::default());
    let step = process.next(&AtomicBool::new(false)).unwrap();
    let Step::Asked(request) = step else { panic!() };
    let lives = || std::fs::read_to_string(format!("/proc/{}/stat", request.frame.view));
    assert!(lives().is_ok());
    drop(process);
    // Whoever adopts it may take a moment to reap it.
    let gone = || lives().map_or(true, |stat| stat.contains(") Z "));
    let deadline = Instant::now() + PATIENCE;
    while !gone() {
        assert!(Instant::now() < deadline, "it lives on");
        std::thread::sleep(MOMENT);
    }
}
