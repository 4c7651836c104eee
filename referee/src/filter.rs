//! Which games are listed: those whose figures meet all conditions.

use super::progress::note;
use clap::Args;
use crownhead_record::{Condition, GameRecord};
use std::collections::BTreeSet;

/// Options of commands that list games.
#[derive(Clone, Default, Debug, Args)]
pub(super) struct FilterOptions {
    /// Only games in which a figure that bots said is so, such as 'map_size > 20', 'kind = small' or 'mybot.money >= 5'
    /// (of that bot alone); the operators are = != < <= > >=; given again, all must be met
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<Condition>,
}

/// Which games have been seen to meet the conditions.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    /// Each with whether a game had its figure.
    conditions: Vec<(&'a Condition, bool)>,
    /// The figures that games had.
    names: BTreeSet<String>,
}

impl FilterOptions {
    /// Whether there is no condition.
    pub(super) fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// A filter that no game has gone through yet.
    pub(super) fn filter(&self) -> Filter<'_> {
        let unseen = self.conditions.iter().map(|condition| (condition, false));
        Filter {
            conditions: unseen.collect(),
            names: BTreeSet::new(),
        }
    }
}

impl Filter<'_> {
    /// Whether the game meets all conditions.
    pub(super) fn admits(&mut self, game: &GameRecord) -> bool {
        let mut all = true;
        for (condition, seen) in &mut self.conditions {
            let met = condition.is_met_by(game);
            *seen |= met.is_some();
            all &= met == Some(true);
        }
        if !self.conditions.is_empty() {
            let own = game.players.iter().map(|player| &player.figures);
            let figures = std::iter::once(&game.figures).chain(own);
            let new = figures.flat_map(|figures| figures.keys());
            let new = new.filter(|name| !self.names.contains(*name));
            let new: Vec<String> = new.cloned().collect();
            self.names.extend(new);
        }
        all
    }

    /// Tells of the figures that were asked for and that no game had.
    pub(super) fn warn_unknown(&self) {
        for (condition, _) in self.conditions.iter().filter(|(_, seen)| !seen) {
            let known = self.names.iter().map(String::as_str).collect::<Vec<_>>();
            let known = match known.is_empty() {
                true => "no game has any: bots say them on standard error, `[TDATA] name = value`"
                    .into(),
                false => format!("there are {}", known.join(", ")),
            };
            let figure = condition.figure();
            note(format_args!(
                "--where: no game has a figure `{figure}`; {known}"
            ));
        }
    }
}
