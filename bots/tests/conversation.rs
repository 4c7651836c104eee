//! Built-in bots in conversation, on streams in memory: whole games, repeatable ones, and hostile input.

mod common;

use clap::Parser;
use common::Table;
use crownhead::games::checkers::{rules, Checkers};
use crownhead::position::Position;
use crownhead::protocol::write_turn;
use crownhead_bots::conversation::{converse, ConversationError};
use crownhead_bots::options::Bot;
use crownhead_bots::random::Random;
use std::cell::RefCell;
use std::io::{self, BufReader, Read, Write};
use std::time::Duration;

/// Bots whose choices can be repeated.
const REPEATABLE: [&str; 4] = [
    "random --seed 1",
    "greedy --seed 1",
    "alphabeta --nodes 2000",
    "alphabeta --depth 2",
];

#[test]
fn every_bot_plays_whole_games_of_either_colour_to_their_end() {
    for bot in REPEATABLE {
        for letter in ['b', 'r', 'w'] {
            let (table, log) = game(bot, letter, 7);
            assert!(table.game.result().is_some(), "{bot} as {letter}");
            let remark = |line: &str| line.starts_with("depth ") || line.starts_with("only move ");
            assert!(
                log.lines().all(remark),
                "{bot} as {letter} agrees with every list: {log}"
            );
        }
    }
}

#[test]
fn the_same_seed_or_limit_plays_the_same_game() {
    for bot in REPEATABLE {
        assert_eq!(
            moves(&game(bot, 'b', 3).0),
            moves(&game(bot, 'b', 3).0),
            "{bot}"
        );
    }
    let of_seed = |bot: &str| moves(&game(bot, 'b', 3).0);
    assert_ne!(of_seed("random --seed 1"), of_seed("random --seed 2"));
    assert_ne!(of_seed("greedy --seed 1"), of_seed("greedy --seed 2"));
}

#[test]
fn alphabeta_beats_random() {
    let scores = ['b', 'r', 'b', 'r'].into_iter().zip(0..);
    let scores =
        scores.map(|(letter, seed)| game("alphabeta --nodes 2000", letter, seed).0.score());
    assert_eq!(scores.collect::<Vec<_>>(), [2; 4]);
}

#[test]
fn the_time_that_alphabeta_takes_by_default_is_the_one_protocol_md_tells() {
    let Bot::Alphabeta(search) = parse("alphabeta") else {
        panic!();
    };
    let time = search.limits().time.expect("a limit by default");
    assert_eq!(time, Duration::from_millis(100));
    let told = include_str!("../../protocol.md");
    assert!(told.contains(&format!("| every later turn | {} ms ", time.as_millis())));
}

#[test]
fn a_reply_is_spelled_as_the_list_spells_it() {
    let text = first_turn().to_lowercase();
    let (result, output, log) = talk(&format!("b\n{text}"));
    assert!(result.is_ok());
    assert_eq!(log, "");
    assert!(
        text.lines()
            .skip(9)
            .any(|listed| listed == output.trim_end()),
        "{output:?}"
    );
}

#[test]
fn carriage_returns_and_trailing_blanks_are_no_part_of_a_line() {
    for end in ["\r\n", " \n", "\t\r\n"] {
        let text = format!("b\n{0}{0}", first_turn()).replace('\n', end);
        let (result, output, log) = talk(&text);
        assert!(result.is_ok());
        assert_eq!((output.lines().count(), log.as_str()), (2, ""), "{end:?}");
    }
}

