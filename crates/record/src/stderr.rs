//! A bot's standard error, byte for byte, and how much of it is kept.

use super::GameRecord;
use crate::Termination;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The last part of a bot's standard error in one part of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Stderr {
    /// The kept bytes.
    pub kept: Vec<u8>,
    /// The number of dropped bytes before them.
    pub cut: u64,
}

/// The form in records: text if the bytes are UTF-8, else base64 (RFC 4648, with padding).
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Written {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
    #[serde(skip_serializing_if = "is_nothing")]
    cut: u64,
}

fn is_nothing(count: &u64) -> bool {
    *count == 0
}

impl From<Stderr> for Written {
    fn from(stderr: Stderr) -> Written {
        let cut = stderr.cut;
        match String::from_utf8(stderr.kept) {
            Ok(text) => Written {
                text: (!text.is_empty()).then_some(text),
                base64: None,
                cut,
            },
            Err(bytes) => Written {
                text: None,
                base64: Some(BASE64_STANDARD.encode(bytes.as_bytes())),
                cut,
            },
        }
    }
}

impl TryFrom<Written> for Stderr {
    type Error = base64::DecodeError;

    fn try_from(written: Written) -> Result<Stderr, base64::DecodeError> {
        let kept = match (written.base64, written.text) {
            (Some(coded), _) => BASE64_STANDARD.decode(coded)?,
            (None, text) => text.unwrap_or_default().into_bytes(),
        };
        let cut = written.cut;
        Ok(Stderr { kept, cut })
    }
}

impl Stderr {
    /// Whether the bot wrote nothing.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.cut == 0
    }

    /// Its lines, the last one with or without its end.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.kept.split_inclusive(|&byte| byte == b'\n');
        lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line))
    }

    /// Drops the kept bytes, and counts them.
    pub fn forget(&mut self) {
        self.cut += std::mem::take(&mut self.kept).len() as u64;
    }

    /// How many bytes a record needs for it.
    pub(crate) fn stored_size(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        serde_json::to_string(self).map_or(0, |json| json.len())
    }
}

/// Which standard error a record keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StderrKept {
    /// That of every turn
    #[default]
    All,
    /// The last turn of a bot that lost by its own fault
    Faults,
    /// Nothing; the stats that were read from it stay
    None,
}

impl GameRecord {
    /// The output of the failed bot in the turn of its fault, and before it if that was its first turn. Includes the
    /// output after the turn if the bot ended by itself; otherwise that output may only complain about the end of
    /// input.
    pub fn stderr_of_fault(&self) -> Vec<u8> {
        let Some(turn) = self.fault_turn().map(|at| &self.turns[at]) else {
            return Vec::new();
        };
        let player = &self.players[turn.player];
        let before = match self.turns_of(turn.player).count() {
            1 => &player.stderr_before.kept[..],
            _ => &[],
        };
        let after = match self.termination {
            Termination::Timeout | Termination::IllegalReply | Termination::UnreadableReply => &[],
            _ => &player.stderr_after.kept[..],
        };
        [before, &turn.stderr.kept, after].concat()
    }

