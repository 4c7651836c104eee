//! Groups: bots that are connected by games.

use super::{Anchor, Results};
use std::cmp::Reverse;

/// The group of each bot, by its number; `None` for a bot that has not played. Group 0 is the anchor's, if the anchor
/// has played. Then larger groups come before smaller ones, and equal groups are ordered by their lowest number.
pub(super) fn groups(bots: usize, results: &Results, anchor: Option<Anchor>) -> Vec<Option<usize>> {
    // Each bot points towards the lowest number of its group.
    let mut towards: Vec<usize> = (0..bots).collect();
    let find = |towards: &[usize], mut bot: usize| {
        while towards[bot] != bot {
            bot = towards[bot];
        }
        bot
    };
    for &(one, other) in results.meetings.keys() {
        let [one, other] = [one, other].map(|bot| find(&towards, bot));
        towards[one.max(other)] = one.min(other);
    }
    let lowest: Vec<usize> = (0..bots).map(|bot| find(&towards, bot)).collect();
    let size = |group: usize| lowest.iter().filter(|own| **own == group).count();
    let mut order: Vec<usize> = (0..bots).filter(|bot| lowest[*bot] == *bot).collect();
    order.retain(|group| size(*group) > 1);
    let anchored = anchor.map(|anchor| lowest[anchor.bot]);
    order.sort_by_key(|&group| (anchored != Some(group), Reverse(size(group)), group));
    let place = |group: &usize| order.iter().position(|known| known == group);
    lowest.iter().map(place).collect()
}
