//! The ways in which the turns of a bot that failed are put to it again, each with the mistake that it proves.

use super::script::{Expected, Failure, Finding, Script};
use crownhead_record::Termination;
use crownhead_record::judge::KNOWS_THE_LIVE_LINE;

/// One way. It proves its mistake if the bot gives the answers of all of `works` and fails in all of `fails`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// The first is tried first. A failure that comes from something else may be avoided by chance in one of them.
    pub(super) works: Vec<(Script, Expected)>,
    /// These exclude other explanations.
    pub(super) fails: Vec<Script>,
    pub(super) tells: Finding,
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
        ways.extend(alone(failure));
    } else if !timed_out {
        ways.extend(rest_of_the_count(failure));
        ways.extend(colours(failure));
    }
    ways
}

impl Failure<'_> {
    /// How many lines come before the number of moves.
    fn rows(&self) -> usize {
        self.size.rows.into()
    }

    /// How many lines come before the list: the board and the number of moves.
    fn head(&self) -> usize {
        self.rows() + 1
    }

    fn usual(&self) -> Script {
        self.script(self.turn, str::to_string)
    }

    /// A way that works with this script alone.
    fn one_way(&self, script: Script, mistake: impl Into<String>) -> Way {
        Way {
            works: vec![(script, Expected::Listed)],
            fails: vec![self.usual()],
            tells: Finding::Mistake(mistake.into()),
        }
    }

    /// The turns in which a way is tried that changes every turn.
    fn positions(&self) -> impl DoubleEndedIterator<Item = &str> {
        std::iter::once(self.turn).chain(self.elsewhere.as_deref())
    }

    /// A way that works where every turn is changed so.
    fn way(&self, change: impl Fn(&str) -> String, mistake: &str) -> Way {
        let works = self.positions().map(|turn| self.script(turn, &change));
        // One that has lost its place before the first turn alone finds it again in the next.
        let twice = self.before.is_none().then(|| self.two_turns(&change));
        let turns = self.positions().rev();
        let fails = turns.map(|turn| self.script(turn, str::to_string));
        let works = works.chain(twice);
        Way {
            works: works.map(|script| (script, Expected::Listed)).collect(),
            fails: fails.collect(),
            tells: Finding::Mistake(mistake.into()),
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
    let turn = failure.turn.to_string();
    let mut way = failure.one_way(
        vec![turn.clone()],
        "without the colour line it answers: it does not read that line, the first that it is sent",
    );
    // A bot that misreads each of its turns answers only one of them.
    way.works
        .push((vec![turn, elsewhere.into()], Expected::Listed));
    way.fails
        .insert(0, failure.script(elsewhere, str::to_string));
    Some(way)
}

/// Something after the number of moves, on its line.
fn rest_of_the_count(failure: &Failure<'_>) -> Option<Way> {
    failure.reply.filter(|reply| reply.trim().is_empty())?;
    let marked = lines_changed(failure.turn, |lines| {
        lines[failure.rows()] += &format!(" {MARK}")
    });
    let script = vec![format!("{}\n{marked}", failure.colour)];
    let mut way = failure.one_way(
        script,
        "it takes the rest of the line with the number of moves for the first move: after `std::cin >> n`, \
         `std::cin.ignore()` or `std::getline(std::cin >> std::ws, move)` goes on to the next line, in Java one more \
         `nextLine()`",
    );
    way.works[0].1 = Expected::OneOf(vec![MARK.into()]);
    Some(way)
}

/// The board with fewer rows, with more, and in reverse order.
fn rows(failure: &Failure<'_>) -> Vec<Way> {
    // In one position alone, any change of the board may happen to help.
    if failure.elsewhere.is_none() {
        return Vec::new();
    }
    let rows = failure.rows();
    let blank = || ".".repeat(failure.size.columns.into());
    let fewer = |turn: &str| lines_changed(turn, |lines| drop(lines.remove(rows - 1)));
    let mut too_few = failure.way(
        fewer,
        &format!(
            "with a row less it answers: it reads {} rows of the board, and there are {rows}",
            rows - 1
        ),
    );
    // A bot that takes as many rows as come may stumble over what stands in the last.
    let emptied = |turn: &str| lines_changed(turn, |lines| lines[rows - 1] = blank());
    too_few.fails.push(failure.script(failure.turn, emptied));

    // A bot that reads one more takes the number of moves for it.
    let count_twice =
        |turn: &str| lines_changed(turn, |lines| lines.insert(rows, lines[rows].clone()));
    let mut too_many = failure.way(
        count_twice,
        &format!(
            "with a line more after the board it answers: it reads {} rows of the board, and there are {rows}",
            rows + 1
        ),
    );
    // A bot that takes as many rows as come sees no other in that.
    let more = |turn: &str| lines_changed(turn, |lines| lines.insert(rows, blank()));
    too_many
        .works
        .push((failure.script(failure.turn, more), Expected::Listed));

    let mut upside_down = failure.way(
        str::to_string,
        &format!(
            "with the rows in reverse order it answers: it reads the board upside down, and row {rows} comes first"
        ),
    );
    // Its moves must come from the board: a bot that takes them from the list may stumble over what stands in a row.
    let reversed = |turn: &str| {
        lines_changed(turn, |lines| {
            lines[..rows].reverse();
            lines.truncate(rows);
            lines.extend(["1".into(), NO_MOVE.into()]);
        })
    };
    let works = failure.positions().map(|turn| {
        let moves = turn
            .lines()
            .skip(failure.head())
            .map(str::to_string)
            .collect();
        (failure.script(turn, reversed), Expected::OneOf(moves))
    });
    upside_down.works = works.collect();
    vec![too_few, too_many, upside_down]
}

/// Other colour lines.
fn colours(failure: &Failure<'_>) -> Vec<Way> {
    let told = |colour| failure.told(colour, failure.turn, str::to_string);
    let mut ways = Vec::new();
    if let Some(live) = failure.live_colour {
        let mut way = failure.one_way(told(live), KNOWS_THE_LIVE_LINE);
        // A bot that goes wrong for `r` alone would answer to any other letter.
        way.fails.push(told(failure.opponents_colour));
        ways.push(way);
    }
    let opponents = &failure.opponents_moves;
    let reply = failure.reply.unwrap_or_default().trim();
    if opponents.iter().any(|listed| listed == reply) {
        let mut way = failure.one_way(
            failure.usual(),
            "whatever colour it is told, it answers a move of its opponent's: it does not look at the colour line, the \
             first line that it is sent",
        );
        let letters = std::iter::once(failure.opponents_colour).chain(failure.live_colour);
        let letters = letters.chain([failure.colour]);
        let answer = Expected::OneOf(opponents.clone());
        way.works = letters
            .map(|letter| (told(letter), answer.clone()))
            .collect();
        ways.push(way);
    }
    ways
}

/// Parts of the list of the turn before.
fn shortened(failure: &Failure<'_>) -> Vec<Way> {
    let Some(before) = failure.before else {
        return Vec::new();
    };
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let head = failure.head();
    let moves = lines.len().saturating_sub(head);
    // The usual slips first: the last move forgotten, only the first one read, none.
    let mut shorter: Vec<usize> = (0..moves).rev().collect();
    shorter.sort_by_key(|&read| (read + 1 != moves, read > 1, read == 0));
    let way = |read: usize| {
        let first = format!("{}\n{}", failure.colour, lines[..head + read].concat());
        let mistake = format!(
            "it reads {read} of the {moves} moves of a list: the next line, `{}`, is still there when it reads its \
             next turn; read the whole list",
            lines[head + read].trim_end()
        );
        failure.one_way(vec![first, failure.turn.into()], mistake)
    };
    shorter.into_iter().take(MOST_SHORTENED).map(way).collect()
}

/// The turn without the one before.
fn alone(failure: &Failure<'_>) -> Option<Way> {
    Some(Way {
        tells: Finding::AnswersAlone,
        ..failure.one_way(failure.alone()?, "")
    })
}

fn lines_changed(turn: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut lines: Vec<String> = turn.lines().map(str::to_string).collect();
    change(&mut lines);
    lines.iter().map(|line| format!("{line}\n")).collect()
}
