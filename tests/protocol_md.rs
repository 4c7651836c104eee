//! `protocol.md` is played: what its examples show is what the library writes, reads and finds legal.
//!
//! The word after the fence says what a fenced block is: `dialogue`, `board`, `position` and `input` are checked line by
//! line, `pseudo` is prose, and `console` is parsed where the program is tested. A second word names the game, if it is
//! not checkers. A block of any other kind is refused, so that no example goes unchecked.

use crownhead::board::{BoardSize, Side};
use crownhead::games::checkers::rules::CONTEST;
use crownhead::games::checkers::Checkers;
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use crownhead::protocol::{write_colour, write_turn, Request, RequestReader};
use crownhead::rules::RuleBook;

#[test]
fn every_example_is_what_the_library_plays() {
    let text = protocol_md();
    let blocks = blocks(&text);
    check(&blocks).unwrap();
    for kind in ["dialogue", "board", "position", "input", "pseudo"] {
        assert!(blocks.iter().any(|block| block.kind == kind), "no {kind}");
    }
    for kind in ["dialogue", "board"] {
        for game in [Checkers::NAME, EverChess::NAME, Chess::NAME] {
            let shown = |block: &Block| (block.kind, block.game) == (kind, game);
            assert!(blocks.iter().any(shown), "no {kind} of {game}");
        }
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
fn the_page_states_the_rules_as_the_contests_rule_book_has_them() {
    let text = protocol_md();
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = |fact: &str| assert!(joined.contains(fact), "protocol.md does not say {fact:?}");

    let turns = CONTEST.length.max_turns.expect("the contest's games end");
    says(&format!(
        "After {turns} turns (a turn is one side's move), the game is drawn."
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
    says("| letter | the bot plays | its pawns in the rows | start on | move |");
    let plain = [(Side::Black, "row 7", "down"), (Side::White, "row 2", "up")];
    for (side, row, way) in plain {
        let letter = EverChess::side_letter(side);
        let name = everchess::rules::STANDARD.side_name(side);
        let [pawn, moved] = match side {
            Side::Black => ["p", "m"],
            Side::White => ["P", "M"],
        };
        says(&format!(
            "| `{letter}` | {name} | `{pawn}`, `{moved}` | {row} | {way} |"
        ));
    }
    let turns = chess::rules::TWO_PLAYER
        .length
        .max_turns
        .expect("chess ends");
    says(&format!("After {turns} turns the game is drawn."));
    for (letter, side) in [('b', Side::Black), ('r', Side::White), ('w', Side::White)] {
        let mut line = String::new();
        write_colour(letter, &mut line);
        assert_eq!(
            RequestReader::new(Checkers::SIZE, ['b', 'r']).push(&line),
            Ok(Some(Request::Colour(side)))
        );
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
    game: &'a str,
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
            (Some(words), None) => {
                let (kind, game) = words.split_once(' ').unwrap_or((words, Checkers::NAME));
                open = Some(Block {
                    kind,
                    game,
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
    blocks.iter().try_for_each(|block| match block.game {
        Checkers::NAME => check_block::<Checkers>(block),
        EverChess::NAME => check_block::<EverChess>(block),
        Chess::NAME => check_block::<Chess>(block),
        other => Err(format!("a block of {other:?}, which is no game")),
    })
}

/// The rule book that the page describes: the default.
fn rules<G: Notation>() -> &'static RuleBook {
    &G::RULE_BOOKS[0]
}

fn check_block<G: Notation>(block: &Block) -> Checked {
    match block.kind {
        "dialogue" => check_dialogue::<G>(&block.lines),
        "board" => check_board::<G>(&block.lines),
        "position" => check_position::<G>(&block.lines),
        "input" => check_input::<G>(&block.lines),
        "pseudo" | "console" => Ok(()),
        other => Err(format!("a block of kind {other:?} is checked by nothing")),
    }
}

/// Who speaks in a line of a dialogue, and what is said; the rest is explanation.
fn words(line: &str) -> (&str, &str) {
    let mut words = line.split_whitespace();
    (words.next().unwrap_or(""), words.next().unwrap_or(""))
}

/// Plays a dialogue: the colour, then turns, replies and the opponent's moves, up to its last line.
fn check_dialogue<G: Notation>(lines: &[Line]) -> Checked {
    let mut reader = RequestReader::new(Checkers::SIZE, ['b', 'r']);
    let (colour, mut rest) = lines.split_first().ok_or("an empty dialogue")?;
    let Ok(Some(Request::Colour(bot))) = reader.push(words(colour.text).1) else {
        return fault(colour, "a colour");
    };
    let mut position = G::from_rows(&rows(rest.iter().map(|line| words(line.text).1))?, bot)
        .map_err(|error| format!("line {}: {error}", colour.number + 1))?;
    let mut asked = false;
    while let Some((line, after)) = rest.split_first() {
        let mover = position.side_to_move();
        let expected_speaker = match (mover == bot, asked) {
            _ if position.outcome(rules::<G>()).is_some() => "referee",
            (true, false) => "referee",
            (true, true) => "bot",
            (false, _) => rules::<G>().side_name(mover),
        };
        let (speaker, said) = words(line.text);
        if speaker != expected_speaker {
            return fault(line, &format!("{expected_speaker} to speak"));
        }
        if position.outcome(rules::<G>()).is_some() {
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
fn check_turn<'a, G: Notation>(
    position: &G,
    lines: &'a [Line<'a>],
    reader: &mut RequestReader,
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
    if G::NAME == Checkers::NAME {
        for (&mv, name) in moves.iter().zip(&names) {
            let told = pieces_taken_by_name(name);
            assert_eq!(
                position.captures(mv) as usize,
                told,
                "{name} takes n/2 - 1 pieces"
            );
        }
    }
    Ok(&lines[count..])
}

/// How many pieces a move of checkers takes, as the page says: from its name alone.
fn pieces_taken_by_name(name: &str) -> usize {
    let columns_apart = name.as_bytes()[0].abs_diff(name.as_bytes()[2]);
    if columns_apart == 1 {
        0
    } else {
        name.len() / 2 - 1
    }
}

/// The starting position, with the names of its rows and columns.
fn check_board<G: Notation>(lines: &[Line]) -> Checked {
    let start = G::start(rules::<G>());
    let rows = start.rows();
    let mut expected: Vec<String> = (1..=8)
        .rev()
        .zip(rows.lines())
        .map(|(row, line)| format!("{row}  {line}"))
        .collect();
    // Columns are written as the names of moves have them.
    let capitals = names(&start)[0].starts_with(char::is_uppercase);
    let columns = if capitals { "ABCDEFGH" } else { "abcdefgh" };
    expected.push(format!("   {columns}"));
    check_lines(lines, &expected)
}

/// A position, who is to move, and all legal moves.
fn check_position<G: Notation>(lines: &[Line]) -> Checked {
    let (mover, rest) = lines.split_first().ok_or("an empty position")?;
    let side = Side::BOTH
        .into_iter()
        .find(|&side| mover.text == format!("{} to move", rules::<G>().side_name(side)));
    let Some(side) = side else {
        return fault(mover, "who is to move");
    };
    let position = G::from_rows(&rows(rest.iter().map(|line| line.text))?, side)
        .map_err(|error| format!("line {}: {error}", mover.number))?;
    let mut expected: Vec<String> = position.rows().lines().map(String::from).collect();
    expected.push(format!("legal: {}", names(&position).join(" ")));
    check_lines(rest, &expected)
}

/// What a bot reads: its colour and one turn, to the letter.
fn check_input<G: Notation>(lines: &[Line]) -> Checked {
    let mut reader = RequestReader::new(Checkers::SIZE, ['b', 'r']);
    let mut requests = Vec::new();
    for line in lines {
        requests.extend(reader.push(line.text).map_err(|error| error.to_string())?);
    }
    let [Request::Colour(side), Request::Turn(turn)] = requests.as_slice() else {
        return Err(format!("not a colour and one turn: {lines:?}"));
    };
    let position = G::from_rows(&turn.rows, *side).map_err(|error| error.to_string())?;
    let mut expected = String::new();
    write_colour(G::side_letter(*side), &mut expected);
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
    Rows::from_lines(BoardSize::default(), lines.take(8)).map_err(|error| error.to_string())
}

fn names<G: Notation>(position: &G) -> Vec<String> {
    let moves = position.legal_moves();
    moves.iter().map(|&mv| position.move_name(mv)).collect()
}

/// The legal move of exactly this name: a referee does not guess.
fn listed_move<G: Notation>(position: &G, name: &str) -> Option<G::Move> {
    let mut moves = position.legal_moves().into_iter();
    moves.find(|&mv| position.move_name(mv) == name)
}
