//! What the bots of a recorded game were sent, turn by turn.

use super::{GameRecord, RebuildError};
use crate::judge::Profile;
use crownhead::board::Side;
use crownhead::game::Game;
use crownhead::notation::Notation;
use crownhead::protocol;

/// A recorded game with its positions, in which each turn can be put to a bot again.
#[derive(Clone, Debug)]
pub struct RecordedGame<'a, G: Notation> {
    record: &'a GameRecord,
    game: Game<G>,
}

/// The lines of a turn in this position: the board, the number of moves, the moves.
pub fn turn_text<G: Notation>(position: &G) -> String {
    let mut text = String::new();
    protocol::write_turn(position, &position.legal_moves(), &mut text);
    text
}

impl<'a, G: Notation> RecordedGame<'a, G> {
    /// The game of this record.
    ///
    /// # Errors
    /// As for [`GameRecord::rebuild`].
    pub fn new(record: &'a GameRecord) -> Result<RecordedGame<'a, G>, RebuildError> {
        let game = record.rebuild()?;
        Ok(RecordedGame { record, game })
    }

    /// The record.
    pub fn record(&self) -> &'a GameRecord {
        self.record
    }

    /// The numbers of the turns in which a bot was asked, from 1 for the first of the game. (Those of the opening come
    /// before; where a side moves again, each move has a number.)
    pub fn asked(&self) -> std::ops::RangeInclusive<usize> {
        let opening = self.record.opening.len();
        opening + 1..=opening + self.record.turns.len()
    }

    /// The turn that people look for first: that of a fault, or the last one.
    pub fn of_interest(&self) -> usize {
        *self.asked().end()
    }

    /// The place in the record of a turn that was asked.
    pub fn place(&self, number: usize) -> Option<usize> {
        let within = self.asked().contains(&number);
        within.then(|| number - self.record.opening.len() - 1)
    }

    /// The game as it was when turn `number` was to be played.
    pub fn before(&self, number: usize) -> Game<G> {
        let mut game = self.game.clone();
        while game.turn() as usize > number && game.undo() {}
        game
    }

    /// The letter of the colour line that the bot of `side` was sent.
    pub fn colour_line(&self, side: Side) -> char {
        let own = G::side_letter(side);
        // Older records do not say it.
        let usual = || match Profile::named(&self.record.profile) {
            Ok(profile) => profile.colour_line.letter(own),
            Err(_) => own,
        };
        self.record.player(side).colour_line.unwrap_or_else(usual)
    }

    /// What the bot was sent that was asked in turn `number`, in its own turns up to this one: the first begins with
    /// the colour line. Empty where nobody was asked.
    pub fn requests(&self, number: usize) -> Vec<String> {
        let Some(place) = self.place(number) else {
            return Vec::new();
        };
        let turns = &self.record.turns[..=place];
        let side = turns[place].side;
        let positions: Vec<&G> = self.game.positions().collect();
        let own = (0..=place).filter(|&at| turns[at].side == side);
        let texts = own.map(|at| turn_text(positions[self.record.opening.len() + at]));
        let mut requests: Vec<String> = texts.collect();
        if let Some(first) = requests.first_mut() {
            first.insert_str(0, &format!("{}\n", self.colour_line(side)));
        }
        requests
    }

    /// Turn `number` alone, with the colour line before it.
    pub fn request_alone(&self, number: usize) -> String {
        let game = self.before(number);
        let side = game.position().side_to_move();
        format!("{}\n{}", self.colour_line(side), turn_text(game.position()))
    }
}
