//! A game between a person and a built-in bot, or two persons, at a page without a server.

use super::challenge::{Challenge, Opponent, Order, built_in};
use super::computer::Computer;
use super::table_view::{Said, TableView, VerdictView};
use crownhead_bots::{Board, Searcher};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::time::Duration;

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
                let computer = built_in(words);
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
