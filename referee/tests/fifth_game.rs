//! A fifth game at the referee's table: the library's example `race`, played without changes elsewhere.

// An example's items are public, so that its documentation shows them.
#[path = "../../examples/race.rs"]
#[allow(unreachable_pub)]
mod race;

use crownhead::{Game, Notation, Outcome, Side};
use crownhead_referee::judge::TimeLimits;
use crownhead_referee::seat::Scripted;
use crownhead_referee::table::{self, Policy, Termination, Verdict};
use race::Race;

fn play<const N: usize>(white: [&str; N], black: [&str; N]) -> Verdict {
    let (mut white, mut black) = (Scripted::new(white), Scripted::new(black));
    let mut policy = Policy::strict(TimeLimits::default());
    let mut game = Game::<Race>::new(Race::RULE_BOOKS[0]);
    table::play(&mut game, [&mut black, &mut white], &mut policy, &mut ())
}

#[test]
fn a_fifth_game_is_played_and_won_at_the_table() {
    let verdict = play(["C1", "E1", "G1", "H1"], ["B8", "C8", "D8", ""]);
    assert_eq!(verdict.result, Some(Outcome::Win(Side::White)));
    assert_eq!(verdict.termination, Termination::Goal);
    race::main();
}

#[test]
fn its_refusals_are_told_in_its_words() {
    let verdict = play(["D1"], [""]);
    assert_eq!(verdict.result, Some(Outcome::Win(Side::Black)));
    let reason = "white answered `D1` but a runner is pushed by one or two squares";
    assert_eq!(verdict.reason, reason);
}
