//! What is tried: a failure, the scripts by which a bot is put its turns again, and what it did with one.

use crate::table::Fault;
use crownhead_bots::BoardSize;
use crownhead_record::Termination;

/// A failure that is looked into. No turn has its colour line.
#[derive(Clone, Debug)]
pub(crate) struct Failure<'a> {
    pub(crate) termination: Termination,
    /// Of the board that its turns begin with.
    pub(crate) size: BoardSize,
    /// The letter of the bot's colour line.
    pub(crate) colour: char,
    /// The one that its opponent's colour has.
    pub(crate) opponents_colour: char,
    /// The one that the live site would have sent, if that is another.
    pub(crate) live_colour: Option<char>,
    /// How often the bot had been asked, the turn in which it failed included.
    pub(crate) own_turn: usize,
    /// The turn before, if there was one.
    pub(crate) before: Option<&'a str>,
    /// The turn in which it failed.
    pub(crate) turn: &'a str,
    /// A turn of the same side in another position, which an honest bot has no trouble with.
    pub(crate) elsewhere: Option<String>,
    /// What it answered, if it did.
    pub(crate) reply: Option<&'a str>,
    /// What its opponent could have played in its place.
    pub(crate) opponents_moves: Vec<String>,
}

/// What a bot is sent from its start, turn by turn, the first with the colour line.
pub(crate) type Script = Vec<String>;

/// What a bot did with a script: an answer for each turn, until it failed to give one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Seen {
    pub(crate) replies: Vec<Result<Vec<u8>, Fault>>,
    /// What else it wrote, if that was listened for.
    pub(crate) other: Vec<Other>,
}

/// What a bot wrote around its answer to a turn. A bot that has lost its place in the input answers before it has all of
/// a turn, or twice to one: a turn is put to it in parts, to know what it wrote when.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Other {
    /// The first line that it wrote when it knew its colour alone.
    pub(crate) to_colour: Option<Vec<u8>>,
    /// The first line that it wrote when it lacked the last line of the turn.
    pub(crate) early: Option<Vec<u8>>,
    /// What it wrote after its answer.
    pub(crate) after: Vec<Vec<u8>>,
}

/// What the trials show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// What the bot does that it should not.
    Mistake(String),
    /// It answers the turn where nothing comes before it.
    AnswersAlone,
    /// Nothing.
    Nothing,
}

/// What a bot must answer to the last turn of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// A move of that turn's list.
    Listed,
    /// One of these, with or without white space around it.
    OneOf(Vec<String>),
}

impl Expected {
    pub(crate) fn is_given(&self, script: &Script, seen: &Seen) -> bool {
        let Some(Ok(reply)) = seen.replies.get(script.len() - 1) else {
            return false;
        };
        match self {
            Expected::Listed => script.last().is_some_and(|turn| lists(turn, reply)),
            Expected::OneOf(texts) => {
                let reply = reply.trim_ascii();
                texts.iter().any(|text| text.as_bytes() == reply)
            }
        }
    }
}

impl Failure<'_> {
    /// The turn before and this one, each changed so.
    pub(crate) fn script(&self, turn: &str, change: impl Fn(&str) -> String) -> Script {
        self.told(self.colour, turn, change)
    }

    /// The same with another colour line.
    pub(crate) fn told(&self, colour: char, turn: &str, change: impl Fn(&str) -> String) -> Script {
        let turns = self.before.into_iter().chain([turn]);
        let mut script: Script = turns.map(change).collect();
        script[0].insert_str(0, &format!("{colour}\n"));
        script
    }

    /// The turn before and this one, or if there was none before, this one and another; each changed so.
    pub(crate) fn two_turns(&self, change: impl Fn(&str) -> String) -> Script {
        let mut script = self.script(self.turn, &change);
        if script.len() == 1 {
            script.extend(self.elsewhere.as_deref().map(change));
        }
        script
    }

    /// The turn as if it were the first, where it was not.
    pub(crate) fn alone(&self) -> Option<Script> {
        self.before?;
        Some(vec![format!("{}\n{}", self.colour, self.turn)])
    }

    /// Whether the bot failed in the last turn of a script, and in no other. Silence is a failure only where it was one
    /// in the game: a bot that is started anew may be slow for other reasons.
    pub(crate) fn is_repeated_by(&self, script: &Script, seen: &Seen) -> bool {
        match seen.replies.get(script.len() - 1) {
            Some(Ok(_)) => !Expected::Listed.is_given(script, seen),
            Some(Err(fault)) => match fault.termination() {
                Termination::Timeout => self.termination == Termination::Timeout,
                Termination::RefereeFault | Termination::CannotStart => false,
                _ => true,
            },
            None => false,
        }
    }
}

/// Whether a reply is a move of this turn's list.
pub(crate) fn lists(turn: &str, reply: &[u8]) -> bool {
    let is_count = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let mut moves = turn.lines().rev().take_while(|line| !is_count(line));
    moves.any(|listed| listed.as_bytes() == reply.trim_ascii_end())
}
