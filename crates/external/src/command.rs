//! Referees that start the bots themselves: forks of contests' referees for brutaltester, CG Arena and psyleague.
//!
//! Such a one is started for each game with `-p1 COMMAND -p2 COMMAND …`, `-d seed=N` and `-l FILE`, and its parameters as
//! `-KEY VALUE`. It prints a score a line, then what the game was made of, such as `seed=N`, and writes all it knows of
//! the game to the file, as JSON (`GameThread.java` of dreignier/cg-brutaltester; `CommandLineInterface.java` of those
//! forks; `GameResultDto.java` of the engine's runner, v4.5.0). Where its command line holds `{seed}`, the seed stands
//! there instead: some take `-seed N`, and read over `-d`.

use crate::launch::Launch;
use crate::process::{Ended, Line, Process, Wait, shown};
use crate::{ExternalReferee, RefereeError, check_seed};
use crownhead_record::{Frame, RefereeProtocol};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// What stands for the seed in a command line.
const SEED: &str = "{seed}";

/// The name of the file that it writes.
const FILE: &str = "game.json";

/// How much it may print, and how much its file may hold, in bytes.
const PRINTED_SIZE: usize = 16 << 20;
const FILE_SIZE: u64 = 64 << 20;

/// A game that an external referee plays with bots that it starts. When this is dropped, its processes are gone.
#[derive(Debug)]
pub struct RefereeRun {
    process: Process,
    players: usize,
    seed: u64,
    /// Where its file is.
    folder: TempDir,
}

/// How such a game was judged.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judged {
    /// The scores by players: more is better, and one below zero is a player that failed.
    pub scores: Vec<f64>,
    /// The steps of its game, where the referee writes them down; their turns are not known.
    pub frames: Vec<Frame>,
    /// What the referee said of the game itself.
    pub metadata: Vec<String>,
    /// What the game was made of.
    pub input: Vec<String>,
}

impl ExternalReferee {
    /// Starts a game of a referee that starts the bots itself, by a command for each player. It cuts them at spaces,
    /// without regard to quotes.
    ///
    /// # Errors
    /// When it cannot be started, or is none that starts bots.
    pub fn run(
        &self,
        seed: u64,
        bots: &[String],
        cores: &[usize],
    ) -> Result<RefereeRun, RefereeError> {
        let problem = |problem| RefereeError::Protocol {
            name: self.name.clone(),
            problem,
        };
        let io = |error| RefereeError::Io {
            name: self.name.clone(),
            error,
        };
        if self.protocol != RefereeProtocol::Command {
            let text = "does not start the bots; expected one that is played with `start`";
            return Err(problem(text.into()));
        }
        check_seed(seed).map_err(problem)?;
        let folder = tempfile::tempdir().map_err(io)?;
        let mut launch = self.launch.clone();
        give_seed(&mut launch, seed);
        for (player, bot) in bots.iter().enumerate() {
            let option = format!("-p{}", player + 1);
            launch.arguments.extend([option.into(), bot.into()]);
        }
        for (key, value) in &self.options.parameters {
            let option = format!("-{key}");
            launch.arguments.extend([option.into(), value.into()]);
        }
        let file = folder.path().join(FILE).into_os_string();
        launch.arguments.extend(["-l".into(), file]);
        let mut process = Process::start(launch.command(), &self.name, cores)?;
        process.close_input();
        Ok(RefereeRun {
            process,
            players: bots.len(),
            seed,
            folder,
        })
    }
}

/// Tells it the seed where its command line has a place for it, or as brutaltester does.
fn give_seed(launch: &mut Launch, seed: u64) {
    let mut has_place = false;
    for word in &mut launch.arguments {
        if let Some(text) = word.to_str().filter(|text| text.contains(SEED)) {
            *word = text.replace(SEED, &seed.to_string()).into();
            has_place = true;
        }
    }
    if !has_place {
        let words = ["-d".into(), format!("seed={seed}").into()];
        launch.arguments.extend::<[OsString; 2]>(words);
    }
}

