//! `crownhead play`: games with people.

mod players;

use super::options::board_of;
use super::output::GameFile;
use super::progress::note;
use crate::draw::{self, Drawing, directions};
use crate::failure::{Failure, about};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};
use crownhead::games::checkers::rules;
use crownhead::rules::RuleBook;
use crownhead_arena::headings::OUTPUT;
use crownhead_arena::seat::{Classroom, Dialogue, Person, SharedDialogue};
use crownhead_arena::table::{self, Observer, Policy, Seat, TableCommand, TurnLog, Verdict};
use crownhead_bots::options::game_parser;
use crownhead_bots::{Board, BoardGame, CHECKERS, games, winner};
use crownhead_record::Termination;
use crownhead_record::judge::TimeLimits;
use players::{AnySeat, GREEDY, HUMAN, PlayerChoice, Table};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Play a game yourself, against a bot or a person
#[derive(Debug, Args)]
#[command(
    override_usage = "crownhead play [OPTIONS] [PLAYER1] [PLAYER2]",
    before_help = "\
Examples:
  crownhead play
  crownhead play human alphabeta
  crownhead play --game everchess human random",
    after_long_help = "\
More examples:
  crownhead play human human --undo
  crownhead play random greedy --seed 7
  crownhead play random random --delay 300ms
  crownhead play human alphabeta --record game.jsonl
  crownhead play --game chess --fen '7k/8/8/8/8/8/8/R6K w' human alphabeta

Without players, you play against greedy, on a board that is redrawn. A player is human, random, greedy (or simple), \
alphabeta, or a bot's command. Player 1 moves first. With --undo, people can take moves back before each move.

Checkers is played by the rules of the classroom and in its dialogue: you pick a piece and its move from menus. At a \
terminal, `help` and `quit` work there. Every other game, and checkers with --screen, shows a board that is redrawn in its \
place; there, `help` lists what you can type. If no person plays, chess and contest checkers end in a draw after 200 turns.

The random choices of computers come from --seed. Without it, they come from the file seed.txt in this folder, if there is \
one.

Exit status: 0 the game was played or left; 1 it failed; 2 unusable arguments."
)]
pub(super) struct Play {
    /// Player who moves first [default: human]
    #[arg(value_name = "PLAYER1")]
    first: Option<String>,
    /// Player who moves second [default: human, or greedy without PLAYER1]
    #[arg(value_name = "PLAYER2")]
    second: Option<String>,
    /// Whether people can take moves back, as --undo says
    #[arg(
        value_name = "HISTORY",
        default_value = "off",
        ignore_case = true,
        action = ArgAction::Set,
        value_parser = PossibleValuesParser::new(["on", "off"]).map(|word| word.eq_ignore_ascii_case("on")),
        hide = true
    )]
    history: bool,
    /// Let people take moves back before each move
    #[arg(long)]
    undo: bool,
    /// Wait before each move of a computer, so that you can watch, such as 300ms
    #[arg(long, value_name = "TIME", value_parser = crownhead_arena::options::parse_time)]
    delay: Option<Duration>,
    /// Seed of the computers' random choices, to repeat a game
    #[arg(long, short, value_name = "N")]
    seed: Option<u64>,
    /// Write the game to a new file when it ends: PDN if it ends in .pdn, else JSON
    #[arg(long, short = 'o', value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the file of --record if it exists
    #[arg(long, short, requires = "record")]
    force: bool,
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser(), help_heading = GAME)]
    game: &'static dyn BoardGame,
    /// Rule book [default: classroom for checkers, else the game's own]
    #[arg(long, value_name = "NAME", help_heading = GAME)]
    rules: Option<String>,
    /// Position to start from: FEN of draughts, or the rows and the side to move
    ///
    /// Rows start with the last one and have / between them, such as '8/2p5/3P4/1p6/8/8/5P2/8 w'.
    #[arg(long, value_name = "FEN", help_heading = GAME)]
    fen: Option<String>,
    /// Play classroom checkers on a redrawn board, with help, hints and undo
    #[arg(long, help_heading = OUTPUT)]
    screen: bool,
    #[command(flatten)]
    drawing: super::options::DrawingOptions,
}

