//! Reads figures from the output of a bot.
//!
//! Lines that begin with a tag are those of psyleague (github.com/FakePsyho/psyleague, ReadMe.md, "CodinGame play_game
//! script", at 15fcf7c) and CG Arena (github.com/aangairbender/cgarena, docs/match_attributes_and_filters.md and
//! assets/play_game.py, at 4dadb22):
//!
//! | line | what it says |
//! |---|---|
//! | `[TDATA] map_size = 20` | of the game, whichever player says it |
//! | `[PDATA] plan = rush` | of the player in this game |
//! | `[PDATA+] captured = 2` | the same, a sum of all that is said |
//! | `[PDATA][12] money = 6` | of the turn; so does `[TDATA][12]` |
//!
//! Other lines may have numbers of the turn anywhere. If a name occurs more than once, the last figure counts.

use super::{Figure, Figures, is_name, number};
use crate::GameRecord;
use serde_json::Number;

/// The words that name the number after them: those of chess engines (the Universal Chess Interface's `info`), and
/// those of searches by playouts.
const NAMES: [&str; 11] = [
    "depth",
    "seldepth",
    "score",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "iterations",
    "simulations",
    "playouts",
    "visits",
];

/// The most figures of a turn, of a player in a game, and of a game, so that no bot can fill a record with them.
const MOST: usize = 32;

/// The figures in the output of a turn: after a known word, as in `depth 17/30 score +176 nodes 375808`, in any
/// `name=number`, and in lines with a tag and a turn's number. That number is the bot's own count and is dropped: a
/// figure belongs to the turn in which it is printed.
///
/// `17/30` after `depth` means a depth and a selective depth.
pub fn read_said(text: &[u8]) -> Figures {
    let mut said = Figures::new();
    for line in String::from_utf8_lossy(text).lines() {
        match Tagged::read(line) {
            Some(tagged) if tagged.of_turn => put(&mut said, tagged.name, tagged.figure),
            Some(_) => {}
            None => read_untagged(line, &mut said),
        }
    }
    said
}

impl GameRecord {
    /// Reads the figures of the game and of its players from the stored standard error.
    pub fn read_figures(&mut self) {
        let mut of_game = Figures::new();
        let mut of_players = vec![Figures::new(); self.players.len()];
        let before = self.players.iter().map(|player| &player.stderr_before);
        let after = self.players.iter().map(|player| &player.stderr_after);
        let turns = self.turns.iter().map(|turn| (turn.player, &turn.stderr));
        let parts = before.enumerate().chain(turns).chain(after.enumerate());
        for (player, part) in parts {
            let text = String::from_utf8_lossy(&part.kept);
            let tagged = text.lines().filter_map(Tagged::read);
            for tagged in tagged.filter(|tagged| !tagged.of_turn) {
                let figures = match tagged.kind {
                    Kind::Game => &mut of_game,
                    Kind::Player | Kind::Sum => &mut of_players[player],
                };
                let before = figures.get(tagged.name);
                let figure = match (tagged.kind, before, tagged.figure) {
                    (Kind::Sum, Some(Figure::Number(sum)), Figure::Number(more)) => add(sum, &more),
                    (_, _, figure) => figure,
                };
                put(figures, tagged.name, figure);
            }
        }
        self.figures = of_game;
        for (player, figures) in self.players.iter_mut().zip(of_players) {
            player.figures = figures;
        }
    }
}

/// A line that begins with a tag.
struct Tagged<'a> {
    kind: Kind,
    /// Whether it has a turn's number.
    of_turn: bool,
    name: &'a str,
    figure: Figure,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Game,
    Player,
    Sum,
}

