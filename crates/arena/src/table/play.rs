//! The loop that every game is played by: show the turn, ask the seat, judge the reply, play it, tell the
//! observers.
//!
//! Programs and people sit at the same table under different [`Policy`] values: a bot's illegal reply loses,
//! a person's is explained and asked again; and where turns may be taken back, the table asks about that
//! before each of them, a computer's too.

use super::{Answer, Seat, TableCommand, TimedReply, TurnRequest, Verdict, verdict};
use crownhead_bots::Board;
use crownhead_record::judge::TimeLimits;

/// Watches a game: shows it, or records it.
pub trait Observer {
    /// A turn begins, or a position is shown again after undo or redo. Comes before the end is looked for.
    fn turn_begins(&mut self, _board: &dyn Board) {}

    /// A player has replied in its turn; the reply is not judged yet.
    fn replied(&mut self, _player: usize, _reply: &TimedReply) {}

    /// A move has been played; the board shows the game with it.
    fn played(&mut self, _board: &dyn Board) {}
}

/// A game that is not watched.
impl Observer for () {}

/// How a table treats those who sit at it.
pub struct Policy<'a> {
    /// How long a player may think.
    pub limits: TimeLimits,
    /// Which players are told why a reply is illegal, and asked again; it costs the others the game, and those that are
    /// not in the list.
    pub asked_again: Vec<bool>,
    /// The game is called a draw after so many turns in a row that are not
    /// [zeroing](crownhead::position::Position::is_zeroing).
    pub adjudicate: Option<u32>,
    /// Asked before every turn for a command; without one the turn is played. `None` where turns are not taken
    /// back.
    pub before_turn: Option<&'a mut dyn FnMut() -> Option<TableCommand>>,
}

impl Policy<'_> {
    /// For bots: an illegal reply loses, and nothing is taken back.
    pub fn strict(limits: TimeLimits) -> Policy<'static> {
        Policy {
            limits,
            asked_again: Vec::new(),
            adjudicate: None,
            before_turn: None,
        }
    }
}

/// Plays the game on `board` on to its end and says how it came out.
///
/// `seats` are those of the players, by their numbers. A fault loses the game, unless it is the referee's; what an
/// illegal reply costs is the policy's to say.
pub fn play(
    board: &mut dyn Board,
    seats: &mut [&mut dyn Seat],
    policy: &mut Policy<'_>,
    observer: &mut dyn Observer,
) -> Verdict {
    let mut asked = vec![0; seats.len()];
    loop {
        observer.turn_begins(board);
        let adjudicated = || verdict::adjudicate(board, policy.adjudicate?);
        if let Some(verdict) = verdict::result_by_rules(board).or_else(adjudicated) {
            return verdict;
        }
        let wanted = policy.before_turn.as_mut().and_then(|ask| ask());
        let done = match wanted {
            Some(command) => TurnEnd::Command(command),
            None => {
                let player = board.mover();
                asked[player] += 1;
                let limit = policy.limits.of(asked[player]);
                let asked_again = policy.asked_again.get(player) == Some(&true);
                turn(board, seats[player], limit, asked_again, observer)
            }
        };
        match done {
            TurnEnd::Lost(verdict) => return verdict,
            TurnEnd::Move(name) => {
                assert!(board.play(&name), "a listed move is legal");
                observer.played(board);
            }
            TurnEnd::Command(TableCommand::Quit) => return verdict::abandoned(board),
            TurnEnd::Command(TableCommand::Undo { turns }) => {
                _ = (0..turns).take_while(|_| board.undo()).count();
            }
            TurnEnd::Command(TableCommand::Redo { turns }) => {
                _ = (0..turns).take_while(|_| board.redo()).count();
            }
        }
    }
}

/// How a turn ended.
enum TurnEnd {
    Move(String),
    Lost(Verdict),
    Command(TableCommand),
}

/// Asks one seat until its answer counts.
fn turn(
    board: &dyn Board,
    seat: &mut dyn Seat,
    limit: std::time::Duration,
    asked_again: bool,
    observer: &mut dyn Observer,
) -> TurnEnd {
    let moves = board.legal_moves();
    loop {
        let answer = seat.ask(&TurnRequest {
            board,
            moves: &moves,
            limit,
        });
        let answer = match answer {
            Answer::Command(command) => return TurnEnd::Command(command),
            Answer::Reply(answer) => answer,
        };
        observer.replied(board.mover(), &answer);
        let reply = match answer.reply {
            Ok(reply) => reply,
            Err(fault) => return TurnEnd::Lost(verdict::fault(&fault, board)),
        };
        match verdict::match_reply(&reply, &moves, board) {
            Ok(name) => return TurnEnd::Move(name),
            Err(fault) if asked_again => seat.refused(&fault.describe(board.mover_name())),
            Err(fault) => return TurnEnd::Lost(verdict::fault(&fault, board)),
        }
    }
}
