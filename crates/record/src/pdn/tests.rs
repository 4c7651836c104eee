//! PDN written here reads back with the same moves, and PDN from elsewhere is read or refused with its place.

use super::write_pdn;
use crate::Termination;
use crate::openings::random;
use crate::{GameRecord, PlayerRecord, RecordedResult, StartRecord, TurnRecord};
use crownhead::games::checkers::rules;
use crownhead_bots::CHECKERS;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use std::time::Duration;

/// The games of a text without a bad game.
fn read_pdn(text: &str) -> Result<Vec<GameRecord>, super::PdnError> {
    super::read_pdn(text).collect()
}

/// A game of random moves. Every third begins in its own position, and every fourth is lost by a bad reply.
fn game(number: u64) -> GameRecord {
    let book = if number.is_multiple_of(2) {
        rules::CONTEST
    } else {
        rules::CLASSROOM
    };
    let opening = random(CHECKERS, &book, 4, number).unwrap();
    let mut board = opening.rebuild(CHECKERS, &book).unwrap();
    let start = number
        .is_multiple_of(3)
        .then(|| StartRecord::of(board.as_ref()));
    let opening = if start.is_some() {
        Vec::new()
    } else {
        opening.moves
    };
    let mut choice = Pcg64::seed_from_u64(number + 1000);
    let mut turns = Vec::new();
    while turns.len() < 120 && board.result().is_none() {
        let name = board.legal_moves().choose(&mut choice).unwrap().clone();
        let time = Duration::from_millis(7);
        turns.push(TurnRecord::new(board.mover(), Some(name.clone()), time));
        board.play(&name);
    }
    let mut game = GameRecord {
        number,
        seed: 7,
        max_turns: Some(120),
        start,
        opening,
        turns,
        scores: Some(vec![0.5, 0.5]),
        termination: Termination::TurnLimit,
        reason: "as told".into(),
        ..GameRecord::new(
            "checkers",
            book.name,
            ["anna", "bert"]
                .into_iter()
                .zip(book.side_names)
                .map(|(name, side)| PlayerRecord::new(side, format!("{name} \\ \"x\""), name))
                .collect(),
        )
    };
    if number.is_multiple_of(4) {
        let reply = Some("what".to_string());
        game.turns
            .push(TurnRecord::new(board.mover(), reply, Duration::ZERO));
        game.scores = Some(vec![0.0, 1.0]);
        game.termination = Termination::IllegalReply;
    }
    game
}

#[test]
fn a_header_is_one_line_whatever_it_holds() {
    let mut game = game(1);
    game.players[1].name = "\u{1b}[31mone\ntwo".into();
    let text = write_pdn(&game).unwrap();
    assert!(!text.contains('\u{1b}'), "{text}");
    let read = &read_pdn(&text).unwrap()[0];
    assert_eq!(read.players[1].name, r"\x1b[31mone\x0atwo");
}

#[test]
fn a_written_game_reads_back_with_its_players_moves_and_result() {
    let games: Vec<GameRecord> = (1..=60).map(game).collect();
    let text: Vec<String> = games.iter().map(|game| write_pdn(game).unwrap()).collect();
    let read = read_pdn(&text.join("\n")).unwrap();
    assert_eq!(read.len(), games.len());
    for (read, game) in read.iter().zip(&games) {
        let boards = [read, game].map(|game| game.rebuild(CHECKERS).unwrap());
        let positions = boards.map(|board| (board.moves(), board.rows(), board.mover()));
        assert_eq!(positions[0], positions[1]);
        let known = |game: &GameRecord| {
            let names = game.players.iter().map(|player| player.name.clone());
            let names: Vec<String> = names.collect();
            (
                names,
                game.rules.clone(),
                game.scores.clone(),
                game.termination,
            )
        };
        assert_eq!(known(read), known(game));
        assert!(read.reason.contains("does not say how it ended"));
    }
    assert!(
        text.iter()
            .flat_map(|text| text.lines())
            .all(|line| line.starts_with('[') || line.len() <= 100)
    );
}

