//! Plays a game of the site again, by its rules or by its referee, with the recorded answers in the place of bots, and
//! finds the first thing that comes out otherwise.
//!
//! The site's frame after an answer has what the referee said after it; ours stands before the next question. Leaves out
//! the files ([`crownhead_record::site`]).

use super::transcript::Transcript;
use crate::contest::{Contest, External};
use crate::table::{
    self, Answer, Fault, Policy, Seat, TableCommand, TimedReply, TurnLog, TurnRequest,
};
use crownhead::rules::RuleBook;
use crownhead_bots::{BoardGame, games};
use crownhead_external::{Ended, RefereeError, RefereeProcess, Request, Step};
use crownhead_record::judge::TimeLimits;
use crownhead_record::openings::Opening;
use crownhead_record::site::{
    SiteDifference, SiteError, SiteFrame, SiteGame, SiteGames, SiteRecord,
};
use crownhead_record::text::excerpt;
use crownhead_record::{Frame, GameRecord, PlayerRecord, ReadError, Termination};
use std::cell::RefCell;
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

/// The frames that are to come.
struct Frames<'a> {
    game: &'a SiteGame,
    /// The place of the frame with the last answer, and how many answers were taken.
    step: usize,
    turn: usize,
    differs: Option<SiteDifference>,
}

