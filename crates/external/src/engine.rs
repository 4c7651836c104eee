//! The protocol between CodinGame's server and its contest engine: messages `[[NAME] n]` and n lines.
//!
//! Facts are from the engine's sources (CodinGame/codingame-game-engine, `engine/core/src/main/java/com/codingame/
//! gameengine/core`), which are named where they are used. Leaves out the process, and what an answer means.

use crate::process::{Process, Wait, shown};
use crate::{Ended, LEAGUE, RefereeError, RefereeOptions, Request, Step};
use crownhead_record::Frame;
use std::collections::BTreeMap;
use std::time::Duration;

/// The messages of the engine (`OutputCommand.java`, v4.7.7).
const NAMES: [&str; 11] = [
    "VIEW",
    "INFOS",
    "NEXT_PLAYER_INPUT",
    "NEXT_PLAYER_INFO",
    "SCORES",
    "UINPUT",
    "TOOLTIP",
    "SUMMARY",
    "METADATA",
    "FAIL",
    "MONITORING",
];

/// The most bytes that it may write before it asks a player or ends the game. The engine allows 1 Mi characters of at
/// most four bytes for all views of a game (`VIEW_DATA_TOTAL_HARD_QUOTA` in `GameManager.java`). Modified referees may
/// allow more.
pub(crate) const STEP_SIZE: usize = 16 << 20;

/// The most bytes for a player at once, and before its first answer.
const INPUT_SIZE: usize = 30 << 10;
const FIRST_INPUT_SIZE: usize = 100 << 10;

/// The most lines that it may ask for at once.
const LINES: usize = 10_000;

/// The time that an engine adds to the limits that it reports, if it measures time (`SOFT_TIMELIMIT_EXTRA` in
/// `GameManager.java`, v4.7.2 to v4.7.7).
const EXTRA: Duration = Duration::from_millis(50);

/// The least limit of a turn (`MIN_TURN_TIME` in `GameManager.java`).
const LEAST_LIMIT: Duration = Duration::from_millis(50);

/// The game of one engine.
#[derive(Debug)]
pub(crate) struct Engine {
    players: usize,
    parameters: BTreeMap<String, String>,
    seed: i64,
    /// Whether it wants to know how long each answer took.
    monitoring: bool,
    /// Which players have answered at least once.
    has_answered: Vec<bool>,
    /// The last player that was asked, and its limit.
    asked: Option<(usize, Duration)>,
}

/// The messages since the last question.
#[derive(Default)]
struct Said {
    frame: Frame,
    player_input: Option<Vec<String>>,
    metadata: Vec<String>,
    game_input: Vec<String>,
}

impl Engine {
    /// A game with these options. The league is not part of the messages.
    pub(crate) fn of(options: &RefereeOptions) -> Engine {
        let mut parameters = options.parameters.clone();
        parameters.remove(LEAGUE);
        Engine {
            players: options.players,
            parameters,
            seed: 0,
            monitoring: false,
            has_answered: vec![false; options.players],
            asked: None,
        }
    }

    /// Begins the game of this seed, with these parameters beside its own, and asks for the first step.
    pub(crate) fn begin(
        &mut self,
        process: &mut Process,
        seed: i64,
        parameters: &BTreeMap<String, String>,
    ) {
        self.seed = seed;
        let mut body = vec![self.players.to_string(), format!("seed={seed}")];
        let mut own = self.parameters.clone();
        own.extend(parameters.clone());
        let parameters = own.iter();
        body.extend(parameters.map(|(key, value)| property(key, value)));
        tell(process, "INIT", &body);
    }

