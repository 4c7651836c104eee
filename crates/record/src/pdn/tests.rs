//! PDN written here reads back as the same games, and PDN from elsewhere is read or refused with its place.

use super::write_pdn;
use crate::Termination;
use crate::judge::TimeLimits;
use crate::openings::{Opening, random};
use crate::{GameRecord, PlayerRecord, RecordedResult, StartRecord, TurnRecord, VERSION};
use crownhead::board::{BoardSize, Side};
use crownhead::games::checkers::{Checkers, rules};
use crownhead::notation::Notation;
use crownhead::notation::Rows;
use crownhead::position::Position;
use crownhead_bots::{CHECKERS, PositionBoard};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::time::Duration;

/// The games of a text without a bad game.
fn read_pdn(text: &str) -> Result<Vec<GameRecord>, super::PdnError> {
    super::read_pdn(text).collect()
}

/// A game of random moves from an opening. Every third begins in its own position, and every fourth is lost by a bad
/// reply.
fn game(number: u64) -> GameRecord {
    let mut rng = Pcg64::seed_from_u64(number);
    let book = if number.is_multiple_of(2) {
        rules::CONTEST
    } else {
        rules::CLASSROOM
    };
    let mut opening = random(CHECKERS, &book, 4, number).unwrap();
    if number.is_multiple_of(3) {
        let start = opening.rebuild(CHECKERS, &book).unwrap();
        opening = Opening {
            start: Some(StartRecord::of(start.as_ref())),
            ..Opening::default()
        };
    }
    let board = opening.rebuild(CHECKERS, &book).unwrap();
    let mut game = PositionBoard::<Checkers>::of(board.as_ref()).game().clone();
    let mut turns = Vec::new();
    let mut turn = |side: Side, reply: Option<String>| {
        let time = Duration::from_micros(rng.random_range(1..2_000_000));
        turns.push(TurnRecord::new(side.index(), reply, time));
    };
    let mut choice = Pcg64::seed_from_u64(number + 1000);
    for _ in 0..120 {
        if game.result().is_some() {
            break;
        }
        let position = *game.position();
        let mv = *position.legal_moves().choose(&mut choice).unwrap();
        turn(position.side_to_move(), Some(position.move_name(mv)));
        game.play(mv).unwrap();
    }
    let (mut scores, mut termination) = (Some(vec![0.5, 0.5]), Termination::TurnLimit);
    if number.is_multiple_of(4) {
        let mover = game.position().side_to_move();
        let said = number.is_multiple_of(8).then(|| "say \"what\"".to_string());
        turn(mover, said);
        scores = (!number.is_multiple_of(12)).then_some(vec![0.0, 1.0]);
        termination = Termination::IllegalReply;
    }
    let player = |(name, side): (&str, &str)| {
        PlayerRecord::new(
            side,
            format!("{name} \\ \"{number}\""),
            format!("./{name} --depth {number}"),
        )
    };
    GameRecord {
        version: VERSION,
        game: "checkers".into(),
        rules: book.name.into(),
        number,
        seed: 7,
        referee: None,
        players: ["anna", "bert"]
            .into_iter()
            .zip(book.side_names)
            .map(player)
            .collect(),
        limits: TimeLimits::default(),
        profile: "strict".into(),
        clock: crate::judge::Clock::Wall,
        suspect: false,
        replayed: false,
        options: Default::default(),
        max_turns: Some(120),
        start: opening.start,
        opening: opening.moves,
        turns,
        figures: Default::default(),
        scores,
        termination,
        reason: "as \"told\"".into(),
    }
}

#[test]
fn a_header_is_one_line_whatever_it_holds() {
    let mut game = game(1);
    game.players[0].command = "sh -c 'one\ntwo'".into();
    game.players[1].name = "\u{1b}[31mred".into();
    let text = write_pdn(&game).unwrap();
    assert!(!text.contains('\u{1b}'), "{text}");
    let read = &read_pdn(&text).unwrap()[0];
    assert_eq!(read.players[0].command, r"sh -c 'one\ntwo'");
    assert_eq!(read.players[1].name, r"\u{1b}[31mred");
}

