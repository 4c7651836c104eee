//! Plays a game of the site again, by its rules or by its referee, with the recorded answers in the place of bots, and
//! finds the first thing that comes out otherwise.
//!
//! The site's frame after an answer has what the referee said after it; ours stands before the next question. Leaves out
//! the files ([`crownhead_record::site`]).

mod board;
mod frames;
mod referee;

use crate::contest::Contest;
use crate::table::Fault;
use board::on_board;
use crownhead_bots::games;
use crownhead_external::RefereeError;
use crownhead_record::site::{SiteError, SiteGame, SiteGames};
use crownhead_record::{GameRecord, ReadError};
use referee::through_referee;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The games of a file of the site, played again by the rules of the game that comes first. They are numbered from 1.
///
/// # Errors
/// When the file cannot be opened, or is written in UTF-16.
pub fn replay_site_file(
    path: &Path,
) -> io::Result<impl Iterator<Item = Result<GameRecord, ReadError>> + use<>> {
    let (games, usual) = (SiteGames::open(path)?, games::usual());
    let contest = Contest::Board {
        game: usual,
        rules: usual.rule_books()[0],
    };
    let mut number = 0;
    Ok(games.map(move |game| {
        let game = game?;
        number += 1;
        let record = replay_site_game(&contest, number, &game, &AtomicBool::new(false));
        let line = game.line;
        record.map_err(|error| {
            SiteError::Game {
                line,
                why: error.to_string(),
            }
            .into()
        })
    }))
}

/// Plays a game again, whose record has this number.
///
/// # Errors
/// When it is interrupted, its referee cannot be started, or it is a game of another contest.
pub fn replay_site_game(
    contest: &Contest,
    number: u64,
    game: &SiteGame,
    interrupted: &AtomicBool,
) -> Result<GameRecord, RefereeError> {
    let (record, frames, failed) = match contest {
        Contest::Board { game: board, rules } => on_board(*board, rules, game)?,
        Contest::External(external) => through_referee(contest, external, game, interrupted)?,
    };
    Ok(GameRecord {
        number,
        site: Some(frames.record(failed)),
        ..record
    })
}

/// The fault of a player that gave no answer in time.
fn timeout(limit: Duration) -> Fault {
    Fault::Timeout {
        limit,
        input_closed: false,
    }
}
