//! The ways in which the turns of a bot that failed are put to it again, each with the mistake that it proves.

use super::{Failure, Script, is_one_of, moves};
use crownhead_record::Termination;
use crownhead_record::judge::KNOWS_THE_LIVE_LINE;
use std::iter::once;

/// One way. It proves its mistake if the bot gives the answers of all of `works` and fails in all of `fails`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// Each with the answers that its last turn may have. The first is tried first. A failure that comes from something
    /// else may be avoided by chance in one of them.
    pub(super) works: Vec<(Script, Vec<String>)>,
    /// These exclude other explanations.
    pub(super) fails: Vec<Script>,
    pub(super) mistake: String,
}

/// The most shortened lists that are tried.
const MOST_SHORTENED: usize = 4;

/// What follows the number of moves where a bot is to show that it reads it.
const MARK: &str = "X";

/// Stands in a list of which no move may be answered.
const NO_MOVE: &str = "A1A1";

/// The ways for this failure, in the order in which they are tried: ten at most.
pub(super) fn ways(failure: &Failure<'_>, answers_alone: bool) -> Vec<Way> {
    let mut ways = Vec::new();
    ways.extend(colour_at_every_turn(failure));
    // What a bot waits for that did not answer, it is given after the game.
    let timed_out = failure.termination == Termination::Timeout;
    if !timed_out {
        ways.extend(without_colour(failure));
        ways.extend(rows(failure));
    }
    if answers_alone {
        ways.extend(shortened(failure));
        if !failure.has_hint {
            let mistake = "asked this turn alone, it answers: what it kept of its turns before, or left unread, leads it \
                           astray";
            ways.push(failure.one_way(failure.alone(), mistake));
        }
    } else if !timed_out {
        ways.extend(rest_of_the_count(failure));
        ways.extend(colours(failure));
    }
    ways
}

/// A script whose last turn must be answered with a move of its list.
fn listed(script: Script) -> (Script, Vec<String>) {
    let answers = script.last().map_or_else(Vec::new, |turn| moves(turn));
    (script, answers)
}

impl Failure<'_> {
    /// The same with the lines of every turn changed so.
    fn changed(&self, change: impl Fn(&mut Vec<String>)) -> Self {
        let changed = |turn: &String| {
            let mut lines: Vec<String> = turn.lines().map(str::to_string).collect();
            change(&mut lines);
            lines.iter().map(|line| format!("{line}\n")).collect()
        };
        Failure {
            before: self.before.as_ref().map(changed),
            turn: changed(&self.turn),
            elsewhere: self.elsewhere.as_ref().map(changed),
            ..self.clone()
        }
    }

    /// The scripts of a way that changes every turn: this turn and another.
    fn scripts(&self) -> impl DoubleEndedIterator<Item = Script> {
        let turns = once(&self.turn).chain(&self.elsewhere);
        turns.map(|turn| self.script(turn))
    }

    /// A way that works with this script alone.
    fn one_way(&self, script: Script, mistake: impl Into<String>) -> Way {
        Way {
            works: vec![listed(script)],
            fails: vec![self.usual()],
            mistake: mistake.into(),
        }
    }

    /// A way that works where every turn is changed so.
    fn way(&self, change: impl Fn(&mut Vec<String>), mistake: String) -> Way {
        let changed = self.changed(change);
        // One that has lost its place before the first turn alone finds it again in the next.
        let twice = self.before.is_none().then(|| changed.two_turns());
        Way {
            works: changed.scripts().chain(twice).map(listed).collect(),
            fails: self.scripts().rev().collect(),
            mistake,
        }
    }
}

/// The colour line before the second turn, too.
fn colour_at_every_turn(failure: &Failure<'_>) -> Option<Way> {
    let mut script = failure.usual();
    if failure.own_turn != 2 || script.len() != 2 {
        return None;
    }
    script[1].insert_str(0, &format!("{}\n", failure.colour));
    let mistake = "with the colour line before this turn too it answers: it reads that line at every turn, and it comes \
                   once, before the first turn";
    Some(failure.one_way(script, mistake))
}

/// The first turn, and nothing before it.
fn without_colour(failure: &Failure<'_>) -> Option<Way> {
    let elsewhere = failure.elsewhere.as_deref()?;
    if failure.own_turn != 1 {
        return None;
    }
    let turn = failure.turn.clone();
    let mut way = failure.one_way(
        vec![turn.clone()],
        "without the colour line it answers: it does not read that line, the first that it is sent",
    );
    // A bot that misreads each of its turns answers only one of them.
    way.works.push(listed(vec![turn, elsewhere.into()]));
    way.fails.insert(0, failure.script(elsewhere));
    Some(way)
}

