//! The games that a page without a server knows: those of `crownhead-bots`, without its players and command line.

use super::position::Games;
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead_board::Rules;

pub(super) static GAMES: &Games = &[
    const { &Rules::<Checkers, checkers::Learned>::NEW },
    const { &Rules::<EverChess, everchess::Learned>::NEW },
    const { &Rules::<Chess, chess::Learned>::NEW },
];

#[cfg(test)]
mod tests {
    use super::GAMES;
    use crownhead_bots::games::ListedGame;

    #[test]
    fn a_page_without_a_server_knows_every_game_of_the_list() {
        let known = GAMES.iter().map(|game| game.name());
        assert!(known.eq(ListedGame::all().iter().map(|game| game.name())));
    }
}
