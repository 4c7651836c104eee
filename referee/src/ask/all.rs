//! All turns of a player, put to a bot: where it would have answered otherwise.

use super::Ask;
use crate::failure::{Failure, usage};
use crate::interrupts::{check, interrupts};
use crate::output::write_json;
use crate::progress::Progress;
use crate::recorded::each_game;
use crate::table::{left, right, stdout_screen, table};
use crownhead_arena::runner::ask;
use crownhead_record::GameRecord;
use crownhead_record::numbers::counted;
use crownhead_record::text::excerpt;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// A game whose turns were asked.
#[derive(Serialize)]
struct AskedGame {
    game: u64,
    player: String,
    /// How many turns were asked, and how many there are; fewer where the bot failed.
    asked: usize,
    turns: usize,
    /// Why the bot failed.
    failed: Option<String>,
    /// The turn that decided the game, if the player lost it.
    lost_in: Option<usize>,
    otherwise: Vec<Otherwise>,
}

/// A turn in which the bot answered otherwise.
#[derive(Serialize)]
struct Otherwise {
    turn: usize,
    recorded: Option<String>,
    answer: Option<String>,
}

impl Ask {
    /// Puts all turns of a player to the bot, in each game of the file.
    pub(super) fn put_all(&self, file: &Path) -> Result<(), Failure> {
        let interrupted = interrupts()?;
        let (mut games, mut progress) = (Vec::new(), Progress::new("games", None));
        each_game(file, |record| {
            if self.number.is_some_and(|number| number != record.number) {
                return Ok(());
            }
            let Some(player) = self.player_of(&record) else {
                return Ok(());
            };
            check(&interrupted)?;
            let Some(last) = record.turns.iter().rposition(|turn| turn.player == player) else {
                return Ok(());
            };
            let first_turn = record.opening.len() + 1;
            let turn = self.turn_of(&record, file, first_turn + last)?;
            let bot = self.bot(&turn)?;
            let asked = ask(&turn.settings, &bot, &turn.question, &interrupted);
            let own = record
                .turns
                .iter()
                .zip(first_turn..)
                .filter(|(turn, _)| turn.player == player);
            let otherwise = own
                .zip(&asked.turns)
                .filter(|((recorded, _), now)| recorded.reply != now.reply);
            let otherwise = otherwise.map(|((recorded, turn), now)| Otherwise {
                turn,
                recorded: recorded.reply.clone(),
                answer: now.reply.clone(),
            });
            let has_lost = record
                .scores
                .as_ref()
                .is_some_and(|scores| scores[player] == 0.0);
            let is_whole = asked.turns.len() == turn.question.requests.len();
            games.push(AskedGame {
                game: record.number,
                player: record.players[player].name.clone(),
                otherwise: otherwise.collect(),
                asked: asked.turns.len(),
                turns: turn.question.requests.len(),
                failed: asked.answer.err().filter(|_| !is_whole),
                lost_in: record
                    .decisive_turn()
                    .filter(|_| has_lost)
                    .map(|place| first_turn + place),
            });
            progress.show(games.len() as u64, || counted(games.len(), "game"));
            Ok(())
        })?;
        progress.finish();
        if games.is_empty() {
            return Err(usage(format_args!(
                "`{}` holds no such game",
                file.display()
            )));
        }
        self.tell(&games)?;
        check(&interrupted)?;
        let is_whole = games.iter().all(|game| game.failed.is_none());
        is_whole.then_some(()).ok_or(Failure::Silent)
    }

    /// The player whose turns are asked: the named one, or the one that lost.
    fn player_of(&self, record: &GameRecord) -> Option<usize> {
        if let Some(name) = &self.player {
            return record.place_of(name);
        }
        let scores = record.scores.as_ref()?;
        let lowest = |one: &usize, other: &usize| scores[*one].total_cmp(&scores[*other]);
        (0..scores.len()).min_by(lowest)
    }

    fn tell(&self, games: &[AskedGame]) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if self.json {
            return Ok(write_json(&mut out, &games)?);
        }
        let answer = |answer: &Option<String>| {
            answer
                .as_deref()
                .map_or("none".into(), |text| excerpt(&text.replace('\n', "\\n")))
        };
        let rows = games.iter().flat_map(|game| {
            let rows = game.otherwise.iter();
            rows.map(|turn| {
                [
                    game.game.to_string(),
                    turn.turn.to_string(),
                    answer(&turn.recorded),
                    answer(&turn.answer),
                ]
            })
        });
        let columns = [
            right("game"),
            right("turn"),
            left("recorded"),
            left("answer"),
        ];
        if games.iter().any(|game| !game.otherwise.is_empty()) {
            writeln!(out, "{}", table(&columns, rows, stdout_screen()))?;
        }
        for game in games {
            let AskedGame {
                game: number,
                player,
                turns,
                asked,
                ..
            } = game;
            let count = counted(*turns, "turn");
            let first = match game.otherwise.first() {
                None => format!("all {count} of {player} are answered as recorded"),
                Some(first) => format!(
                    "{} of {count} of {player} are answered otherwise, first turn {}",
                    game.otherwise.len(),
                    first.turn
                ),
            };
            let lost = game
                .lost_in
                .map(|turn| format!("; the game was lost in turn {turn}"));
            writeln!(out, "game {number}: {first}{}", lost.unwrap_or_default())?;
            if let Some(why) = &game.failed {
                writeln!(
                    out,
                    "  the bot failed after {}: {why}",
                    counted(*asked, "turn")
                )?;
            }
        }
        let [mut turns, mut otherwise, mut with, mut before] = [0; 4];
        for game in games {
            turns += game.asked;
            otherwise += game.otherwise.len();
            let first = game.otherwise.first().map(|first| first.turn);
            with += usize::from(first.is_some());
            before += usize::from(
                first
                    .zip(game.lost_in)
                    .is_some_and(|(first, lost)| first <= lost),
            );
        }
        let lost = counted(
            games.iter().filter(|game| game.lost_in.is_some()).count(),
            "lost game",
        );
        writeln!(
            out,
            "{otherwise} of {} are answered otherwise, in {with} of {}; in {before} of {lost} before the end",
            counted(turns, "turn"),
            counted(games.len(), "game")
        )?;
        Ok(())
    }
}