#[test]
fn hostile_input_ends_the_conversation_with_a_sentence() {
    let board = "........\n".repeat(8);
    let cases = [
        (
            "\n".into(),
            "line 1: expected a colour, b, r or w; found \"\"",
        ),
        (
            "x".repeat(1 << 20),
            "line 1: expected a colour, b, r or w; found \"xxxx",
        ),
        (
            format!("b\n{board}0\n"),
            "a turn without a legal move; expected at least one",
        ),
        (
            format!("b\n{board}-1\n"),
            "line 10: expected the number of legal moves",
        ),
        (
            format!("b\n{board}99999999999999999999\n"),
            "line 10: expected the number of",
        ),
        (
            format!("b\n{}1\nA3B4\n", "tiny\n".repeat(8)),
            "line 11: board line 1 is \"tiny\"",
        ),
        (
            format!("b\n{}1\nA3B4\n", "\u{fffd}\n".repeat(8)),
            "line 11: board line 1 is",
        ),
    ];
    for (input, expected) in cases {
        let (result, output, _) = talk(&input);
        let error = result.expect_err("hostile").to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n') && error.len() < 200, "{error}");
        assert_eq!(output, "", "nothing is answered to nonsense");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_without_a_panic() {
    let mut output = Vec::new();
    let noise: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let result = converse::<Checkers>(&mut Random::new(1), &noise[..], &mut output, io::sink());
    assert!(matches!(result, Err(ConversationError::Protocol(_))));
    assert!(output.is_empty());
}

#[test]
fn the_end_of_input_is_no_error_wherever_it_comes() {
    let text = format!("b\n{}", first_turn());
    for end in 0..=text.len() {
        // Within a line, what has come of it is taken for all of it: a count may lack its last digit.
        if end > 0 && text.as_bytes()[end - 1] != b'\n' {
            continue;
        }
        let (result, output, _) = talk(&text[..end]);
        assert!(result.is_ok(), "{:?}", &text[..end]);
        assert_eq!(output.is_empty(), end < text.len());
    }
}

#[test]
fn a_stream_that_fails_says_that_the_conversation_broke_off() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let text = format!("b\n{}", first_turn());
    let error = converse::<Checkers>(&mut Random::new(1), text.as_bytes(), Closed, io::sink());
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "the conversation broke off: broken pipe");
}

/// The lines of the first turn of a game.
fn first_turn() -> String {
    let start = Checkers::start(&rules::CONTEST);
    let mut text = String::new();
    write_turn(&start, &start.legal_moves(), &mut text);
    text
}

/// What the random player makes of an input: how it ended, what it answered, what it logged.
fn talk(input: &str) -> (Result<(), ConversationError>, String, String) {
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let mut player = Random::new(1);
    let result = converse::<Checkers>(&mut player, input.as_bytes(), &mut output, &mut log);
    (
        result,
        String::from_utf8(output).unwrap(),
        String::from_utf8(log).unwrap(),
    )
}

/// The names of the moves that were played on `table`.
fn moves(table: &Table) -> Vec<String> {
    table.game.moves().map(|mv| mv.to_string()).collect()
}

fn parse(bot: &str) -> Bot {
    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        bot: Bot,
    }
    Line::parse_from(std::iter::once("bot").chain(bot.split(' '))).bot
}

/// A whole game of `bot` against the random player of this seed, and what the bot logged.
fn game(bot: &str, letter: char, seed: u64) -> (Table, String) {
    let table = RefCell::new(Table::new(letter, seed));
    let mut log = Vec::new();
    let input = BufReader::new(Questions {
        table: &table,
        pending: io::Cursor::default(),
    });
    let output = Replies {
        table: &table,
        line: Vec::new(),
    };
    converse(
        &mut *parse(bot).player::<Checkers>().unwrap(),
        input,
        output,
        &mut log,
    )
    .unwrap();
    (table.into_inner(), String::from_utf8(log).unwrap())
}

/// The bot's input: what the table asks, for as long as the game goes on.
struct Questions<'a> {
    table: &'a RefCell<Table>,
    pending: io::Cursor<Vec<u8>>,
}

impl Read for Questions<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.pending.read(buffer)?;
        if count > 0 {
            return Ok(count);
        }
        match self.table.borrow_mut().ask() {
            Some(text) => self.pending = io::Cursor::new(text.into_bytes()),
            None => return Ok(0),
        }
        self.pending.read(buffer)
    }
}

/// The bot's output: replies, which reach the table when they are flushed.
struct Replies<'a> {
    table: &'a RefCell<Table>,
    line: Vec<u8>,
}

impl Write for Replies<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
        let reply = line.strip_suffix('\n').expect("a reply is a whole line");
        self.table.borrow_mut().answer(reply);
        Ok(())
    }
}
