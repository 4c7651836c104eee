//! A fifth game at the referee: the library's example `race`, put on the list of games by one line.

mod common;
#[path = "../../examples/race.rs"]
#[allow(unreachable_pub)]
mod race;

use assert_cmd::Command;
use crownhead_arena::table::{self, Policy, Seat, TimedReply, TurnRequest, Verdict};
use crownhead_board::{GameRules, Rules};
use crownhead_record::Termination;
use crownhead_record::judge::TimeLimits;
use race::Race;
use serde_json::Value;
use std::time::Duration;

static RACE: Rules<Race> = Rules::NEW;

/// Plays a list of replies.
struct Scripted<I>(I);

impl<I: Iterator<Item = &'static str>> Seat for Scripted<I> {
    type Answer = TimedReply;

    fn ask(&mut self, _turn: &TurnRequest<'_>) -> TimedReply {
        let reply = self.0.next().expect("the script is long enough");
        TimedReply::of_move(reply, Duration::ZERO)
    }
}

fn play<const N: usize>(white: [&'static str; N], black: [&'static str; N]) -> Verdict {
    let mut white = Scripted(white.into_iter());
    let mut black = Scripted(black.into_iter());
    let mut policy = Policy::strict(TimeLimits::default());
    let mut board = RACE.start(RACE.rule_books()[0]);
    let seats = &mut [&mut black as _, &mut white as _];
    table::play(board.as_mut(), seats, &mut policy, &mut ())
}

#[test]
fn a_fifth_game_is_played_and_won_at_the_table() {
    let verdict = play(["C1", "E1", "G1", "H1"], ["B8", "C8", "D8", ""]);
    assert_eq!(verdict.winner(), Some(1));
    assert_eq!(verdict.termination, Termination::Goal);
    race::main();
}

#[test]
fn its_refusals_are_told_in_its_words() {
    let verdict = play(["D1"], [""]);
    assert_eq!(verdict.winner(), Some(0));
    let reason = "white answered `D1` but a runner is pushed by one or two squares";
    assert_eq!(verdict.reason, reason);
}

/// The program with the fifth game on its list.
fn own_game(arguments: &str) -> String {
    let mut command = Command::new(common::example("own_game"));
    let done = command.args(arguments.split(' ')).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_game_on_the_list_is_played_by_bots_in_a_match_and_searched() {
    let flags = "--games 6 --seed 1 --openings none --json";
    let result = own_game(&format!(
        "match alphabeta random --game race --name searcher --name other {flags}"
    ));
    let result: Value = serde_json::from_str(&result).unwrap();
    assert_eq!(result["game"], "race", "{result:#}");
    let line = result.to_string();
    assert!(line.contains("searcher"), "{line}");
    let perft = own_game("perft --game race --depth 4");
    assert!(perft.contains("16"), "two moves a turn: {perft}");
}

#[test]
fn a_game_that_is_not_on_the_list_is_refused_with_those_that_are() {
    let program = assert_cmd::cargo::cargo_bin!("crownhead");
    let mut command = Command::new(program);
    let done = command.args(["perft", "--game", "race"]).assert().code(2);
    let told = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert!(told.contains("checkers, everchess, chess"), "{told}");
}
