//! A game between a person and a built-in bot, or two persons, at a page without a server: what the
//! page asks for, and the table as it shows it.

use super::computer::Computer;
use super::plies::{BoardView, Ply, plies};
use super::position::{LegalMove, Setup, legal};
use crownhead_bots::{Board, Searcher};
use crownhead_record::RecordedResult;
use crownhead_record::judge::optional_microseconds;
use crownhead_record::text::excerpt;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game that a page asks for.
#[derive(Clone, Debug, Deserialize)]
pub struct Challenge {
    /// Where to begin.
    #[serde(flatten)]
    pub setup: Setup,
    /// Against whom.
    pub opponent: Opponent,
    /// The side of the person, as the game calls it.
    pub side: String,
}

/// Who sits opposite.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// A built-in bot, as a command line names it.
    BuiltIn(String),
    /// Another person at the same page.
    Person,
}

/// What a person wants.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// This move, as it was clicked or typed.
    Move(String),
    /// The last turn back.
    Undo,
    /// A turn again that was taken back.
    Redo,
}

impl Challenge {
    /// The number of the player who asks, in a game of these sides.
    ///
    /// # Errors
    /// With a sentence, when there is no such side.
    fn person(&self, sides: [&str; 2]) -> Result<usize, String> {
        let person = sides.iter().position(|own| *own == self.side);
        let [one, other] = sides;
        person.ok_or_else(|| {
            format!(
                "no side is called `{}`: expected {one} or {other}",
                excerpt(&self.side)
            )
        })
    }
}

/// The size of the bot's transposition table, in mebibytes.
const TABLE_MEBIBYTES: usize = 16;

/// A table with its game.
pub(super) struct Table {
    board: Box<dyn Board>,
    /// The bot; `None` between two persons.
    computer: Option<Computer>,
    /// The number of the player who asked for the game.
    person: usize,
    /// The names of black and white.
    players: [String; 2],
    said: Said,
    searcher: Box<dyn Searcher>,
    rng: Pcg64,
}

impl Table {
    /// A table at which the game of `challenge` begins; the bot's chance follows from `seed`.
    ///
    /// # Errors
    /// With a sentence, when there is no such game, side, bot or position.
    pub(super) fn new(challenge: &Challenge, seed: u64) -> Result<Table, String> {
        let (game, mut rules) = challenge.setup.find()?;
        let person = challenge.person(rules.side_names)?;
        // The limit on turns ends games of computers; people know when to stop.
        rules.length.max_turns = None;
        let board = challenge.setup.board(game, rules)?;
        let (computer, opponent) = match &challenge.opponent {
            Opponent::Person => (None, None),
            Opponent::BuiltIn(words) => {
                let computer = Computer::named(words);
                let computer =
                    computer.ok_or_else(|| format!("no built-in opponent is called `{words}`"))?;
                (Some(computer), Some(words))
            }
        };
        let sides = board.player_names();
        let players = [0, 1].map(|player| match opponent {
            None => sides[player].to_string(),
            Some(_) if player == person => "you".into(),
            Some(words) => words.clone(),
        });
        Ok(Table {
            board,
            computer,
            person,
            players,
            said: Said::default(),
            searcher: game.searcher(TABLE_MEBIBYTES),
            rng: Pcg64::seed_from_u64(seed),
        })
    }

