//! A fifth game at the referee's table: the library's example `race`, played without changes elsewhere.

// An example's items are public, so that its documentation shows them.
#[path = "../../examples/race.rs"]
#[allow(unreachable_pub)]
mod race;

use crownhead::{Game, Notation, Outcome, Side};
use crownhead_arena::table::{self, Policy, Seat, TimedReply, TurnRequest, Verdict};
use crownhead_record::Termination;
use crownhead_record::judge::TimeLimits;
use race::Race;
use std::time::Duration;

/// Plays a list of replies.
struct Scripted<I>(I);

impl<I: Iterator<Item = &'static str>> Seat<Race> for Scripted<I> {
    type Answer = TimedReply;

    fn ask(&mut self, _turn: &TurnRequest<'_, Race>) -> TimedReply {
        TimedReply {
            reply: Ok(self.0.next().expect("the script is long enough").into()),
            time: Duration::ZERO,
        }
    }
}

fn play<const N: usize>(white: [&'static str; N], black: [&'static str; N]) -> Verdict {
    let mut white = Scripted(white.into_iter());
    let mut black = Scripted(black.into_iter());
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