    /// The next step of its game.
    pub(crate) fn next(
        &mut self,
        process: &mut Process,
        wait: &mut Wait<'_>,
    ) -> Result<Step, RefereeError> {
        let mut said = Said::default();
        loop {
            let (name, body) = read_message(process, wait)?;
            match name {
                "VIEW" => said.frame.view = body.join("\n"),
                "SUMMARY" => said.frame.summary.extend(body),
                "TOOLTIP" => said.frame.tooltips.extend(tooltips(body)),
                "MONITORING" => self.monitoring = true,
                "UINPUT" => {
                    self.check_seed(&body)
                        .map_err(|text| process.problem(text))?;
                    said.game_input = body;
                }
                "METADATA" => said.metadata = body,
                "NEXT_PLAYER_INPUT" => said.player_input = Some(body),
                "NEXT_PLAYER_INFO" => {
                    let request = self.request(said, &body);
                    return request
                        .map(Step::Asked)
                        .map_err(|text| process.problem(text));
                }
                "SCORES" => {
                    let scores = self.scores(&body).map_err(|text| process.problem(text))?;
                    return Ok(Step::Over(Ended {
                        frame: said.frame,
                        scores,
                        reason: None,
                        metadata: said.metadata,
                        input: said.game_input,
                        errors: Vec::new(),
                    }));
                }
                "FAIL" => return Err(process.problem(format!("failed: {}", cause(&body)))),
                // INFOS is always empty.
                _ => {}
            }
        }
    }

    /// Gives it the answer of the player that was asked, and asks for the next step.
    pub(crate) fn answer(&mut self, process: &mut Process, lines: &[Vec<u8>], took: Duration) {
        let Some((player, limit)) = self.asked.take() else {
            return;
        };
        self.has_answered[player] |= !lines.is_empty();
        let mut body = Vec::new();
        if self.monitoring {
            // An engine that measures time counts answers that took longer than the limit without its extra, and fails
            // the player at the third (`timelimitExceededLastTurn` in `AbstractPlayer.java`, v4.7.7). Only Crownhead
            // judges who was late, so the engine never hears of more than the limit for an accepted answer.
            body.push(took.min(limit).as_millis().to_string());
        }
        body.extend(lines.iter().map(|line| one_line(line)));
        tell(process, "SET_PLAYER_OUTPUT", &body);
    }

    /// Reports that the asked player failed, and asks for the next step.
    pub(crate) fn give_up(&mut self, process: &mut Process) {
        if self.asked.take().is_some() {
            tell(process, "SET_PLAYER_TIMEOUT", &[]);
        }
    }

    /// The question to a player, from the body of NEXT_PLAYER_INFO.
    fn request(&mut self, said: Said, body: &[String]) -> Result<Request, String> {
        let numbers: Vec<Option<u64>> = body.iter().map(|line| line.parse().ok()).collect();
        let wrong = || {
            let (text, players) = (shown(&body.join(" ")), self.players);
            format!(
                "asked for `{text}` in NEXT_PLAYER_INFO; expected a player below {players}, how many lines, up to \
                 {LINES}, and a limit in milliseconds"
            )
        };
        let &[Some(player), Some(lines), Some(limit)] = &numbers[..] else {
            return Err(wrong());
        };
        let (player, lines) = (player as usize, lines as usize);
        if player >= self.players || lines > LINES || limit > 3_600_000 {
            return Err(wrong());
        }
        let Some(input) = said.player_input else {
            return Err("asked a player without NEXT_PLAYER_INPUT; expected it before".into());
        };
        let input: String = input.iter().flat_map(|line| [line, "\n"]).collect();
        let most = if self.has_answered[player] {
            INPUT_SIZE
        } else {
            FIRST_INPUT_SIZE
        };
        if input.len() > most {
            return Err(format!(
                "has {} bytes for player {player}; expected at most {most}, or {FIRST_INPUT_SIZE} before its first \
                 answer",
                input.len()
            ));
        }
        let limit = self.real_limit(Duration::from_millis(limit));
        self.asked = Some((player, limit));
        Ok(Request {
            frame: said.frame,
            player,
            input,
            lines,
            limit: Some(limit),
            legal: Vec::new(),
            errors: Vec::new(),
        })
    }

