//! The readers of what strangers write, each with what must hold whatever they are given: fuzzed by the targets beside
//! this, and tried with their seeds and variants of these by `referee/tests/hostile_input.rs`.

pub mod published;
pub mod referee;
pub mod rows;

use crownhead::board::Side;
use crownhead::games::checkers::Checkers;
use crownhead::games::chess::rules::TWO_PLAYER;
use crownhead::notation::Notation;
use crownhead::position::Position;
use crownhead::protocol::{Request, RequestReader};
use crownhead_arena::contest::Contest;
use crownhead_arena::options::parse_time;
use crownhead_arena::runner::replay_site_game;
use crownhead_arena::seat::BotSpec;
use crownhead_bots::{CHECKERS, CHESS, checkers_board};
use crownhead_ladder::Config;
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use crownhead_record::openings::Source;
use crownhead_record::site::SiteGames;
use crownhead_record::{GameRecord, MoveLine, next_move, read_games, read_pdn, write_pdn};
use std::sync::atomic::AtomicBool;

/// Reads bytes that a stranger may have written, and panics where a reader keeps no promise.
pub type Reader = fn(&[u8]);

/// Every reader, by the name of its target and of the folder of its seeds.
pub const READERS: [(&str, Reader); 11] = [
    ("fen", fen),
    ("ladder_toml", ladder_toml),
    ("move_file", move_file),
    ("options", options),
    ("pdn", pdn),
    ("protocol", protocol),
    ("published", published::published),
    ("records", records),
    ("referee", referee::referee),
    ("rows", rows::rows),
    ("site_games", site_games),
];

/// The bytes as text; what is none is refused before any of these readers sees it.
fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_default()
}

/// FENs of draughts: what is read is written so that it is read again as the same position.
pub fn fen(bytes: &[u8]) {
    match Checkers::from_fen(text(bytes)) {
        Ok(position) => {
            assert_eq!(Checkers::from_fen(&position.to_fen()), Ok(position));
            for mv in position.legal_moves() {
                let _ = position.play_unchecked(mv);
            }
        }
        Err(error) => drop(error.to_string()),
    }
}

/// A ladder's configuration: it is understood, or refused with a reason.
pub fn ladder_toml(bytes: &[u8]) {
    if let Err(error) = Config::parse(text(bytes)) {
        drop(error.to_string());
    }
}

/// Files of chess moves: whatever stands in one, a game is played out of it, and each bad line is told with its number.
pub fn move_file(bytes: &[u8]) {
    let ends = bytes.iter().filter(|&&byte| byte == b'\n' || byte == b'\r');
    let lines = 1 + ends.count();
    let mut file = LineReader::new(bytes, LONGEST_TYPED_LINE);
    let mut board = CHESS.start(TWO_PLAYER);
    while let Ok(Some(read)) = next_move(&mut file, board.as_ref()) {
        let line = file.line();
        assert!(
            (1..=lines).contains(&line),
            "line {line} of {lines}: {read:?}"
        );
        if let MoveLine::Legal(name) = read {
            assert!(board.play(&name), "a move that is read is legal");
        }
    }
}

/// Portable Draughts Notation: what is read can be rebuilt or says why not, and what is written is read again.
pub fn pdn(bytes: &[u8]) {
    for game in read_pdn(text(bytes)).flatten() {
        if game.rebuild(CHECKERS).is_err() {
            continue;
        }
        if let Ok(text) = write_pdn(&game) {
            let again = read_pdn(&text).next().expect("one game");
            let again = again.expect("what is written is read");
            let replies = |game: &GameRecord| -> Vec<_> {
                game.turns.iter().map(|turn| turn.reply.clone()).collect()
            };
            assert_eq!(replies(&again), replies(&game));
        }
    }
}

/// What a referee may send, as a bot reads it: no line is too strange, and a turn that is understood can be played.
pub fn protocol(bytes: &[u8]) {
    let mut reader = RequestReader::new(Checkers::SIZE, ['b', 'r']);
    for line in text(bytes).lines() {
        let turn = match reader.push(line) {
            Ok(Some(Request::Turn(turn))) => turn,
            Ok(_) => continue,
            Err(error) => return drop(error.to_string()),
        };
        for side in Side::BOTH {
            let Ok(position) = Checkers::from_rows(&turn.rows, side) else {
                continue;
            };
            for name in &turn.moves {
                if let Ok(mv) = position.parse_move(name) {
                    let after = position.play(mv).expect("a move that is found is legal");
                    drop(after.to_fen());
                }
            }
        }
    }
}

/// Records of games, a JSON object a line: what is read can be rebuilt or says why not, and is written as it was read.
pub fn records(bytes: &[u8]) {
    for game in read_games(bytes) {
        match game {
            Ok(game) => {
                let _ = game.rebuild(CHECKERS).map_err(|error| error.to_string());
                let text = serde_json::to_string(&game).expect("a record is plain data");
                let again = read_games(text.as_bytes()).next();
                let again = again.expect("one line is one game");
                assert_eq!(again.expect("what is written is read"), game);
            }
            Err(error) => drop(error.to_string()),
        }
    }
}

/// Games of the site, in any form: each can be played again or says why not, and its record is read as it was written.
pub fn site_games(bytes: &[u8]) {
    let Ok(games) = SiteGames::new(bytes) else {
        return;
    };
    let contest = Contest::Board {
        game: CHECKERS,
        rules: CHECKERS.rule_books()[0],
    };
    for game in games.flatten() {
        assert!(game.players.len() >= 2 && game.frames.len() >= 2);
        let replayed = replay_site_game(&contest, 1, &game, &AtomicBool::new(false));
        if let Ok(record) = replayed {
            let text = serde_json::to_string(&record).expect("a record is plain data");
            let again = read_games(text.as_bytes()).next();
            again.expect("one line is one game").expect("a record");
        }
    }
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