impl RefereeRun {
    /// Waits until the game is over, for at most `limit`.
    ///
    /// # Errors
    /// When it fails, gives no scores, plays another seed than it was given, or is not over by then; and soon after
    /// `interrupted` is set.
    pub fn finish(
        mut self,
        interrupted: &AtomicBool,
        limit: Duration,
    ) -> Result<Judged, RefereeError> {
        let expected = format!("a score for each of {} players", self.players);
        let mut wait = Wait::new(interrupted, limit);
        let (mut printed, mut room) = (Vec::new(), PRINTED_SIZE);
        loop {
            match self.process.line(room, &mut wait, &expected)? {
                Line::Whole(line) => {
                    room = room.saturating_sub(line.len() + 1);
                    printed.push(String::from_utf8_lossy(&line).into_owned());
                }
                Line::TooLong => {
                    let most = PRINTED_SIZE >> 20;
                    let problem = format!("printed more than {most} MiB; expected {expected}");
                    return Err(self.process.problem(problem));
                }
                Line::Ended => break,
            }
        }
        let ended = self.process.await_end(Duration::from_secs(10));
        if ended.is_some_and(|ended| ended != Ended::Status(0)) {
            return Err(self.process.ended(&expected));
        }
        let written = self
            .read_file()
            .map_err(|text| self.process.problem(text))?;
        let judged = Judged::read(&printed, written.as_deref(), self.players, self.seed);
        judged.map_err(|text| self.process.problem(text))
    }

    /// What it wrote, if it did.
    fn read_file(&self) -> Result<Option<Vec<u8>>, String> {
        let Ok(file) = std::fs::File::open(self.folder.path().join(FILE)) else {
            return Ok(None);
        };
        let mut text = Vec::new();
        let read = file.take(FILE_SIZE).read_to_end(&mut text);
        read.map_err(|error| format!("wrote a file that cannot be read: {error}"))?;
        Ok(Some(text))
    }
}

impl Judged {
    /// How a game of so many players was judged, by the lines that its referee printed and what it wrote, if it did.
    ///
    /// # Errors
    /// When it has failed, gives no scores, or has played another seed than this: what it did, as a part of a sentence.
    pub fn read(
        printed: &[String],
        written: Option<&[u8]>,
        players: usize,
        seed: u64,
    ) -> Result<Judged, String> {
        let written = written.map(serde_json::from_slice).transpose();
        let written = written.map_err(|error| {
            format!("wrote a file that is not understood: {error}; expected JSON with `scores`")
        })?;
        check_echo(judge(printed, written, players)?, seed)
    }
}

/// What it writes of a game.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Written {
    scores: BTreeMap<String, f64>,
    summaries: Vec<Option<String>>,
    views: Vec<Option<String>>,
    tooltips: Vec<Tooltip>,
    uinput: Vec<String>,
    metadata: Option<String>,
    fail_cause: Option<String>,
}

/// A remark on a player, `event`, in a step, `turn`.
#[derive(Deserialize)]
struct Tooltip {
    text: String,
    event: usize,
    turn: usize,
}

/// What was judged, by what was printed and written.
fn judge(printed: &[String], written: Option<Written>, players: usize) -> Result<Judged, String> {
    let written = written.unwrap_or_default();
    if let Some(cause) = &written.fail_cause {
        return Err(format!("failed: {}", shown(cause)));
    }
    let by_player = (0..players).map(|player| written.scores.get(&player.to_string()).copied());
    let of_file: Option<Vec<f64>> = by_player.collect();
    let is_score = |line: &&String| line.trim().parse::<f64>().is_ok_and(f64::is_finite);
    let numbers = printed.iter().filter(is_score).take(players);
    let of_lines: Vec<f64> = numbers
        .filter_map(|line| line.trim().parse().ok())
        .collect();
    let scores = of_file.or((of_lines.len() == players).then_some(of_lines));
    let scores = scores.ok_or_else(|| {
        let text = shown(&printed.join(" | "));
        format!("gave no score for each of {players} players; it printed `{text}`")
    })?;
    let is_input = |line: &&String| line.starts_with("seed=");
    let input = match &written.uinput[..] {
        [] => printed.iter().filter(is_input).cloned().collect(),
        // Each holds several lines, as the referee has printed them.
        input => input.iter().flat_map(|text| lines(text)).collect(),
    };
    Ok(Judged {
        scores,
        metadata: lines(written.metadata.as_deref().unwrap_or_default()),
        input,
        frames: frames(written),
    })
}

