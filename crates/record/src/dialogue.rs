//! The input of the bots in a recorded game, turn by turn.

use super::{GameRecord, RebuildError};
use crate::judge::Profile;
use crownhead_bots::{Board, BoardGame};

/// A recorded game with its positions. Each turn can be given to a bot again.
#[derive(Debug)]
pub struct RecordedGame<'a> {
    record: &'a GameRecord,
    /// At the end of the game.
    board: Box<dyn Board>,
}

impl<'a> RecordedGame<'a> {
    /// The game of this record.
    ///
    /// # Errors
    /// As for [`GameRecord::rebuild`].
    pub fn new(
        record: &'a GameRecord,
        game: &'static dyn BoardGame,
    ) -> Result<RecordedGame<'a>, RebuildError> {
        let board = record.rebuild(game)?;
        Ok(RecordedGame { record, board })
    }

    /// The rules of its game.
    pub fn game(&self) -> &'static dyn BoardGame {
        self.board.game()
    }

    /// The record.
    pub fn record(&self) -> &'a GameRecord {
        self.record
    }

    /// The numbers of the turns in which a bot was asked. The first turn of the game, the opening included, is 1. (If a
    /// side moves again, each move has a number.)
    pub fn asked(&self) -> std::ops::RangeInclusive<usize> {
        let opening = self.record.opening.len();
        opening + 1..=opening + self.record.turns.len()
    }

    /// The turn that people look for first: that of a fault, or the last one.
    pub fn of_interest(&self) -> usize {
        *self.asked().end()
    }

    /// The place of a turn in the record's list.
    pub fn place(&self, number: usize) -> Option<usize> {
        let within = self.asked().contains(&number);
        within.then(|| number - self.record.opening.len() - 1)
    }

    /// The game before turn `number`.
    pub fn before(&self, number: usize) -> Box<dyn Board> {
        self.board.before(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The letter of the colour line that the bot of this player was sent.
    pub fn colour_line(&self, player: usize) -> char {
        let own = self.game().colour_letter(player);
        let usual = || match Profile::named(&self.record.profile) {
            Ok(profile) => profile.colour_line.letter(own),
            Err(_) => own,
        };
        self.record.players[player]
            .colour_line
            .unwrap_or_else(usual)
    }

    /// The input, in all its turns up to this one, of the bot that was asked in turn `number`. The first begins with
    /// the colour line. Empty if no bot was asked.
    pub fn requests(&self, number: usize) -> Vec<String> {
        let Some(place) = self.place(number) else {
            return Vec::new();
        };
        let turns = &self.record.turns[..=place];
        let player = turns[place].player;
        let own = (0..=place).filter(|&at| turns[at].player == player);
        let opening = self.record.opening.len();
        let texts = own.map(|at| self.before(opening + at + 1).turn_text());
        let mut requests: Vec<String> = texts.collect();
        if let Some(first) = requests.first_mut() {
            first.insert_str(0, &format!("{}\n", self.colour_line(player)));
        }
        requests
    }

    /// Turn `number` alone, with the colour line before it.
    pub fn request_alone(&self, number: usize) -> String {
        let board = self.before(number);
        format!("{}\n{}", self.colour_line(board.mover()), board.turn_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::played;
    use crownhead_bots::CHECKERS;

    const REPLIES: [&str; 3] = ["B4C5", "D6B4", "C3D4"];

    #[test]
    fn turns_are_numbered_from_the_first_move_of_the_opening_and_asked_after_it() {
        let record = played(&REPLIES);
        let game = RecordedGame::new(&record, CHECKERS).unwrap();
        assert_eq!(game.asked(), 3..=5);
        assert_eq!(game.of_interest(), 5);
        let places = [2, 3, 5, 6].map(|number| game.place(number));
        assert_eq!(places, [None, Some(0), Some(2), None]);
        assert_eq!(game.before(4).moves(), ["A3B4", "B6A5", "B4C5"]);
    }

    #[test]
    fn a_bot_was_sent_its_colour_once_and_the_board_of_each_turn_of_its_own() {
        let mut record = played(&REPLIES);
        record.players[1].colour_line = Some('w');
        let game = RecordedGame::new(&record, CHECKERS).unwrap();
        let board = |number| game.before(number).turn_text();
        let first = format!("b\n{}", board(3));
        assert_eq!(game.requests(3), std::slice::from_ref(&first));
        assert_eq!(game.requests(4), [format!("w\n{}", board(4))]);
        assert_eq!(game.requests(5), [first, board(5)]);
        assert_eq!(game.request_alone(5), format!("b\n{}", board(5)));
        assert!(game.requests(2).is_empty() && game.requests(6).is_empty());
    }

    #[test]
    fn the_letter_of_red_is_that_of_the_profile_where_the_record_has_none() {
        for (profile, letter) in [("strict", 'r'), ("contest", 'w'), ("unknown", 'r')] {
            let mut record = played(&REPLIES);
            record.profile = profile.into();
            let game = RecordedGame::new(&record, CHECKERS).unwrap();
            let letters = [0, 1].map(|player| game.colour_line(player));
            assert_eq!(letters, ['b', letter], "{profile}");
        }
    }
}
