//! A minimal search, the baseline for the library's: iterative deepening alpha-beta with the best line of the
//! last depth first. Shared by `tests/contract` and `bots/examples/duel`.
//!
//! It leaves out what makes the library's search strong: the transposition table, reductions, pruning by
//! evaluation. Below the depth it plays out captures.

use crownhead::evaluate::Evaluate;
use crownhead::position::{Outcome, Position};
use crownhead::rules::RuleBook;
use crownhead::search::{Handler, Report, MAX_PLY, WIN};

/// How often the handler is asked whether to stop, in nodes.
const NODES_BETWEEN_QUESTIONS: u64 = 1024;

/// Searches `position` one ply deeper each time until `max_depth` is completed or `handler` stops it.
///
/// The first depth is always completed. `None` when the game is over in `position`.
pub(crate) fn search<G: Position, E: Evaluate<G>>(
    position: &G,
    rules: &RuleBook,
    evaluation: &E,
    max_depth: u32,
    handler: &mut impl Handler<G::Move>,
) -> Option<Report<G::Move>> {
    let first = position.legal_moves().first().copied()?;
    let mut searcher = Searcher {
        rules,
        evaluation,
        handler,
        nodes: 0,
        selective_depth: 0,
        stopped: false,
        may_stop: false,
    };
    let mut report = Report {
        depth: 0,
        selective_depth: 0,
        score: 0,
        nodes: 0,
        principal_variation: vec![first],
    };
    for depth in 1..=max_depth.clamp(1, MAX_PLY - 1) {
        let guide = std::mem::take(&mut report.principal_variation);
        let mut line = Vec::new();
        let root = Node {
            depth,
            ply: 0,
            alpha: -WIN,
            beta: WIN,
        };
        let score = searcher.negamax(position, root, &guide, &mut line);
        if searcher.stopped {
            report.principal_variation = guide;
            break;
        }
        searcher.may_stop = true;
        report = Report {
            depth,
            selective_depth: searcher.selective_depth,
            score,
            nodes: searcher.nodes,
            principal_variation: line,
        };
        searcher.handler.depth_completed(&report);
        if score.abs() >= WIN - depth as i32 {
            break;
        }
    }
    report.nodes = searcher.nodes;
    Some(report)
}

struct Searcher<'a, E, H> {
    rules: &'a RuleBook,
    evaluation: &'a E,
    handler: &'a mut H,
    nodes: u64,
    selective_depth: u32,
    stopped: bool,
    /// Whether the handler is asked yet: not before there is a move to play.
    may_stop: bool,
}

#[derive(Clone, Copy)]
struct Node {
    depth: u32,
    ply: u32,
    alpha: i32,
    beta: i32,
}

impl Node {
    /// The child, with the window as its side to move sees it.
    fn child(self, same_side: bool) -> Node {
        let (alpha, beta) = if same_side {
            (self.alpha, self.beta)
        } else {
            (-self.beta, -self.alpha)
        };
        Node {
            depth: self.depth.saturating_sub(1),
            ply: self.ply + 1,
            alpha,
            beta,
        }
    }
}

impl<E, H> Searcher<'_, E, H> {
    /// The score of `position` within the window; `line` becomes the best play from it.
    ///
    /// `guide` is the line of an earlier depth, tried first.
    fn negamax<G: Position>(
        &mut self,
        position: &G,
        mut node: Node,
        guide: &[G::Move],
        line: &mut Vec<G::Move>,
    ) -> i32
    where
        E: Evaluate<G>,
        H: Handler<G::Move>,
    {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(node.ply);
        if self.may_stop
            && self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS)
            && self.handler.stop(self.nodes)
        {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        line.clear();
        let mover = position.side_to_move();
        let mut moves = position.legal_moves();
        let stuck = || moves.is_empty().then(|| position.without_moves(self.rules));
        match position.ended().or_else(stuck) {
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Win(side)) if side == mover => return WIN - node.ply as i32,
            Some(Outcome::Win(_)) => return node.ply as i32 - WIN,
            None => {}
        }
        if node.ply >= MAX_PLY {
            return self.evaluation.evaluate(position);
        }
        let mut best = i32::MIN;
        // Below the depth only captures are played, and a side that need not capture may stand pat.
        if node.depth == 0 && moves.iter().any(|&mv| position.captures(mv) == 0) {
            best = self.evaluation.evaluate(position);
            node.alpha = node.alpha.max(best);
            moves.retain(|&mv| position.captures(mv) > 0);
            if node.alpha >= node.beta || moves.is_empty() {
                return best;
            }
        }
        moves.sort_by_cached_key(|&mv| {
            let guided = guide.first() == Some(&mv);
            std::cmp::Reverse((guided, self.evaluation.move_score(position, mv)))
        });

        let mut child_line = Vec::new();
        for mv in moves {
            let child = position.play_unchecked(mv);
            let child_guide = match guide.split_first() {
                Some((&first, rest)) if first == mv => rest,
                _ => &[],
            };
            let same_side = child.side_to_move() == mover;
            let next = node.child(same_side);
            let score = self.negamax(&child, next, child_guide, &mut child_line);
            let score = if same_side { score } else { -score };
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                line.clear();
                line.push(mv);
                line.append(&mut child_line);
            }
            node.alpha = node.alpha.max(score);
            if node.alpha >= node.beta {
                break;
            }
        }
        best
    }
}
