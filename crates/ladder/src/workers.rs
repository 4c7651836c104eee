//! The workers of a ladder, and how their results compare.

use super::refuse;
use crate::store::shared::{Build, Residual, Worker};
use crate::store::{PairKey, Store, StoreError, StoredPair};
use crownhead_record::numbers::counted;
use statrs::distribution::{ChiSquared, ContinuousCDF};
use std::collections::{BTreeMap, HashMap};

/// The workers of a ladder, by name.
///
/// # Errors
/// When the store fails, or the ladder's games are in a file.
pub fn workers(store: &dyn Store) -> anyhow::Result<Vec<Worker>> {
    let pairs = store.pairs(0)?;
    let Some(shared) = store.shared() else {
        let told = "the ladder's games are in a file, and workers play ladders in a database: `crownhead ladder new FOLDER \
                    --store postgres://…` begins one";
        return Err(refuse(told).into());
    };
    let residuals = residuals(&pairs, &shared.played_by()?);
    let mut workers = shared.workers()?;
    for worker in &mut workers {
        worker.residual = residuals.get(&worker.name).copied();
    }
    Ok(workers)
}

/// Remarks for readers of the ratings: whose pairs are left out, and which bots were built more than once. A line each;
/// none if the ladder's games are in a file.
///
/// # Errors
/// When the store fails.
pub fn remarks(store: &dyn Store) -> Result<Vec<String>, StoreError> {
    let Some(shared) = store.shared() else {
        return Ok(Vec::new());
    };
    let excluded = shared.workers()?.into_iter().filter_map(|worker| {
        let reason = worker.excluded?;
        let (name, pairs) = (worker.name, worker.games / 2 + worker.void);
        let are = if pairs == 1 { "is" } else { "are" };
        let pairs = counted(pairs, "pair");
        Some(format!(
            "{pairs} of worker {name} {are} not rated: {reason}"
        ))
    });
    let mut remarks: Vec<String> = excluded.collect();
    let version = |build: &Build| (build.bot.clone(), build.version.clone());
    let builds = shared.builds()?;
    for builds in builds.chunk_by(|one, other| version(one) == version(other)) {
        if builds
            .iter()
            .any(|build| build.program != builds[0].program)
        {
            let told = builds.iter();
            let told = told.map(|build| format!("{} by {}", build.program, build.compiler));
            remarks.push(format!(
                "{} was built on several machines and is not the same program on all: {}",
                builds[0].bot,
                told.collect::<Vec<_>>().join("; ")
            ));
        }
    }
    Ok(remarks)
}

/// The results of one pairing: of all workers together, and of each worker.
#[derive(Default)]
struct Pairing<'a> {
    all: Vec<f64>,
    of: BTreeMap<&'a str, Vec<f64>>,
}

/// Pearson's chi-squared of each worker's pairs. Of `n` results drawn without replacement from the `N` of a pairing,
/// whose variance is `v`, the sum has the variance `n v (N - n) / (N - 1)` (Cochran 1977, "Sampling Techniques", 2.2).
fn residuals(pairs: &[StoredPair], played_by: &[(u64, String)]) -> BTreeMap<String, Residual> {
    let workers: HashMap<u64, &str> = played_by
        .iter()
        .map(|(pair, worker)| (*pair, worker.as_str()))
        .collect();
    let mut pairings: HashMap<PairKey, Pairing<'_>> = HashMap::new();
    for pair in pairs {
        let Some(result) = pair.result() else {
            continue;
        };
        let both = PairKey {
            round: 0,
            ..pair.key.clone()
        };
        let points = f64::from(result.half_points());
        let pairing = pairings.entry(both).or_default();
        pairing.all.push(points);
        if let Some(worker) = workers.get(&pair.finished) {
            pairing.of.entry(worker).or_default().push(points);
        }
    }
    let mut sums: BTreeMap<&str, (f64, u64)> = BTreeMap::new();
    for Pairing { all, of } in pairings.values() {
        let count = all.len() as f64;
        let mean = all.iter().sum::<f64>() / count;
        let variance = all
            .iter()
            .map(|points| (points - mean).powi(2))
            .sum::<f64>()
            / count;
        for (worker, own) in of {
            let drawn = own.len() as f64;
            let spread = drawn * variance * (count - drawn) / (count - 1.0).max(1.0);
            if spread > 0.0 {
                let deviation = own.iter().sum::<f64>() - drawn * mean;
                let (sum, number) = sums.entry(worker).or_default();
                *sum += deviation.powi(2) / spread;
                *number += 1;
            }
        }
    }
    let residual = |(chi_squared, pairings): (f64, u64)| {
        let distribution = ChiSquared::new(pairings as f64).ok()?;
        Some(Residual {
            chi_squared,
            pairings,
            probability: distribution.sf(chi_squared),
        })
    };
    let residuals = sums.into_iter();
    residuals
        .filter_map(|(worker, sum)| Some((worker.to_string(), residual(sum)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Entrant, StoredGame};
    use crownhead_record::RecordedResult;
    use crownhead_record::Termination;
    use std::time::Duration;

    /// A pair that the first bot wins or loses in both games.
    fn pair(finished: u64, first_wins: bool) -> StoredPair {
        let entrant = |bot: &str| Entrant {
            bot: bot.into(),
            version: "1".into(),
        };
        let game = |black: &str| StoredGame {
            black: black.into(),
            result: if (black == "a") == first_wins {
                RecordedResult::Black
            } else {
                RecordedResult::White
            },
            termination: Termination::NoMoves,
            times: [Duration::ZERO; 2],
        };
        StoredPair {
            key: PairKey::new(&entrant("a"), &entrant("b"), finished),
            finished,
            games: Some([game("a"), game("b")]),
        }
    }

    #[test]
    fn a_worker_on_which_another_bot_wins_than_elsewhere_stands_out() {
        // On `odd` the second bot wins all of 20 pairs, on the others the first wins nine of ten.
        let on = |finished: u64| ["even", "other", "odd"][(finished % 3) as usize];
        let wins = |finished: u64| on(finished) != "odd" && !finished.is_multiple_of(10);
        let pairs: Vec<StoredPair> = (1..=60).map(|number| pair(number, wins(number))).collect();
        let played_by: Vec<(u64, String)> =
            (1..=60).map(|number| (number, on(number).into())).collect();
        let residuals = residuals(&pairs, &played_by);
        assert!(residuals["odd"].probability < 1e-6, "{residuals:?}");
        assert_eq!(residuals["odd"].pairings, 1);
        // 36 of 60 won in all, none of its 20: (0 - 20 · 2.4)² / (20 · 3.84 · 40 / 59).
        let expected = 48.0 * 48.0 / (20.0 * 3.84 * 40.0 / 59.0);
        assert!(
            (residuals["odd"].chi_squared - expected).abs() < 1e-9,
            "{residuals:?}"
        );
    }

    #[test]
    fn workers_that_play_alike_do_not_stand_out_and_one_alone_has_nobody_to_be_compared_with() {
        let pairs: Vec<StoredPair> = (1..=60)
            .map(|number| pair(number, number % 4 < 2))
            .collect();
        let of = |worker: &dyn Fn(u64) -> String| -> Vec<(u64, String)> {
            (1..=60).map(|number| (number, worker(number))).collect()
        };
        let two = residuals(&pairs, &of(&|number| format!("{}", number % 2)));
        assert!(
            two.values().all(|residual| residual.probability > 0.3),
            "{two:?}"
        );
        assert_eq!(two.len(), 2);
        assert!(residuals(&pairs, &of(&|_| "alone".into())).is_empty());
    }
}
