//! Pairs of games between two searches in one process.

use crownhead::board::Side;
use crownhead::games::checkers::{rules, Checkers, CheckersMove};
use crownhead::network::Network;
use crownhead::position::{Outcome, Position};
use crownhead::search::{search, Parameters, Report, Root, TranspositionTable, MAX_PLY, PROVEN};
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::time::{Duration, Instant};

/// What ends the search of a turn.
#[derive(Clone, Copy)]
pub(crate) struct TurnLimit {
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
}

/// One side of a game under way.
struct Seat<'a> {
    parameters: &'a Parameters,
    network: Network<Checkers>,
    table: TranspositionTable,
}

impl Seat<'_> {
    /// What it finds; `past` are the positions since the opening.
    fn think(
        &mut self,
        position: &Checkers,
        past: &[u64],
        limit: TurnLimit,
    ) -> Report<CheckersMove> {
        let most = limit.nodes.unwrap_or(u64::MAX);
        let at = limit.time.map(|time| Instant::now() + time);
        let stop = |nodes| nodes >= most || at.is_some_and(|at| Instant::now() >= at);
        let root = Root {
            past,
            turns: past.len() as u32 + OPENING_TURNS,
            ..Root::new(position, &rules::CONTEST, &self.network)
        };
        let found = search(
            &root,
            self.parameters,
            &mut self.table,
            MAX_PLY,
            stop,
            |_| {},
        );
        found.expect("the game goes on")
    }
}

const OPENING_TURNS: u32 = 10;
/// An opening is about even when a shallow search gives no more than this, in hundredths of a man. Chosen by hand.
const EVEN: i32 = 130;
/// Enough for a game of short turns, and quick to clear.
const TABLE_MEBIBYTES: usize = 16;

fn opening(seed: u64, pair: u64) -> Checkers {
    let mut rng = Pcg64::seed_from_u64(seed << 32 | pair);
    let (mut table, network) = (TranspositionTable::new(1), Network::default());
    loop {
        let mut position = Checkers::start(&rules::CONTEST);
        for _ in 0..OPENING_TURNS {
            if let Some(&mv) = position.legal_moves().choose(&mut rng) {
                position = position.play_unchecked(mv);
            }
        }
        table.clear();
        let root = Root::new(&position, &rules::CONTEST, &network);
        let stop = |nodes| nodes >= 10_000;
        let found = search(&root, &Parameters::default(), &mut table, 9, stop, |_| {});
        if found.is_some_and(|report| report.score.abs() <= EVEN) {
            return position;
        }
    }
}

/// The outcome of one game from `opening`.
fn play<'a>(
    opening: Checkers,
    black: &mut Seat<'a>,
    white: &mut Seat<'a>,
    limit: TurnLimit,
) -> Outcome {
    let max_turns = rules::CONTEST.length.max_turns.unwrap_or(u32::MAX);
    let (mut position, mut past) = (opening, Vec::new());
    black.table.clear();
    white.table.clear();
    loop {
        if let Some(outcome) = position.outcome(&rules::CONTEST) {
            return outcome;
        }
        let seen = past.iter().filter(|&&hash| hash == position.hash()).count();
        if seen >= 2 || past.len() as u32 + OPENING_TURNS >= max_turns {
            return Outcome::Draw;
        }
        let mover = match position.side_to_move() {
            Side::Black => &mut *black,
            Side::White => &mut *white,
        };
        let report = mover.think(&position, &past, limit);
        if report.score >= PROVEN {
            return Outcome::Win(position.side_to_move());
        }
        past.push(position.hash());
        position = position.play_unchecked(report.best());
    }
}

/// The points of the first of these searches in the two games of pair number `pair`, in half points.
pub(crate) fn play_pair(
    parameters: [&Parameters; 2],
    limit: TurnLimit,
    seed: u64,
    pair: u64,
) -> [usize; 2] {
    let [mut first, mut second] = parameters.map(|parameters| Seat {
        parameters,
        network: Network::default(),
        table: TranspositionTable::new(TABLE_MEBIBYTES),
    });
    let opening = opening(seed, pair);
    let points = |outcome, side| match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) => 2 * usize::from(winner == side),
    };
    [
        points(play(opening, &mut first, &mut second, limit), Side::Black),
        points(play(opening, &mut second, &mut first, limit), Side::White),
    ]
}

/// The parameter called `name`.
pub(crate) fn by_name<'a>(parameters: &'a mut Parameters, name: &str) -> Option<&'a mut i32> {
    Some(match name {
        "aspiration" => &mut parameters.aspiration,
        "aspiration_depth" => &mut parameters.aspiration_depth,
        "reduction_depth" => &mut parameters.reduction_depth,
        "reduction_base" => &mut parameters.reduction_base,
        "reduction_divisor" => &mut parameters.reduction_divisor,
        "reverse_futility_depth" => &mut parameters.reverse_futility_depth,
        "reverse_futility_margin" => &mut parameters.reverse_futility_margin,
        "razoring_depth" => &mut parameters.razoring_depth,
        "razoring_margin" => &mut parameters.razoring_margin,
        "internal_reduction_depth" => &mut parameters.internal_reduction_depth,
        "transposition_cutoff_depth" => &mut parameters.transposition_cutoff_depth,
        "single_reply" => &mut parameters.single_reply,
        "recapture" => &mut parameters.recapture,
        "singular_depth" => &mut parameters.singular_depth,
        "singular_margin" => &mut parameters.singular_margin,
        _ => return None,
    })
}
