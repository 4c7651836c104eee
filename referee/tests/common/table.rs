//! Games of the example `misbehave` at a real table, in the test's own process.

use super::{misbehave, process_tag, remaining_processes};
use crownhead::board::Side;
use crownhead::games::checkers::rules;
use crownhead::rules::RuleBook;
use crownhead_arena::contest::Contest;
use crownhead_arena::runner::{MatchPlan, run_match};
use crownhead_arena::seat::{BotSpec, Conditions};
use crownhead_arena::settings::GameSettings;
use crownhead_bots::games;
use crownhead_record::GameRecord;
use crownhead_record::judge::TimeLimits;
use crownhead_record::openings::{Openings, Source};
use crownhead_sandbox::{Sandbox, SandboxMode};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// A limit that even a busy machine keeps.
pub(crate) const AMPLE: Duration = Duration::from_secs(30);

/// All that the bot of this side wrote on its standard error.
pub(crate) fn stderr_of(game: &GameRecord, side: Side) -> String {
    let player = &game.players[side.index()];
    let turns = game.turns_of(side.index()).map(|turn| &turn.stderr);
    let parts = [&player.stderr_before].into_iter().chain(turns);
    let parts = parts.chain([&player.stderr_after]);
    let all: Vec<u8> = parts.flat_map(|part| part.kept.clone()).collect();
    String::from_utf8(all).expect("readable text")
}

/// A match of one game between two cases of misbehaviour.
pub(crate) struct Table {
    pub(crate) plan: MatchPlan,
    tag: String,
}

/// A sandbox whose supervisor is the program under test.
pub(crate) fn sandbox(mode: SandboxMode) -> Sandbox {
    Sandbox {
        supervisor: Some(assert_cmd::cargo::cargo_bin!("crownhead").to_path_buf()),
        mode,
        ..Sandbox::none()
    }
}

impl Table {
    /// Black and white do these: `CASE` or `CASE VALUE`. Black is asked first.
    pub(crate) fn of(black: &str, white: &str) -> Table {
        let tag = process_tag();
        let bot = |what: &str| {
            let (case, value) = what.split_once(' ').unwrap_or((what, "-"));
            let program = misbehave();
            let words = format!("'{}' {case} '{value}' {tag}", program.display());
            let mut spec = BotSpec::parse(&words).expect("misbehave is there");
            spec.name = format!("{case} {value}");
            spec
        };
        let game = games::usual();
        let mut rules = rules::CONTEST;
        // Long enough for every fault, and short.
        rules.length.max_turns = Some(12);
        let mut bots = vec![bot(black), bot(white)];
        bots[1].name.push('\'');
        Table {
            plan: MatchPlan {
                bots: bots.into_iter().map(Into::into).collect(),
                settings: GameSettings {
                    limits: TimeLimits {
                        first_turn: AMPLE,
                        turn: AMPLE,
                    },
                    conditions: Conditions {
                        sandbox: sandbox(SandboxMode::Auto),
                        ..Conditions::default()
                    },
                    ..GameSettings::new(
                        Contest::Board { game, rules },
                        assert_cmd::cargo::cargo_bin!("crownhead"),
                    )
                },
                games: 1,
                openings: Openings::load(&Source::Random(0), "".as_ref(), game, &rules, 1).unwrap(),
                concurrency: 1,
            },
            tag,
        }
    }

    /// The rule book of its games.
    pub(crate) fn rules(&mut self) -> &mut RuleBook {
        match &mut self.plan.settings.contest {
            Contest::Board { rules, .. } => rules,
            Contest::External(_) => panic!("it is a table of board games"),
        }
    }

    pub(crate) fn in_sandbox(mut self, sandbox: Sandbox) -> Table {
        self.plan.settings.conditions.sandbox = sandbox;
        self
    }

    pub(crate) fn within(mut self, limit: Duration) -> Table {
        self.plan.settings.limits = TimeLimits {
            first_turn: limit,
            turn: limit,
        };
        self
    }

    /// Plays, and sees that no process is left.
    pub(crate) fn play(&self) -> Vec<GameRecord> {
        let mut games = Vec::new();
        let interrupted = Arc::default();
        run_match(&self.plan, &BTreeSet::new(), &interrupted, None, |game| {
            games.push(game);
        });
        assert_eq!(remaining_processes(&self.tag), Vec::<String>::new());
        games
    }

    pub(crate) fn play_one(&self) -> GameRecord {
        let mut games = self.play();
        // A game that the referee did not watch all of, on a busy machine, is played again.
        games.retain(|game| !game.replayed);
        assert_eq!(games.len(), 1);
        games.remove(0)
    }
}
