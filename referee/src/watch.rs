//! `match --watch`: the game under way on the terminal, its board, its clocks and the bots' words.

use super::options::drawing_on;
use super::words::last_lines;
use crate::draw::{self, Drawing};
use crownhead_arena::runner::{LiveGame, Watch};
use crownhead_record::judge::TimeLimits;
use crownhead_record::numbers::show_time;
use indicatif::{ProgressBar, ProgressStyle};

/// Lines of a bot's words that are shown.
const LINES: usize = 3;

/// Draws games on standard error, each over the one before.
pub(super) struct LiveScreen {
    bar: ProgressBar,
    drawing: Drawing,
    limits: TimeLimits,
}

impl Watch for LiveScreen {
    fn show(&self, live: &LiveGame<'_>) {
        self.bar.set_message(self.picture(live));
    }

    fn wants_words(&self) -> bool {
        true
    }
}

impl LiveScreen {
    /// A screen for games within these limits. It is hidden if standard error is not a terminal.
    pub(super) fn new(limits: TimeLimits) -> LiveScreen {
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        LiveScreen {
            bar: ProgressBar::new_spinner().with_style(style),
            drawing: drawing_on(&std::io::stderr()),
            limits,
        }
    }

    /// Takes the picture away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn picture(&self, live: &LiveGame<'_>) -> String {
        let board = live.board;
        let mover = board.mover();
        let picture = draw::board(board, &board.last_move(), self.drawing);
        let mut lines = vec![
            format!("game {}, turn {}", live.number, board.turn()),
            String::new(),
        ];
        let first = board.rules().moves_first.index();
        let names = board.player_names();
        let limit = show_time(self.limits.turn);
        for place in [first, 1 - first] {
            let player = &live.players[place];
            let turn = if place == mover { "is to move" } else { "" };
            lines.push(format!("{} ({}) {turn}", player.name, names[place]));
            let last = player
                .last
                .map(|last| format!("last answer {}", show_time(last)));
            let last = last.unwrap_or_else(|| "no answer yet".into());
            lines.push(format!(
                "  {last} of {limit}, {} in all",
                show_time(player.used)
            ));
        }
        let mut picture = draw::beside(&picture, &lines);
        for player in live.players {
            for line in last_lines(&player.words, LINES) {
                picture += &format!("\n{} | {line}", player.name);
            }
        }
        picture
    }
}
