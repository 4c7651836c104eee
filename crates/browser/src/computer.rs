//! The built-in bots without processes, threads and a clock of their own: they choose as those of `crownhead-bots` do.

use crownhead::search::MAX_PLY;
use crownhead_bots::{Board, Searcher, Subject};
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use std::time::Duration;

/// How a built-in bot chooses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Computer {
    /// Any legal move.
    Random,
    /// What captures the most.
    Greedy,
    /// The search, to this depth.
    Depth(u32),
    /// The search, with this time.
    Time(Duration),
}

/// The built-in bots that a page offers, as a command line names them, from the weakest on.
const OPPONENTS: [(&str, Computer); 7] = [
    ("random", Computer::Random),
    ("greedy", Computer::Greedy),
    ("alphabeta --depth 1", Computer::Depth(1)),
    ("alphabeta --depth 3", Computer::Depth(3)),
    ("alphabeta --depth 6", Computer::Depth(6)),
    ("alphabeta", Computer::Time(Duration::from_millis(100))),
    (
        "alphabeta --time 1s",
        Computer::Time(Duration::from_secs(1)),
    ),
];

impl Computer {
    /// The built-in bot that is called so on a page.
    pub(super) fn named(words: &str) -> Option<Computer> {
        let known = OPPONENTS.iter().find(|(name, _)| *name == words);
        known.map(|(_, computer)| *computer)
    }

    /// The move to play. `clock` gives the time since some moment.
    pub(super) fn choose(
        self,
        board: &dyn Board,
        searcher: &mut dyn Searcher,
        rng: &mut Pcg64,
        clock: &dyn Fn() -> Duration,
    ) -> String {
        let moves = board.legal_moves();
        let any = |moves: &[String], rng: &mut Pcg64| {
            moves.choose(rng).expect("a turn offers a move").clone()
        };
        let (depth, time) = match self {
            Computer::Random => return any(&moves, rng),
            Computer::Greedy => {
                let captures = |name: &String| captures(board, name);
                let most = moves.iter().map(captures).max();
                let best = moves.iter().filter(|name| Some(captures(name)) == most);
                return any(&best.cloned().collect::<Vec<_>>(), rng);
            }
            Computer::Depth(depth) => (depth, Duration::MAX),
            Computer::Time(time) => (MAX_PLY, time),
        };
        if let [only] = &moves[..] {
            return only.clone();
        }
        let subject = Subject {
            knows_past: true,
            ..Subject::new(board)
        };
        let started = clock();
        let mut stop = |_| clock().saturating_sub(started) >= time;
        let found = searcher.search(&subject, depth, &mut stop);
        found.expect("a turn offers a move").best()
    }
}

/// How many pieces of the opponent a move takes off the board.
fn captures(board: &dyn Board, name: &str) -> usize {
    let opponent = 1 - board.mover();
    let pieces = |board: &dyn Board| {
        let letters = board.rows().concat().into_bytes().into_iter();
        let owner = |letter| board.game().symbol(letter).map(|(owner, _)| owner);
        letters
            .filter(|&letter| owner(letter) == Some(opponent))
            .count()
    };
    let mut after = board.duplicate();
    after.play(name);
    pieces(board).saturating_sub(pieces(after.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::rules;
    use crownhead_bots::{CHECKERS, PlayerSpec, games};
    use crownhead_contest::alphabeta::SearchLimits;
    use rand::SeedableRng;
    use std::time::Instant;

    /// The move of the bot that a page calls so.
    fn chosen(words: &str, board: &dyn Board) -> String {
        let mut searcher = CHECKERS.searcher(1);
        let mut rng = Pcg64::seed_from_u64(1);
        let started = Instant::now();
        let computer = Computer::named(words).unwrap();
        let clock = || started.elapsed();
        computer.choose(board, searcher.as_mut(), &mut rng, &clock)
    }

    #[test]
    fn the_search_chooses_as_the_bot_does_that_is_called_the_same() {
        let mut board = CHECKERS.start(rules::CONTEST);
        let limits = SearchLimits {
            time: None,
            depth: Some(6),
            nodes: None,
        };
        let spec = PlayerSpec::AlphaBeta {
            rules: rules::CONTEST,
            limits,
            network: None,
        };
        for _ in 0..10 {
            let mut player = games::usual().player(&spec);
            let expected = player.choose(board.as_ref(), Instant::now());
            assert_eq!(chosen("alphabeta --depth 6", board.as_ref()), expected);
            board.play(&expected);
        }
    }

    #[test]
    fn every_opponent_of_the_list_makes_a_legal_move_and_greedy_takes_the_most() {
        let rows = [
            "........", "........", "...r....", "........", ".r......", "b.....b.", "........",
            "........",
        ];
        let rows = rows.map(String::from);
        let board = CHECKERS.set_up(&rows, 0, rules::CONTEST).unwrap();
        for (words, _) in OPPONENTS {
            assert!(
                board.legal_moves().contains(&chosen(words, board.as_ref())),
                "{words}"
            );
        }
        assert_eq!(
            captures(board.as_ref(), &chosen("greedy", board.as_ref())),
            2
        );
    }
}
