//! What was seen of a turn in which a bot failed, and what that is found to come from.

use crownhead_record::Termination;
use crownhead_record::judge::Spent;
use std::time::Duration;

/// What the process seat saw of a turn, apart from the reply and its time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct TurnFacts {
    /// Whether its reply was there before it was asked.
    pub(crate) early: bool,
    /// Whether a signal ended it.
    pub(crate) by_signal: bool,
    /// How many bytes of its turn before the bot had not read when it answered that.
    pub(crate) left_over: usize,
    /// How many bytes of all that it was sent it had not read when the turn ended; `None` if it had closed its
    /// input.
    pub(crate) unread: Option<usize>,
    /// What it had written of a line without an end.
    pub(crate) unfinished: Vec<u8>,
    /// How many lines it had answered, and how many were wanted.
    pub(crate) lines: [usize; 2],
    /// What it was doing when its time was up, if it had not answered then.
    pub(crate) doing: Option<Doing>,
}

/// What a bot is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doing {
    /// A thread of it runs or is ready to.
    Computes,
    /// It waits for its standard input.
    AwaitsInput {
        /// Nothing else can wake it: no thread of it waits for a timer or a lock.
        for_good: bool,
    },
    /// It waits for something else, such as a timer.
    Sleeps,
    /// The system does not show it.
    Unknown,
}

/// What a bot did that had not answered in time, when it could run on and was given more.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Probe {
    /// For how long it was waited for in all, from the moment it was asked, before it was given anything.
    pub(crate) watched: Duration,
    /// What it was doing in the end, if it had not answered.
    pub(crate) doing: Option<Doing>,
    /// The first line that it wrote, and what it took.
    pub(crate) answer: Option<(Took, Vec<u8>)>,
}

/// What it took until a bot answered that had not in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Took {
    /// Time.
    Time,
    /// One line more.
    OneLineMore,
    /// One turn more.
    NextTurn,
    /// The end of its input.
    End,
    /// The same, and then a second line came: the first had been kept back.
    Flush,
}

/// A turn in which a bot failed, as the referee saw it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailedTurn<'a> {
    /// How it failed.
    pub(crate) termination: Termination,
    /// Its time limit.
    pub(crate) limit: Duration,
    /// Where its time went; `None` if it was not waited for.
    pub(crate) spent: Option<Spent>,
    /// How often the bot has been asked, this turn included.
    pub(crate) own_turn: usize,
    /// The lines that it was sent for this turn, in its first turn with the colour line.
    pub(crate) sent: &'a str,
    /// Whether these are the lines of Crownhead's own protocol, with a board and a list of moves.
    pub(crate) has_board: bool,
    /// The same of its turn before.
    pub(crate) sent_before: Option<&'a str>,
    /// The line that it answered, printable.
    pub(crate) reply: Option<&'a str>,
    /// What else was seen.
    pub(crate) facts: &'a TurnFacts,
    /// What it did after a timeout.
    pub(crate) probe: &'a Probe,
    /// What it wrote on its standard error since the turn was sent.
    pub(crate) stderr: &'a [u8],
    /// The bytes of memory that it held in some of its turns, which are numbered from 1.
    pub(crate) memory: &'a [(usize, u64)],
}

/// What a failure comes from, as parts of a sentence.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Diagnosis {
    /// What goes with the verdict itself: the message of an exception, or how the time went.
    pub(crate) headline: Option<String>,
    /// Sentences without their full stops, one for each cause.
    pub(crate) causes: Vec<String>,
    /// A weaker one, for a failure without a known cause.
    pub(crate) hint: Option<String>,
    /// The last that a bot wrote on its standard error in the turn, where that is no exception's message: whether it has
    /// to do with the failure is not known.
    pub(crate) last_line: Option<String>,
}
