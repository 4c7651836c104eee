//! What can be wrong with a store, and how it is mended.

/// Something that is wrong with a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is wrong and where, as a line for people.
    pub told: String,
    pub(super) mend: Mend,
}

/// How it is mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mend {
    /// It cannot be: the file itself is damaged.
    Never,
    /// Indexes are made again.
    Reindex,
    /// The pair's games are made void, and it is played again.
    PlayAgain(i64),
    /// Times are read off the record again.
    Retime(i64),
    /// The pair gets a number behind all others.
    Renumber(i64),
    /// Nobody holds the pair; its claim is deleted.
    Release(i64),
    /// Numbers of claims begin above all there are.
    Fence,
}

impl Problem {
    /// A pair whose games cannot have been played so.
    pub fn of_pair(pair: u64, told: String) -> Problem {
        Problem {
            told,
            mend: Mend::PlayAgain(pair as i64),
        }
    }

    /// What it is, with what was done about it.
    pub(super) fn told_as_mended(&self) -> String {
        let done = match self.mend {
            Mend::Never => {
                "cannot be mended here; put a copy of the file back, or save what can be read with \
                 `sqlite3 games.db .recover`"
            }
            Mend::Reindex => "its indexes are made again",
            Mend::PlayAgain(_) => "its games are kept unrated, and it is played again",
            Mend::Retime(_) => "read off the records again",
            Mend::Renumber(_) => "counted as finished last",
            Mend::Release(_) => "the claim is deleted",
            Mend::Fence => "begun again above all there are",
        };
        format!("{}: {done}", self.told)
    }
}
