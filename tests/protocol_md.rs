//! `protocol.md` is played: what its examples show is what the library writes, reads and finds legal.
//!
//! Its fenced blocks are told apart by the word after the fence: `dialogue`, `board`, `position` and `input`
//! are checked line by line, `pseudo` is prose. A block of any other kind is refused, so that no example
//! goes unchecked.

use crownhead::board::Side;
use crownhead::game::Game;
use crownhead::games::checkers::rules::CONTEST;
use crownhead::games::checkers::{Checkers, CheckersMove};
use crownhead::notation::{Notation, Rows};
use crownhead::protocol::{write_colour, write_turn, Reader, Request};

#[test]
fn every_example_is_what_the_library_plays() {
    let text = protocol_md();
    let blocks = blocks(&text);
    check(&blocks).unwrap();
    for kind in ["dialogue", "board", "position", "input", "pseudo"] {
        assert!(blocks.iter().any(|block| block.kind == kind), "no {kind}");
    }
    let first = blocks
        .iter()
        .find(|block| block.kind == "dialogue")
        .unwrap();
    let opening: Vec<&str> = first.lines[1..9]
        .iter()
        .map(|line| words(line.text).1)
        .collect();
    let start = Checkers::start(&CONTEST).rows();
    assert_eq!(
        opening,
        start.lines().collect::<Vec<_>>(),
        "the first dialogue begins a game"
    );
}

#[test]
fn no_line_of_an_example_can_change_unnoticed() {
    let text = protocol_md();
    let blocks = blocks(&text);
    check(&blocks).unwrap();
    for (number, block) in blocks.iter().enumerate() {
        if block.kind == "pseudo" {
            continue;
        }
        let last = block.lines.len() - 1;
        for (index, line) in block.lines.iter().enumerate() {
            // The last letter of what the line says; what follows it in a dialogue is explanation.
            let said = match block.kind {
                "dialogue" => words(line.text).1,
                _ => line.text.trim(),
            };
            let end = said.as_ptr() as usize - line.text.as_ptr() as usize + said.len();
            let changed = format!("{}~{}", &line.text[..end - 1], &line.text[end..]);
            let mut altered = blocks.clone();
            altered[number].lines[index].text = &changed;
            assert!(
                check(&altered).is_err(),
                "{changed:?} for {line:?} goes unnoticed"
            );

            let mut shorter = blocks.clone();
            shorter[number].lines.remove(index);
            // A dialogue may break off after any complete line.
            if block.kind != "dialogue" || index < last {
                assert!(check(&shorter).is_err(), "nobody misses {line:?}");
            }
        }
    }
}

#[test]
fn what_is_said_of_the_rules_is_what_the_contest_s_rule_book_holds() {
    let text = protocol_md();
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = |fact: &str| assert!(joined.contains(fact), "protocol.md does not say {fact:?}");

    let turns = CONTEST.length.max_turns.expect("the contest's games end");
    says(&format!(
        "After {turns} turns, one side's move being a turn, the game is drawn."
    ));
    assert_eq!(CONTEST.length.max_turns_without_capture, None);
    says("none about turns without a capture");
    assert_eq!(CONTEST.side_name(CONTEST.moves_first), "black");
    says("Black moves first");

    for (side, first_rows) in [(Side::Black, "rows 1 to 3"), (Side::White, "rows 6 to 8")] {
        let letter = Checkers::side_letter(side);
        let name = CONTEST.side_name(side);
        let king = letter.to_ascii_uppercase();
        says(&format!(
            "| `{letter}` | {name} | `{letter}` men, `{king}` kings | {first_rows} |"
        ));
    }
    says("| `w` | red as well |");
    for (letter, side) in [('b', Side::Black), ('r', Side::White), ('w', Side::White)] {
        let mut line = String::new();
        write_colour(letter, &mut line);
        assert_eq!(Reader::new().push(&line), Ok(Some(Request::Colour(side))));
    }
}

fn protocol_md() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol.md");
    std::fs::read_to_string(path).expect("protocol.md is at the root of the repository")
}

/// A fenced block.
#[derive(Clone, Debug)]
struct Block<'a> {
    kind: &'a str,
    lines: Vec<Line<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    /// Its number in the file, from 1.
    number: usize,
    text: &'a str,
}

