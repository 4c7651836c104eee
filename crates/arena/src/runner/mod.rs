//! Playing pairs of games on every core: a match, and a test that plays until it knows which bot is better.
//!
//! Knows bots, openings and settings as values. Leaves out where they come from and where games are kept: no
//! folder, no configuration file and no database (the ladder has those).

mod ask;
mod check;
mod cores;
mod evidence;
mod external;
mod external_verdict;
mod game;
mod live;
mod match_;
mod own_answers;
mod pair;
mod pool;
mod site_game;
mod spec;
mod sprt;
mod start_check;
mod transcript;
mod trial;

pub use ask::{AskedTurn, Question, RecordedRequest, ask};
pub use check::{BotCheck, SmokeGames, check_bot};
pub use cores::{Cores, GamePlacement};
pub use live::{GameSnapshot, LiveRun, PlayerSnapshot, RunProgress, RunSnapshot, SprtProgress};
pub use match_::{MatchPlan, run_match};
pub use pair::{PlayedPair, VoidCause, play_pair};
pub use pool::{JobSource, Poll, work};
pub use site_game::{replay_site_file, replay_site_game};
pub use spec::{GameSpec, Participant, command, external_problem};
pub use sprt::{SprtError, run_sprt};
pub use start_check::{CannotStart, check_starts};
