//! The program `crownhead` with games on boards of other sizes, which the tests of its pages play.

mod discs;

use crownhead_board::{NoEvaluation, Rules};
use crownhead_bots::games::{ListedGame, set_games};
use discs::Discs;

static CLIMB: Rules<Discs<false>> = Rules::NEW;
static DROP: Rules<Discs<true>> = Rules::NEW;

fn main() -> std::process::ExitCode {
    let own = [
        ListedGame::new::<Discs<false>, NoEvaluation>(&CLIMB),
        ListedGame::new::<Discs<true>, NoEvaluation>(&DROP),
    ];
    set_games([ListedGame::all(), &own].concat());
    crownhead_referee::main()
}
