//! The parameters of the search. The matches that tuned them are in `docs/dev/experiments.md`.

/// How the search spends its depth. [`Default`] is what plays best.
///
/// Depths are in plies, margins in hundredths of a man. Values without a match in `docs/dev/experiments.md` were
/// chosen by hand.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Half the width of the first aspiration window.
    pub aspiration: i32,
    /// Aspiration windows are used from this depth on.
    pub aspiration_depth: i32,
    /// Late moves are reduced from this depth on.
    pub reduction_depth: i32,
    /// Plies by which late moves are reduced: base, in hundredths.
    pub reduction_base: i32,
    /// And how it grows with depth and place: divisor, in hundredths.
    pub reduction_divisor: i32,
    /// Reverse futility pruning: positions this deep or shallower are cut off when their evaluation is far above
    /// the window.
    pub reverse_futility_depth: i32,
    /// How far above: a margin for each ply of depth.
    pub reverse_futility_margin: i32,
    /// Razoring: positions this deep or shallower are left to the quiescence search when their evaluation is
    /// far below the window.
    pub razoring_depth: i32,
    /// How far below: a margin for each ply of depth.
    pub razoring_margin: i32,
    /// Internal iterative reduction: a position this deep or deeper is searched a ply less deep if the table has
    /// no move for it.
    pub internal_reduction_depth: i32,
    /// Enhanced transposition cutoffs: children are looked up in the table before any is searched, from this
    /// depth on.
    pub transposition_cutoff_depth: i32,
    /// Plies added when there is only one legal move.
    pub single_reply: i32,
    /// Plies added for a recapture.
    pub recapture: i32,
    /// Singular extensions: the table's move is looked at for being the only good one from this depth on.
    pub singular_depth: i32,
    /// How far beneath its score the other moves must fail: a margin for each ply of depth.
    pub singular_margin: i32,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            aspiration: 20,
            aspiration_depth: 5,
            reduction_depth: 3,
            reduction_base: 40,
            reduction_divisor: 200,
            reverse_futility_depth: 5,
            reverse_futility_margin: 60,
            razoring_depth: 3,
            razoring_margin: 90,
            internal_reduction_depth: 4,
            transposition_cutoff_depth: 3,
            single_reply: 1,
            recapture: 1,
            singular_depth: 5,
            singular_margin: 1,
        }
    }
}

/// No search is this deep.
const NEVER: i32 = i32::MAX;

impl Parameters {
    /// Nothing is reduced, pruned or extended: the score is that of plain negamax to the same depth.
    pub fn exact() -> Parameters {
        Parameters {
            reduction_depth: NEVER,
            reverse_futility_depth: 0,
            razoring_depth: 0,
            internal_reduction_depth: NEVER,
            single_reply: 0,
            recapture: 0,
            singular_depth: NEVER,
            ..Parameters::default()
        }
    }
}
