//! Relaying between an external referee that starts the bots itself and the bots, which run here.
//!
//! Nobody tells where a turn ends: it is what a bot was sent until it writes a line. The bots are asked one after the other;
//! what the referee sends to others meanwhile waits in their sockets. Leaves out what the game comes to
//! (`external_seats`).

use super::external_game::ExternalGame;
use super::external_verdict::{Cause, Failure};
use super::seat_sockets::Link;
use crate::seat::Incoming;
use crate::table::{Fault, TimedReply};
use crownhead_external::RefereeError;
use crownhead_record::TurnRecord;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a referee may do nothing while no bot is asked, the start of a Java virtual machine included.
const SILENCE: Duration = Duration::from_secs(30);

/// How long a referee may do nothing until a bot that waits for more input has failed by its silence.
const PATIENCE: Duration = Duration::from_secs(1);

/// Interval at which bots are looked at that are not asked: while one of them may be writing, and otherwise.
const SHORT_STEP: Duration = Duration::from_millis(1);
const STEP: Duration = Duration::from_millis(10);

/// A player of the game.
struct Relayed {
    link: Link,
    /// What its bot was sent in the turn under way, in which it has written nothing; `None` before the turn.
    pending: Option<String>,
    /// Its fault in that turn, until it is known whether it is one: a bot that is sent what needs no answer is silent, too.
    silent: Option<Fault>,
    /// When it was asked last.
    asked: Instant,
    /// While its bot may be writing more lines of its last turn, until when others wait for these: the referee had sent
    /// them something before it was answered. `None` once the bot waits for its input.
    writes: Option<Instant>,
    /// The place of its last turn among all.
    last_turn: Option<usize>,
    /// How many bytes it has answered in that turn.
    answered: usize,
    /// How it ended after that turn.
    left: Option<Fault>,
}

/// A game whose turns are relayed.
pub(super) struct Relay<'a, 'b> {
    pub(super) game: &'a mut ExternalGame<'b>,
    players: Vec<Relayed>,
    name: String,
    /// The player who was asked last; before the game, the last one.
    mover: usize,
    /// For how long nothing has happened.
    quiet: Duration,
}

impl Relayed {
    fn new(link: Link) -> Relayed {
        Relayed {
            link,
            pending: None,
            silent: None,
            asked: Instant::now(),
            writes: None,
            last_turn: None,
            answered: 0,
            left: None,
        }
    }

    /// Whether its turn was interrupted before its time was up.
    fn is_asked(&self) -> bool {
        self.pending.is_some() && self.silent.is_none() && self.link.open().is_some()
    }