impl<'a> Frames<'a> {
    fn of(game: &'a SiteGame) -> Frames<'a> {
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
    fn answer_of(&mut self, player: usize) -> Option<&'a SiteFrame> {
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
    fn pass_over(&mut self, player: usize) {
        let next = self.game.frames.get(self.step + 1);
        let is_own = |frame: &&SiteFrame| frame.player.is_none_or(|asked| asked == player);
        let own = next.filter(|frame| frame.stdout.is_none()).filter(is_own);
        self.step += usize::from(own.is_some());
    }

    /// Compares what the referee says before its next question with what the file has in this place.
    fn compare(&mut self, frame: &Frame) {
        let Some(told) = self.game.frames.get(self.step) else {
            return;
        };
        let summary = frame.summary.join("\n");
        if let Some(told) = told
            .summary
            .as_deref()
            .filter(|told| told.trim() != summary.trim())
        {
            self.differ("summary", told, &summary);
        }
        let data = data_of(&frame.view);
        if let Some(told) = told
            .view
            .as_deref()
            .map(data_of)
            .filter(|told| *told != data)
        {
            self.differ("view", told, data);
        }
    }

    /// Compares how the game ended with what the file has: the scores as they are, where the file has those of the same
    /// referee, and the ranks.
    fn compare_end(&mut self, scores: Option<&[f64]>, points: &[f64]) {
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
    fn record(self, failed: Option<String>) -> SiteRecord {
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

/// The fault of a player that gave no answer in time.
fn timeout(limit: Duration) -> Fault {
    Fault::Timeout {
        limit,
        input_closed: false,
    }
}

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
fn on_board<'a>(
    game: &'static dyn BoardGame,
    rules: &RuleBook,
    site: &'a SiteGame,
) -> Result<(GameRecord, Frames<'a>, Option<String>), RefereeError> {
    let is_other = |told: &str| {
        let (name, title) = (game.name(), site.title.as_deref().unwrap_or("a contest"));
        RefereeError::NotFound(format!(
            "it is a game of {title}, {told}, not of {name}. Name its referee: `crownhead import --referee REFEREE`"
        ))
    };
    if site.players.len() != 2 {
        return Err(is_other(&format!("with {} players", site.players.len())));
    }
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
    let record = record.ok_or_else(|| is_other("in which the first answer is no move"))?;
    Ok((record, frames, None))
}

/// A game that an external referee plays again.
struct ThroughReferee<'a> {
    frames: Frames<'a>,
    said: Transcript,
}

fn through_referee<'a>(
    contest: &Contest,
    external: &External,
    site: &'a SiteGame,
    interrupted: &AtomicBool,
) -> Result<(GameRecord, Frames<'a>, Option<String>), RefereeError> {
    let mut referee = external.take(&[])?;
    // The next one loads while this game is played.
    external.prepare(&[]);
    let opening = Opening {
        seed: site.seed,
        parameters: site.parameters.clone(),
        ..Opening::default()
    };
    referee.begin(&opening);
    let mut game = ThroughReferee {
        frames: Frames::of(site),
        said: Transcript::new(contest.name(), site.players.len()),
    };
    let ended = game.play(&mut referee, interrupted);
    if matches!(ended, Err(RefereeError::Interrupted)) {
        return Err(RefereeError::Interrupted);
    }
    let failed = ended.as_ref().err().map(RefereeError::to_string);
    let is_over = matches!(ended, Ok(Some(_)));
    let ThroughReferee {
        mut frames,
        mut said,
    } = game;
    let mut record = external.record(&opening);
    let names: Vec<&str> = site.players.iter().map(String::as_str).collect();
    let mut verdict = said.conclude(&names, ended, &mut record);
    if is_over {
        frames.compare_end(Some(&record.scores), &record.scores);
    } else if failed.is_none() {
        (verdict.scores, verdict.termination) = (None, Termination::Abandoned);
        verdict.reason = "the file does not go on as the referee does".into();
    }
    let side = |player: usize| PlayerRecord::new(&contest.side_name(player), names[player], "");
    let game = GameRecord {
        players: (0..names.len()).map(side).collect(),
        referee: Some(record),
        turns: said.turns,
        scores: verdict.scores,
        termination: verdict.termination,
        reason: verdict.reason,
        ..GameRecord::new(contest.name(), contest.rules_name(), Vec::new())
    };
    Ok((game, frames, failed))
}

impl ThroughReferee<'_> {
    /// Plays until the referee ends the game; `None` where the file has no answer to its question.
    fn play(
        &mut self,
        referee: &mut RefereeProcess,
        interrupted: &AtomicBool,
    ) -> Result<Option<Ended>, RefereeError> {
        loop {
            match referee.next(interrupted)? {
                Step::Over(mut ended) => {
                    self.hear(std::mem::take(&mut ended.frame), &ended.errors)?;
                    return Ok(Some(ended));
                }
                Step::Asked(mut request) => {
                    self.hear(std::mem::take(&mut request.frame), &request.errors)?;
                    if !self.answer(&request, referee) {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Takes in what the referee says, and compares it with what the file has in this place.
    fn hear(&mut self, frame: Frame, errors: &[(usize, String)]) -> Result<(), RefereeError> {
        self.frames.compare(&frame);
        self.said.errors.extend_from_slice(errors);
        self.said.hear(frame)
    }

    /// Gives it the recorded answer. Returns whether the game goes on.
    fn answer(&mut self, request: &Request, referee: &mut RefereeProcess) -> bool {
        let player = request.player;
        if self.said.has_failed(player) {
            return referee.give_up();
        }
        if request.lines == 0 {
            self.frames.pass_over(player);
            self.said.tell(request);
            referee.answer(&[], Duration::ZERO);
            return true;
        }
        let Some(frame) = self.frames.answer_of(player) else {
            return false;
        };
        let lines = frame.stdout.iter().flat_map(|text| text.lines());
        let lines: Vec<Vec<u8>> = lines.take(request.lines).map(Vec::from).collect();
        let reply = match lines.len() < request.lines {
            true => Err(timeout(request.limit.unwrap_or_default())),
            false => Ok(lines.join(&b'\n')),
        };
        let time = Duration::ZERO;
        let reply = TimedReply { reply, time };
        self.said.answered(request, None, &reply);
        match reply.reply {
            Ok(_) => {
                referee.answer(&lines, time);
                true
            }
            Err(fault) => {
                self.said.fail(player, fault);
                referee.give_up()
            }
        }
    }
}

/// The data of a view without its first line, the number of the frame, which the engine and the site write differently.
fn data_of(view: &str) -> &str {
    view.split_once('\n').map_or("", |(_, data)| data.trim())
}
