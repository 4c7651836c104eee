//! What the referee adds to a turn: a turn at a bot process that answers at once, and beside it a bare
//! round trip of as many bytes through pipes to another process.
//!
//! The program runs itself again as the other end of both: with the argument `--echo-bot` it speaks the line
//! protocol, with `--bare-echo` it only answers blocks of bytes.

use criterion::{Criterion, criterion_group};
use crownhead::games::checkers::rules;
use crownhead_arena::seat::{Conditions, Placement, Process, SuspendIdle};
use crownhead_arena::table::{Answer, Seat, TimedReply, TurnRequest};
use crownhead_bots::games;
use crownhead_sandbox::{Sandbox, SandboxMode, run_if_supervisor};
use std::hint::black_box;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const ECHO_BOT: &str = "--echo-bot";
const BARE_ECHO: &str = "--bare-echo";

const REPLY: &[u8] = b"A3B4\n";

fn turn_of_a_bot(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("round trip");
    let board = games::usual().start(rules::CONTEST);
    let moves = board.legal_moves();
    let request = board.turn_text();

    group.bench_function("bare pipes", |bencher| {
        let mut command = myself(BARE_ECHO);
        let mut child = command
            .arg(request.len().to_string())
            .spawn()
            .expect("spawning myself");
        let mut exchange = bare_exchange(&mut child, request.as_bytes());
        bencher.iter(&mut exchange);
        drop(exchange);
        let _ = child.kill();
        let _ = child.wait();
    });
    group.bench_function("referee and bot", |bencher| {
        let letter = board.mover_letter();
        let stop = Arc::new(AtomicBool::new(false));
        let mut command = myself(ECHO_BOT);
        let (conditions, anywhere) = (Conditions::default(), Placement::default());
        let mut seat = Process::start(&mut command, Some(letter), &conditions, &anywhere, stop);
        let turn = TurnRequest {
            board: board.as_ref(),
            moves: &moves,
            limit: Duration::from_secs(1),
        };
        bencher.iter(|| {
            let answer = seat.ask(black_box(&turn));
            assert!(matches!(answer, Answer::Reply(TimedReply { reply: Ok(reply), .. }) if reply == REPLY[..4]));
        });
    });
    group.finish();
}

/// The same in a sandbox, where the bot stands still between its turns, if it can, and where it does not.
fn turn_in_a_sandbox(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("round trip in a sandbox");
    let board = games::usual().start(rules::CONTEST);
    let moves = board.legal_moves();
    for suspend_idle in [SuspendIdle::Never, SuspendIdle::Auto, SuspendIdle::Always] {
        let conditions = Conditions {
            suspend_idle,
            sandbox: Sandbox {
                supervisor: std::env::current_exe().ok(),
                mode: SandboxMode::Auto,
                ..Sandbox::none()
            },
            ..Conditions::default()
        };
        let name = format!("idle bots are suspended: {suspend_idle:?}").to_lowercase();
        group.bench_function(name, |bencher| {
            let mut command = myself(ECHO_BOT);
            let anywhere = Placement::default();
            let stop = Arc::new(AtomicBool::new(false));
            let mut seat = Process::start(&mut command, None, &conditions, &anywhere, stop);
            let turn = TurnRequest {
                board: board.as_ref(),
                moves: &moves,
                limit: Duration::from_secs(10),
            };
            bencher.iter(|| {
                let answer = seat.ask(black_box(&turn));
                assert!(matches!(answer, Answer::Reply(TimedReply { reply: Ok(reply), .. }) if reply == REPLY[..4]));
            });
        });
    }
    group.finish();
}

fn myself(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("the bench's own path"));
    command
        .arg(role)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

fn bare_exchange<'a>(child: &mut Child, request: &'a [u8]) -> impl FnMut() + use<'a> {
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = child.stdout.take().expect("a pipe");
    let mut reply = [0; REPLY.len()];
    move || {
        to.write_all(request).expect("the other end lives");
        from.read_exact(&mut reply).expect("the other end lives");
    }
}

/// Answers every block of `size` bytes.
fn bare_echo(size: usize) {
    let (mut from, mut to) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut request = vec![0; size];
    while from.read_exact(&mut request).is_ok() {
        to.write_all(REPLY)
            .and_then(|()| to.flush())
            .expect("the referee lives");
    }
}

/// Answers every turn of the protocol with the move `A3B4`, reading no more than it must.
fn echo_bot() {
    let (mut from, mut to) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut request = [0; 4096];
    while from.read(&mut request).is_ok_and(|count| count > 0) {
        to.write_all(REPLY)
            .and_then(|()| to.flush())
            .expect("the referee lives");
    }
}

criterion_group!(benches, turn_of_a_bot, turn_in_a_sandbox);

fn main() {
    if run_if_supervisor().is_some() {
        return;
    }
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some(BARE_ECHO) => bare_echo(arguments[2].parse().expect("a number of bytes")),
        Some(ECHO_BOT) => echo_bot(),
        _ => {
            benches();
            Criterion::default().configure_from_args().final_summary();
        }
    }
}
