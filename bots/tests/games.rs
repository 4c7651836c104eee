//! Built-in bots play whole games over the line protocol, on streams in memory.

use crate::common::Table;
use clap::Parser;
use crownhead::games::checkers::Checkers;
use crownhead::network::Network;
use crownhead_bots::options::BuiltInBot;
use crownhead_bots::player_of;
use crownhead_contest::conversation::converse;
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
    let BuiltInBot::Alphabeta(search) = parse("alphabeta") else {
        panic!();
    };
    let time = search.limits().time.expect("a limit by default");
    assert_eq!(time, Duration::from_millis(100));
    let told = include_str!("../../protocol.md");
    assert!(told.contains(&format!("| every later turn | {} ms ", time.as_millis())));
}

/// The names of the moves that were played on `table`.
fn moves(table: &Table) -> Vec<String> {
    table.game.moves().map(|mv| mv.to_string()).collect()
}

fn parse(bot: &str) -> BuiltInBot {
    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        bot: BuiltInBot,
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
    let mut player = player_of::<Checkers, Network<Checkers>>(&parse(bot).spec().unwrap());
    converse(&mut *player, input, output, &mut log).unwrap();
    (table.into_inner(), String::from_utf8(log).unwrap())
}

/// The bot's input: what the table asks until the game ends.
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
