//! Options of commands that play games between two bots.

use super::calibrate::{games_at_once, warn_of_too_many};
use super::{Failure, about, usage};
use crate::openings::{Openings, Source};
use crate::runner::MatchPlan;
use crate::seat::BotSpec;
use crate::settings::{GameOptions, SettingsError};
use anyhow::Context;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead_sandbox::{Sandbox, SandboxMode};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How games are played, whatever they are played for.
#[derive(Debug, clap::Args)]
pub(super) struct PlayingOptions {
    /// What to call a bot; give it twice to name both
    #[arg(long = "name", value_name = "NAME", value_parser = BotSpec::parse_name)]
    names: Vec<String>,
    /// Begin with so many random moves, the same for both games of a pair
    #[arg(long, value_name = "K", conflicts_with = "openings")]
    opening_plies: Option<u32>,
    #[command(flatten)]
    pub(super) options: GameOptions,
}

impl PlayingOptions {
    /// The rule book, with the limit on turns that is in force.
    pub(super) fn rules<G: Notation>(&self) -> Result<RuleBook, Failure> {
        let rules = self.options.rules::<G>();
        rules.map_err(about("--rules"))
    }

    /// The match between the two bots that these words mean; `usual` are the openings if none are named.
    pub(super) fn plan<G: Notation>(
        &self,
        words: [&str; 2],
        games: u64,
        usual: Source,
    ) -> Result<MatchPlan, Failure> {
        let bot = |words| BotSpec::parse(words).map_err(usage);
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
        let options = &self.options;
        let seed = options.seed.unwrap_or_else(rand::random);
        let source = options.openings.clone();
        let source = source.or_else(|| self.opening_plies.map(Source::Random));
        let openings = Openings::load::<G>(&source.unwrap_or(usual), Path::new(""), &rules, seed)
            .map_err(usage)?;
        let settings = options.settings(rules, seed, Path::new(""));
        let settings = settings.map_err(unusable)?;
        if let Some(why) = options.too_long(&rules) {
            return Err(Failure::Usage(why));
        }
        warn_missing(&settings.conditions.sandbox)?;
        let concurrency = options.concurrency.map_or_else(games_at_once, usize::from);
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

/// Prints what the system lacks for the sandbox, a note each; fails if all of it is required.
pub(super) fn warn_missing(sandbox: &Sandbox) -> Result<(), Failure> {
    let missing = sandbox
        .missing_features()
        .context("the sandbox cannot be set up; `--sandbox off` does without")?;
    if sandbox.mode == SandboxMode::Require && !missing.is_empty() {
        return Err(Failure::Failed(anyhow::anyhow!(
            "--sandbox require: this system does not allow all of it: {}",
            missing.join("; ")
        )));
    }
    for feature in missing {
        anstream::eprintln!("note: {feature}");
    }
    Ok(())
}

/// The failure of options that cannot be put in force.
pub(super) fn unusable(error: SettingsError) -> Failure {
    match error {
        SettingsError::Allow { option, .. } => {
            Failure::Usage(format!("--{} {error}", option.replace('_', "-")))
        }
        SettingsError::NoProgram(_) => error.into(),
    }
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
