//! The numbers of the search that were chosen by measurement.

/// How the search spends its depth. [`Default`] is what plays best.
///
/// Depths are in plies, margins in hundredths of a man.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Half the width of the first window around the last score.
    pub aspiration: i32,
    /// The window is used from this depth on.
    pub aspiration_depth: i32,
    /// Late moves are reduced from this depth on.
    pub reduction_depth: i32,
    /// Plies by which late moves are reduced: base, in hundredths.
    pub reduction_base: i32,
    /// And how it grows with depth and place: divisor, in hundredths.
    pub reduction_divisor: i32,
    /// Positions this deep or shallower are truncated when their evaluation is far outside the window.
    pub truncation_depth: i32,
    /// How far outside: a margin for each ply of depth.
    pub truncation_margin: i32,
    /// As `truncation_depth`, below the window.
    pub razoring_depth: i32,
    /// As `truncation_margin`, below the window.
    pub razoring_margin: i32,
    /// ProbCut is tried from this depth on.
    pub probcut_depth: i32,
    /// How many plies shallower its verification is.
    pub probcut_reduction: i32,
    /// How far beyond the window the verification must come out.
    pub probcut_margin: i32,
    /// Without a stored move, a position this deep or deeper is searched a ply less deep.
    pub internal_depth: i32,
    /// Children are looked up in the table before any is searched, from this depth on.
    pub lookahead_depth: i32,
    /// Plies added when there is only one legal move.
    pub single_reply: i32,
    /// Plies added for a recapture.
    pub recapture: i32,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            aspiration: 20,
            aspiration_depth: 5,
            reduction_depth: 3,
            reduction_base: 40,
            reduction_divisor: 200,
            truncation_depth: 5,
            truncation_margin: 60,
            razoring_depth: 3,
            razoring_margin: 90,
            probcut_depth: 5,
            probcut_reduction: 4,
            probcut_margin: 60,
            internal_depth: 4,
            lookahead_depth: 3,
            single_reply: 1,
            recapture: 0,
        }
    }
}

/// No search is this deep.
const NEVER: i32 = i32::MAX;

impl Parameters {
    /// The parameter called `name`, to be changed by those who measure.
    pub fn by_name(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "aspiration" => &mut self.aspiration,
            "aspiration_depth" => &mut self.aspiration_depth,
            "reduction_depth" => &mut self.reduction_depth,
            "reduction_base" => &mut self.reduction_base,
            "reduction_divisor" => &mut self.reduction_divisor,
            "truncation_depth" => &mut self.truncation_depth,
            "truncation_margin" => &mut self.truncation_margin,
            "razoring_depth" => &mut self.razoring_depth,
            "razoring_margin" => &mut self.razoring_margin,
            "probcut_depth" => &mut self.probcut_depth,
            "probcut_reduction" => &mut self.probcut_reduction,
            "probcut_margin" => &mut self.probcut_margin,
            "internal_depth" => &mut self.internal_depth,
            "lookahead_depth" => &mut self.lookahead_depth,
            "single_reply" => &mut self.single_reply,
            "recapture" => &mut self.recapture,
            _ => return None,
        })
    }

    /// Nothing is reduced, pruned or extended: the score is that of plain negamax to the same depth.
    pub fn exact() -> Parameters {
        Parameters {
            reduction_depth: NEVER,
            truncation_depth: 0,
            razoring_depth: 0,
            probcut_depth: NEVER,
            internal_depth: NEVER,
            single_reply: 0,
            recapture: 0,
            ..Parameters::default()
        }
    }
}
