//! Openings from a file: FENs, one position on each line, or games in PDN.

use super::Opening;
use crate::input::read_text;
use crate::system_error::describe;
use crate::{PdnError, StartRecord, is_pdn, read_games, read_pdn};
use crownhead::rules::RuleBook;
use crownhead_bots::{BoardGame, checkers_board};
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The openings of checkers in a file: games if its name ends in `.pdn`, else FENs.
///
/// # Errors
/// When the file cannot be read, or has no opening; when one is not legal under these rules, or ends the game.
pub(super) fn read_openings(
    path: &Path,
    game: &'static dyn BoardGame,
    rules: &RuleBook,
) -> Result<Vec<Opening>, String> {
    let text = read_text(path).map_err(|error| {
        let told = describe(path, &error);
        match told.ends_with('?') {
            true => told,
            false => format!("{told}. Openings are also `ballots`, `random 6` and `none`"),
        }
    })?;
    let openings = match is_pdn(path) {
        true => read_pdn_games(&text),
        false => read_fens(&text),
    };
    let checked = openings.and_then(|openings| {
        check(&openings, game, rules)?;
        Ok(openings)
    });
    checked.map_err(|problem| format!("`{}`: {problem}", path.display()))
}

fn check(
    openings: &[Opening],
    game: &'static dyn BoardGame,
    rules: &RuleBook,
) -> Result<(), String> {
    if openings.is_empty() {
        return Err(
            "the file holds no opening; expected a FEN a line, such as B:W21-32:B1-12".into(),
        );
    }
    for (number, opening) in (1..).zip(openings) {
        let board = opening.rebuild(game, rules);
        let board = board.map_err(|error| format!("opening {number}: {error}"))?;
        if board.result().is_some() {
            return Err(format!(
                "opening {number} ends the game; expected a position to play on"
            ));
        }
    }
    Ok(())
}

/// The seeds of the games that an external referee has judged, from a file of records, and what else it was given.
pub(super) fn read_seeds(path: &Path) -> Result<Vec<Opening>, String> {
    let file = File::open(path).map_err(|error| describe(path, &error))?;
    let wrong = |why: &dyn Display| {
        format!(
            "`{}`: {why}. Expected what `match --record` or `import` writes",
            path.display()
        )
    };
    let games = read_games(BufReader::new(file)).map(|game| {
        let game = game.map_err(|error| wrong(&error))?;
        let number = game.number;
        let none = || wrong(&format!("game {number} has no external referee"));
        Opening::of_referee(&game).ok_or_else(none)
    });
    let openings: Vec<Opening> = games.collect::<Result<_, String>>()?;
    if openings.is_empty() {
        return Err(wrong(&"the file holds no game"));
    }
    Ok(openings)
}

fn read_pdn_games(text: &str) -> Result<Vec<Opening>, String> {
    let games = read_pdn(text).map(|game| Ok(Opening::of_record(&game?)));
    games
        .collect::<Result<_, PdnError>>()
        .map_err(|error| error.to_string())
}

/// The positions in a text of FENs, one on each line. Text after a `#` and empty lines are ignored.
fn read_fens(text: &str) -> Result<Vec<Opening>, String> {
    let lines = (1..).zip(text.lines()).filter_map(|(line, content)| {
        let fen = content.split('#').next().unwrap_or_default().trim();
        (!fen.is_empty()).then_some((line, fen))
    });
    let openings = lines.map(|(line, fen)| {
        let board = checkers_board(fen).map_err(|error| format!("line {line}: {error}"))?;
        Ok(Opening {
            start: Some(StartRecord::of(&*board)),
            ..Opening::default()
        })
    });
    openings.collect()
}

#[cfg(test)]
mod tests {
    use super::read_fens;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead_bots::{CHECKERS, PositionBoard};

    #[test]
    fn each_line_is_an_opening_and_comments_are_ignored() {
        let text = "# two positions\nB:W21-32:B1-12\n\nW:W18,K32:B11,K14  # an ending\n";
        let openings = read_fens(text).unwrap();
        let fens: Vec<String> = openings
            .iter()
            .map(|opening| {
                let board = opening.rebuild(CHECKERS, &rules::CONTEST).unwrap();
                let game = PositionBoard::<Checkers>::of(board.as_ref()).game();
                game.position().to_fen()
            })
            .collect();
        assert_eq!(
            fens,
            [
                "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
                "W:W18,K32:B11,K14"
            ]
        );
    }

    #[test]
    fn a_broken_line_is_named_with_what_was_expected() {
        let error = |text| read_fens(text).unwrap_err().to_string();
        assert!(error("B:W21-32:B1-12\nB:W99:B1").starts_with("line 2: \"99\" is no square"));
        assert!(error("\n\nB:W99:B1").starts_with("line 3: "));
    }
}
