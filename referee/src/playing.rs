//! Options of commands that play games between bots.

use super::recorded::has_no_board;
use super::resume::Earlier;
use crate::conditions::{games_at_once, unusable, warn_missing, warn_of_too_many};
use crate::failure::{Failure, usage};
use crownhead_arena::contest::Contest;
use crownhead_arena::headings::{BOTS, RULES};
use crownhead_arena::options::GameOptions;
use crownhead_arena::runner::{MatchPlan, Participant, external_problem};
use crownhead_arena::seat::BotSpec;
use crownhead_arena::settings::GameSettings;
use crownhead_bots::CHECKERS;
use crownhead_record::judge::profile;
use crownhead_record::openings::Source;
use crownhead_record::seed;
use std::path::Path;

/// Options common to every command that plays games.
#[derive(Debug, clap::Args)]
pub(super) struct PlayingOptions {
    #[command(flatten)]
    pub(super) options: GameOptions,
    /// Names for the bots, in their order, with commas between
    #[arg(
        long,
        alias = "name",
        value_name = "A,B",
        value_delimiter = ',',
        help_heading = BOTS,
        value_parser = BotSpec::parse_name
    )]
    names: Vec<String>,
    /// Random turns to start with, as `--openings "random N"`
    #[arg(long, value_name = "N", conflicts_with = "openings", hide = true)]
    opening_plies: Option<u32>,
    /// Draw after N turns (a turn is one side's move) without progress
    ///
    /// Progress is a capture, or a move of a piece that only goes forwards. This makes your own tests shorter. The contest
    /// has no such rule. Records and totals mark these games as adjudicated.
    #[arg(
        long,
        value_name = "N",
        help_heading = RULES,
        hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    adjudicate: Option<u32>,
}

impl PlayingOptions {
    /// The match between the bots that these words name. A continued match keeps the seed of its `earlier` games.
    pub(super) fn plan(
        &self,
        words: &[String],
        games: u64,
        earlier: Option<&Earlier>,
    ) -> Result<MatchPlan, Failure> {
        let bots = words.iter().map(|words| BotSpec::parse(words));
        let mut bots: Vec<BotSpec> = bots.collect::<Result<_, _>>().map_err(usage)?;
        let count = bots.len();
        if self.names.len() > count {
            let given = self.names.len();
            return Err(usage(format_args!(
                "--names gives {given} names for {count} bots"
            )));
        }
        for (bot, name) in bots.iter_mut().zip(&self.names) {
            bot.name.clone_from(name);
        }
        tell_apart(&mut bots);
        let options = &self.options;
        let here = Path::new("");
        let seed = options.seed.or_else(|| Some(earlier?.games.first()?.seed));
        let seed = seed.unwrap_or_else(seed::by_chance);
        let settings = options.settings(seed, here).map_err(unusable)?;
        let players = settings.contest.players();
        if count < players {
            return Err(usage(format_args!(
                "{count} bots for games of {players} players: expected {players} bots at least"
            )));
        }
        if let Contest::External(external) = &settings.contest {
            let protocol = Some(external.referee.protocol);
            let problem = bots.iter().find_map(|bot| external_problem(bot, protocol));
            problem.map_or(Ok(()), |problem| Err(usage(problem)))?;
        }
        if settings.contest.rules().is_none() && self.adjudicate.is_some() {
            return Err(has_no_board("--adjudicate"));
        }
        let source = options.openings.clone();
        let source = source.or_else(|| self.opening_plies.map(Source::Random));
        let source = source.unwrap_or_else(|| usual_openings(&settings));
        let openings = settings.openings(&source, here).map_err(usage)?;
        let settings = GameSettings {
            adjudicate: self.adjudicate,
            ..settings
        };
        if let Some(why) = settings.too_long() {
            return Err(Failure::Usage(why));
        }
        warn_missing(&settings.conditions)?;
        let concurrency = options.concurrency.map_or_else(games_at_once, usize::from);
        warn_of_too_many(concurrency);
        Ok(MatchPlan {
            bots: bots.into_iter().map(Participant::from).collect(),
            settings,
            games,
            openings,
            concurrency,
        })
    }
}

/// The openings where none are named. Without different openings, two deterministic bots would repeat one pair. The
/// contest begins at the start.
pub(super) fn usual_openings(settings: &GameSettings) -> Source {
    if settings.contest.rules().is_none() {
        Source::Seeds(None)
    } else if settings.conditions.profile == profile::CONTEST {
        Source::Random(0)
    } else if settings.contest.name() == CHECKERS.name() {
        Source::Ballots
    } else {
        Source::Random(6)
    }
}

/// Two bots with the same name get (A), (B) and so on.
fn tell_apart(bots: &mut [BotSpec]) {
    let names: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
    for (place, bot) in bots.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == bot.name).count() > 1 {
            let letter = match u8::try_from(place) {
                Ok(place @ 0..26) => char::from(b'A' + place).to_string(),
                _ => (place + 1).to_string(),
            };
            bot.name.push_str(&format!(" ({letter})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tell_apart;
    use crownhead_arena::seat::BotSpec;

    #[test]
    fn bots_of_one_name_are_distinguished() {
        let mut bots = [
            BotSpec::parse("random").unwrap(),
            BotSpec::parse("greedy").unwrap(),
            BotSpec::parse("random").unwrap(),
        ];
        tell_apart(&mut bots);
        let names = bots.map(|bot| bot.name);
        assert_eq!(names, ["random (A)", "greedy", "random (C)"]);
    }
}
