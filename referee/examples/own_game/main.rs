//! The program `crownhead` with a fifth game: the library's example `race`, and the line that puts it on the list.

// An example's items are public, so that its documentation shows them.
#[path = "../../../examples/race.rs"]
#[allow(dead_code, unreachable_pub)]
mod race;

use crownhead_board::{NoEvaluation, Rules};
use crownhead_bots::games::{ListedGame, set_games};
use race::Race;

static RACE: Rules<Race> = Rules::NEW;

fn main() -> std::process::ExitCode {
    set_games(
        [
            ListedGame::all(),
            &[ListedGame::new::<Race, NoEvaluation>(&RACE)],
        ]
        .concat(),
    );
    crownhead_referee::main()
}
