//! The bot that is submitted to the contest, as the binary `contest` runs it.
//!
//! It is the player [`alphabeta`](crate::alphabeta) with the contest's rules and clock. All that is reached
//! from here goes into the submission, so it is the standard library's and this workspace's alone: even the
//! options are read by hand.

use crate::alphabeta::{AlphaBeta, Limits};
use crate::conversation::converse_on_standard_streams;
use crate::player::{Player, Turn};
use crownhead::games::checkers::{rules, Checkers, Learned};
use crownhead::position::Position;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// What the bot may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The time limit of a turn; the bot answers a little sooner.
    pub turn: Duration,
    /// The time limit of the first turn.
    pub first_turn: Duration,
    /// The deepest depth to complete, for measuring.
    pub depth: Option<u32>,
    /// The number of positions to look at in a turn, for measuring.
    pub nodes: Option<u64>,
}

/// What the bot says about its options.
pub const USAGE: &str = "usage: contest [--turn-ms N] [--first-turn-ms N] [--depth N] [--nodes N]";

impl Settings {
    /// These settings with the changes that a command line makes.
    ///
    /// # Errors
    /// When an option is not known or lacks its number, with what is wrong; [`USAGE`] alone when that is all
    /// that was asked for.
    pub fn changed_by(
        mut self,
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<Settings, String> {
        let mut words = words.into_iter();
        while let Some(option) = words.next() {
            let mut number = || {
                let word = words.next();
                let number = word.as_ref().and_then(|word| word.to_str()?.parse().ok());
                number.filter(|&number: &u64| number > 0).ok_or(format!(
                    "{} needs a number above 0; {USAGE}",
                    option.display()
                ))
            };
            match option.to_str() {
                Some("--turn-ms") => self.turn = milliseconds(number()?),
                Some("--first-turn-ms") => self.first_turn = milliseconds(number()?),
                Some("--depth") => self.depth = Some(number()?.try_into().unwrap_or(u32::MAX)),
                Some("--nodes") => self.nodes = Some(number()?),
                Some("--help" | "-h") => return Err(USAGE.into()),
                _ => return Err(format!("unknown option {}; {USAGE}", option.display())),
            }
        }
        Ok(self)
    }

    /// What ends the search of a turn: the clock alone, unless the play is to be the same every time.
    fn limits(&self) -> Limits {
        let repeatable = self.depth.is_some() || self.nodes.is_some();
        Limits {
            time: (!repeatable).then_some(self.turn),
            depth: self.depth,
            nodes: self.nodes,
        }
    }
}

/// So many milliseconds, but no more than can be added to a moment.
fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(u32::MAX.into()))
}

/// The `main` of the bot: plays by `settings`, as changed by the command line, until the end of input.
///
/// The status is 1 when the input is not the protocol and 2 when the options are unusable, each with a line
/// on standard error.
pub fn main(settings: Settings) -> ExitCode {
    match settings.changed_by(std::env::args_os().skip(1)) {
        Ok(settings) => converse_on_standard_streams::<Checkers>(&mut player(&settings)),
        Err(problem) if problem == USAGE => {
            let _ = writeln!(io::stdout(), "{USAGE}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            // Nobody is left to tell when this fails.
            let _ = writeln!(io::stderr(), "error: {problem}");
            ExitCode::from(2)
        }
    }
}

/// The player that `settings` describe.
pub fn player(settings: &Settings) -> impl Player<Checkers> {
    FirstTurn {
        player: AlphaBeta::new(Learned, rules::CONTEST, settings.limits()),
        limits: Some([settings.first_turn, settings.turn]),
    }
}

/// Gives a player another time limit for its first turn.
///
/// A limit counts from when the turn began, so a longer first turn is one that began later.
struct FirstTurn<P> {
    player: P,
    /// Those of the first turn and of the others; `None` once the first is over.
    limits: Option<[Duration; 2]>,
}

impl<G: Position, P: Player<G>> Player<G> for FirstTurn<P> {
    fn choose(&mut self, turn: &Turn<'_, G>) -> G::Move {
        let [first, others] = self.limits.take().unwrap_or_default();
        let began = (turn.began + first)
            .checked_sub(others)
            .unwrap_or(turn.began);
        self.player.choose(&Turn { began, ..*turn })
    }

    fn remark(&self) -> Option<&str> {
        self.player.remark()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEST: Settings = Settings {
        turn: Duration::from_millis(100),
        first_turn: Duration::from_millis(100),
        depth: None,
        nodes: None,
    };

    fn changed(words: &[&str]) -> Result<Settings, String> {
        CONTEST.changed_by(words.iter().map(OsString::from))
    }

    #[test]
    fn options_change_what_they_name_and_leave_the_rest() {
        let first_turn = Duration::from_millis(1000);
        assert_eq!(
            changed(&["--first-turn-ms", "1000"]),
            Ok(Settings {
                first_turn,
                ..CONTEST
            })
        );
        let settings = changed(&["--depth", "5"]).unwrap();
        assert_eq!(settings.limits().time, None);
        assert_eq!(settings.limits().depth, Some(5));
        assert_eq!(CONTEST.limits().time, Some(CONTEST.turn));
    }

    #[test]
    fn unusable_options_are_refused_with_those_there_are() {
        for words in [
            &["--colour"][..],
            &["--depth"],
            &["--depth", "0"],
            &["--nodes", "x"],
        ] {
            let problem = changed(words).unwrap_err();
            assert!(
                problem.contains(words[0]) && problem.ends_with(USAGE),
                "{problem}"
            );
        }
    }

    #[test]
    fn only_the_first_turn_has_another_limit() {
        struct Asks(Vec<std::time::Instant>);
        impl<G: Position> Player<G> for &mut Asks {
            fn choose(&mut self, turn: &Turn<'_, G>) -> G::Move {
                self.0.push(turn.began);
                turn.moves[0]
            }
        }
        let position = Checkers::start(&rules::CONTEST);
        let moves = position.legal_moves();
        let began = std::time::Instant::now();
        let turn = Turn {
            position: &position,
            moves: &moves,
            began,
        };
        let asked = |first: u64| {
            let mut asks = Asks(Vec::new());
            let limits = Some([first, 100].map(Duration::from_millis));
            let mut player = FirstTurn {
                player: &mut asks,
                limits,
            };
            for _ in 0..2 {
                player.choose(&turn);
            }
            asks.0
        };
        let more = Duration::from_millis(900);
        assert_eq!(asked(1000), [began + more, began]);
        let less = Duration::from_millis(60);
        assert_eq!(asked(40), [began - less, began]);
    }
}
