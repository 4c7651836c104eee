//! What an external referee says, in each protocol: a program that prints it.

use crownhead_external::{Ended, ExternalReferee, RefereeOptions, Request, Step};
use crownhead_record::RefereeProtocol;
use crownhead_record::openings::Opening;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const PLAYERS: usize = 2;

/// What a person is told of a referee that breaks its protocol is a line of text, however much it said.
const LONGEST_ERROR: usize = 4000;

/// Messages of the engine and of lines: a game is played to its end, or void with a reason.
pub fn referee(bytes: &[u8]) {
    let file = std::env::temp_dir().join(format!("crownhead-said-{}", std::process::id()));
    std::fs::write(&file, bytes).expect("a file for what is said");
    for protocol in [RefereeProtocol::Engine, RefereeProtocol::Lines] {
        play(protocol, &file.display().to_string());
    }
    let _ = std::fs::remove_file(file);
}

fn play(protocol: RefereeProtocol, file: &str) {
    let options = RefereeOptions {
        command: format!("cat '{file}'"),
        protocol: Some(protocol),
        players: PLAYERS,
        ..RefereeOptions::default()
    };
    let referee = ExternalReferee::find(&options, "".as_ref());
    let mut referee = referee.and_then(|referee| referee.start(&[])).expect("cat");
    referee.begin(&Opening::default());
    let never = AtomicBool::new(false);
    for turn in 0_u32.. {
        match referee.next(&never) {
            Ok(Step::Asked(request)) => expect_request(&request),
            Ok(Step::Over(ended)) => return expect_end(&ended),
            Err(error) => return is_told(&error.to_string()),
        }
        let took = Duration::from_millis(u64::from(turn));
        if turn % 3 < 2 {
            referee.answer(&[b"WAIT\r[[GET_GAME_INFO] 0]".to_vec()], took);
        } else if !referee.give_up() {
            return;
        }
    }
}

fn expect_request(request: &Request) {
    assert!(request.player < PLAYERS && request.lines <= 10_000);
    assert!(request.input.is_empty() || request.input.ends_with('\n'));
    let lines = |answer: &String| answer.split('\n').count();
    assert!(
        request
            .legal
            .iter()
            .all(|legal| lines(legal) == request.lines)
    );
    assert!(request.errors.iter().all(|(player, _)| *player < PLAYERS));
}

fn expect_end(ended: &Ended) {
    assert_eq!(ended.scores.len(), PLAYERS);
    assert!(ended.scores.iter().all(|score| score.is_finite()));
}

fn is_told(problem: &str) {
    assert!(problem.len() < LONGEST_ERROR, "{} bytes", problem.len());
    let steers = |letter: char| letter.is_control() && letter != '\n';
    assert!(!problem.contains(steers), "{problem:?}");
}