    /// The real limit behind the limit that the engine reports. A limit that is too short for the extra stays as it is.
    /// Engines from v4.5.0 to v4.7.2 reported such limits, because they measured time and added nothing. So does an
    /// engine at the end of a limit for the whole game (`useTimebank` in `GameManager.java`).
    fn real_limit(&self, told: Duration) -> Duration {
        if self.monitoring && told >= LEAST_LIMIT + EXTRA {
            told - EXTRA
        } else {
            told
        }
    }

    /// Checks that the game has the requested seed. Some contests do not report the seed.
    fn check_seed(&self, input: &[String]) -> Result<(), String> {
        let told = input.iter().find_map(|line| line.strip_prefix("seed="));
        match told {
            Some(told) if told.trim() != self.seed.to_string() => Err(format!(
                "played seed {}; expected seed {}, which it was given",
                shown(told),
                self.seed
            )),
            _ => Ok(()),
        }
    }

    /// The scores by players, from lines `PLAYER SCORE`.
    fn scores(&self, body: &[String]) -> Result<Vec<f64>, String> {
        let mut scores = vec![None; self.players];
        let all = body.iter().all(|line| {
            let score = line.split_once(' ').and_then(|(player, score)| {
                let score: f64 = score.parse().ok()?;
                let place = scores.get_mut(player.parse::<usize>().ok()?)?;
                (score.is_finite() && place.replace(score).is_none()).then_some(())
            });
            score.is_some()
        });
        let given: Option<Vec<f64>> = scores.into_iter().collect();
        given.filter(|_| all).ok_or_else(|| {
            let (text, players) = (shown(&body.join(", ")), self.players);
            format!("gave the scores `{text}`; expected a line `PLAYER SCORE` for each of {players} players")
        })
    }
}

/// The next message: its name, which is one of [`NAMES`], and its lines.
fn read_message(
    process: &mut Process,
    wait: &mut Wait<'_>,
) -> Result<(&'static str, Vec<String>), RefereeError> {
    const EXPECTED: &str = "a message such as `[[VIEW] 2]`";
    let header = process.line(wait, EXPECTED)?;
    let Some((name, count)) = read_header(&header) else {
        return Err(process.problem(format!("said `{}`; expected {EXPECTED}", shown(&header))));
    };
    let mut body = Vec::new();
    while body.len() < count {
        let expected = format!("line {} of the {count} of {name}", body.len() + 1);
        match process.line(wait, &expected) {
            // It has failed, even if its reason is incomplete.
            Err(RefereeError::Protocol { .. }) if name == "FAIL" => break,
            line => body.push(line?),
        }
    }
    Ok((name, body))
}

/// The name and the number of lines in a header `[[NAME] n]`, whose space may be missing (`HEADER_PATTERN` in
/// `InputCommand.java`).
fn read_header(line: &str) -> Option<(&'static str, usize)> {
    let (name, count) = line
        .strip_prefix("[[")?
        .strip_suffix(']')?
        .split_once(']')?;
    let count = count.strip_prefix(' ').unwrap_or(count);
    let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let name = NAMES.into_iter().find(|known| *known == name)?;
    // A number that is too large for this one is too large for any message.
    is_number.then(|| (name, count.parse().unwrap_or(usize::MAX)))
}

/// Sends a message to the engine, and asks for the next step.
fn tell(process: &mut Process, name: &str, body: &[String]) {
    let lines: String = body.iter().flat_map(|line| [line, "\n"]).collect();
    let message = format!("[[{name}] {}]\n{lines}[[GET_GAME_INFO] 0]\n", body.len());
    process.send(message.as_bytes());
}

/// A line of an answer, as the engine reads it: with `Scanner.nextLine`, which ends lines at `\r\n`, `\n`, `\r`,
/// U+2028, U+2029 and U+0085 (`LINE_SEPARATOR_PATTERN` in Java's `Scanner.java`). Inside a line, each of them would let
/// a bot forge messages, for example that its opponent timed out. So a space replaces them.
pub(crate) fn one_line(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let ends_line =
        |letter: char| matches!(letter, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}');
    String::from_utf8_lossy(line).replace(ends_line, " ")
}

