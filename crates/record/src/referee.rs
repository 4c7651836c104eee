//! The part of a record about the external referee that judged the game: a program that knows its own game.

use crate::Termination;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The protocol between an external referee and the program that runs the bots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum RefereeProtocol {
    /// Messages of CodinGame's contest engine, `[[NAME] n]` and n lines.
    Engine,
    /// Lines such as `###Input 0` and `###Output 0 1`, as with brutaltester's `-o`.
    Lines,
    /// A program that started the bots itself: older records and ladders name it, and it is no longer played.
    #[value(skip)]
    Command,
}

/// The external referee of a game, and what it reported in addition to the bots' input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RefereeRecord {
    /// The jar, folder or command of the referee.
    pub command: String,
    /// How it speaks.
    pub protocol: RefereeProtocol,
    /// A hash of its files, which distinguishes the games of two referees.
    pub hash: String,
    /// The seed of this game.
    pub seed: i64,
    /// Its parameters, such as the league.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// The scores that it gave, by players; empty if it gave none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<f64>,
    /// Why the game ended, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turns in which a bot failed or its answer was refused, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedTurn>,
    /// The steps of its game, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
    /// Data about the whole game: the engine's `METADATA`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metadata: Vec<String>,
    /// The parameters of the game, including its seed: the engine's `UINPUT`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<String>,
}

/// A turn in which a bot failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailedTurn {
    /// Its place among the turns.
    pub turn: usize,
    /// How the bot failed.
    pub termination: Termination,
}

/// A step of an external referee's game. If a player is asked, its answer follows.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// How many turns of the record came before it.
    pub turn: usize,
    /// The data for its viewer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub view: String,
    /// The board as people see it, from then on: text, or one SVG.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub show: String,
    /// What happened, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summary: Vec<String>,
    /// Remarks on single players: the player's number, from 0, a space, and the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tooltips: Vec<String>,
}

impl Frame {
    /// Whether what it shows is a picture, not text.
    pub fn is_svg(&self) -> bool {
        self.show.trim_start().starts_with("<svg")
    }
}

/// The points of each player by its place: the share of the opponents that are behind it, ties counting half. With two
/// players, the winner has 1. More is better.
pub fn points_by_place<T: PartialOrd>(scores: &[T]) -> Vec<f64> {
    let others = scores.len().saturating_sub(1).max(1) as f64;
    let points = |own: &T| {
        let behind = scores.iter().filter(|&other| other < own).count() as f64;
        let level = scores.iter().filter(|&other| other == own).count() as f64 - 1.0;
        (behind + level / 2.0) / others
    };
    scores.iter().map(points).collect()
}

/// The points of players with these scores. Players that failed are behind all others, and the first to fail is last.
/// `failed` gives the turn in which a player failed.
pub fn points_with_failures(scores: &[f64], failed: impl Fn(usize) -> Option<usize>) -> Vec<f64> {
    let place = |(player, &score): (usize, &f64)| match failed(player) {
        Some(turn) => (false, turn as f64),
        None => (true, score),
    };
    points_by_place(&scores.iter().enumerate().map(place).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{Frame, points_by_place, points_with_failures};

    #[test]
    fn points_are_the_share_of_the_others_that_a_player_leaves_behind() {
        assert_eq!(points_by_place(&[3.0, -1.0]), [1.0, 0.0]);
        assert_eq!(points_by_place(&[7.0, 7.0]), [0.5, 0.5]);
        assert_eq!(points_by_place(&[10.0, 2.0, 5.0]), [1.0, 0.0, 0.5]);
        assert_eq!(points_by_place(&[4.0, 9.0, 4.0]), [0.25, 1.0, 0.25]);
    }

    #[test]
    fn the_first_player_to_fail_is_last_at_any_score() {
        let failed = |player: usize| [Some(3), None, Some(9)][player];
        assert_eq!(
            points_with_failures(&[50.0, 1.0, 7.0], failed),
            [0.0, 1.0, 0.5]
        );
    }

    #[test]
    fn a_frame_is_a_picture_where_it_begins_as_svg_does() {
        let is_svg = |show: &str| {
            let show = show.into();
            Frame {
                show,
                ..Frame::default()
            }
            .is_svg()
        };
        assert!(is_svg(" \n<svg viewBox='0 0 1 1'/>"));
        assert!(!is_svg("a board with <svg in it"));
        assert!(!is_svg(""));
    }
}