/// A sparring game as another program writes it, with other features that PDN allows.
const FOREIGN: &str = "\
[Event \"Sparring\"]
[Black \"One\"]
[White \"Other\"]
[Result \"1/2-1/2\"]
1. 11-15 22-18! 2. 15x22 25x18 {even} (2. ... 26x17 3. 8-11) 3. 8-11 29-25 ; to the end
$6 4.4-8 24-20 1/2-1/2

[Event \"An ending\"]
[FEN \"B:W18,26:BK15\"]
1. 15x31 *
";

#[test]
fn games_of_other_programs_are_read() {
    let games = read_pdn(FOREIGN).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(
        (games[0].players[0].name.as_str(), games[0].turns.len()),
        ("One", 8)
    );
    assert_eq!(games[0].result(), Some(RecordedResult::Draw));
    assert_eq!(games[0].turns[0].reply.as_deref(), Some("C3D4"));
    assert!(games[0].rebuild(CHECKERS).is_ok());
    assert_eq!(games[1].result(), None);
    // 15 over 18 to 22, then over 26 to 31.
    assert_eq!(games[1].turns[0].reply.as_deref().map(str::len), Some(6));
    assert_eq!(read_pdn("").unwrap(), []);
}

#[test]
fn blacks_points_come_first_and_the_header_counts_where_the_moves_do_not_say() {
    let ended = |headers: &str, end: &str| {
        let text = format!("{headers}\n1. 11-15 22-18 {end}\n");
        let game = read_pdn(&text).unwrap().remove(0);
        (game.termination, game.result_word().map(String::from))
    };
    for (words, winner) in [
        (["1-0", "2-0"], "black"),
        (["0-1", "0-2"], "red"),
        (["1/2-1/2", "1-1"], "draw"),
    ] {
        // PDN does not say how the game ended.
        let expected = (Termination::NotStated, Some(winner.to_string()));
        for word in words {
            assert_eq!(ended("", word), expected);
            assert_eq!(ended("[Termination \"normal\"]", word), expected);
            let header = format!("[Result \"{word}\"]");
            assert_eq!(ended(&header, "*"), expected);
            assert_eq!(ended(&header, ""), expected);
        }
    }
    let nobody = (Termination::NotStated, None);
    assert_eq!(ended("[Result \"*\"]", "*"), nobody);
    let classroom = ended("[Rules \"classroom\"]\n[FEN \"B:W22:B11\"]", "0-1");
    assert_eq!(classroom.1.as_deref(), Some("white"));
    let left = ended("[Termination \"abandoned\"]", "*");
    assert_eq!(left.0, Termination::Abandoned);
}

#[test]
fn a_game_of_another_variant_is_refused_by_its_type_and_not_for_a_move() {
    for game_type in ["20", "20,W,10,10,N2,0", " 25", "0"] {
        // Its board may have squares that ours lacks.
        for fen in ["", "[FEN \"W:W48:B3\"]\n"] {
            let text =
                format!("[Event \"x\"]\n[GameType \"{game_type}\"]\n{fen}1. 32-28 19-23 0-2");
            let error = read_pdn(&text).unwrap_err();
            assert_eq!((error.line, error.column), (2, 1), "{error}");
            let told = format!("GameType {game_type} is another game; expected English draughts");
            assert!(error.reason.starts_with(&told), "{error}");
        }
    }
    for game_type in ["21", "21,B,8,8,N1,0", "English draughts", ""] {
        let games = read_pdn(&format!("[GameType \"{game_type}\"]\n1. 11-15 1-0"));
        assert_eq!(games.unwrap().len(), 1, "{game_type}");
    }
    assert!(read_pdn("[GameType \"26\"]\n*").is_err(), "without a move");
}

#[test]
fn a_bad_game_leaves_the_others_readable_and_is_named_by_its_place() {
    let bad = [
        "1. 11-15 22-19 1-0",
        "1. 11-15 {never",
        "[Event \"x]\n1. 11-15 *",
        "1. 9-14 (never",
    ];
    for bad in bad {
        let text = format!(
            "[Round \"7\"]\n1. 9-14 *\n\n[Event \"bad\"]\n{bad}\n\n[Event \"last\"]\n1. 11-15 1-0\n"
        );
        let games: Vec<_> = super::read_pdn(&text).collect();
        let numbers: Vec<Result<u64, u64>> = games
            .iter()
            .map(|game| {
                game.as_ref()
                    .map(|game| game.number)
                    .map_err(|error| error.game)
            })
            .collect();
        assert_eq!(numbers, [Ok(1), Err(2), Ok(3)], "{bad}");
    }
}

#[test]
fn moves_are_read_as_other_programs_write_them() {
    let text = "% a line for another program\n1 11 - 15 22-17 2. 15- 18 23X14 3. 9 x18\n";
    let names = |text: &str| -> Vec<Option<String>> {
        let game = read_pdn(text).unwrap().remove(0);
        game.turns.into_iter().map(|turn| turn.reply).collect()
    };
    assert_eq!(
        names(text),
        names("1. 11-15 22-17 2. 15-18 23x14 3. 9x18 *")
    );
}

#[test]
fn mistakes_are_named_with_line_and_column() {
    let cases = [
        (
            "[Event \"x\"]\n1. 11-15 22-19\n",
            2,
            10,
            "`22-19` is no legal move of red here",
        ),
        (
            "[Event \"x\"]\n\n1. 11-15 e4 *",
            3,
            10,
            "`e4` is no move; expected",
        ),
        ("[Event \"x]\n", 1, 8, "does not end"),
        ("[Event x]\n", 1, 8, "expected a header"),
        ("1. 11-15 {never", 1, 10, "comment does not end"),
        ("1. 11-15 (never", 1, 10, "variation does not end"),
        ("1. 11-15 )", 1, 10, "closes nothing"),
        ("[FEN \"B:W99:B1\"]\n1. 1-5", 1, 1, "\"99\" is no square"),
        (
            "[Rules \"coffee\"]\n1. 11-15 *",
            1,
            1,
            "expected contest or classroom",
        ),
        (
            "[FEN \"B:W10,18,11,19:BK7\"]\n1. 7x7 *",
            2,
            4,
            "may be several jumps",
        ),
    ];
    for (text, line, column, reason) in cases {
        let error = read_pdn(text).unwrap_err();
        assert_eq!(
            (error.line, error.column),
            (line, column),
            "{text:?}: {error}"
        );
        assert!(error.reason.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn a_percent_sign_begins_a_comment_in_the_first_column_alone() {
    let turns = |text: &str| read_pdn(text).map(|games| games[0].turns.len());
    assert_eq!(turns("11-15\n% 23-19\n22-18"), Ok(2));
    let error = turns("11-15 % 23-19").unwrap_err();
    assert_eq!((error.line, error.column), (1, 7));
}

#[test]
fn a_game_that_white_begins_says_so_to_other_programs() {
    let headers = |number: u64| {
        let text = write_pdn(&game(number)).unwrap();
        let header = |name: &str| {
            let line = text
                .lines()
                .find(|line| line.starts_with(&format!("[{name} ")));
            line.map(str::to_string)
        };
        [header("SetUp"), header("FEN")]
    };
    // In the classroom White begins, from the usual position.
    let [set_up, fen] = headers(1);
    assert_eq!(set_up.as_deref(), Some("[SetUp \"1\"]"));
    assert!(
        fen.is_some_and(|fen| fen.starts_with("[FEN \"W:W21,")),
        "White moves first"
    );
    assert_eq!(headers(2), [None, None]);
}
