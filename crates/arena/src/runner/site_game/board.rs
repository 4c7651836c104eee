//! A game of ours, played again by its rules.

use super::frames::Frames;
use super::timeout;
use crate::table::{self, Answer, Policy, Seat, TableCommand, TimedReply, TurnLog, TurnRequest};
use crownhead::rules::RuleBook;
use crownhead_bots::BoardGame;
use crownhead_external::RefereeError;
use crownhead_record::judge::TimeLimits;
use crownhead_record::site::SiteGame;
use crownhead_record::{GameRecord, PlayerRecord};
use std::cell::RefCell;
use std::time::Duration;

/// A player of a game of ours that answers as the file has it.
struct Recorded<'a, 'b> {
    frames: &'b RefCell<Frames<'a>>,
    /// Its place on the site.
    player: usize,
}

impl Seat for Recorded<'_, '_> {
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let Some(frame) = self.frames.borrow_mut().answer_of(self.player) else {
            return Answer::Command(TableCommand::Quit);
        };
        let line = frame
            .stdout
            .as_deref()
            .map(|lines| lines.lines().next().unwrap_or_default());
        let reply = line
            .map(|line| line.trim().into())
            .ok_or_else(|| timeout(turn.limit));
        Answer::Reply(TimedReply {
            reply,
            time: Duration::ZERO,
        })
    }
}

/// Plays a game of ours. The player that is asked first has the side that moves first.
///
/// # Errors
/// When not even the first answer is one of this game.
pub(super) fn on_board<'a>(
    game: &'static dyn BoardGame,
    rules: &RuleBook,
    site: &'a SiteGame,
) -> Result<(GameRecord, Frames<'a>, Option<String>), RefereeError> {
    let (mut board, limits) = (game.start(*rules), TimeLimits::default());
    let sides = board.player_names();
    let first = site
        .frames
        .iter()
        .find_map(|frame| frame.player)
        .unwrap_or(0);
    let swapped = first != board.mover();
    let place = |player: usize| if swapped { 1 - player } else { player };
    let players =
        (0..2).map(|player| PlayerRecord::new(sides[player], &*site.players[place(player)], ""));
    let players = players.collect();
    let frames = RefCell::new(Frames::of(site));
    let mut seats = [0, 1].map(|player| Recorded {
        frames: &frames,
        player: place(player),
    });
    let [one, other] = &mut seats;
    let mut nothing = ();
    let mut log = TurnLog::new(board.as_ref(), &mut nothing);
    let verdict = table::play(
        board.as_mut(),
        &mut [one, other],
        &mut Policy::strict(limits),
        &mut log,
    );
    let mut frames = frames.into_inner();
    if let Some(points) = &verdict.scores {
        let points: Vec<f64> = (0..2).map(|player| points[place(player)]).collect();
        frames.compare_end(None, &points);
    }
    let record = log.record(board.as_ref(), players, limits, verdict);
    // A game without a move, or with a first answer that is refused while the game went on.
    let record = record.filter(|record| record.turns.len() > 1 || site.frames.len() <= 2);
    let record = record.ok_or_else(|| {
        let (name, title) = (game.name(), site.title.as_deref().unwrap_or("a contest"));
        RefereeError::NotFound(format!(
            "it is a game of {title} whose first answer is no move of {name}. Name its referee: `crownhead import --referee \
             REFEREE`"
        ))
    })?;
    Ok((record, frames, None))
}