/// Something after the number of moves, on its line.
fn rest_of_the_count(failure: &Failure<'_>) -> Option<Way> {
    failure.reply.filter(|reply| reply.trim().is_empty())?;
    let marked =
        failure.changed(|lines| lines[usize::from(failure.size.rows)] += &format!(" {MARK}"));
    let mut way = failure.one_way(
        marked.alone(),
        "it takes the rest of the line with the number of moves for the first move: after `std::cin >> n`, \
         `std::cin.ignore()` or `std::getline(std::cin >> std::ws, move)` goes on to the next line, in Java one more \
         `nextLine()`",
    );
    way.works[0].1 = vec![MARK.into(), format!(" {MARK}")];
    Some(way)
}

/// The board with fewer rows, with more, and in reverse order.
fn rows(failure: &Failure<'_>) -> Vec<Way> {
    // In one position alone, any change of the board may happen to help.
    if failure.elsewhere.is_none() {
        return Vec::new();
    }
    let rows = usize::from(failure.size.rows);
    let blank = || ".".repeat(failure.size.columns.into());
    let mut too_few = failure.way(
        |lines| drop(lines.remove(rows - 1)),
        format!(
            "with a row less it answers: it reads {} rows of the board, and there are {rows}",
            rows - 1
        ),
    );
    // A bot that takes as many rows as come may stumble over what stands in the last.
    let emptied = failure.changed(|lines| lines[rows - 1] = blank());
    too_few.fails.push(emptied.usual());

    // A bot that reads one more takes the number of moves for it.
    let mut too_many = failure.way(
        |lines| lines.insert(rows, lines[rows].clone()),
        format!(
            "with a line more after the board it answers: it reads {} rows of the board, and there are {rows}",
            rows + 1
        ),
    );
    // A bot that takes as many rows as come sees no other in that.
    let more = failure.changed(|lines| lines.insert(rows, blank()));
    too_many.works.push(listed(more.usual()));

    // Its moves must come from the board: a bot that takes them from the list may stumble over what stands in a row.
    let reversed = failure.changed(|lines| {
        lines[..rows].reverse();
        lines.truncate(rows);
        lines.extend(["1".into(), NO_MOVE.into()]);
    });
    let answers = failure.scripts().map(|script| listed(script).1);
    let upside_down = Way {
        works: reversed.scripts().zip(answers).collect(),
        fails: failure.scripts().rev().collect(),
        mistake: format!(
            "with the rows in reverse order it answers: it reads the board upside down, and row {rows} comes first"
        ),
    };
    vec![too_few, too_many, upside_down]
}

/// Other colour lines.
fn colours(failure: &Failure<'_>) -> Vec<Way> {
    let told = |colour| {
        let told = failure.clone();
        Failure { colour, ..told }.usual()
    };
    let mut ways = Vec::new();
    if let Some(live) = failure.live_colour {
        let mut way = failure.one_way(told(live), KNOWS_THE_LIVE_LINE);
        // A bot that goes wrong for `r` alone would answer to any other letter.
        way.fails.push(told(failure.opponents_colour));
        ways.push(way);
    }
    let opponents = &failure.opponents_moves;
    if is_one_of(opponents, failure.reply.unwrap_or_default().as_bytes()) {
        let letters = once(failure.opponents_colour).chain(failure.live_colour);
        let letters = letters.chain([failure.colour]);
        ways.push(Way {
            works: letters
                .map(|letter| (told(letter), opponents.clone()))
                .collect(),
            fails: vec![failure.usual()],
            mistake: "whatever colour it is told, it answers a move of its opponent's: it does not look at the colour \
                      line, the first line that it is sent"
                .into(),
        });
    }
    ways
}

/// Parts of the list of the turn before, where there was one.
fn shortened(failure: &Failure<'_>) -> Vec<Way> {
    let usual = failure.usual();
    let lines: Vec<&str> = usual[0].split_inclusive('\n').collect();
    // The colour line, the board and the number of moves.
    let head = usize::from(failure.size.rows) + 2;
    let moves = lines.len().saturating_sub(head);
    // The usual slips first: the last move forgotten, only the first one read, none.
    let mut shorter: Vec<usize> = (0..moves).rev().collect();
    shorter.sort_by_key(|&read| (read + 1 != moves, read > 1, read == 0));
    let way = |read: usize| {
        let first = lines[..head + read].concat();
        let mistake = format!(
            "it reads {read} of the {moves} moves of a list: the next line, `{}`, is still there when it reads its \
             next turn; read the whole list",
            lines[head + read].trim_end()
        );
        failure.one_way(vec![first, failure.turn.clone()], mistake)
    };
    shorter.into_iter().take(MOST_SHORTENED).map(way).collect()
}