/// A line of Java's `Properties` for this key and value, which the engine reads with `Properties.load`.
fn property(key: &str, value: &str) -> String {
    let escaped = |text: &str, special: &[char]| {
        let letters = text.chars().map(|letter| {
            let escape = if special.contains(&letter) { "\\" } else { "" };
            format!("{escape}{letter}")
        });
        letters.collect::<String>()
    };
    let key = escaped(key, &['\\', ' ', '=', ':', '#', '!']);
    format!("{key}={}", escaped(value, &['\\', ' ']))
}

/// Tooltips as `PLAYER TEXT`. The engine sends each in two lines, text and player (`dumpInfos` in `GameManager.java`).
fn tooltips(body: Vec<String>) -> Vec<String> {
    let (pairs, rest) = body.as_chunks::<2>();
    let is_player = |[_, player]: &[String; 2]| player.parse::<u32>().is_ok();
    if rest.is_empty() && pairs.iter().all(is_player) {
        let tooltip = |[text, player]: &[String; 2]| format!("{player} {text}");
        return pairs.iter().map(tooltip).collect();
    }
    // A text of several lines.
    body
}

/// Why it failed, from a Java stack trace: the exception, and the one that caused it.
fn cause(trace: &[String]) -> String {
    let first = trace.first().map_or("without a reason", String::as_str);
    let mut causes = trace.iter().rev();
    let cause = causes.find(|line| line.starts_with("Caused by: "));
    let cause = cause.map(|cause| format!(" ({})", shown(cause)));
    shown(first) + &cause.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_known_name_and_a_number() {
        assert_eq!(read_header("[[VIEW] 2]"), Some(("VIEW", 2)));
        assert_eq!(read_header("[[INFOS]0]"), Some(("INFOS", 0)));
        let huge = format!("[[VIEW] {}]", "9".repeat(40));
        assert_eq!(read_header(&huge), Some(("VIEW", usize::MAX)));
        let wrong = [
            "",
            "[[VIEW] ]",
            "[[VIEW] -1]",
            "[[VIEW] +1]",
            "[[VIEW]  2]",
            "[VIEW] 2]",
            "[[VIEW] 2",
            "[[NEWS] 2]",
            "VIEW",
        ];
        for header in wrong {
            assert_eq!(read_header(header), None, "{header}");
        }
    }

    #[test]
    fn no_answer_holds_what_a_java_scanner_takes_for_the_end_of_a_line() {
        let cases: [(&[u8], &str); 6] = [
            (b"WAIT\r", "WAIT"),
            (b"WAIT\r[[GET_GAME_INFO] 0]", "WAIT [[GET_GAME_INFO] 0]"),
            ("a\u{2028}b\u{2029}c\u{85}d".as_bytes(), "a b c d"),
            (b"a\nb\r\r", "a b "),
            (b"a\xff\x85b", "a\u{fffd}\u{fffd}b"),
            ("é \u{b}\u{c}狐".as_bytes(), "é \u{b}\u{c}狐"),
        ];
        for (line, sent) in cases {
            assert_eq!(one_line(line), sent);
        }
    }

    #[test]
    fn parameters_are_written_as_properties() {
        assert_eq!(
            property("map size", "a\\b = c"),
            "map\\ size=a\\\\b\\ =\\ c"
        );
    }

    #[test]
    fn an_engine_that_measures_adds_to_limits_but_to_none_below_the_least() {
        let real = |monitoring, told| {
            let mut engine = Engine::of(&RefereeOptions::default());
            engine.monitoring = monitoring;
            engine.real_limit(Duration::from_millis(told)).as_millis()
        };
        assert_eq!([real(true, 1050), real(true, 100)], [1000, 50]);
        assert_eq!(
            [real(true, 99), real(true, 50), real(false, 100)],
            [99, 50, 100]
        );
    }
}
