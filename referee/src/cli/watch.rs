//! `match --watch`: the game under way on the terminal, its board, its clocks and the bots' words.

use super::options::{drawing_on_standard_error, show_time};
use super::words::last_lines;
use crate::draw::{self, Drawing};
use crownhead::board::Side;
use crownhead::notation::Notation;
use crownhead_arena::runner::{LiveGame, Watch};
use crownhead_record::judge::TimeLimits;
use indicatif::{ProgressBar, ProgressStyle};

/// Lines of a bot's words that are shown.
const LINES: usize = 3;

/// Draws games on standard error, one over the other.
pub(super) struct LiveScreen {
    bar: ProgressBar,
    drawing: Drawing,
    limits: TimeLimits,
}

impl<G: Notation> Watch<G> for LiveScreen {
    fn show(&self, live: &LiveGame<'_, G>) {
        self.bar.set_message(self.picture(live));
    }
}

impl LiveScreen {
    /// A screen for games within these limits. Hidden where standard error is no terminal.
    pub(super) fn new(limits: TimeLimits) -> LiveScreen {
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        LiveScreen {
            bar: ProgressBar::new_spinner().with_style(style),
            drawing: drawing_on_standard_error(),
            limits,
        }
    }

    /// Takes the picture away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn picture<G: Notation>(&self, live: &LiveGame<'_, G>) -> String {
        let game = live.game;
        let rules = game.rules();
        let mover = game.position().side_to_move();
        let mut marked = Vec::new();
        if let Some(mv) = game.last_move() {
            marked = game.position().move_squares(mv);
        }
        let board = draw::board(game.position(), rules, &marked, self.drawing);
        let mut lines = vec![
            format!("game {}, turn {}", live.number, game.turn()),
            String::new(),
        ];
        for side in [rules.moves_first, rules.moves_first.opponent()] {
            let player = &live.players[side.index()];
            let turn = if side == mover { "is to move" } else { "" };
            lines.push(format!(
                "{} ({}) {turn}",
                player.name,
                rules.side_name(side)
            ));
            let last = player.last.map_or("no answer yet".into(), |last| {
                format!("last answer {}", show_time(last))
            });
            lines.push(format!(
                "  {last} of {}, {} in all",
                show_time(self.limits.turn),
                show_time(player.used)
            ));
        }
        let mut picture = draw::beside(&board, &lines);
        for side in Side::BOTH {
            let player = &live.players[side.index()];
            for line in last_lines(&player.words, LINES) {
                picture += &format!("\n{} | {line}", player.name);
            }
        }
        picture
    }
}