    fn has_input(&self) -> bool {
        let Some(inlet) = self.link.open() else {
            return false;
        };
        let mut fds = [PollFd::new(inlet, PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// Whether its bot may be writing more lines of its last turn.
    fn is_writing(&self) -> bool {
        self.writes.is_some()
    }
}

impl<'a, 'b> Relay<'a, 'b> {
    /// One that begins, with these links by players, of the referee that is called so.
    pub(super) fn new(
        game: &'a mut ExternalGame<'b>,
        links: Vec<Link>,
        name: String,
    ) -> Relay<'a, 'b> {
        Relay {
            game,
            mover: links.len().saturating_sub(1),
            players: links.into_iter().map(Relayed::new).collect(),
            name,
            quiet: Duration::ZERO,
        }
    }

    /// Relays until `over` is closed.
    pub(super) fn until(&mut self, over: &UnixStream) -> Result<(), RefereeError> {
        loop {
            if self.game.setup.interrupted.load(Ordering::Relaxed) {
                return Err(RefereeError::Interrupted);
            }
            self.pass_on();
            match self.next_mover() {
                Some(player) => {
                    self.ask(player)?;
                    self.quiet = Duration::ZERO;
                }
                None if self.wait(over)? => return Ok(()),
                None => {}
            }
            self.judge_silence()?;
        }
    }

    /// Who is asked next: the first to have input, from the one after the last mover, or to have a turn that was
    /// interrupted; nobody while another may be writing,
    /// or the referee has not started all bots.
    fn next_mover(&self) -> Option<usize> {
        if self.unseated().is_some() {
            return None;
        }
        let players = self.players.len();
        let mut order = (1..=players).map(|step| (self.mover + step) % players);
        let next = order
            .clone()
            .find(|&player| self.players[player].has_input())
            .or_else(|| order.find(|&player| self.players[player].is_asked()))?;
        let now = Instant::now();
        let waits_for = |(player, other): (usize, &Relayed)| {
            player != next && other.writes.is_some_and(|until| now < until)
        };
        let mut others = self.players.iter().enumerate();
        (!others.any(waits_for)).then_some(next)
    }

    /// Asks a bot that has input.
    fn ask(&mut self, player: usize) -> Result<(), RefereeError> {
        self.mover = player;
        let turns = &self.game.turns;
        let own_turn = 1 + turns.iter().filter(|turn| turn.player == player).count();
        let limit = self.game.setup.settings.limits.of(own_turn);
        self.players[player].writes = None;
        let writing = |&other: &usize| self.players[other].is_writing();
        let writing: Vec<usize> = (0..self.players.len()).filter(writing).collect();
        let (before, rest) = self.players.split_at_mut(player);
        let Some((relayed, after)) = rest.split_first_mut() else {
            return Ok(());
        };
        let Link::Open(inlet) = &mut relayed.link else {
            return Ok(());
        };
        let others = before.iter().chain(after.iter());
        let others = others.filter_map(|other| other.link.open().map(AsFd::as_fd));
        let mut incoming = Incoming {
            inlet,
            others: others.collect(),
        };
        // Where it was sent more before it had answered, nothing was wanted of it.
        let again = relayed.pending.is_some();
        (relayed.silent, relayed.asked) = (None, Instant::now());
        writing
            .iter()
            .for_each(|&other| self.game.seats[other].pause());
        let answer = self.game.seats[player].relay(&mut incoming, limit, again);
        writing
            .iter()
            .for_each(|&other| self.game.seats[other].resume());
        let received = inlet.take_received();
        let pending = relayed.pending.get_or_insert_default();
        *pending += &String::from_utf8_lossy(&received);
        let has_ended = inlet.has_ended();
        match &answer.reply {
            Ok(_) => self.answered(player, answer),
            Err(Fault::Interrupted) if has_ended => {
                // The referee has ended its bot, or the game.
                (relayed.link, relayed.pending) = (Link::Closed, None);
            }
            Err(Fault::Interrupted) => self.game.seats[player].pause(),
            Err(fault @ Fault::Timeout { .. }) if self.may_be_unasked(player) => {
                self.players[player].silent = Some(fault.clone());
                self.game.seats[player].pause();
            }
            Err(fault) => self.fail_turn(player, fault.clone(), answer.time),
        }
        Ok(())
    }

    /// Passes on the first line of a turn.
    fn answered(&mut self, player: usize, answer: TimedReply) {
        if let (Link::Open(inlet), Ok(line)) = (&mut self.players[player].link, &answer.reply) {
            inlet.send_line(line);
            self.players[player].answered = line.len();
        }
        self.record(player, &answer);
        let awaited = if self.awaits_another(player) {
            self.game.setup.settings.limits.turn
        } else {
            Duration::ZERO
        };
        self.players[player].writes = Some(Instant::now() + awaited);
    }

    /// Whether a silent bot may have been sent what needs no answer.
    fn may_be_unasked(&self, player: usize) -> bool {
        self.awaits_another(player) || self.game.seats[player].awaits_input()
    }

    /// Whether the referee may be waiting for another player.
    fn awaits_another(&self, player: usize) -> bool {
        let mut others = (0..)
            .zip(&self.players)
            .filter(|(other, _)| *other != player);
        others.any(|(_, other)| other.has_input() || other.is_writing())
    }

    /// Notes the turn that is over.
    fn record(&mut self, player: usize, answer: &TimedReply) {
        self.players[player].last_turn = Some(self.game.turns.len());
        let sent = self.players[player].pending.take();
        let sent = sent.filter(|sent| self.game.has_room(sent.len()));
        self.game.turns.push(TurnRecord {
            sent,
            ..answer.record(player)
        });
    }

    /// A bot has failed in its last turn: the referee sees it end.
    pub(super) fn fail(&mut self, player: usize, fault: Fault) {
        let relayed = &mut self.players[player];
        relayed.link = Link::Closed;
        relayed.writes = None;
        let Some(turn) = relayed.last_turn else {
            return;
        };
        let sent = self.game.turns[turn].sent.clone().unwrap_or_default();
        self.game.end(player, &sent);
        self.game.failures.push(Failure {
            player,
            turn,
            cause: Cause::Fault(fault),
        });
    }

    /// Passes on what the bots write that are not asked.
    fn pass_on(&mut self) {
        for player in 0..self.players.len() {
            let relayed = &mut self.players[player];
            let is_heard = relayed.last_turn.is_some() || relayed.pending.is_some();
            if !is_heard || !matches!(relayed.link, Link::Open(_)) {
                continue;
            }
            // What it has written before it waits is there then.
            let has_settled = relayed.is_writing() && self.game.seats[player].awaits_input();
            while let Some(line) = self.game.seats[player].unasked_line() {
                self.quiet = Duration::ZERO;
                if !self.pass_on_line(player, line) {
                    break;
                }
            }
            if has_settled {
                self.players[player].writes = None;
                self.game.seats[player].pause();
            }
        }
    }

    /// Passes on a line that was not asked for, or what came instead; whether there may be more.
    fn pass_on_line(&mut self, player: usize, line: Result<Vec<u8>, Fault>) -> bool {
        let longest = self.game.setup.settings.conditions.profile.longest_reply;
        let relayed = &mut self.players[player];
        if relayed.pending.is_some() {
            let time = relayed.asked.elapsed();
            // One whose time was up was to answer, and is late.
            let line = relayed.silent.take().map_or(line, Err);
            match line {
                Ok(line) => self.answered(player, TimedReply::of_move(line, time)),
                Err(fault) => self.fail_turn(player, fault, time),
            }
            return self.players[player].is_writing();
        }
        let (Link::Open(inlet), Some(turn)) = (&mut relayed.link, relayed.last_turn) else {
            return false;
        };
        match line {
            Ok(line) if relayed.answered + line.len() <= longest => {
                relayed.answered += line.len();
                inlet.send_line(&line);
                let turn = &mut self.game.turns[turn];
                let more = TimedReply::of_move(line, turn.time).record(player);
                let reply = turn.reply.get_or_insert_default();
                *reply = format!("{reply}\n{}", more.reply.unwrap_or_default());
                turn.lines += 1;
                return true;
            }
            Ok(_) => self.fail(player, Fault::EndlessLine { limit: longest }),
            Err(fault @ Fault::EndlessLine { .. }) => self.fail(player, fault),
            Err(fault) => {
                (relayed.link, relayed.left) = (Link::Closed, Some(fault));
                relayed.writes = None;
            }
        }
        false
    }

    /// A bot has failed in the turn under way.
    fn fail_turn(&mut self, player: usize, fault: Fault, time: Duration) {
        let answer = TimedReply {
            reply: Err(fault.clone()),
            time,
        };
        self.record(player, &answer);
        self.fail(player, fault);
    }

    /// Waits a moment for something to happen; whether the game is over.
    fn wait(&mut self, over: &UnixStream) -> Result<bool, RefereeError> {
        let step = match self.players.iter().any(Relayed::is_writing) {
            true => SHORT_STEP,
            false => STEP,
        };
        let began = Instant::now();
        let waited = self.poll(over, step);
        // If Crownhead itself was stopped meanwhile, that is no silence.
        self.quiet += began.elapsed().min(2 * STEP);
        waited.map_err(|error| self.failed(error))
    }

    fn poll(&mut self, over: &UnixStream, step: Duration) -> io::Result<bool> {
        let links = self.players.iter().map(|player| &player.link);
        let files: Vec<BorrowedFd<'_>> = links.filter_map(Link::awaited).collect();
        let files = std::iter::once(over.as_fd()).chain(files);
        let mut fds: Vec<PollFd<'_>> = files
            .map(|file| PollFd::from_borrowed_fd(file, PollFlags::IN))
            .collect();
        match poll(&mut fds, Timespec::try_from(step).ok().as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let is_over = !fds[0].revents().is_empty();
        for player in &mut self.players {
            if player.link.accept()? {
                self.quiet = Duration::ZERO;
            }
            if let Link::Open(inlet) = &mut player.link {
                inlet.flush();
            }
        }
        // What has come until then is for the bots.
        Ok(is_over && !self.players.iter().any(Relayed::has_input))
    }

    /// The bots that have ended after their last turns, and how.
    pub(super) fn take_left(&mut self) -> Vec<(usize, Fault)> {
        let left = self.players.iter_mut().map(|player| player.left.take());
        let left = (0..).zip(left);
        left.filter_map(|(player, fault)| Some((player, fault?)))
            .collect()
    }

    /// Decides whose fault it is that nothing happens: first that of a bot which was silent, in the end the referee's.
    fn judge_silence(&mut self) -> Result<(), RefereeError> {
        let limits = self.game.setup.settings.limits;
        if self.quiet >= limits.first_turn.max(limits.turn).max(PATIENCE) {
            for player in 0..self.players.len() {
                if let Some(fault) = self.players[player].silent.take() {
                    let time = self.players[player].asked.elapsed();
                    self.fail_turn(player, fault, time);
                    self.quiet = Duration::ZERO;
                }
            }
        }
        let is_decided = !self.players.iter().any(|player| player.silent.is_some());
        if self.quiet < SILENCE || !is_decided {
            return Ok(());
        }
        let seconds = SILENCE.as_secs();
        Err(self.problem(match self.unseated() {
            Some(number) => format!(
                "has not started the command of `-p{number}` for {seconds} s; expected it to start one for each player"
            ),
            None => format!(
                "did nothing for {seconds} s after a line of player {}; expected it to ask a bot or end the game, unless \
                 it waits for more lines of that bot",
                self.mover + 1
            ),
        }))
    }

    /// The number of a player, from 1, whose command the referee has not run.
    pub(super) fn unseated(&self) -> Option<usize> {
        let mut players = self.players.iter();
        let unseated = players.position(|player| matches!(player.link, Link::Awaited(_)));
        unseated.map(|player| player + 1)
    }

    pub(super) fn problem(&self, problem: String) -> RefereeError {
        RefereeError::Protocol {
            name: self.name.clone(),
            problem,
        }
    }

    fn failed(&self, error: io::Error) -> RefereeError {
        RefereeError::Io {
            name: self.name.clone(),
            error,
        }
    }
}