    /// Does what the person wants, and lets the bot answer. What the page is to show is passed to `show`, more than once
    /// where the bot thinks.
    pub(super) fn go_on(
        &mut self,
        order: Option<&Order>,
        clock: &dyn Fn() -> Duration,
        show: &mut dyn FnMut(&TableView<'_>),
    ) {
        self.said.message = None;
        match order {
            Some(Order::Move(text)) => match self.board.find_move(text.trim()) {
                Some(name) => drop(self.board.play(&name)),
                None => self.said.message = Some(self.board.refusal(text.trim()).advice),
            },
            Some(Order::Undo) => self.step(|board| board.undo()),
            Some(Order::Redo) => self.step(|board| board.redo()),
            None => {}
        }
        while self.board.result().is_none() && self.is_computers_turn() {
            self.show(show);
            self.answer(clock);
        }
        self.show(show);
    }

    fn is_computers_turn(&self) -> bool {
        self.computer.is_some() && self.board.mover() != self.person
    }

    /// Steps to the next turn of the person on move. Where only the bot's turns are there, it would play them again.
    fn step(&mut self, step: fn(&mut dyn Board) -> bool) {
        let mut other = self.board.duplicate();
        while step(other.as_mut()) {
            if self.computer.is_none() || other.mover() == self.person {
                self.board = other;
                return;
            }
        }
    }

    fn answer(&mut self, clock: &dyn Fn() -> Duration) {
        let Some(computer) = self.computer else {
            return;
        };
        let started = clock();
        let (searcher, rng) = (self.searcher.as_mut(), &mut self.rng);
        let chosen = computer.choose(self.board.as_ref(), searcher, rng, clock);
        self.board.play(&chosen);
        self.said.answered = Some(clock().saturating_sub(started));
    }

    fn show(&self, show: &mut dyn FnMut(&TableView<'_>)) {
        let board = self.board.as_ref();
        let ended = board.result();
        let is_persons = ended.is_none() && !self.is_computers_turn();
        let moves = if is_persons {
            board.legal_moves()
        } else {
            Vec::new()
        };
        let verdict = ended.as_ref();
        let verdict =
            verdict.map(|ended| VerdictView::new(board, Some(&ended.scores), &ended.reason));
        let (players, said) = (&self.players, &self.said);
        show(&TableView::new(board, players, &moves, said, verdict));
    }
}

/// The table as the page is sent it.
#[derive(Debug, Serialize)]
pub struct TableView<'a> {
    /// What the game calls the players' sides.
    sides: [&'static str; 2],
    players: &'a [String; 2],
    start: BoardView,
    turns: Vec<Ply>,
    /// Whose turn it is.
    side: &'static str,
    /// The legal moves of the person; none while a computer thinks.
    legal: Vec<LegalMove>,
    can_undo: bool,
    can_redo: bool,
    /// What to know of the position.
    note: Option<String>,
    #[serde(flatten)]
    said: &'a Said,
    verdict: Option<VerdictView<'a>>,
}

/// How the game ended.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct VerdictView<'a> {
    /// The side that has won, or `draw`.
    result: Option<&'static str>,
    reason: &'a str,
}

/// What was said in the last turns.
#[derive(Default, Debug, Serialize)]
pub struct Said {
    /// Why the last try was refused.
    pub message: Option<String>,
    /// How long the computer's last turn took.
    #[serde(rename = "answered_us", with = "optional_microseconds")]
    pub answered: Option<Duration>,
}

impl<'a> VerdictView<'a> {
    /// A game on this board that ended with these scores, if it has any, for this reason.
    pub fn new(board: &dyn Board, scores: Option<&[f64]>, reason: &'a str) -> VerdictView<'a> {
        let sides = board.rules().side_names;
        VerdictView {
            result: scores.map(|scores| RecordedResult::of_scores(scores).word(sides)),
            reason,
        }
    }
}

impl<'a> TableView<'a> {
    /// The board as it is; `players` are the names of black and white, `moves` those that the person can choose from. A
    /// game that is over has a verdict.
    pub fn new(
        board: &dyn Board,
        players: &'a [String; 2],
        moves: &[String],
        said: &'a Said,
        verdict: Option<VerdictView<'a>>,
    ) -> TableView<'a> {
        let (start, turns) = plies(board);
        TableView {
            sides: board.rules().side_names,
            players,
            start,
            turns,
            side: board.mover_name(),
            legal: legal(board, moves),
            can_undo: !moves.is_empty() && board.turn() > 1,
            can_redo: !moves.is_empty() && board.duplicate().redo(),
            note: board.note().filter(|_| verdict.is_none()),
            said,
            verdict,
        }
    }
}
