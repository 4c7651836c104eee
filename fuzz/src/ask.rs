//! What `crownhead ask` reads: turns on standard input, and options.

use super::text;
use crownhead_arena::options::parse_time;
use crownhead_arena::runner::read_turns;
use crownhead_arena::seat::BotSpec;
use crownhead_bots::checkers_board;
use crownhead_record::openings::Source;

/// More than the moves of any position.
const MANY: usize = 1000;

/// Turns: the position of the last one has a text that is read as the same position, and its moves can be played.
pub fn ask(bytes: &[u8]) {
    let turns = match read_turns(bytes) {
        Ok(turns) => turns,
        Err(error) => return drop(error.to_string()),
    };
    assert!(!turns.requests.is_empty(), "a turn was given");
    let legal = turns.board.legal_moves();
    assert!(legal.len() < MANY, "{} moves", legal.len());
    for name in &legal {
        let mut after = turns.board.duplicate();
        assert!(after.play(name), "{name} is legal");
        drop((after.turn_text(), after.note(), after.result()));
    }
    for line in turns.requests.iter().flat_map(|turn| turn.lines()) {
        if turns.board.find_move(line).is_none() {
            let _ = turns.board.refusal(line);
        }
    }
    let turn = format!(
        "{}\n{}",
        turns.board.mover_letter(),
        turns.board.turn_text()
    );
    let again = read_turns(turn.as_bytes());
    let again = again.expect("what is sent to a bot is read");
    assert_eq!(again.board.rows(), turns.board.rows());
}

/// Options, one a line, each as every option: they are understood, or refused with a reason.
pub fn options(bytes: &[u8]) {
    for line in text(bytes).lines() {
        drop(BotSpec::parse(line).map_err(|error| error.to_string()));
        drop(parse_time(line).map_err(|error| error.to_string()));
        drop(checkers_board(line).map_err(|error| error.to_string()));
        drop(line.parse::<Source>().map_err(|error| error.to_string()));
    }
}
