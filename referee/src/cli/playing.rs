//! Options of commands that play games between two bots.

use super::Failure;
use super::calibrate::warn_of_too_many;
use super::conditions::{ConditionsOptions, warn_missing};
use super::options::parse_time;
use crate::judge::TimeLimits;
use crate::ladder::MOST_AT_ONCE;
use crate::openings::{Openings, Source};
use crate::runner::MatchPlan;
use crate::seat::BotSpec;
use crate::settings::GameSettings;
use anyhow::Context;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead_bots::games::{GameName, rules_of};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How games are played, whatever they are played for.
#[derive(Debug, clap::Args)]
pub(super) struct PlayingOptions {
    /// What to call a bot; give it twice to name both
    #[arg(long = "name", value_name = "NAME", value_parser = BotSpec::parse_name)]
    names: Vec<String>,
    /// Repeats openings and the built-ins' chance [default: by chance]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Begin with so many random moves, the same for both games of a pair
    #[arg(long, value_name = "K", conflicts_with = "openings")]
    opening_plies: Option<u32>,
    /// Begin with the openings of a source, one for each pair: `ballots` (the 3-move openings of tournament
    /// checkers), `random K`, or a file of FENs or PDN
    #[arg(long, value_name = "SOURCE")]
    openings: Option<Source>,
    /// How many games at once [default: one for every two cores, so that nobody waits for a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_AT_ONCE)))]
    concurrency: Option<u16>,
    /// The time limit of a turn
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = parse_time)]
    time: Duration,
    /// The time limit of a bot's first turn
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    first_turn: Duration,
    /// Draw after so many turns, a turn being one side's move [default: as the rule book says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
    /// The game to play
    #[arg(long, value_name = "NAME", default_value = "checkers")]
    pub(super) game: GameName,
    /// The rule book, for checkers contest or classroom [default: the game's first]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    #[command(flatten)]
    pub(super) conditions: ConditionsOptions,
}

impl PlayingOptions {
    /// How long a bot may think.
    pub(super) fn limits(&self) -> TimeLimits {
        TimeLimits {
            first_turn: self.first_turn,
            turn: self.time,
        }
    }

    /// The rule book, with the limit on turns that is in force.
    pub(super) fn rules<G: Notation>(&self) -> Result<RuleBook, Failure> {
        let mut rules = rules_of::<G>(self.rules.as_deref())
            .map_err(|problem| Failure::Usage(format!("--rules: {problem}")))?;
        rules.length.max_turns = self.max_turns.or(rules.length.max_turns);
        Ok(rules)
    }

    /// The match between the two bots that these words mean; `usual` are the openings if none are named.
    pub(super) fn plan<G: Notation>(
        &self,
        words: [&str; 2],
        games: u64,
        usual: Source,
    ) -> Result<MatchPlan, Failure> {
        let bot = |words| BotSpec::parse(words).map_err(|error| Failure::Usage(error.to_string()));
        let mut bots = [bot(words[0])?, bot(words[1])?];
        if self.names.len() > 2 {
            return Err(Failure::Usage(
                "--name can be given twice at most: there are two bots".into(),
            ));
        }
        for (bot, name) in bots.iter_mut().zip(&self.names) {
            bot.name.clone_from(name);
        }
        tell_apart(&mut bots);
        let rules = self.rules::<G>()?;
        let seed = self.seed.unwrap_or_else(rand::random);
        let source = self.openings.clone();
        let source = source.or_else(|| self.opening_plies.map(Source::Random));
        let openings = Openings::load::<G>(&source.unwrap_or(usual), Path::new(""), &rules, seed)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let settings = GameSettings {
            rules,
            limits: self.limits(),
            conditions: self.conditions.conditions()?,
            replay_suspect: self.conditions.replay_suspect,
            seed,
            crownhead: std::env::current_exe()
                .context("cannot find the program crownhead itself")?,
        };
        let profile = &settings.conditions.profile;
        if let Some(why) = profile.too_long(settings.limits, rules.length.max_turns) {
            return Err(Failure::Usage(why));
        }
        warn_missing(&settings.conditions.sandbox)?;
        let concurrency = self.concurrency.map_or_else(games_at_once, usize::from);
        warn_of_too_many(concurrency);
        Ok(MatchPlan {
            bots,
            settings,
            games,
            openings,
            concurrency,
        })
    }
}

/// One game for every two cores: a bot may use a second thread, and the referee needs a moment too.
fn games_at_once() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
}

/// Two bots of one name are called by their places.
fn tell_apart(bots: &mut [BotSpec; 2]) {
    if bots[0].name == bots[1].name {
        bots[0].name.push_str(" (A)");
        bots[1].name.push_str(" (B)");
    }
}

/// A flag that the first interrupt raises; the second one ends the program at once.
pub(super) fn interrupts() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, interrupted.clone())?;
        signal_hook::flag::register(signal, interrupted.clone())?;
    }
    Ok(interrupted)
}

#[cfg(test)]
mod tests {
    use super::tell_apart;
    use crate::seat::BotSpec;

    #[test]
    fn two_bots_of_one_name_are_told_apart() {
        let mut bots = [
            BotSpec::parse("random").unwrap(),
            BotSpec::parse("random").unwrap(),
        ];
        tell_apart(&mut bots);
        assert_eq!(bots.map(|bot| bot.name), ["random (A)", "random (B)"]);
    }
}