/// The heading of the options that say what is played.
const GAME: &str = "Game";

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
        let drawing = self.drawing.apply();
        let mut input = std::io::stdin().lock();
        let mut output: Box<dyn Write> = match in_the_classroom {
            // Its dialogue is compared byte for byte: it is the same at a terminal and on a pipe.
            true => Box::new(std::io::stdout().lock()),
            false => Box::new(anstream::stdout().lock()),
        };
        let dialogue = &Dialogue::new(&mut input, &mut output);
        let against_person = table.players.iter().all(PlayerChoice::is_human);
        let person = || -> AnySeat<'_> {
            match in_the_classroom {
                true => Box::new(Classroom {
                    dialogue,
                    at_terminal: std::io::stdin().is_terminal(),
                }),
                false => Box::new(Person {
                    dialogue,
                    against_person,
                    adviser: table.adviser(),
                }),
            }
        };
        // Computers without a delay play too fast to redraw the board in one place.
        let can_be_seen = table.person_sits() || self.delay.is_some();
        let mut screen: Box<dyn Observer> = match in_the_classroom {
            true => Box::new(ClassroomScreen {
                dialogue,
                ascii: drawing.ascii,
            }),
            false => Box::new(Screen {
                dialogue,
                drawing,
                in_place: can_be_seen && std::io::stdout().is_terminal(),
                welcome: names_no_player.then(|| welcome(board.as_ref())),
            }),
        };
        let verdict = self.play(&table, board, record, dialogue, person, screen.as_mut())?;
        if let Some(line) = verdict_line(&verdict, &table.rules, in_the_classroom) {
            dialogue.borrow_mut().say_line(&line);
            // A bot's fault is not part of the classroom's dialogue.
            if in_the_classroom && !verdict.termination.is_regular() {
                anstream::eprintln!("{}", verdict.reason);
            }
        }
        let is_over = dialogue.borrow().is_over();
        let finished = dialogue.borrow_mut().finish();
        // Input that is not text.
        finished.map_err(|error| match error.kind() == ErrorKind::InvalidData {
            true => Failure::Usage(format!("standard input: {error}")),
            false => error.into(),
        })?;
        if is_over && !in_the_classroom && verdict.termination == Termination::Abandoned {
            note("the input ended, so the game was left");
        }
        Ok(())
    }

    fn play<'a>(
        &self,
        table: &Table,
        mut board: Box<dyn Board>,
        record: Option<GameFile>,
        dialogue: &'a SharedDialogue<'a>,
        person: impl Fn() -> AnySeat<'a>,
        screen: &mut dyn Observer,
    ) -> Result<Verdict, Failure> {
        let mut black = table.seat(0, &person, dialogue)?;
        let mut white = table.seat(1, &person, dialogue)?;
        let mut ask = || ask_before_turn(dialogue);
        let mut policy = Policy {
            limits: TimeLimits::default(),
            asked_again: vec![table.is_person(0), table.is_person(1)],
            adjudicate: None,
            before_turn: (self.undo || self.history).then_some(&mut ask),
        };
        let limits = policy.limits;
        let mut log = TurnLog::new(board.as_ref(), screen);
        let seats: &mut [&mut dyn Seat] = &mut [&mut *black, &mut *white];
        let verdict = table::play(board.as_mut(), seats, &mut policy, &mut log);
        let played = log.record(board.as_ref(), table.records(), limits, verdict.clone());
        if let (Some(mut file), Some(played)) = (record, played) {
            file.add_all([&played])?;
        }
        Ok(verdict)
    }
}

/// Who has won, or that it is a draw; nothing of a game that was left.
fn verdict_line(verdict: &Verdict, rules: &RuleBook, in_the_classroom: bool) -> Option<String> {
    let reason = &verdict.reason;
    let winner = verdict.scores.as_deref().and_then(winner);
    match winner.map(|player| rules.side_names[player]) {
        Some(winner) if in_the_classroom => Some(format!("{winner} has won")),
        Some(winner) => Some(format!("{winner} has won: {reason}")),
        None if verdict.scores.is_none() => None,
        None if in_the_classroom => Some("draw".into()),
        None if verdict.termination == Termination::TurnLimit => {
            Some(format!("{reason} (the limit of games of computers alone)"))
        }
        None => Some(reason.clone()),
    }
}

/// What a newcomer can type.
fn welcome(board: &dyn Board) -> String {
    let first_move = board.legal_moves().into_iter().next();
    let example = first_move.map_or(String::new(), |name| {
        format!(" (such as {})", name.to_lowercase())
    });
    let directions = directions(board).map_or(String::new(), |said| format!("; {said}"));
    format!("Type a move{example}, help or quit{directions}")
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

/// The classroom's board and `Turn:` line before every turn.
struct ClassroomScreen<'a> {
    dialogue: &'a SharedDialogue<'a>,
    ascii: bool,
}

impl Observer for ClassroomScreen<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        let mut dialogue = self.dialogue.borrow_mut();
        dialogue.say(&draw::classroom(board, self.ascii));
        dialogue.say_line(&format!("Turn: {}, {}", board.turn(), board.mover_name()));
    }
}

/// The board of any game before every move, with the last move marked and the last turn below. It is drawn over the last
/// board, or below it.
struct Screen<'a> {
    dialogue: &'a SharedDialogue<'a>,
    drawing: Drawing,
    in_place: bool,
    /// What a newcomer can type, until it has been shown above the first board.
    welcome: Option<String>,
}

/// Moves the cursor home and clears everything below it (ECMA-48: CUP, ED).
const CLEAR: &str = "\u{1b}[H\u{1b}[J";

impl Observer for Screen<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        let mut dialogue = self.dialogue.borrow_mut();
        if self.in_place {
            dialogue.say(CLEAR);
        }
        if let Some(welcome) = self.welcome.take() {
            dialogue.say_line(&welcome);
        }
        dialogue.say(&draw::board(board, &board.last_move(), self.drawing));
        let (player, moves) = last_turn(board);
        let goes_on = !moves.is_empty() && player == board.mover();
        let turn = board.whole_turn();
        if !moves.is_empty() {
            let number = turn - u32::from(!goes_on);
            let mover = board.player_names()[player];
            dialogue.say_line(&format!(
                "Turn {number}: {mover} played {}",
                moves.join(" ")
            ));
        }
        if board.result().is_some() {
            return; // The verdict comes next.
        }
        let (mover, again) = (board.mover_name(), if goes_on { " again" } else { "" });
        dialogue.say_line(&format!("Turn {turn}, {mover} to move{again}"));
        if let Some(note) = board.note() {
            dialogue.say_line(&note);
        }
    }
}

/// The player who moved last, and all moves of that player since another one moved.
fn last_turn(board: &dyn Board) -> (usize, Vec<String>) {
    let mut moves = board.moves();
    let mover = |number: usize| board.before(number as u32).mover();
    let player = mover(moves.len());
    let own = (1..=moves.len())
        .rev()
        .take_while(|&number| mover(number) == player);
    let own = own.count();
    (player, moves.split_off(moves.len() - own))
}
