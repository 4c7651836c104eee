//! One short game of a bot that is added, to see what goes wrong before a night of games does.

use super::config::Config;
use super::folder::Folder;
use crownhead_arena::runner::{GameSpec, Participant, play_pair};
use crownhead_arena::seat::{BotSpec, Placement};
use crownhead_record::GameRecord;
use crownhead_record::openings::Openings;
use crownhead_record::seed::Purpose;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How many turns the game lasts at most.
const TURNS: u32 = 30;

/// Lets bot `number` of the configuration play a short game against a built-in, each colour once. Gives the game in which it
/// failed, if it did.
///
/// # Errors
/// When the bot cannot be built, or its entry cannot be used.
pub fn smoke_game(
    folder: &Folder,
    config: &Config,
    number: usize,
    interrupted: &Arc<AtomicBool>,
) -> anyhow::Result<Option<GameRecord>> {
    folder.build(&config.bots[number], || {})?;
    let bot = folder.bot(config, number)?;
    let mut settings = folder.settings(config)?;
    let turns = &mut settings.rules.length.max_turns;
    *turns = Some(turns.map_or(TURNS, |turns| turns.min(TURNS)));
    let mut opponent = BotSpec::parse("random")?;
    // Records tell the two apart by their names.
    opponent.name = format!("the opponent of {}", bot.spec.name);
    let opponent = Participant::from(opponent);
    let opening = Openings::none(settings.game, &settings.rules).get(0);
    let opening = opening.ok_or_else(|| anyhow::anyhow!("there is no opening"))?;
    let specs = GameSpec::pair(&settings, 1, &opening, |_, bot| Purpose::MatchBot {
        game: 0,
        bot,
    });
    let cores = [Placement::default(), Placement::default()];
    let pair = play_pair(&settings, [&bot, &opponent], &specs, &cores, interrupted);
    let name = &bot.spec.name;
    let failed = |game: &GameRecord| {
        game.scores.is_none()
            || (!game.termination.is_regular() && game.score_of(name) == Some(0.0))
    };
    Ok(pair.games.into_iter().find(failed))
}