#[test]
fn what_is_written_reads_back_as_the_same_games() {
    let games: Vec<GameRecord> = (1..=60).map(game).collect();
    let text: Vec<String> = games.iter().map(|game| write_pdn(game).unwrap()).collect();
    assert_eq!(read_pdn(&text.join("\n")).unwrap(), games);
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

/// The result of a game with this ending, by its headers and its last word.
fn result(headers: &str, end: &str) -> Option<RecordedResult> {
    let text = format!("{headers}\n1. 11-15 22-18 {end}\n");
    read_pdn(&text).unwrap()[0].result()
}

#[test]
fn blacks_points_come_first_and_the_header_counts_where_the_moves_do_not_say() {
    use RecordedResult::{Black, Draw, White};
    for (word, winner) in [("1-0", Black), ("0-1", White), ("1/2-1/2", Draw)] {
        assert_eq!(result("", word), Some(winner));
        let header = format!("[Result \"{word}\"]");
        assert_eq!(result(&header, "*"), Some(winner));
        assert_eq!(result(&header, ""), Some(winner));
    }
    assert_eq!(result("[Result \"*\"]", "*"), None);
    // Files of this program from before it wrote Black's points first.
    for (word, winner) in [("Black", Black), ("White", White), ("Nobody", Draw)] {
        for other in ["1-0", "0-1", "1/2-1/2"] {
            let headers = format!("[Result \"{other}\"]\n[Winner \"{word}\"]");
            assert_eq!(result(&headers, other), Some(winner));
        }
    }
    let mut won = game(1);
    won.scores = Some(vec![1.0, 0.0]);
    assert!(
        write_pdn(&won)
            .unwrap()
            .contains("[Result \"1-0\"]\n[Winner \"Black\"]")
    );
}

#[test]
fn a_game_of_another_variant_is_refused_by_its_name_and_not_for_a_move() {
    for (game_type, told) in [
        (
            "20",
            "GameType 20 is international draughts; expected English draughts",
        ),
        ("20,W,10,10,N2,0", "is international draughts"),
        (" 25", "is Russian draughts"),
        ("0", "is chess"),
        ("99", "GameType 99 is another game"),
    ] {
        // Its board may have squares that ours lacks.
        for fen in ["", "[FEN \"W:W48:B3\"]\n"] {
            let text =
                format!("[Event \"x\"]\n[GameType \"{game_type}\"]\n{fen}1. 32-28 19-23 0-2");
            let error = read_pdn(&text).unwrap_err();
            assert_eq!((error.line, error.column), (2, 1), "{error}");
            assert!(error.reason.contains(told), "{error}");
        }
    }
    for game_type in ["21", "21,B,8,8,N1,0", "English draughts", ""] {
        let games = read_pdn(&format!("[GameType \"{game_type}\"]\n1. 11-15 1-0"));
        assert_eq!(games.unwrap().len(), 1, "{game_type}");
    }
    assert!(read_pdn("[GameType \"26\"]\n*").is_err(), "without a move");
}

#[test]
fn how_a_game_ended_is_not_stated_where_pdn_tells_the_result_alone() {
    let ended = |headers: &str, end: &str| {
        let game = read_pdn(&format!("{headers}1. 11-15 22-18 {end}"))
            .unwrap()
            .remove(0);
        (game.termination, game.result_word().map(String::from))
    };
    for (end, winner) in [
        ("2-0", Some("black")),
        ("0-2", Some("red")),
        ("1-1", Some("draw")),
        ("1/2-1/2", Some("draw")),
        ("*", None),
    ] {
        for headers in ["", "[Termination \"normal\"]\n"] {
            let told = ended(headers, end);
            assert_eq!(
                told,
                (Termination::NotStated, winner.map(String::from)),
                "{end}"
            );
        }
    }
    let classroom = ended("[Rules \"classroom\"]\n[FEN \"B:W22:B11\"]\n", "0-1");
    assert_eq!(classroom.1.as_deref(), Some("white"));
    let left = ended("[Termination \"abandoned\"]\n", "*");
    assert_eq!(left.0, Termination::Abandoned);
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
fn a_man_on_the_row_where_it_would_be_crowned_is_a_king() {
    let game = &read_pdn("[FEN \"W:W4,K18:B32,20.\"]\n1. 18-15 32-28 *").unwrap()[0];
    let start = game.start.as_ref().unwrap();
    let rows =
        Rows::from_lines(BoardSize::default(), start.rows.iter().map(String::as_str)).unwrap();
    let position = Checkers::from_rows(&rows, Side::BOTH[start.player]).unwrap();
    assert_eq!(position.to_fen(), "W:WK4,K18:B20,K32");
}

#[test]
fn what_is_wrong_is_named_with_line_and_column() {
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
fn a_remark_that_sticks_to_a_move_is_left_out_and_told() {
    let games = read_pdn("1. 11-15 22-18Redoverstepped. 2. 15x22 1-0").unwrap();
    let [game] = &games[..] else {
        panic!("one game")
    };
    assert_eq!(game.turns.len(), 3);
    assert!(
        game.reason
            .ends_with("left out: “Redoverstepped.” after 22-18"),
        "{}",
        game.reason
    );
    for no_move in ["11Red", "Red11-15", "11-15-", "11-16-15xRed"] {
        assert!(read_pdn(no_move).is_err(), "{no_move}");
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
