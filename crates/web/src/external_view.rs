//! One recorded game of an external referee for a page: the input and reply of each bot, and the referee's messages.
//!
//! Positions, analysis and PDN are only for games that Crownhead knows. The board is the one that the referee shows.
//! The data of its [viewer](super::viewers) are requested separately.

use super::player_view::PlayerView;
use crownhead_record::judge::{Clock, TimeLimits, optional_microseconds};
use crownhead_record::{FailedTurn, Figures, Frame, GameRecord, RefereeProtocol, RefereeRecord};
use crownhead_record::{Stderr, Termination, TurnRecord};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// A game for the page.
#[derive(Debug, Serialize)]
pub(super) struct ExternalView {
    /// Its number on the page.
    id: u64,
    number: u64,
    game: String,
    rules: String,
    /// Its presence tells the page that there is no board.
    referee: Option<RefereeView>,
    players: Vec<PlayerView>,
    /// The points of the players; `None` if the game is void.
    points: Option<Vec<f64>>,
    #[serde(flatten)]
    limits: TimeLimits,
    clock: Clock,
    turns: Vec<TurnView>,
    frames: Vec<FrameView>,
    termination: Termination,
    reason: String,
    /// The position of the turn that lost the game by a fault.
    fault: Option<usize>,
    /// The stats of the game itself.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    figures: Figures,
    viewer: ViewerView,
}

#[derive(Debug, Serialize)]
struct RefereeView {
    protocol: RefereeProtocol,
    seed: u64,
    /// The scores that it gave.
    scores: Vec<f64>,
    /// The turns in which bots failed.
    failed: Vec<FailedTurn>,
}

#[derive(Debug, Serialize)]
struct TurnView {
    player: usize,
    sent: Option<String>,
    reply: Option<String>,
    /// What the referee got instead, in a turn of the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    #[serde(rename = "us", with = "optional_microseconds")]
    time: Option<Duration>,
    #[serde(rename = "limit_us", with = "optional_microseconds")]
    limit: Option<Duration>,
    #[serde(rename = "work_us", with = "optional_microseconds")]
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<Duration>,
    #[serde(skip_serializing_if = "Stderr::is_empty")]
    stderr: Stderr,
    #[serde(skip_serializing_if = "Figures::is_empty")]
    said: Figures,
}

/// The referee's messages between two turns.
#[derive(Debug, Serialize)]
struct FrameView {
    /// How many turns came before it.
    turn: usize,
    /// Whether its viewer draws it as a separate step.
    key: bool,
    /// The board from then on, as text or SVG.
    #[serde(skip_serializing_if = "String::is_empty")]
    show: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summary: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tooltips: Vec<String>,
}

/// The contest's viewer, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum ViewerView {
    /// The viewer's location.
    Here {
        /// The folder of its files, with a final slash.
        folder: String,
        /// The page that draws.
        player: &'static str,
        /// The module that it draws with.
        drawer: &'static str,
        /// The libraries that the module may load, with their files.
        libraries: BTreeMap<String, String>,
    },
    /// A part of a sentence.
    Missing { why: String },
}

impl ViewerView {
    pub(super) fn missing(why: impl ToString) -> ViewerView {
        let why = why.to_string();
        ViewerView::Missing { why }
    }
}

/// Whether a viewer draws a frame as a separate step, as the first line of its view says (`GameManager.java` of the
/// engine, 4.5.0).
pub(super) fn is_key(frame: &Frame) -> bool {
    frame.view.starts_with("KEY_FRAME")
}

impl ExternalView {
    /// The game of this record; `id` is its number on the page.
    pub(super) fn new(id: u64, record: GameRecord, viewer: ViewerView) -> ExternalView {
        let fault = record.fault_turn();
        let referee = record.referee.as_ref();
        let frames = referee.map_or(&[][..], |referee| &referee.frames);
        ExternalView {
            frames: frames.iter().map(FrameView::of).collect(),
            referee: referee.map(RefereeView::of),
            id,
            number: record.number,
            game: record.game,
            rules: record.rules,
            players: record.players.into_iter().map(PlayerView::of).collect(),
            points: record.scores,
            limits: record.limits,
            clock: record.clock,
            turns: record.turns.into_iter().map(TurnView::of).collect(),
            termination: record.termination,
            reason: record.reason,
            fault,
            figures: record.figures,
            viewer,
        }
    }
}