    /// Drops standard error that is not kept, and the rest as far as it exceeds `most` bytes of the record. The latest
    /// output, especially in the turn of a fault, is dropped last.
    pub fn keep_stderr(&mut self, kept: StderrKept, most: usize) {
        let fault = self.fault_turn();
        let failed = fault.map(|at| self.turns[at].player);
        let mut left = most;
        let mut keep = |stderr: &mut Stderr, wanted: bool| {
            let size = stderr.stored_size();
            match left.checked_sub(size).filter(|_| wanted) {
                Some(rest) => left = rest,
                None => stderr.forget(),
            }
        };
        let all = kept == StderrKept::All;
        let of_fault = kept == StderrKept::Faults;
        if let Some(at) = fault {
            keep(&mut self.turns[at].stderr, kept != StderrKept::None);
        }
        for (place, player) in self.players.iter_mut().enumerate() {
            let wanted = all || of_fault && failed == Some(place);
            keep(&mut player.stderr_after, wanted);
            keep(&mut player.stderr_before, wanted);
        }
        for turn in self
            .turns
            .iter_mut()
            .take(fault.unwrap_or(usize::MAX))
            .rev()
        {
            keep(&mut turn.stderr, all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::played;

    fn of(bytes: &[u8]) -> Stderr {
        let kept = bytes.to_vec();
        Stderr { kept, cut: 0 }
    }

    #[test]
    fn every_byte_comes_back_from_a_record() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [
            &b"depth 17\n"[..],
            b"",
            b"\x1b[2J\0",
            "é\n".as_bytes(),
            &all,
        ] {
            for cut in [0, 7] {
                let kept = bytes.to_vec();
                let stderr = Stderr { kept, cut };
                let json = serde_json::to_string(&stderr).unwrap();
                let read: Stderr = serde_json::from_str(&json).unwrap();
                assert_eq!(read, stderr, "{json}");
            }
        }
        let json = serde_json::to_string(&of(b"one\ntwo\n")).unwrap();
        assert_eq!(json, r#"{"text":"one\ntwo\n"}"#);
        assert!(serde_json::from_str::<Stderr>(r#"{"base64":"?"}"#).is_err());
    }

    #[test]
    fn a_last_line_needs_no_end() {
        let lines = |text: &[u8]| of(text).lines().map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(lines(b"a\n\nb"), [&b"a"[..], b"", b"b"]);
        assert_eq!(lines(b"a\n"), [b"a"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn forgotten_entries_are_counted_and_take_no_room() {
        let mut stderr = of(b"12345");
        assert!(!stderr.is_empty());
        assert_eq!(stderr.stored_size(), r#"{"text":"12345"}"#.len());
        stderr.forget();
        assert_eq!((stderr.kept.len(), stderr.cut), (0, 5));
        stderr.kept = b"678".to_vec();
        stderr.forget();
        assert_eq!(stderr.cut, 8);
        assert!(!stderr.is_empty(), "it wrote something");
        assert!(Stderr::default().is_empty());
        assert_eq!(Stderr::default().stored_size(), 0);
    }

    /// A game of six turns that bert, the second player, lost in the last turn in this way. Each part of standard error
    /// names itself.
    fn failed(how: Termination) -> GameRecord {
        let mut game = played(&["1", "2", "3", "4", "5", "6"]);
        (game.termination, game.scores) = (how, Some(vec![1.0, 0.0]));
        for (place, turn) in game.turns.iter_mut().enumerate() {
            turn.stderr = of(format!("turn {}", place + 1).as_bytes());
        }
        for player in &mut game.players {
            player.stderr_before = of(format!("before {}", player.name).as_bytes());
            player.stderr_after = of(format!("after {}", player.name).as_bytes());
        }
        game
    }

    #[test]
    fn a_fault_keeps_what_the_bot_wrote_in_that_turn_and_after_it_exited() {
        let said = |game: &GameRecord| String::from_utf8(game.stderr_of_fault()).unwrap();
        assert_eq!(said(&failed(Termination::Crash)), "turn 6after bert");
        for how in [
            Termination::Timeout,
            Termination::IllegalReply,
            Termination::UnreadableReply,
        ] {
            assert_eq!(said(&failed(how)), "turn 6", "it was ended by the referee");
        }
        assert_eq!(said(&failed(Termination::NoMoves)), "");
        let mut first = failed(Termination::Crash);
        first.turns.truncate(2);
        assert_eq!(said(&first), "before bertturn 2after bert");
    }

    /// What is kept of it.
    fn kept(mut game: GameRecord, which: StderrKept, most: usize) -> Vec<String> {
        game.keep_stderr(which, most);
        let players = game.players.iter();
        let parts = players.flat_map(|player| [&player.stderr_before, &player.stderr_after]);
        let parts = parts.chain(game.turns.iter().map(|turn| &turn.stderr));
        let texts = parts.map(|part| String::from_utf8(part.kept.clone()).unwrap());
        texts.filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn a_record_keeps_the_standard_error_that_is_wanted() {
        let all = kept(failed(Termination::Crash), StderrKept::All, usize::MAX);
        assert_eq!(all.len(), 10);
        let faults = kept(failed(Termination::Crash), StderrKept::Faults, usize::MAX);
        assert_eq!(faults, ["before bert", "after bert", "turn 6"]);
        let sound = kept(failed(Termination::NoMoves), StderrKept::Faults, usize::MAX);
        assert!(sound.is_empty(), "{sound:?}");
        let none = kept(failed(Termination::Crash), StderrKept::None, usize::MAX);
        assert!(none.is_empty(), "{none:?}");
    }

    #[test]
    fn the_last_output_is_kept_if_room_is_short_and_a_faults_first() {
        let size = of(b"turn 6").stored_size();
        let last = kept(failed(Termination::Crash), StderrKept::All, size);
        assert_eq!(last, ["turn 6"]);
        assert!(kept(failed(Termination::Crash), StderrKept::All, size - 1).is_empty());
        // If no bot failed: the output after the game first, then the last turns.
        let parts: usize = ["before anna", "after anna", "before bert", "after bert"]
            .map(|text| of(text.as_bytes()).stored_size())
            .iter()
            .sum();
        let last = kept(
            failed(Termination::NoMoves),
            StderrKept::All,
            parts + 2 * size,
        );
        assert_eq!(last[4..], ["turn 5", "turn 6"]);
    }
}
