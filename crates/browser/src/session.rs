//! All that a page asks, and the answers.

use super::analysis::{Findings, analyse};
use super::position::{PositionView, Setup, describe};
use super::table::{Challenge, Order, Table, TableView};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a page asks.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// What is to be known of a position.
    Position(Setup),
    /// An analysis, until it is done.
    Analysis(Setup),
    /// A game.
    Play {
        /// Which.
        challenge: Challenge,
        /// What the bot's chance follows from.
        seed: u64,
    },
    /// What the person wants at the table of the last game.
    Order(Order),
}

/// What a page gets: one answer or error for each request, and states after it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply<'a> {
    /// The answer of a position; nothing where something has begun.
    Answer(Option<PositionView>),
    /// Why there is no answer.
    Error(String),
    /// The state of the game.
    Table(&'a TableView<'a>),
    /// The state of the analysis.
    Analysis(&'a Findings),
}

/// A page's end: at most one game at a time.
#[derive(Default)]
pub struct Session {
    table: Option<Table>,
}

impl Session {
    /// Answers a request, as JSON. An analysis runs until it is done. To end it earlier, end the thread.
    pub fn answer(
        &mut self,
        request: &str,
        clock: &dyn Fn() -> Duration,
        tell: &mut dyn FnMut(&Reply<'_>),
    ) {
        let answered = serde_json::from_str(request).map_err(|error| error.to_string());
        let answered = answered.and_then(|request| self.try_answer(request, clock, tell));
        if let Err(error) = answered {
            tell(&Reply::Error(error));
        }
    }

    fn try_answer(
        &mut self,
        request: Request,
        clock: &dyn Fn() -> Duration,
        tell: &mut dyn FnMut(&Reply<'_>),
    ) -> Result<(), String> {
        let order = match request {
            Request::Position(setup) => {
                tell(&Reply::Answer(Some(describe(&setup)?)));
                return Ok(());
            }
            Request::Analysis(setup) => {
                let (game, rules) = setup.find()?;
                let board = setup.board(game, rules)?;
                if board.legal_moves().is_empty() {
                    return Err("the game is over in this position".into());
                }
                tell(&Reply::Answer(None));
                let mut show = |found: &Findings| tell(&Reply::Analysis(found));
                analyse(board.as_ref(), clock, &mut show);
                return Ok(());
            }
            Request::Play { challenge, seed } => {
                self.table = Some(Table::new(&challenge, seed)?);
                None
            }
            Request::Order(order) => Some(order),
        };
        let table = self.table.as_mut().ok_or("this game has ended")?;
        tell(&Reply::Answer(None));
        table.go_on(order.as_ref(), clock, &mut |view| tell(&Reply::Table(view)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The answers when a page asks these questions one after the other. The clock stands still.
    fn told(requests: &[Value]) -> Vec<Value> {
        let mut session = Session::default();
        let mut told = Vec::new();
        for request in requests {
            session.answer(&request.to_string(), &|| Duration::ZERO, &mut |reply| {
                told.push(serde_json::to_value(reply).unwrap());
            });
        }
        told
    }

    fn play(opponent: Value) -> Value {
        let challenge = json!({
            "game": "checkers", "rules": "contest", "opponent": opponent, "side": "black",
        });
        json!({"play": {"challenge": challenge, "seed": 1}})
    }

    #[test]
    fn the_bot_answers_a_move_and_both_are_taken_back_together() {
        let bot = json!({"built-in": "alphabeta --depth 3"});
        let made = json!({"order": {"move": "a3b4"}});
        let told = told(&[
            play(bot),
            made,
            json!({"order": "undo"}),
            json!({"order": "redo"}),
        ]);
        let tables: Vec<&Value> = told.iter().filter_map(|reply| reply.get("table")).collect();
        let turns = |table: &Value| table["turns"].as_array().unwrap().len();
        let counts: Vec<usize> = tables.iter().map(|table| turns(table)).collect();
        assert_eq!(counts, [0, 1, 2, 0, 2], "as the bot thinks, and after it");
        assert_eq!(tables[1]["legal"], json!([]));
        assert_eq!(tables[2]["players"], json!(["you", "alphabeta --depth 3"]));
    }

    #[test]
    fn an_illegal_move_is_refused_in_the_games_words_and_the_game_goes_on() {
        let told = told(&[play(json!("person")), json!({"order": {"move": "A3A4"}})]);
        let table = &told.last().unwrap()["table"];
        assert_eq!(table["message"], "no piece ever stands on A4");
        assert_eq!(table["legal"].as_array().unwrap().len(), 7);
    }

    #[test]
    fn a_malformed_request_is_explained_in_a_sentence() {
        let error = |request| told(&[request])[0]["error"].as_str().unwrap().to_string();
        assert!(error(play(json!({"built-in": "deep"}))).contains("no built-in opponent"));
        assert_eq!(error(json!({"order": "undo"})), "this game has ended");
        assert!(error(json!({"nonsense": 1})).contains("unknown variant"));
    }
}
