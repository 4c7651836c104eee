//! Wins, draws and losses of a bot.

use serde::Serialize;

/// Results of one bot. Among more than two players a win is the first place alone, a draw the first place shared, and all
/// else a loss.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    /// Counts a game in which the player in this seat had one of these scores.
    pub(super) fn add(&mut self, scores: &[f64], seat: usize) {
        let ahead = scores.iter().filter(|&&score| score > scores[seat]).count();
        let level = scores
            .iter()
            .filter(|&&score| score == scores[seat])
            .count()
            - 1;
        match (ahead, level) {
            (0, 0) => self.wins += 1,
            (0, _) => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}
