//! A table for tests: a bot that speaks the line protocol against the random player, by the contest's rules.

use crownhead::board::Side;
use crownhead::game::{Ending, Game};
use crownhead::games::checkers::{rules, Checkers, CheckersMove};
use crownhead::notation::Notation;
use crownhead::position::{Outcome, Position};
use crownhead::protocol::{write_colour, write_turn, Request, RequestReader};
use crownhead_bots::{Player, PlayerTurn, Random};
use std::time::Instant;

/// One game.
pub(crate) struct Table {
    /// The game so far.
    pub(crate) game: Game<Checkers>,
    opponent: Random,
    letter: char,
    bot: Side,
    told_colour: bool,
}

impl Table {
    /// A new game of the bot, which gets `letter` as its colour.
    pub(crate) fn new(letter: char, seed: u64) -> Table {
        let Ok(Some(Request::Colour(bot))) =
            RequestReader::new(Checkers::SIZE, ['b', 'r']).push(&letter.to_string())
        else {
            panic!("{letter:?} is no colour");
        };
        Table {
            game: Game::new(rules::CONTEST),
            opponent: Random::new(seed),
            letter,
            bot,
            told_colour: false,
        }
    }

    /// What the bot is sent next, after the opponent's moves; `None` when the game is over.
    pub(crate) fn ask(&mut self) -> Option<String> {
        loop {
            if self.game.result().is_some() {
                return None;
            }
            let position = *self.game.position();
            let moves = position.legal_moves();
            if position.side_to_move() == self.bot {
                let mut text = String::new();
                if !std::mem::replace(&mut self.told_colour, true) {
                    write_colour(self.letter, &mut text);
                }
                write_turn(&position, &moves, &mut text);
                return Some(text);
            }
            let reply = self.opponent.choose(&PlayerTurn {
                position: &position,
                moves: &moves,
                started: Instant::now(),
            });
            self.game.play(reply).unwrap();
        }
    }

    /// Plays the bot's reply, which must be a listed move to the letter.
    pub(crate) fn answer(&mut self, reply: &str) {
        let position = *self.game.position();
        let listed = |mv: &CheckersMove| position.move_name(*mv) == reply;
        let mv = position.legal_moves().into_iter().find(listed);
        let mv = mv.unwrap_or_else(|| panic!("{reply:?} is not listed for {position:?}"));
        self.game.play(mv).unwrap();
    }

    /// What the bot scored: 2 for a win, 1 for a draw.
    pub(crate) fn score(&self) -> u32 {
        match self.game.result() {
            Some((Outcome::Win(side), Ending::Goal | Ending::NoMoves)) if side == self.bot => 2,
            Some((Outcome::Win(_), _)) => 0,
            Some((Outcome::Draw, _)) => 1,
            None => panic!("the game is not over"),
        }
    }
}
