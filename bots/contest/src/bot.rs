//! The bot that is submitted: the player of [`alphabeta`](crate::alphabeta) with the contest's rules and clock.
//!
//! Options are parsed by hand, because a submission has no dependencies.

use crate::alphabeta::{AlphaBeta, SearchLimits};
use crate::conversation::converse_on_standard_streams;
use crate::player::{Player, PlayerTurn};
use crownhead::games::checkers::{rules, Checkers};
use crownhead::network::Network;
use crownhead::position::Position;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// The bot's limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The time limit of a turn; the bot answers a little sooner.
    pub turn: Duration,
    /// The time limit of the first turn.
    pub first_turn: Duration,
    /// The deepest depth to complete, for repeatable games.
    pub depth: Option<u32>,
    /// The number of nodes in a turn, for repeatable games.
    pub nodes: Option<u64>,
}

/// The options that the bot takes.
pub const USAGE: &str = "usage: contest [--turn-ms N] [--first-turn-ms N] [--depth N] [--nodes N]";

impl Settings {
    /// These settings with the changes that a command line makes.
    ///
    /// # Errors
    /// What is wrong with an option and [`USAGE`], or [`USAGE`] alone for `--help`.
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

    /// The limits of a turn's search: the clock, unless a depth or a number of nodes makes play repeatable.
    fn limits(&self) -> SearchLimits {
        let repeatable = self.depth.is_some() || self.nodes.is_some();
        SearchLimits {
            time: (!repeatable).then_some(self.turn),
            depth: self.depth,
            nodes: self.nodes,
        }
    }
}

/// A number of milliseconds, capped so that adding it to an `Instant` cannot overflow.
fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(u32::MAX.into()))
}

/// The `main` of the bot: plays by `settings`, as changed by the command line, until the end of input.
///
/// The exit status is 1 for input that breaks the protocol and 2 for unusable options, each with a line on
/// standard error.
pub fn main(settings: Settings) -> ExitCode {
    match settings.changed_by(std::env::args_os().skip(1)) {
        Ok(settings) => converse_on_standard_streams::<Checkers>(&mut player(&settings)),
        Err(problem) if problem == USAGE => {
            let _ = writeln!(io::stdout(), "{USAGE}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            // A closed standard error leaves no place to report to.
            let _ = writeln!(io::stderr(), "error: {problem}");
            ExitCode::from(2)
        }
    }
}

/// The bot's player, set up by `settings`.
pub fn player(settings: &Settings) -> impl Player<Checkers> {
    FirstTurn {
        player: AlphaBeta::new(Network::default(), rules::CONTEST, settings.limits()),
        limits: Some([settings.first_turn, settings.turn]),
    }
}

/// Gives a player another time limit in its first turn.
///
/// A limit counts from the start of the turn, so the first turn is given a start that is later by as much as
/// its limit is longer.
struct FirstTurn<P> {
    player: P,
    /// The limits of the first turn and of later ones; `None` after the first turn.
    limits: Option<[Duration; 2]>,
}

impl<G: Position, P: Player<G>> Player<G> for FirstTurn<P> {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        let [first, others] = self.limits.take().unwrap_or_default();
        let started = (turn.started + first)
            .checked_sub(others)
            .unwrap_or(turn.started);
        self.player.choose(&PlayerTurn { started, ..*turn })
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
    fn unusable_options_are_refused_with_the_list_of_options() {
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
        struct StartTimes(Vec<std::time::Instant>);
        impl<G: Position> Player<G> for &mut StartTimes {
            fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
                self.0.push(turn.started);
                turn.moves[0]
            }
        }
        let position = Checkers::start(&rules::CONTEST);
        let moves = position.legal_moves();
        let started = std::time::Instant::now();
        let turn = PlayerTurn {
            position: &position,
            moves: &moves,
            started,
        };
        let asked = |first: u64| {
            let mut asks = StartTimes(Vec::new());
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
        assert_eq!(asked(1000), [started + more, started]);
        let less = Duration::from_millis(60);
        assert_eq!(asked(40), [started - less, started]);
    }
}
