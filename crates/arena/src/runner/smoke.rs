//! Short games of one bot, one as each player: what goes wrong with the bot shows in seconds.

use super::cores::GamePlacement;
use super::pair::{PlayedPair, play_pair};
use super::spec::{GameSpec, Participant};
use crate::contest::Contest;
use crate::seat::BotSpec;
use crate::settings::GameSettings;
use crownhead_record::openings::{Opening, Source, SourceError};
use crownhead_record::seed::Purpose;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Turns of a game at most, of both players.
const TURNS: u32 = 30;

/// Short games of one bot, one as each player, against the built-in `random`. If an external referee judges, the bot plays
/// against itself, because no built-in knows the game.
#[derive(Debug)]
pub struct SmokeGames {
    /// The settings, with the limit of turns.
    pub settings: GameSettings,
    /// The bot, and its opponent.
    pub bots: [Participant; 2],
    /// The games.
    pub specs: Vec<GameSpec>,
}

impl SmokeGames {
    /// The games of this bot under these settings.
    ///
    /// # Errors
    /// When an external referee has no opening for them.
    pub fn new(settings: &GameSettings, bot: &Participant) -> Result<SmokeGames, SourceError> {
        let mut settings = settings.clone();
        let mut opponent = match &mut settings.contest {
            Contest::Board { rules, .. } => {
                let turns = &mut rules.length.max_turns;
                *turns = Some(turns.map_or(TURNS, |turns| turns.min(TURNS)));
                Participant::from(BotSpec::parse("random").expect("it is built in"))
            }
            Contest::External(_) => bot.clone(),
        };
        // Their names distinguish the two in records.
        opponent.spec.name = format!("the opponent of {}", bot.spec.name);
        let opening = match &settings.contest {
            Contest::Board { .. } => None,
            Contest::External(_) => settings
                .openings(&Source::Seeds(None), Path::new(""))?
                .get(0),
        };
        let opening: Opening = opening.unwrap_or_default();
        let specs = GameSpec::round(&settings, 0, 1, &opening, |_, bot| Purpose::MatchBot {
            game: 0,
            bot,
        });
        Ok(SmokeGames {
            settings,
            bots: [bot.clone(), opponent],
            specs,
        })
    }

    /// Plays all of them.
    pub fn play(&self, interrupted: &Arc<AtomicBool>) -> PlayedPair {
        let bots = self.bots.each_ref();
        let (settings, specs) = (&self.settings, &self.specs);
        play_pair(
            settings,
            &bots,
            specs,
            GamePlacement::default(),
            interrupted,
            None,
        )
    }
}
