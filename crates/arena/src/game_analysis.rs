//! Analysis of a whole game by the built-in search: what each position is worth, which moves were mistakes and what was
//! better, and how often each player found the best move. The pages, exports and `replay` all show this one.
//!
//! Judgements are those of lichess: a move is judged by how far it lowers the chance to win, not by hundredths of a man,
//! so that a man less in a lost game is no mistake.

use crownhead::search::{MAX_PLY, WIN};
use crownhead_bots::{Board, Searcher, Subject, winner};
use crownhead_record::RecordedGame;
use serde::Serialize;

/// How far the chance to win falls by each kind of mistake, the gravest first. Lichess has .3, .2 and .1 on a scale from
/// -1 to 1, which is twice as long (`winningChanceJudgements` in `modules/tree/src/main/Advice.scala` of
/// lichess-org/lila).
const JUDGEMENTS: [(f64, Judgement); 3] = [
    (0.15, Judgement::Blunder),
    (0.10, Judgement::Mistake),
    (0.05, Judgement::Inaccuracy),
];

/// What each position of a game is searched with: repeatable, and 60 positions take a few seconds.
const NODES: u64 = 100_000;

/// The size of the transposition table, in mebibytes.
const TABLE: usize = 16;

/// Worth beyond this, in hundredths of a man, is decided.
const DECIDED: i32 = 1000;

/// The most moves of a better line that are shown.
const LONGEST_LINE: usize = 8;

/// How grave a mistake is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// The chance to win falls by 5 %.
    Inaccuracy,
    /// It falls by 10 %.
    Mistake,
    /// It falls by 15 %.
    Blunder,
}

impl Judgement {
    /// Of a move by which the chance to win falls so far; `None` for one that is no mistake.
    fn of(fell: f64) -> Option<Judgement> {
        let judged = JUDGEMENTS.iter().find(|(least, _)| fell >= *least);
        judged.map(|(_, judgement)| *judgement)
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// A move after which the evaluation fell.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mistake {
    /// The number of its turn, from 1 for the first of the game.
    pub turn: usize,
    /// Who played it.
    pub player: usize,
    /// How grave it is.
    pub judgement: Judgement,
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// What the position was worth for the player before the move, in words.
    pub before: String,
    /// What it was worth after the move.
    pub after: String,
    /// The better move, and what might have followed.
    pub better: Vec<String>,
    /// How far the chance to win fell.
    #[serde(skip)]
    fell: f64,
}

/// How often a player found the best move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct BestMoves {
    /// The turns in which it played the best move, or one that is worth as much.
    pub found: usize,
    /// The turns in which there was a choice.
    pub of: usize,
}

/// What a search thinks of a whole game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameAnalysis {
    /// The player whose chances and worths are given: the one that moves first.
    pub player: usize,
    /// How many turns were played before the first position that was analysed: those of the opening.
    pub opening: usize,
    /// The chance of that player to win, in percent, in each position from there to the last.
    pub chances: Vec<u8>,
    /// What each of these positions is worth for that player, in words.
    pub worths: Vec<String>,
    /// The mistakes of both players, in the order of the game.
    pub mistakes: Vec<Mistake>,
    /// How often each player found the best move.
    pub best: [BestMoves; 2],
}

/// What is known of one position.
struct Evaluation {
    /// For the player that moves in it.
    score: i32,
    /// The best line; empty where the game is over.
    line: Vec<String>,
}

impl GameAnalysis {
    /// Analyses a game. `go_on` gets how many positions are searched and how many there are, and returns whether to continue.
    /// `None` if it returns false.
    pub fn new(
        recorded: &RecordedGame<'_>,
        mut go_on: impl FnMut(usize, usize) -> bool,
    ) -> Option<GameAnalysis> {
        let opening = recorded.record().opening.len();
        let last = recorded.before(usize::MAX).turn() as usize;
        let mut searcher = recorded.game().searcher(TABLE);
        let boards: Vec<_> = (opening + 1..=last.max(opening + 1))
            .map(|number| recorded.before(number))
            .collect();
        let mut evaluations = Vec::new();
        for (done, board) in boards.iter().enumerate() {
            if !go_on(done, boards.len()) {
                return None;
            }
            evaluations.push(evaluate(searcher.as_mut(), board.as_ref()));
        }
        let player = boards[0].rules().moves_first.index();
        let score = |(board, found): (&dyn Board, &Evaluation)| {
            let is_own = board.mover() == player;
            if is_own { found.score } else { -found.score }
        };
        let shown = boards.iter().map(AsRef::as_ref);
        let scores: Vec<i32> = shown.zip(&evaluations).map(score).collect();
        let mut analysis = GameAnalysis {
            player,
            opening,
            chances: scores.iter().map(|&score| percent(score)).collect(),
            worths: scores.iter().map(|&score| show_worth(score)).collect(),
            mistakes: Vec::new(),
            best: [BestMoves::default(); 2],
        };
        for (place, after) in boards.iter().enumerate().skip(1) {
            let before = boards[place - 1].as_ref();
            let mover = before.mover();
            let for_mover = |score: i32| if mover == player { score } else { -score };
            let played = after.moves().pop().unwrap_or_default();
            let [then, now] = [place - 1, place].map(|place| for_mover(scores[place]));
            let turn = opening + place;
            analysis.judge(
                before,
                turn,
                played,
                &evaluations[place - 1].line,
                then,
                now,
            );
        }
        Some(analysis)
    }

