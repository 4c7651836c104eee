//! `crownhead play`: people at the table.

mod players;
mod screen;

use super::options::board_of;
use super::output::GameFile;
use crate::failure::{Failure, about};
use clap::{Args, ValueEnum};
use crownhead::games::checkers::rules;
use crownhead_arena::seat::{Classroom, Dialogue, Person, SharedDialogue};
use crownhead_arena::table::{self, Observer, Policy, Seated, TableCommand, TurnLog, Verdict};
use crownhead_board::{Board, CHECKERS};
use crownhead_bots::games::ListedGame;
use crownhead_record::Termination;
use crownhead_record::input::InputError;
use crownhead_record::judge::TimeLimits;
use players::{AnySeat, GREEDY, HUMAN, PlayerChoice, Table};
use screen::{ClassroomScreen, Screen};
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Play at the table: people, computers and bots, in any game
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead play
  crownhead play human alphabeta
  crownhead play random greedy --seed 7
  crownhead play human human --undo
  crownhead play --game everchess human random
  crownhead play random random --delay 300ms
  crownhead play --game everchess --fen '8/2p5/3P4/1p6/8/8/5P2/8 w' human alphabeta
  crownhead play human alphabeta --record game.jsonl

Without players you play against greedy, on a board that is drawn anew. \
A player is human, random, greedy (or simple), alphabeta, or a bot's command line. Player 1 moves first. \
With --undo, moves can be taken back before each move.

Checkers is played by the classroom's rules and in its dialogue, where a piece and its move are picked from \
menus; at a terminal `help` and `quit` are understood there. Every other game, and checkers with --screen, has a board that a terminal draws anew in its place; \
there, `help` lists what you can type. Where no person sits, chess and contest checkers are drawn after 200 \
turns.

The chance of computers is drawn from --seed, else from the file seed.txt in this folder, else anew.")]
pub(super) struct Play {
    /// Who moves first [default: human]
    #[arg(value_name = "PLAYER1")]
    first: Option<String>,
    /// Who moves second [default: human; greedy if PLAYER1 is not given either]
    #[arg(value_name = "PLAYER2")]
    second: Option<String>,
    /// Whether moves can be taken back before each move, as --undo says
    #[arg(
        value_name = "HISTORY",
        default_value = "off",
        ignore_case = true,
        hide = true
    )]
    history: Switch,
    /// Let people take moves back before each move
    #[arg(long)]
    undo: bool,
    /// The game to play
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    game: ListedGame,
    /// The rule book [default: classroom for checkers, else the game's own]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// The position in which the game begins: FEN of draughts, or of every game its rows, the last first, with / between
    /// them, and the side to move [default: the start]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Write the game to this new file when it ends: PDN if its name ends in .pdn, else one JSON object, as `match --record`
    /// writes them
    #[arg(long, short = 'o', value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the file of --record if it is there
    #[arg(long, short, requires = "record")]
    force: bool,
    /// Repeats the chance of computers
    #[arg(long, short, value_name = "N")]
    seed: Option<u64>,
    /// Play classroom checkers on the redrawn board of the other games, with help, hint and undo, instead of in
    /// its dialogue
    #[arg(long)]
    screen: bool,
    /// Wait so long before each move of a computer, such as 300ms, so that one can watch
    #[arg(long, value_name = "TIME", value_parser = crownhead_arena::options::parse_time)]
    delay: Option<Duration>,
    #[command(flatten)]
    drawing: super::options::DrawingOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Switch {
    On,
    Off,
}