fn frames(written: Written) -> Vec<Frame> {
    let steps = written.views.len().max(written.summaries.len());
    let text = |texts: &[Option<String>], step: usize| {
        let text = texts.get(step).and_then(Option::as_deref);
        lines(text.unwrap_or_default())
    };
    let mut frames: Vec<Frame> = (0..steps)
        .map(|step| Frame {
            view: text(&written.views, step).join("\n"),
            summary: text(&written.summaries, step),
            ..Frame::default()
        })
        .collect();
    for Tooltip { text, event, turn } in written.tooltips {
        if let Some(frame) = frames.get_mut(turn) {
            frame.tooltips.push(format!("{event} {text}"));
        }
    }
    frames
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}

/// What was judged, if it was the game of this seed. Some referees tell no seed.
fn check_echo(judged: Judged, seed: u64) -> Result<Judged, String> {
    let told = judged
        .input
        .iter()
        .find_map(|line| line.strip_prefix("seed="));
    match told {
        Some(told) if told.trim() != seed.to_string() => Err(format!(
            "played seed {}; expected seed {seed}, which it was given; if it takes its seed otherwise than by \
             `-d seed=N`, write {SEED} into its command line, such as `-seed {SEED}`",
            shown(told)
        )),
        _ => Ok(judged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(printed: &str, written: Option<&str>) -> Result<Judged, String> {
        let printed: Vec<String> = printed.lines().map(String::from).collect();
        let written = written.map(|text| serde_json::from_str(text).unwrap());
        judge(&printed, written, 2)
    }

    #[test]
    fn scores_are_those_of_the_file_or_the_first_numbers_printed() {
        let printed = "League level: 4.\n12\n-1\nseed=7\n99\n";
        let of_lines = judged(printed, None).unwrap();
        assert_eq!(of_lines.scores, [12.0, -1.0]);
        assert_eq!(of_lines.input, ["seed=7"]);
        let of_file = judged(
            printed,
            Some(r#"{"scores":{"1":3,"0":4},"uinput":["size=3\nseed=8\n"]}"#),
        )
        .unwrap();
        assert_eq!(of_file.scores, [4.0, 3.0]);
        assert_eq!(of_file.input, ["size=3", "seed=8"]);
        let partial = judged("1", Some(r#"{"scores":{"1":3}}"#)).unwrap_err();
        assert!(
            partial.contains("no score for each of 2 players; it printed `1`"),
            "{partial}"
        );
    }

    #[test]
    fn a_game_that_failed_has_no_scores() {
        let failed = judged(
            "0\n0\n",
            Some(r#"{"scores":{"0":0,"1":0},"failCause":"no map"}"#),
        );
        assert_eq!(failed.unwrap_err(), "failed: no map");
    }

    #[test]
    fn steps_have_what_was_written_of_them() {
        let written = r#"{"scores":{"0":1,"1":2},"views":["a",null],"summaries":[null,"b\nc\n"],
            "tooltips":[{"text":"out","event":1,"turn":1},{"text":"late","event":0,"turn":9}]}"#;
        let frames = judged("", Some(written)).unwrap().frames;
        assert_eq!((frames[0].view.as_str(), frames[0].summary.len()), ("a", 0));
        assert_eq!(
            (frames[1].view.as_str(), &frames[1].summary[..]),
            ("", &["b".into(), "c".into()][..])
        );
        assert_eq!(frames[1].tooltips, ["1 out"]);
    }
}
