//! Games of the referees in `tests/referees`.

use crownhead_external::{
    Ended, ExternalReferee, RefereeError, RefereeOptions, RefereeProcess, Request, Step,
};
use crownhead_record::RefereeProtocol;
use crownhead_record::openings::Opening;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Where Python is: what `python3` names may be a script that looks for it each time, and these tests start it often.
/// With `-S` it starts in half the time.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let mut ask = Command::new("python3");
    ask.args(["-c", "import sys; print(sys.executable)"]);
    let said = ask.output().unwrap().stdout;
    String::from_utf8(said).unwrap().trim().into()
});

/// On a command line it says that the referee is CodinGame's engine.
pub(crate) const ENGINE: &str = "com.codingame.gameengine.core.RefereeMain";

/// The referee `file` with these options.
pub(crate) fn find(
    file: &str,
    options: &str,
    players: usize,
    protocol: Option<RefereeProtocol>,
) -> Result<ExternalReferee, RefereeError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/referees");
    let options = RefereeOptions {
        command: format!("'{}' -S {file} {options}", *PYTHON),
        protocol,
        players,
        ..RefereeOptions::default()
    };
    ExternalReferee::find(&options, &folder)
}

/// A game that is played.
pub(crate) struct Game {
    pub(crate) process: RefereeProcess,
}

impl Game {
    pub(crate) fn start(file: &str, options: &str, players: usize) -> Game {
        let protocol = match file {
            "lines.py" => RefereeProtocol::Lines,
            _ => RefereeProtocol::Engine,
        };
        let referee = find(file, options, players, Some(protocol)).unwrap();
        Game {
            process: referee.start(&[]).unwrap(),
        }
    }

    pub(crate) fn begin(&mut self, seed: i64) {
        self.process.begin(&Opening {
            seed: Some(seed),
            ..Opening::default()
        });
    }

    pub(crate) fn next(&mut self) -> Result<Step, RefereeError> {
        self.process.next(&AtomicBool::new(false))
    }

    pub(crate) fn asked(&mut self) -> Request {
        match self.next().unwrap() {
            Step::Asked(request) => request,
            Step::Over(ended) => panic!("over: {ended:?}"),
        }
    }

    pub(crate) fn answer(&mut self, lines: &[String]) {
        self.process.answer(&bytes(lines), Duration::from_millis(5));
    }

    /// Plays from the next request to the end.
    pub(crate) fn play_on(&mut self, mut answer: impl FnMut(&Request) -> Vec<String>) -> Ended {
        loop {
            match self.next().unwrap() {
                Step::Asked(request) => {
                    let lines = answer(&request);
                    self.answer(&lines);
                }
                Step::Over(ended) => return ended,
            }
        }
    }
}

/// A whole game in which each player takes the first die.
pub(crate) fn play(
    file: &str,
    options: &str,
    players: usize,
    seed: i64,
) -> Result<Ended, RefereeError> {
    let mut game = Game::start(file, options, players);
    game.begin(seed);
    loop {
        match game.next()? {
            Step::Asked(request) => game.answer(&take(&request)),
            Step::Over(ended) => return Ok(ended),
        }
    }
}

/// Takes the first die, in as many lines as are asked for.
pub(crate) fn take(request: &Request) -> Vec<String> {
    let lines = ["TAKE 0", "as ever"].map(String::from);
    lines[..request.lines].to_vec()
}

pub(crate) fn bytes(lines: &[String]) -> Vec<Vec<u8>> {
    lines.iter().map(|line| line.clone().into_bytes()).collect()
}
