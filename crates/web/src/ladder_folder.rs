//! A ladder as the source of a site's games. It is read and never written.

use super::index::Index;
use crownhead_ladder::store::{BotVersion, Store, StoredPair};
use crownhead_ladder::{Folder, LadderError, Roster};
use std::path::Path;

/// A ladder's folder with its open store.
#[derive(Debug)]
pub(super) struct LadderFolder {
    pub(super) folder: Folder,
    pub(super) store: Store,
    /// The last pair whose games were read; 0 makes all games news again.
    pub(super) last: u64,
}

/// What is known of a ladder besides its configuration and its games; nothing of a file of games.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct LadderState {
    pub(super) versions: Vec<BotVersion>,
    /// The bots that are disabled, and why.
    pub(super) disabled: Vec<(String, String)>,
    pub(super) under_way: Vec<Vec<String>>,
}

impl LadderFolder {
    pub(super) fn open(path: &Path) -> Result<LadderFolder, LadderError> {
        let folder = Folder::open(path)?;
        let store = folder.read_store()?;
        Ok(LadderFolder {
            folder,
            store,
            last: 0,
        })
    }

    /// The state now.
    pub(super) fn state(&self) -> Result<LadderState, LadderError> {
        Ok(LadderState {
            versions: self.store.versions()?,
            disabled: self.store.bot_states()?.disabled,
            under_way: self.store.under_way()?,
        })
    }

    /// Reads the pairs that are not in `pairs` yet, and their games. Each version of a bot is a player of its own,
    /// which is called as tables of `roster` call it.
    pub(super) fn news(
        &mut self,
        index: &mut Index,
        pairs: &mut Vec<StoredPair>,
        mut roster: Roster,
    ) -> Result<(), LadderError> {
        let newest = |pairs: &[StoredPair]| pairs.last().map_or(0, |pair| pair.finished);
        pairs.extend(self.store.pairs(newest(pairs))?);
        let read = pairs.partition_point(|pair| pair.finished <= self.last);
        for pair in &pairs[read..] {
            for mut game in pair.rated().iter().cloned() {
                for name in &mut game.players {
                    let mut played = pair.key.bots.iter();
                    if let Some(entrant) = played.find(|it| it.bot == *name) {
                        *name = roster.label_of(entrant);
                    }
                }
                index.add(&game, game.number);
            }
        }
        self.last = newest(pairs);
        Ok(())
    }
}
