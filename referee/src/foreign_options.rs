//! Options of other programs that people type here, and what they are called here: those of cutechess-cli, fastchess and
//! brutaltester, and guesses.

use std::ffi::OsString;

const TIME: &str = "The time limit of a turn is `--time 100ms`";
const GAMES: &str = "The number of games is `--games 100`, or `-g 100`; a pair is 2 games";
const PAIRS: &str = "The number of pairs (2 games each) at most is `--max-pairs 2000`";
const AT_ONCE: &str = "The number of games at once is `--concurrency 4`, or `-j 4`";
const BOTS: &str = "Name the bots without an option: `crownhead match ./my_bot 'python3 other.py'`";
const LIMITS: &str =
    "It belongs to a bot that has it: `crownhead match ./my_bot 'alphabeta --nodes 20000'`";
const RECORD: &str =
    "Games are written by `--record games.jsonl`, or as PDN by `--record games.pdn`";
const ALWAYS: &str = "Leave it out: each opening is played twice, with colours swapped";
const FRESH: &str = "Leave it out: each game starts the bots anew, and a crash loses one game";

/// What other programs call it, without dashes, and what to type here.
const OPTIONS: &[(&[&str], &str)] = &[
    (
        &[
            "tc",
            "st",
            "timecontrol",
            "movetime",
            "timeout",
            "time-limit",
            "timelimit",
        ],
        TIME,
    ),
    (
        &["rounds", "games", "pairs", "n", "num-games", "matches"],
        GAMES,
    ),
    (
        &["concurrency", "threads", "workers", "parallel", "jobs"],
        AT_ONCE,
    ),
    (
        &[
            "each", "engine", "engines", "cmd", "bot", "player", "p1", "p2", "p3", "p4",
        ],
        BOTS,
    ),
    (&["nodes", "depth"], LIMITS),
    (&["pgnout", "pgn", "pdn", "output", "logs"], RECORD),
    (&["repeat", "noswap", "swap"], ALWAYS),
    (&["recover", "restart"], FRESH),
    (
        &["openings", "book", "opening", "start"],
        "Openings are `--openings FILE`, `--openings ballots` or `--openings 'random 6'`",
    ),
    (&["srand", "randomseed", "seeds"], "The seed is `--seed 7`"),
    (
        &["sprt", "elo0", "elo1"],
        "A test is a command of its own: `crownhead sprt ./new ./old --elo0 0 --elo1 10`",
    ),
    (
        &["draw", "resign"],
        "A game without progress is drawn by `--adjudicate 60`",
    ),
    (
        &["maxmoves", "max-moves"],
        "The limit on turns is `--max-turns 200`; a turn is one side's move",
    ),
    (
        &["variant"],
        "The game is `--game everchess`, and its rule book `--rules NAME`",
    ),
    (
        &["r", "ref"],
        "Another contest's referee is `--referee COMMAND`",
    ),
    (
        &["tournament", "gauntlet", "round-robin"],
        "Leave it out: three bots or more play a round robin",
    ),
    (
        &["ratinginterval"],
        "Leave it out: the score is shown while the games are played",
    ),
    (
        &["log", "debug", "verbose"],
        "What bots write on standard error is kept by `--record games.jsonl`",
    ),
    (
        &["config"],
        "A match has no file of settings; a ladder has one: `crownhead ladder new night`",
    ),
    (
        &["port"],
        "A match picks a free port; `crownhead serve games.jsonl --port 8080` takes yours",
    ),
];

/// What to type instead of this option of a match or a test, if another program has it.
pub(crate) fn advice(words: &[OsString], option: &str) -> Option<String> {
    let name = option.trim_start_matches('-').split('=').next()?;
    let command = words.first()?.to_str()?;
    let plays = ["match", "sprt"].contains(&command);
    let known = OPTIONS
        .iter()
        .find(|(names, _)| plays && names.contains(&name));
    let advice = match known?.1 {
        GAMES if command == "sprt" => PAIRS,
        advice => advice,
    };
    Some(format!(
        "`crownhead {command}` has no option `{option}`. {advice}"
    ))
}

/// The same for the first long option with a single dash, as other programs have them: here it would be read as several
/// short ones.
pub(crate) fn single_dashed(words: &[OsString]) -> Option<String> {
    let options = words.iter().filter_map(|word| word.to_str());
    let options = options.take_while(|word| *word != "--");
    let mut long =
        options.filter(|word| word.len() > 2 && word.starts_with('-') && !word.starts_with("--"));
    long.find_map(|word| advice(words, word))
}

#[cfg(test)]
mod tests {
    use super::{OPTIONS, advice, single_dashed};
    use crate::command_line;
    use std::ffi::OsString;

    #[test]
    fn an_option_of_another_program_is_answered_with_the_one_here() {
        let words = |line: &str| -> Vec<OsString> { line.split(' ').map(Into::into).collect() };
        let told = |line| single_dashed(&words(line)).unwrap_or_default();
        assert_eq!(
            advice(&words("match a b --tc 1"), "--tc").unwrap(),
            "`crownhead match` has no option `--tc`. The time limit of a turn is `--time 100ms`"
        );
        let of_a_test = advice(&words("sprt a b"), "--rounds=10").unwrap();
        assert!(of_a_test.contains("--max-pairs 2000"), "{of_a_test}");
        assert!(told("match -rounds 10 a b").contains("--games 100"));
        assert!(told("match a b -openings file=x").contains("--openings FILE"));
        for line in [
            "match a b -g4 -q",
            "match a b -- -games",
            "bundle -output x",
        ] {
            assert_eq!(told(line), "");
        }
        assert_eq!(advice(&words("bench --nodes 3"), "--nodes"), None);
        assert_eq!(advice(&words("match a b"), "--colour"), None);
    }

    #[test]
    fn what_it_names_is_there() {
        let program = command_line();
        let of = |command: &str| -> Vec<String> {
            let arguments = program.find_subcommand(command).unwrap().get_arguments();
            arguments
                .filter_map(|it| it.get_long().map(|long| format!("--{long}")))
                .collect()
        };
        let known = ["match", "sprt", "serve"].map(of).concat();
        let of_a_bot = ["--nodes"];
        for (_, advice) in OPTIONS {
            let named = advice
                .split([' ', '`', ';', ','])
                .filter(|word| word.starts_with("--"));
            for option in named.filter(|option| !of_a_bot.contains(option)) {
                assert!(known.iter().any(|it| it == option), "{option}: {advice}");
            }
        }
    }
}
