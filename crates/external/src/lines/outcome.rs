//! The scores of a game, from the places of `###End` and from `###Score`.

/// The scores by players if the referee gives none: the number of players placed behind. `None` if a player is missing,
/// unknown, or named twice.
pub(super) fn by_places(places: &[&str], players: usize) -> Option<Vec<f64>> {
    let mut scores = vec![None; players];
    let mut before = 0;
    for tied in places {
        let score = players.checked_sub(before + 1)?;
        for digit in tied.chars() {
            let player = scores.get_mut(digit.to_digit(10)? as usize)?;
            if player.replace(score as f64).is_some() {
                return None;
            }
        }
        before += tied.len();
    }
    scores.into_iter().collect()
}

/// The referee's scores, if it gave one for every player, or else those by places. Players that have failed are behind
/// the others, whatever their score.
///
/// # Errors
/// When places and scores contradict each other.
pub(super) fn scores(
    by_places: Vec<f64>,
    said: &[Option<f64>],
    has_failed: &[bool],
) -> Result<Vec<f64>, String> {
    let Some(said) = said.iter().copied().collect::<Option<Vec<f64>>>() else {
        return Ok(by_places);
    };
    let judged: Vec<usize> = (0..said.len())
        .filter(|&player| !has_failed[player])
        .collect();
    for &one in &judged {
        for &other in &judged {
            let is_better = by_places[one] > by_places[other];
            if is_better != (said[one] > said[other]) {
                let relation = if is_better { "before" } else { "not before" };
                return Err(format!(
                    "placed player {one} {relation} player {other}, and gave them the scores {} and {}; expected a \
                     higher score for a better place, and the same for a tie",
                    said[one], said[other]
                ));
            }
        }
    }
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_names_each_player_once_and_ties_by_one_word() {
        assert_eq!(by_places(&["0", "12"], 3), Some(vec![2.0, 1.0, 1.0]));
        assert_eq!(by_places(&["10"], 2), Some(vec![1.0, 1.0]));
        assert_eq!(by_places(&["31", "02"], 4), Some(vec![1.0, 3.0, 1.0, 3.0]));
        for wrong in [
            &["0"][..],
            &["0", "0"],
            &["0", "2"],
            &["01", "1"],
            &["a", "1"],
            &[],
        ] {
            assert_eq!(by_places(wrong, 2), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_scores_are_those_that_were_said_of_every_player() {
        let scores = |said: &[Option<f64>]| scores(vec![0.0, 1.0], said, &[false; 2]).unwrap();
        assert_eq!(scores(&[Some(12.0), Some(20.5)]), [12.0, 20.5]);
        assert_eq!(scores(&[Some(12.0), None]), [0.0, 1.0]);
    }

    #[test]
    fn scores_and_places_that_contradict_each_other_are_refused() {
        let scores = |places: [f64; 2], said: [f64; 2], failed: [bool; 2]| {
            scores(places.into(), &said.map(Some), &failed)
        };
        assert!(scores([1.0, 1.0], [7.0, 7.0], [false; 2]).is_ok());
        for (places, said, sentence) in [
            (
                [1.0, 0.0],
                [3.0, 5.0],
                "placed player 0 before player 1, and gave them the scores 3 and 5; expected a higher score",
            ),
            (
                [1.0, 0.0],
                [5.0, 5.0],
                "placed player 0 before player 1, and gave them the scores 5 and 5",
            ),
            (
                [1.0, 1.0],
                [5.0, 3.0],
                "placed player 0 not before player 1, and gave them the scores 5 and 3",
            ),
        ] {
            let refused = scores(places, said, [false; 2]).unwrap_err();
            assert!(refused.starts_with(sentence), "{refused}");
        }
        assert!(
            scores([1.0, 0.0], [3.0, 5.0], [false, true]).is_ok(),
            "one that has failed is last whatever its score"
        );
    }
}