impl<'a> Tagged<'a> {
    fn read(line: &'a str) -> Option<Tagged<'a>> {
        let (tag, rest) = line.trim().strip_prefix('[')?.split_once(']')?;
        let kind = match tag.to_ascii_uppercase().as_str() {
            "TDATA" => Kind::Game,
            "PDATA" => Kind::Player,
            "PDATA+" => Kind::Sum,
            _ => return None,
        };
        let turn = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let turn = turn.filter(|(turn, _)| turn.parse::<u32>().is_ok());
        let (name, value) = turn.map_or(rest, |(_, rest)| rest).split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        (is_name(name) && !value.is_empty()).then(|| Tagged {
            kind,
            of_turn: turn.is_some(),
            name,
            figure: Figure::read(value),
        })
    }
}

fn put(figures: &mut Figures, name: &str, figure: Figure) {
    if figures.contains_key(name) || figures.len() < MOST {
        figures.insert(name.into(), figure);
    }
}

/// The sum; an integer if both are.
fn add(one: &Number, other: &Number) -> Figure {
    let whole = || one.as_i64()?.checked_add(other.as_i64()?);
    let sum = || Number::from_f64(one.as_f64()? + other.as_f64()?);
    let sum = whole().map(Number::from).or_else(sum);
    Figure::Number(sum.unwrap_or_else(|| one.clone()))
}

/// The numbers in a line without a tag.
fn read_untagged(line: &str, said: &mut Figures) {
    let mut put_number = |name: &str, text: &str| {
        let text = text.trim_end_matches([',', ';', ')', '.']);
        if let Some(number) = number(text) {
            put(said, name, Figure::Number(number));
        }
    };
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if let Some((name, number)) = word.split_once('=') {
            if is_name(name) {
                put_number(name, number);
            }
            continue;
        }
        let name = word.trim_end_matches(':');
        if !NAMES.contains(&name) {
            continue;
        }
        // `score cp 35`, as chess engines print it.
        words.next_if(|&next| name == "score" && next == "cp");
        let Some(number) = words.peek() else { break };
        match number.split_once('/').filter(|_| name == "depth") {
            Some((depth, selective)) => {
                put_number(name, depth);
                put_number("seldepth", selective);
            }
            None => put_number(name, number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LONGEST_NAME, LONGEST_TEXT};
    use super::*;
    use crate::stderr::Stderr;

    fn listed(figures: &Figures) -> String {
        let listed = figures
            .iter()
            .map(|(name, figure)| format!("{name}={figure}"));
        listed.collect::<Vec<_>>().join(" ")
    }

    fn said(text: &str) -> String {
        listed(&read_said(text.as_bytes()))
    }

    #[test]
    fn the_numbers_of_engines_and_any_that_are_named_are_read() {
        assert_eq!(
            said("depth 17/32 score +4 nodes 482304 5.66 Mn/s 85 ms pv C3D4"),
            "depth=17 nodes=482304 score=4 seldepth=32"
        );
        assert_eq!(
            said("info depth 5 score cp -35 nps 12"),
            "depth=5 nps=12 score=-35"
        );
        assert_eq!(
            said("eval=0.25, temp=-1e3; (beam=12)"),
            "eval=0.25 temp=-1000.0"
        );
        assert_eq!(said("depth: 4\ndepth: 5\n"), "depth=5");
        assert_eq!(
            said("x=1e15 y=1.1e15"),
            "x=1000000000000000.0",
            "the largest"
        );
    }

    #[test]
    fn what_is_no_number_of_a_name_is_left_alone() {
        for text in [
            "score win in 5",
            "depth",
            "nodes many",
            "move=C3B4",
            "=5",
            "3x=5",
            "x=nan y=inf z=",
            "File \"bot.py\", line 3",
            "[PDATA] money=5",
            "[TDATA] width = 5",
            "[PDATA][3]",
        ] {
            assert_eq!(said(text), "", "{text}");
        }
        let flood: String = (0..100).map(|n| format!("x{n}={n} ")).collect();
        assert_eq!(read_said(flood.as_bytes()).len(), MOST);
        assert!(read_said(b"\xff\xfe depth 3").contains_key("depth"));
    }

    #[test]
    fn a_tag_with_a_turn_s_number_says_a_figure_of_the_turn() {
        assert_eq!(
            said(
                "[PDATA][12] money = 6\n  [tdata][0]  empty = -0.5\n[PDATA][3] plan = all in\ndepth 4"
            ),
            "depth=4 empty=-0.5 money=6 plan=all in"
        );
        assert_eq!(said("[PDATA][x] money = 6"), "");
    }

    /// A game of two players who wrote these parts of standard error, in turn.
    fn game(before: &str, turns: &[&str], after: &str) -> GameRecord {
        let mut game: GameRecord = serde_json::from_str(
            r#"{"version": 3, "game": "checkers", "rules": "contest", "number": 1, "seed": 1,
            "players": [{"side": "black", "name": "one", "command": "x"},
                {"side": "red", "name": "two", "command": "y"}],
            "limits": {"first_turn_us": 1, "turn_us": 1}, "profile": "strict", "clock": "wall", "max_turns": 2,
            "opening": [], "turns": [], "scores": [1, 0], "termination": "no-moves", "reason": "why"}"#,
        )
        .unwrap();
        let stderr = |text: &str| Stderr {
            kept: text.into(),
            cut: 0,
        };
        game.players[0].stderr_before = stderr(before);
        game.players[1].stderr_after = stderr(after);
        game.turns = turns
            .iter()
            .enumerate()
            .map(|(place, text)| {
                let mut turn = crate::TurnRecord::new(place % 2, None, Default::default());
                turn.stderr = stderr(text);
                turn
            })
            .collect();
        game
    }

    #[test]
    fn figures_of_the_game_and_of_its_players_are_told_apart() {
        let mut game = game(
            "[TDATA] map = small\n[PDATA] version = 3",
            &[
                "[PDATA+] captured = 2\n[PDATA] plan = rush",
                "[TDATA] map = large\n[PDATA] plan = 7",
                "[PDATA+] captured = 3\n[PDATA][2] money = 4",
                "[PDATA+] lost = 1\n[PDATA+] lost = 0.5",
            ],
            "[PDATA] plan = none",
        );
        game.read_figures();
        assert_eq!(listed(&game.figures), "map=large");
        let [one, two] = [0, 1].map(|player| listed(&game.players[player].figures));
        assert_eq!(one, "captured=5 plan=rush version=3");
        assert_eq!(two, "lost=1.5 plan=none");
    }

    #[test]
    fn figures_come_back_from_a_record_and_none_of_a_stranger_s_steers_a_terminal() {
        let mut game = game("[TDATA] map = \u{1b}[2J", &["[PDATA] n = 0.5"], "");
        game.read_figures();
        assert_eq!(listed(&game.figures), r"map=\x1b[2J");
        let json = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), game);
        let hostile = json.replace(r"map", r"\u001b[2J");
        assert_ne!(hostile, json);
        let read: GameRecord = serde_json::from_str(&hostile).unwrap();
        assert_eq!(listed(&read.figures), "");
        let hostile = json.replace(r"\\x1b", r"\u001b");
        assert_ne!(hostile, json);
        let read: GameRecord = serde_json::from_str(&hostile).unwrap();
        assert_eq!(listed(&read.figures), r"map=\x1b[2J");
    }

    #[test]
    fn a_long_name_is_none_and_a_long_text_is_shortened() {
        let name = "n".repeat(LONGEST_NAME + 1);
        assert_eq!(said(&format!("[PDATA][1] {name} = 5")), "");
        let text = said(&format!("[PDATA][1] n = {}", "é".repeat(5000)));
        assert_eq!(text.chars().count(), "n=".len() + LONGEST_TEXT);
    }
}