impl Play {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let names_no_player = self.first.is_none();
        let usual_second = if names_no_player { GREEDY } else { HUMAN };
        let players = [
            PlayerChoice::parse(self.first.as_deref().unwrap_or(HUMAN))?,
            PlayerChoice::parse(self.second.as_deref().unwrap_or(usual_second))?,
        ];
        let seed = players::seed(self.seed, &players)?;
        let is_checkers = self.game.name() == CHECKERS.name();
        let usual = is_checkers.then_some(rules::CLASSROOM.name);
        let rules = self.game.rules(self.rules.as_deref().or(usual));
        let rules = rules.map_err(about("--rules"))?;
        let one_board = self.screen || names_no_player;
        let in_the_classroom = is_checkers && !one_board && rules == rules::CLASSROOM;
        let table = Table::new(self.game, rules, players, seed, self.delay)?;
        let board = board_of(self.fen.as_deref(), self.game, table.rules)?;
        let open = |path: &PathBuf| GameFile::open(path, self.force, self.game.name());
        let record = self.record.as_ref().map(open).transpose()?;
        let game = OpenGame {
            table: &table,
            board,
            record,
        };
        if in_the_classroom {
            self.in_the_classroom(game)
        } else {
            self.in_plain_words(game)
        }
    }

    /// The classroom's dialogue, which is compared byte for byte: the same at a terminal and on a pipe, whatever
    /// the locale.
    fn in_the_classroom(&self, game: OpenGame<'_>) -> Result<(), Failure> {
        self.drawing.apply();
        let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
        let dialogue = Dialogue::new(&mut input, &mut output);
        let person = || -> AnySeat<'_> {
            Box::new(Classroom {
                dialogue: &dialogue,
                at_terminal: std::io::stdin().is_terminal(),
            })
        };
        let mut screen = ClassroomScreen {
            dialogue: &dialogue,
            ascii: self.drawing.ascii,
        };
        let table = game.table;
        let verdict = self.play(game, &dialogue, person, &mut screen)?;
        let won = |player: usize| format!("{} has won", table.rules.side_names[player]);
        let line = verdict.winner().map(won);
        if let Some(line) = line.or_else(|| verdict.is_draw().then(|| "draw".into())) {
            dialogue.borrow_mut().say_line(&line);
            // A bot's fault is not part of the dialogue.
            if !verdict.termination.is_regular() {
                anstream::eprintln!("{}", verdict.reason);
            }
        }
        finish(&dialogue)
    }

    /// Moves as text, with help on the way.
    fn in_plain_words(&self, game: OpenGame<'_>) -> Result<(), Failure> {
        let table = game.table;
        let drawing = self.drawing.apply();
        let mut input: Box<dyn BufRead> = Box::new(std::io::stdin().lock());
        let mut output: Box<dyn Write> = Box::new(anstream::stdout().lock());
        let dialogue = Dialogue::new(&mut input, &mut output);
        let against_person = table.players.iter().all(PlayerChoice::is_human);
        let person = || -> AnySeat<'_> {
            Box::new(Person {
                dialogue: &dialogue,
                against_person,
                adviser: table.adviser(),
            })
        };
        // Computers without a delay play too fast for boards in one place.
        let can_be_seen = table.person_sits() || self.delay.is_some();
        let in_place = can_be_seen && std::io::stdout().is_terminal();
        let first_move = game.board.legal_moves().into_iter().next();
        let welcome = first_move.filter(|_| self.first.is_none());
        let welcome = welcome.map(|name| {
            format!(
                "Type a move (such as {}), help or quit",
                name.to_lowercase()
            )
        });
        let mut screen = Screen {
            dialogue: &dialogue,
            drawing,
            in_place,
            welcome,
        };
        let verdict = self.play(game, &dialogue, person, &mut screen)?;
        let line = match verdict.winner() {
            Some(player) => {
                let winner = table.rules.side_names[player];
                Some(format!("{winner} has won: {}", verdict.reason))
            }
            None if verdict.is_draw() && verdict.termination == Termination::TurnLimit => {
                let reason = &verdict.reason;
                Some(format!("{reason} (the limit of games of computers alone)"))
            }
            None => verdict.is_draw().then(|| verdict.reason.clone()),
        };
        if let Some(line) = line {
            dialogue.borrow_mut().say_line(&line);
        }
        finish(&dialogue)
    }

    fn play<'a>(
        &self,
        game: OpenGame<'_>,
        dialogue: &'a SharedDialogue<'a>,
        person: impl Fn() -> AnySeat<'a>,
        screen: &mut dyn Observer,
    ) -> Result<Verdict, Failure> {
        let OpenGame {
            table,
            mut board,
            record,
        } = game;
        let mut black = table.seat(0, &person, dialogue)?;
        let mut white = table.seat(1, &person, dialogue)?;
        let mut ask = || ask_before_turn(dialogue);
        let mut policy = Policy {
            limits: TimeLimits::default(),
            asked_again: vec![table.is_person(0), table.is_person(1)],
            adjudicate: None,
            before_turn: (self.undo || self.history == Switch::On).then_some(&mut ask),
        };
        let limits = policy.limits;
        let mut log = TurnLog::new(board.as_ref(), screen);
        let seats: &mut [&mut dyn Seated] = &mut [&mut *black, &mut *white];
        let verdict = table::play(board.as_mut(), seats, &mut policy, &mut log);
        let played = log.record(board.as_ref(), table.records(), limits, verdict.clone());
        if let (Some(mut file), Some(played)) = (record, played) {
            file.add_all([&played])?;
        }
        Ok(verdict)
    }
}

/// A game that can begin.
struct OpenGame<'a> {
    table: &'a Table,
    board: Box<dyn Board>,
    /// Where it is written to.
    record: Option<GameFile>,
}

fn ask_before_turn(dialogue: &SharedDialogue<'_>) -> Option<TableCommand> {
    let mut dialogue = dialogue.borrow_mut();
    loop {
        let Some(answer) = dialogue.ask("undo, redo, or next") else {
            return Some(TableCommand::Quit);
        };
        match answer.to_ascii_lowercase().as_str() {
            "undo" => return Some(TableCommand::Undo { turns: 1 }),
            "redo" => return Some(TableCommand::Redo { turns: 1 }),
            "next" => return None,
            _ => dialogue.say_line("Please answer with one of these words"),
        }
    }
}

/// Flushes the output, and fails if either stream has failed.
fn finish(dialogue: &SharedDialogue<'_>) -> Result<(), Failure> {
    let done = dialogue.borrow_mut().finish();
    done.map_err(|error| {
        if InputError::is_cause_of(&error) {
            Failure::Usage(format!("standard input: {error}"))
        } else {
            error.into()
        }
    })
}
