//! Checks a ladder: its configuration, its bots and every stored game. It reports success only after it has checked
//! everything.

use crate::store::{Problem, Store, StoreError};
use crate::{Config, Folder, LadderError};
use crownhead_bots::BoardGame;
use crownhead_record::GameRecord;
use serde::Serialize;
use std::collections::BTreeSet;

/// The remedy if [`Findings::damaged`].
pub const DAMAGED: &str = "the file itself is damaged; put a copy of it back, or save what can be read with \
                           `sqlite3 games.db .recover`";

/// The findings of a check.
#[derive(Debug, Serialize)]
pub struct Findings {
    /// How many bots the configuration has.
    pub bots: usize,
    /// How many games are stored.
    pub games: u64,
    /// Unusable parts of the configuration.
    pub mistakes: Vec<String>,
    /// Problems of the stored games.
    pub problems: Vec<String>,
    /// Whether the file itself is damaged, so that nothing can be repaired.
    pub damaged: bool,
    /// The problems that were repaired.
    pub mended: Vec<String>,
    /// Whether the games have no problems now.
    pub sound: bool,
}

/// Checks all of a ladder. With `repair`, pairs that cannot be right are to be played again.
///
/// # Errors
/// When the configuration or the store cannot be read.
pub fn check(folder: &Folder, repair: bool) -> Result<Findings, LadderError> {
    let config = folder.config()?;
    let mut store = if repair {
        folder.store()?
    } else {
        folder.read_store()?
    };
    let about_store = |error| folder.about_store(error);
    let (problems, games) = look(config.game(), &store).map_err(about_store)?;
    let mut sound = problems.is_empty();
    let mut mended = Vec::new();
    if repair && !sound {
        mended = mend(&mut store, &problems).map_err(about_store)?;
        let again = look(config.game(), &store).map_err(about_store)?;
        sound = again.0.is_empty();
    }
    Ok(Findings {
        bots: config.bots.len(),
        games,
        mistakes: mistakes(folder, &config),
        damaged: problems.iter().any(|problem| problem.pair.is_none()),
        problems: problems.into_iter().map(|problem| problem.told).collect(),
        mended,
        sound,
    })
}

/// Problems of the stored games, and the number of games.
fn look(rules: &'static dyn BoardGame, store: &Store) -> Result<(Vec<Problem>, u64), StoreError> {
    let mut games = 0_u64;
    let problems = store.problems(&mut |game| {
        games += 1;
        contradiction(rules, game)
    })?;
    Ok((problems, games))
}

/// Has pairs that cannot be right played again, after copying the file; says for each problem what was done. Writes
/// nothing to a damaged file, which SQLite cannot copy.
fn mend(store: &mut Store, problems: &[Problem]) -> Result<Vec<String>, StoreError> {
    let told = problems.iter().map(|problem| &problem.told);
    let pairs: Option<BTreeSet<u64>> = problems.iter().map(|problem| problem.pair).collect();
    let Some(pairs) = pairs else {
        let left = format!("nothing is repaired: {DAMAGED}");
        return Ok(told.cloned().chain([left]).collect());
    };
    let copy = store.rescue()?;
    let copy =
        copy.map(|(path, _)| format!("{}: a copy of the games as they were", path.display()));
    store.play_again(&pairs.into_iter().collect::<Vec<u64>>())?;
    let told =
        told.map(|told| format!("{told}: its games are kept unrated, and it is played again"));
    Ok(copy.into_iter().chain(told).collect())
}

/// Why a game cannot have been played as it is recorded, if it cannot.
fn contradiction(rules: &'static dyn BoardGame, game: &GameRecord) -> Option<String> {
    // The moves do not show what an external referee has said.
    if game.referee.is_some() {
        return None;
    }
    match game.rebuild(rules) {
        Err(error) => Some(format!("game {}: {error}", game.number)),
        Ok(rebuilt) if game.termination.is_regular() => {
            let scores = rebuilt.result().map(|ended| ended.scores);
            let told = format!("game {}: its moves do not lead to its result", game.number);
            (scores != game.scores).then_some(told)
        }
        Ok(_) => None,
    }
}

/// Unusable parts of the configuration.
fn mistakes(folder: &Folder, config: &Config) -> Vec<String> {
    let openings = folder.openings(config).err();
    let settings = folder.settings(config).err();
    let participants = config.bots.iter().enumerate().filter_map(|(number, bot)| {
        // The output of a build command need not exist before the first run.
        let ready = !bot.retired && bot.build.is_none();
        ready.then(|| folder.bot(config, number).err())?
    });
    let all = openings.into_iter().chain(settings).chain(participants);
    all.map(|error| error.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::game;
    use crownhead_bots::CHECKERS;
    use crownhead_record::Termination;

    fn drawn(turns: u32) -> GameRecord {
        let mut game = game(7, "anna", "bert", [0.5, 0.5]);
        game.max_turns = Some(turns);
        game.termination = Termination::TurnLimit;
        game
    }

    #[test]
    fn a_game_whose_moves_do_not_lead_to_its_result_contradicts_itself() {
        assert_eq!(contradiction(CHECKERS, &drawn(1)), None);
        let told = Some("game 7: its moves do not lead to its result".into());
        assert_eq!(contradiction(CHECKERS, &drawn(2)), told);
        let mut won = drawn(1);
        won.scores = Some(vec![1.0, 0.0]);
        assert_eq!(contradiction(CHECKERS, &won), told);
        // A fault can end a game in any position.
        won.termination = Termination::Crash;
        assert_eq!(contradiction(CHECKERS, &won), None);
        won.opening = vec!["A1A2".into()];
        let told = contradiction(CHECKERS, &won).unwrap();
        assert!(
            told.starts_with("game 7: turn 1 of the record is `A1A2`"),
            "{told}"
        );
    }

    #[test]
    fn an_external_referees_game_is_not_judged_by_its_moves() {
        let mut game = drawn(2);
        let referee =
            serde_json::json!({"command": "r", "protocol": "lines", "hash": "", "seed": 1});
        game.referee = serde_json::from_value(referee).unwrap();
        assert_eq!(contradiction(CHECKERS, &game), None);
    }
}
