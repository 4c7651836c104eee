//! Short games of a bot that is added: what goes wrong shows before a night of games does.

use super::config::Config;
use super::folder::Folder;
use crownhead_arena::runner::SmokeGames;
use crownhead_record::GameRecord;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Plays the [short games](SmokeGames) of bot `number` of the configuration. Gives the game in which it failed, if it did.
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
    let games = SmokeGames::new(&folder.settings(config)?, &bot)?;
    let pair = games.play(interrupted);
    let name = &bot.spec.name;
    let failed = |game: &GameRecord| {
        let own = game.place_of(name);
        game.scores.is_none() || own.is_some_and(|player| game.fault_of(player).is_some())
    };
    Ok(pair.games.into_iter().find(failed))
}
