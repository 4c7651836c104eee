//! Laws of equality and hash.

use super::sample::{positions, positions_by_level};
use super::violation::{Verdict, Violation};
use crate::notation::Notation;
use crate::rules::RuleBook;
use std::collections::HashMap;

/// The positions that differ among those found by level and at random; or two equal ones of different hash.
fn distinct_positions<G: Notation>(rules: &RuleBook) -> Result<Vec<G>, Violation> {
    let mut seen: HashMap<_, Vec<G>> = HashMap::new();
    let by_level = positions_by_level::<G>(rules).into_iter();
    for position in by_level.chain(positions(rules)) {
        // The rows, not the hash, tell which positions may be equal: the hash is under test.
        let place = (position.rows(), position.side_to_move());
        let alike = seen.entry(place).or_default();
        match alike.iter().find(|&other| *other == position) {
            Some(equal) if equal.hash() != position.hash() => {
                let seen = format!("hashes {:x} and {:x}", equal.hash(), position.hash());
                return Err(Violation::at(&position, seen, "equal positions hash alike"));
            }
            Some(_) => {}
            None => alike.push(position),
        }
    }
    Ok(seen.into_values().flatten().collect())
}

/// Equal positions have equal [hashes](crate::Position::hash), and different ones practically never share theirs.
///
/// # Errors
/// When a game breaks the law.
pub fn equal_positions_hash_alike_and_different_ones_apart<G: Notation>(
    rules: &RuleBook,
) -> Verdict {
    let mut by_hash: HashMap<u64, G> = HashMap::new();
    for position in distinct_positions::<G>(rules)? {
        let hash = position.hash();
        if let Some(other) = by_hash.insert(hash, position.clone()) {
            let mover = rules.side_name(other.side_to_move());
            let seen = format!("hash {hash:x}, as of, {mover} to move:\n{}", other.rows());
            return Err(Violation::at(
                &position,
                seen,
                "different positions hash apart",
            ));
        }
    }
    Ok(())
}

/// A table indexed by any ten neighbouring bits of the [hash](crate::Position::hash) fills evenly; by fewer bits where
/// a game has few positions, and a game of less than 64 is not judged.
///
/// # Errors
/// When a game breaks the law.
pub fn a_hash_is_good_by_any_of_its_bits<G: Notation>(rules: &RuleBook) -> Verdict {
    let distinct = distinct_positions::<G>(rules)?;
    let bits = (distinct.len() / 4).checked_ilog2().unwrap_or(0).min(10);
    if bits < 4 {
        return Ok(());
    }
    let even = distinct.len() >> bits;
    // By chance alone the fullest of 1024 entries holds five deviations more than the mean, at most.
    let limit = even + 7 * even.isqrt() + 7;
    for shift in 0..=64 - bits {
        let mut filled = vec![0; 1 << bits];
        for position in &distinct {
            filled[(position.hash() >> shift) as usize % (1 << bits)] += 1;
        }
        let fullest = filled.into_iter().max().unwrap_or(0);
        if fullest > limit {
            let seen =
                format!("by the {bits} bits of hashes from bit {shift}, {fullest} in one entry");
            let expected =
                format!("about {even}, at most {limit}; crownhead::hash::fold mixes well");
            return Err(Violation::anywhere(seen, expected));
        }
    }
    Ok(())
}