    /// Judges a move, by what the position was worth for its player before it and after it.
    fn judge(
        &mut self,
        board: &dyn Board,
        turn: usize,
        played: String,
        line: &[String],
        before: i32,
        after: i32,
    ) {
        // A move without a choice is neither found nor missed.
        if board.legal_moves().len() < 2 {
            return;
        }
        let player = board.mover();
        let fell = chance(before) - chance(after);
        let is_best = fell <= 0.0 || line.first() == Some(&played);
        self.best[player].of += 1;
        self.best[player].found += usize::from(is_best);
        let judgement = Judgement::of(fell).filter(|_| !is_best);
        self.mistakes.extend(judgement.map(|judgement| Mistake {
            turn,
            player,
            judgement,
            played,
            before: show_worth(before),
            after: show_worth(after),
            better: line.iter().take(LONGEST_LINE).cloned().collect(),
            fell,
        }));
    }

    /// The gravest mistake of the loser, or of either player in a game without a loser.
    pub fn gravest(&self, winner: Option<usize>) -> Option<&Mistake> {
        let mistakes = self.mistakes.iter();
        let of_loser = mistakes.filter(|mistake| winner != Some(mistake.player));
        of_loser.max_by(|one, other| one.fell.total_cmp(&other.fell))
    }

    /// How many mistakes of this kind a player made.
    pub fn count(&self, player: usize, judgement: Judgement) -> usize {
        let mistakes = self.mistakes.iter();
        mistakes
            .filter(|mistake| (mistake.player, mistake.judgement) == (player, judgement))
            .count()
    }
}

fn evaluate(searcher: &mut dyn Searcher, board: &dyn Board) -> Evaluation {
    let found = match board.result() {
        None => searcher.search(&Subject::new(board), MAX_PLY, &mut |nodes| nodes >= NODES),
        // Some games end by a rule of length while there are moves.
        Some(_) => None,
    };
    if let Some(found) = found {
        return Evaluation {
            score: found.score,
            line: found.principal_variation,
        };
    }
    let winner = board.result().and_then(|ended| winner(&ended.scores));
    let score = winner.map_or(0, |winner| if winner == board.mover() { WIN } else { -WIN });
    Evaluation {
        score,
        line: Vec::new(),
    }
}

/// How likely a side wins to which its position is worth this, by a logistic curve: a man more is two wins in three.
/// By it a mistake in an equal game counts for more than one in a lost game.
fn chance(worth: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(worth) / 150.0).exp())
}

/// Worth for people: `+1.76` men.
fn show_worth(worth: i32) -> String {
    match worth {
        DECIDED.. => "won".into(),
        _ if worth <= -DECIDED => "lost".into(),
        _ => format!("{:+.2}", f64::from(worth) / 100.0),
    }
}

fn percent(score: i32) -> u8 {
    (100.0 * chance(score)).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_bots::games;
    use crownhead_record::GameRecord;

    /// A game of contest checkers from its start with these moves, black's first.
    fn record(moves: &[&str]) -> GameRecord {
        let turns = moves
            .iter()
            .enumerate()
            .map(|(turn, name)| serde_json::json!({ "player": turn % 2, "reply": name, "us": 1 }));
        let record = serde_json::json!({
            "version": crownhead_record::VERSION, "game": "checkers", "rules": "contest",
            "profile": "strict", "clock": "wall", "number": 1, "seed": 1,
            "players": [{"side": "black", "name": "one", "command": "x"}, {"side": "red", "name": "two", "command": "y"}],
            "limits": {"first_turn_us": 1_000_000, "turn_us": 100_000}, "max_turns": 200,
            "opening": [], "turns": turns.collect::<Vec<_>>(), "scores": [0, 1], "termination": "abandoned", "reason": "why",
        });
        serde_json::from_value(record).unwrap()
    }

    fn analyse(
        record: &GameRecord,
        go_on: impl FnMut(usize, usize) -> bool,
    ) -> Option<GameAnalysis> {
        let game = games::find("checkers").unwrap();
        let recorded = RecordedGame::new(record, game).unwrap();
        GameAnalysis::new(&recorded, go_on)
    }

    /// In the second turn of black a man is given away.
    const GIVEN_AWAY: [&str; 4] = ["C3B4", "D6C5", "B4D6", "E7C5"];

    #[test]
    fn every_position_is_valued_and_each_progress_is_reported() {
        let mut told = Vec::new();
        let analysis = analyse(&record(&GIVEN_AWAY), |done, all| {
            told.push((done, all));
            true
        });
        let analysis = analysis.unwrap();
        assert_eq!(told, [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5)]);
        assert_eq!((analysis.chances.len(), analysis.worths.len()), (5, 5));
        assert_eq!(analysis.opening, 0);
        // Forced captures are no choice.
        let choices = analysis.best.map(|best| best.of);
        assert!(choices.iter().sum::<usize>() <= 3, "{choices:?}");
    }

    #[test]
    fn an_analysis_that_is_cancelled_gives_nothing() {
        assert_eq!(analyse(&record(&GIVEN_AWAY), |done, _| done < 2), None);
    }

    #[test]
    fn a_fall_is_judged_as_lichess_does() {
        let judged = [0.04, 0.05, 0.1, 0.15, 1.0].map(Judgement::of);
        let named = judged.map(|judgement| judgement.map_or("", Judgement::name));
        assert_eq!(named, ["", "inaccuracy", "mistake", "blunder", "blunder"]);
    }
}
