//! Short games of a bot that is added: what goes wrong shows before a night of games does.

use super::config::Config;
use super::folder::Folder;
use anyhow::bail;
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
    if let Some(turn) = first_difference(&pair.games) {
        bail!(
            "{}: the referee played two games of one seed in which turn {turn} was another, though all answers before were \
             the same: its games cannot be rated, for a pair is one seed",
            games.settings.contest.name()
        );
    }
    let name = &bot.spec.name;
    let failed = |game: &GameRecord| {
        let own = game.place_of(name);
        game.scores.is_none() || own.is_some_and(|player| game.fault_of(player).is_some())
    };
    Ok(pair.games.into_iter().find(failed))
}

/// The number of the turn in which an external referee's question differs between two games of one seed, although all
/// replies until then are the same.
fn first_difference(games: &[GameRecord]) -> Option<usize> {
    let [one, other] = games else { return None };
    let turns = one.turns.iter().zip(&other.turns);
    for (number, (turn, again)) in (1..).zip(turns) {
        if (turn.player, &turn.sent) != (again.player, &again.sent) {
            return Some(number);
        }
        if turn.reply != again.reply {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_games::game;
    use crownhead_record::TurnRecord;
    use std::time::Duration;

    /// A game with these texts for the players, each with its reply.
    fn asked(turns: &[(usize, &str, &str)]) -> GameRecord {
        let turn = |&(player, sent, reply): &(usize, &str, &str)| TurnRecord {
            sent: Some(sent.into()),
            ..TurnRecord::new(player, Some(reply.into()), Duration::ZERO)
        };
        let mut game = game(1, "anna", "bert", [1.0, 0.0]);
        game.turns = turns.iter().map(turn).collect();
        game
    }

    #[test]
    fn a_referee_differs_where_it_asks_otherwise_after_the_same_answers() {
        let first = [(0, "3", "a"), (1, "4", "b"), (0, "5", "c")];
        let differs =
            |second: &[(usize, &str, &str)]| first_difference(&[asked(&first), asked(second)]);
        assert_eq!(differs(&first), None);
        assert_eq!(differs(&[(0, "3", "a"), (1, "9", "b")]), Some(2));
        assert_eq!(differs(&[(1, "3", "a")]), Some(1));
        // After a different reply, the games differ.
        assert_eq!(differs(&[(0, "3", "x"), (1, "9", "b")]), None);
        assert_eq!(first_difference(&[asked(&first)]), None);
    }
}
