//! The frames of a game of the site, taken one by one, and the first thing that came out otherwise.

use crownhead_record::Frame;
use crownhead_record::site::{SiteDifference, SiteFrame, SiteGame, SiteRecord};
use crownhead_record::text::excerpt;

/// The frames that are to come.
pub(super) struct Frames<'a> {
    pub(super) game: &'a SiteGame,
    /// The place of the frame with the last answer, and how many answers were taken.
    step: usize,
    turn: usize,
    differs: Option<SiteDifference>,
}

impl<'a> Frames<'a> {
    pub(super) fn of(game: &'a SiteGame) -> Frames<'a> {
        Frames {
            game,
            step: 0,
            turn: 0,
            differs: None,
        }
    }

    /// Notes a difference, if it is the first.
    fn differ(&mut self, what: &str, file: &str, here: &str) {
        let turn = self.turn;
        self.differs.get_or_insert_with(|| SiteDifference {
            turn,
            what: what.into(),
            file: excerpt(file),
            here: excerpt(here),
        });
    }

    /// The frame of the next answer, which is this player's.
    pub(super) fn answer_of(&mut self, player: usize) -> Option<&'a SiteFrame> {
        let name = |player: usize| format!("{} is asked", self.game.players[player]);
        let Some(frame) = self.game.frames.get(self.step + 1) else {
            self.differ("end", "the game is over", &name(player));
            return None;
        };
        match frame.player {
            Some(other) if other != player => {
                self.differ("player", &name(other), &name(player));
                None
            }
            _ => {
                (self.step, self.turn) = (self.step + 1, self.turn + 1);
                Some(frame)
            }
        }
    }

    /// Passes over the frame of a question without an answer, which not every file has.
    pub(super) fn pass_over(&mut self, player: usize) {
        let next = self.game.frames.get(self.step + 1);
        let is_own = |frame: &&SiteFrame| frame.player.is_none_or(|asked| asked == player);
        let own = next.filter(|frame| frame.stdout.is_none()).filter(is_own);
        self.step += usize::from(own.is_some());
    }

    /// Compares what the referee says before its next question with what the file has in this place.
    pub(super) fn compare(&mut self, frame: &Frame) {
        let Some(told) = self.game.frames.get(self.step) else {
            return;
        };
        let summary = frame.summary.join("\n");
        let said = told.summary.as_deref().map(str::trim);
        let data = told.view.as_deref().map(data_of);
        for (what, told, here) in [
            ("summary", said, summary.trim()),
            ("view", data, data_of(&frame.view)),
        ] {
            if let Some(told) = told.filter(|told| *told != here) {
                self.differ(what, told, here);
            }
        }
    }

    /// Compares how the game ended with what the file has: the scores as they are, where the file has those of the same
    /// referee, and the ranks.
    pub(super) fn compare_end(&mut self, scores: Option<&[f64]>, points: &[f64]) {
        if self.step + 1 < self.game.frames.len() && self.differs.is_none() {
            self.differ("end", "the game goes on", "the game is over");
        }
        let own = |numbers: &[f64]| {
            numbers
                .iter()
                .map(f64::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let SiteGame {
            scores: told,
            ranks,
            ..
        } = self.game;
        if let Some(scores) = scores.filter(|scores| !told.is_empty() && told != scores) {
            self.differ("scores", &own(told), &own(scores));
        }
        let ranks: Vec<f64> = ranks.iter().map(|&rank| rank as f64).collect();
        let told = match ranks.is_empty() {
            true => ranks_of(told),
            false => ranks,
        };
        let here = ranks_of(points);
        if !told.is_empty() && told != here {
            self.differ("ranks", &own(&told), &own(&here));
        }
    }

    /// What the game's record has of the site; `failed` is why it was not played to its end.
    pub(super) fn record(self, failed: Option<String>) -> SiteRecord {
        let SiteGame {
            scores,
            ranks,
            frames,
            ..
        } = self.game;
        let mut frames = frames.iter();
        let has_words = frames.any(|frame| frame.summary.is_some() || frame.view.is_some());
        let is_bare = scores.is_empty() && ranks.is_empty() && !has_words;
        let bare =
            is_bare.then_some("the file has neither scores, ranks, summaries nor views to compare");
        let unverified = failed
            .or(bare.map(String::from))
            .filter(|_| self.differs.is_none());
        SiteRecord {
            game: self.game.id,
            title: self.game.title.clone(),
            verified: self.differs.is_none() && unverified.is_none(),
            difference: self.differs,
            unverified,
        }
    }
}

/// The ranks of players with these scores, from 0: as many as are ahead of each.
fn ranks_of(scores: &[f64]) -> Vec<f64> {
    let ahead = |own: &f64| scores.iter().filter(|&other| other > own).count() as f64;
    scores.iter().map(ahead).collect()
}

/// The data of a view without its first line, the number of the frame, which the engine and the site write differently.
fn data_of(view: &str) -> &str {
    view.split_once('\n').map_or("", |(_, data)| data.trim())
}