/// What went wrong, and at which line of the file.
type Checked = Result<(), String>;

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, text) in (1..).zip(text.lines()) {
        match (text.strip_prefix("```"), &mut open) {
            (Some(kind), None) => {
                open = Some(Block {
                    kind,
                    lines: Vec::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(Line { number, text }),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is left open");
    blocks
}

fn check(blocks: &[Block]) -> Checked {
    blocks.iter().try_for_each(|block| match block.kind {
        "dialogue" => check_dialogue(&block.lines),
        "board" => check_board(&block.lines),
        "position" => check_position(&block.lines),
        "input" => check_input(&block.lines),
        "pseudo" => Ok(()),
        other => Err(format!("a block of kind {other:?} is checked by nothing")),
    })
}

/// Who speaks in a line of a dialogue, and what is said; the rest is explanation.
fn words(line: &str) -> (&str, &str) {
    let mut words = line.split_whitespace();
    (words.next().unwrap_or(""), words.next().unwrap_or(""))
}

/// Plays a dialogue: the colour, then turns, replies and the opponent's moves, up to its last line.
fn check_dialogue(lines: &[Line]) -> Checked {
    let mut reader = Reader::new();
    let (colour, mut rest) = lines.split_first().ok_or("an empty dialogue")?;
    let Ok(Some(Request::Colour(bot))) = reader.push(words(colour.text).1) else {
        return fault(colour, "a colour");
    };
    let mut position = Checkers::from_rows(&rows(rest.iter().map(|line| words(line.text).1))?, bot)
        .map_err(|error| format!("line {}: {error}", colour.number + 1))?;
    let mut asked = false;
    while let Some((line, after)) = rest.split_first() {
        let mover = position.side_to_move();
        let expected_speaker = match (mover == bot, asked) {
            _ if position.outcome(&CONTEST).is_some() => "referee",
            (true, false) => "referee",
            (true, true) => "bot",
            (false, _) => CONTEST.side_name(mover),
        };
        let (speaker, said) = words(line.text);
        if speaker != expected_speaker {
            return fault(line, &format!("{expected_speaker} to speak"));
        }
        if position.outcome(&CONTEST).is_some() {
            return match (said, after) {
                ("(end)", []) => Ok(()),
                _ => fault(line, "the end of input, for the game is over"),
            };
        }
        if speaker == "referee" {
            rest = check_turn(&position, rest, &mut reader)?;
            asked = true;
        } else {
            let mv = listed_move(&position, said);
            position =
                position.play_unchecked(mv.ok_or(format!("line {}: no such move", line.number))?);
            asked = false;
            rest = after;
        }
    }
    Ok(())
}

/// Checks that `lines` begin with the turn that the referee writes and the bot reads; gives what follows it.
fn check_turn<'a>(
    position: &Checkers,
    lines: &'a [Line<'a>],
    reader: &mut Reader,
) -> Result<&'a [Line<'a>], String> {
    let moves = position.legal_moves();
    let mut written = String::new();
    write_turn(position, &moves, &mut written);
    let count = written.lines().count();
    let mut read = None;
    for (index, expected) in written.lines().enumerate() {
        let line = lines.get(index).ok_or("a turn breaks off")?;
        if words(line.text) != ("referee", expected) {
            fault(line, &format!("referee {expected}"))?;
        }
        read = reader.push(expected).map_err(|error| error.to_string())?;
        if read.is_some() != (index + 1 == count) {
            fault(
                line,
                "a turn to be complete with its last move, and not before",
            )?;
        }
    }
    let Some(Request::Turn(turn)) = read else {
        return Err(format!("not read as a turn: {written}"));
    };
    let names: Vec<String> = moves.iter().map(|&mv| position.move_name(mv)).collect();
    assert_eq!((turn.rows, &turn.moves), (position.rows(), &names));
    for (mv, name) in moves.iter().zip(&names) {
        let told = if mv.is_jump() { name.len() / 2 - 1 } else { 0 };
        assert_eq!(mv.jumps() as usize, told, "{name} takes n/2 - 1 pieces");
    }
    Ok(&lines[count..])
}

/// The starting position, with the names of its rows and columns.
fn check_board(lines: &[Line]) -> Checked {
    let start = Checkers::start(&CONTEST).rows();
    let mut expected: Vec<String> = (1..=8)
        .rev()
        .zip(start.lines())
        .map(|(row, line)| format!("{row}  {line}"))
        .collect();
    expected.push("   ABCDEFGH".into());
    check_lines(lines, &expected)
}

/// A position, who is to move, and all legal moves.
fn check_position(lines: &[Line]) -> Checked {
    let (mover, rest) = lines.split_first().ok_or("an empty position")?;
    let side = Side::BOTH
        .into_iter()
        .find(|&side| mover.text == format!("{} to move", CONTEST.side_name(side)));
    let Some(side) = side else {
        return fault(mover, "who is to move");
    };
    let position = Checkers::from_rows(&rows(rest.iter().map(|line| line.text))?, side)
        .map_err(|error| format!("line {}: {error}", mover.number))?;
    let mut expected: Vec<String> = position.rows().lines().map(String::from).collect();
    expected.push(format!("legal: {}", names(&position).join(" ")));
    check_lines(rest, &expected)
}

/// What a bot reads: its colour and one turn, to the letter.
fn check_input(lines: &[Line]) -> Checked {
    let mut reader = Reader::new();
    let mut requests = Vec::new();
    for line in lines {
        requests.extend(reader.push(line.text).map_err(|error| error.to_string())?);
    }
    let [Request::Colour(side), Request::Turn(turn)] = requests.as_slice() else {
        return Err(format!("not a colour and one turn: {lines:?}"));
    };
    let position = Checkers::from_rows(&turn.rows, *side).map_err(|error| error.to_string())?;
    let mut expected = String::new();
    write_colour(Checkers::side_letter(*side), &mut expected);
    write_turn(&position, &position.legal_moves(), &mut expected);
    check_lines(
        lines,
        &expected.lines().map(String::from).collect::<Vec<_>>(),
    )
}

fn check_lines(lines: &[Line], expected: &[String]) -> Checked {
    if lines.len() != expected.len() {
        return Err(format!(
            "expected {} lines, found {lines:?}",
            expected.len()
        ));
    }
    let differs = lines
        .iter()
        .zip(expected)
        .find(|(line, expected)| line.text != *expected);
    differs.map_or(Ok(()), |(line, expected)| fault(line, expected))
}

fn fault(line: &Line, expected: &str) -> Checked {
    let Line { number, text } = line;
    Err(format!(
        "protocol.md, line {number}: expected {expected}, found {text:?}"
    ))
}

fn rows<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Rows, String> {
    Rows::from_lines(lines.take(8)).map_err(|error| error.to_string())
}

fn names(position: &Checkers) -> Vec<String> {
    let moves = position.legal_moves();
    moves.iter().map(|&mv| position.move_name(mv)).collect()
}

/// The legal move of exactly this name: a referee does not guess.
fn listed_move(position: &Checkers, name: &str) -> Option<CheckersMove> {
    let mut moves = position.legal_moves().into_iter();
    moves.find(|&mv| position.move_name(mv) == name)
}