impl RefereeView {
    fn of(referee: &RefereeRecord) -> RefereeView {
        RefereeView {
            protocol: referee.protocol,
            seed: referee.seed,
            scores: referee.scores.clone(),
            failed: referee.failed.clone(),
        }
    }
}

impl FrameView {
    fn of(frame: &Frame) -> FrameView {
        FrameView {
            turn: frame.turn,
            key: is_key(frame),
            show: frame.show.clone(),
            summary: frame.summary.clone(),
            tooltips: frame.tooltips.clone(),
        }
    }
}

impl TurnView {
    fn of(turn: TurnRecord) -> TurnView {
        TurnView {
            player: turn.player,
            sent: turn.sent,
            reply: turn.reply,
            opening: turn.opening,
            time: Some(turn.time),
            limit: turn.limit,
            work: turn.work,
            stderr: turn.stderr,
            said: turn.said,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::view::GameView;
    use super::*;
    use serde_json::{Value, json};

    /// A game of three players, in which the last one crashes.
    pub(in super::super) fn record() -> GameRecord {
        let player = |name: &str| json!({"side": "player", "name": name, "command": "x"});
        let record = json!({
            "version": crownhead_record::VERSION, "game": "race", "rules": "league=4", "profile": "strict",
            "clock": "wall", "number": 3, "seed": 1, "limits": {"first_turn_us": 1_000_000, "turn_us": 50_000},
            "players": [player("a"), player("<b>b</b>"), player("c")], "max_turns": null, "opening": [],
            "referee": {
                "command": "race.jar", "protocol": "engine", "hash": "00", "seed": 7, "scores": [5, 9, -1], "failed": [{"turn": 2, "termination": "crash"}, {"turn": 3, "termination": "timeout"}],
                "frames": [
                    {"turn": 0, "view": "KEY_FRAME 0\n{\"a\":1}", "summary": ["¤RED¤$1§RED§ begins"]},
                    {"turn": 1, "view": "INTERMEDIATE_FRAME 1", "show": "<svg/>"},
                    {"turn": 2, "view": "INTERMEDIATE_FRAME 2"},
                    {"turn": 4, "view": "KEY_FRAME 3\n{}", "tooltips": ["2 out"]},
                ],
            },
            "turns": [
                {"player": 0, "sent": "1 2\n", "reply": "TAKE 1\nwith joy", "us": 12, "limit_us": 40_000},
                {"player": 1, "reply": "TAKE 2\nyes", "us": 13, "stderr": {"text": "word"}, "said": {"depth": 3}},
                {"player": 2, "reply": "TAKE 0\nno", "opening": "TAKE 2\nyes", "us": 14},
                {"player": 0, "reply": null, "us": 15},
            ],
            "scores": [0.5, 1, 0], "termination": "crash", "reason": "c crashed",
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn a_game_of_three_is_told_with_what_was_sent_and_said_and_without_views() {
        let view = GameView::new(3, record(), |_| ViewerView::missing("it is gone")).unwrap();
        let shown = serde_json::to_value(&view).unwrap();
        assert_eq!(shown["players"][1]["name"], "<b>b</b>");
        assert_eq!(shown["points"], json!([0.5, 1.0, 0.0]));
        assert_eq!(shown["referee"]["scores"], json!([5.0, 9.0, -1.0]));
        assert_eq!(shown["referee"]["seed"], 7);
        assert_eq!(shown["turns"][0]["sent"], "1 2\n");
        assert_eq!(shown["turns"][0]["reply"], "TAKE 1\nwith joy");
        assert_eq!(shown["turns"][0]["limit_us"], 40_000);
        assert_eq!(shown["turns"][1]["said"]["depth"], 3);
        assert_eq!(shown["turns"][2]["opening"], "TAKE 2\nyes");
        assert_eq!(shown["turns"][3]["reply"], Value::Null);
        assert_eq!(shown["fault"], 2);
        assert_eq!(
            shown["referee"]["failed"][1],
            json!({"turn": 3, "termination": "timeout"})
        );
        assert_eq!(shown["frames"][0]["summary"][0], "¤RED¤$1§RED§ begins");
        assert_eq!(shown["frames"][1]["show"], "<svg/>");
        let keys: Vec<&Value> = shown["frames"]
            .as_array()
            .unwrap()
            .iter()
            .map(|frame| &frame["key"])
            .collect();
        assert_eq!(keys, [true, false, false, true]);
        assert!(
            !shown.to_string().contains("KEY_FRAME"),
            "views are for the viewer"
        );
        assert_eq!(shown["viewer"], json!({"why": "it is gone"}));
    }
}
