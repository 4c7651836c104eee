//! The loop that every game is played by: show the turn, ask the seat, judge the reply, play it, tell the
//! observers.
//!
//! Programs and people sit at the same table under different [`Policy`] values: a bot's illegal reply loses,
//! a person's is explained and asked again; and where turns may be taken back, the table asks about that
//! before each of them, a computer's too.

use super::{Answer, Command, Seated, TimedReply, TurnRequest, Verdict, verdict};
use crownhead::board::Side;
use crownhead::explain::Explain;
use crownhead::game::Game;
use crownhead::notation::Notation;
use crownhead_record::judge::TimeLimits;

/// Watches a game: shows it, or records it.
pub trait Observer<G: Notation> {
    /// A turn begins, or a position is shown again after undo or redo. Comes before the end is looked for.
    fn turn_begins(&mut self, _game: &Game<G>) {}

    /// `side` has replied in its turn; the reply is not judged yet.
    fn replied(&mut self, _side: Side, _reply: &TimedReply) {}

    /// A move has been played; `game` shows the game with it.
    fn played(&mut self, _game: &Game<G>) {}
}

/// A game that is not watched.
impl<G: Notation> Observer<G> for () {}

/// How a table treats those who sit at it.
pub struct Policy<'a> {
    /// How long a player may think.
    pub limits: TimeLimits,
    /// What an illegal reply costs black and white ([`Side::index`]).
    pub illegal_reply: [IllegalReply; 2],
    /// The game is called a draw after so many turns in a row that are not
    /// [zeroing](crownhead::position::Position::is_zeroing).
    pub adjudicate: Option<u32>,
    /// Asked before every turn for a command; without one the turn is played. `None` where turns are not taken
    /// back.
    pub before_turn: Option<&'a mut dyn FnMut() -> Option<Command>>,
}

/// What an illegal reply costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalReply {
    /// The game.
    Loses,
    /// Nothing: the seat is given the reason and asked again.
    IsAskedAgain,
}

impl Policy<'_> {
    /// For bots: an illegal reply loses, and nothing is taken back.
    pub fn strict(limits: TimeLimits) -> Policy<'static> {
        Policy {
            limits,
            illegal_reply: [IllegalReply::Loses; 2],
            adjudicate: None,
            before_turn: None,
        }
    }
}

/// Plays `game` on to its end and says how it came out.
///
/// `seats` are black's and white's ([`Side::index`]). A fault loses the game, unless it is the referee's; what
/// an illegal reply costs is the policy's to say.
pub fn play<G: Explain>(
    game: &mut Game<G>,
    seats: [&mut dyn Seated<G>; 2],
    policy: &mut Policy<'_>,
    observer: &mut dyn Observer<G>,
) -> Verdict {
    let mut asked = [false; 2];
    loop {
        observer.turn_begins(game);
        let adjudicated = || verdict::adjudicate(game, policy.adjudicate?);
        if let Some(verdict) = verdict::result_by_rules(game).or_else(adjudicated) {
            return verdict;
        }
        let wanted = policy.before_turn.as_mut().and_then(|ask| ask());
        let done = match wanted {
            Some(command) => TurnEnd::Command(command),
            None => {
                let side = game.position().side_to_move();
                let first_turn = !std::mem::replace(&mut asked[side.index()], true);
                let limit = match first_turn {
                    true => policy.limits.first_turn,
                    false => policy.limits.turn,
                };
                let illegal_reply = policy.illegal_reply[side.index()];
                turn(game, seats[side.index()], limit, illegal_reply, observer)
            }
        };
        match done {
            TurnEnd::Lost(verdict) => return verdict,
            TurnEnd::Move(mv) => {
                game.play(mv).expect("a listed move is legal");
                observer.played(game);
            }
            TurnEnd::Command(Command::Quit) => return verdict::abandoned(game),
            TurnEnd::Command(Command::Undo { turns }) => {
                _ = (0..turns).take_while(|_| game.undo()).count();
            }
            TurnEnd::Command(Command::Redo { turns }) => {
                _ = (0..turns).take_while(|_| game.redo()).count();
            }
        }
    }
}

/// How a turn ended.
enum TurnEnd<M> {
    Move(M),
    Lost(Verdict),
    Command(Command),
}

/// Asks one seat until its answer counts.
fn turn<G: Explain>(
    game: &Game<G>,
    seat: &mut dyn Seated<G>,
    limit: std::time::Duration,
    illegal_reply: IllegalReply,
    observer: &mut dyn Observer<G>,
) -> TurnEnd<G::Move> {
    let side = game.position().side_to_move();
    let moves = game.position().legal_moves();
    loop {
        let answer = seat.ask_any(&TurnRequest {
            game,
            moves: &moves,
            limit,
        });
        let answer = match answer {
            Answer::Command(command) => return TurnEnd::Command(command),
            Answer::Reply(answer) => answer,
        };
        observer.replied(side, &answer);
        let reply = match &answer.reply {
            Err(fault) => return TurnEnd::Lost(verdict::fault(fault, game)),
            Ok(reply) => reply,
        };
        match verdict::match_reply(reply, &moves, game) {
            Ok(mv) => return TurnEnd::Move(mv),
            Err(verdict) => match illegal_reply {
                IllegalReply::Loses => return TurnEnd::Lost(verdict),
                IllegalReply::IsAskedAgain => seat.tell_refused(&verdict.reason),
            },
        }
    }
}
