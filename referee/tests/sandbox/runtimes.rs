//! What must keep working inside the sandbox: interpreters with their threads and processes, and the built-in bots.
//! Compiled programs are the bots that attack.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::sandbox::{EscapeSetup, User, is_long};
use crate::common::skip::is_there;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Plays the first legal move, after what `bot` has tried.
const PYTHON: &str = r"
import asyncio, multiprocessing, subprocess, tempfile
from concurrent.futures import ThreadPoolExecutor

def square(number):
    return number * number

if __name__ == '__main__':
    asyncio.new_event_loop()
    subprocess.run(['true'], stdout=subprocess.PIPE, check=True)
    with tempfile.NamedTemporaryFile(mode='w') as notes:
        notes.write('notes')
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(square, [5])) == [25]
    for method in ['fork', 'spawn']:
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(square, [2, 3]) == [4, 9]
    with open('/dev/stderr', 'w') as error:
        error.write('all of it worked')
    input()
    while True:
        for row in range(8):
            input()
        moves = [input() for _ in range(int(input()))]
        print(moves[0], flush=True)
";

const NODE: &str = r"
const { Worker, isMainThread, parentPort } = require('worker_threads');
const { fork, execFileSync } = require('child_process');
if (!isMainThread) {
    parentPort.postMessage('from a thread');
} else if (process.argv[2] === 'child') {
    process.send('from a child', () => process.exit());
} else {
    execFileSync('true');
    new Worker(__filename).on('message', () =>
        fork(__filename, ['child']).on('message', () => {
            console.error('all of it worked');
            play();
        }));
}
function play() {
    let lines = null;
    require('readline').createInterface({ input: process.stdin }).on('line', line => {
        if (lines === null) { lines = []; return; }
        lines.push(line);
        if (lines.length > 9 && lines.length == 9 + Number(lines[8])) {
            console.log(lines[9]);
            lines = [];
        }
    });
}
";

const JAVA: &str = r#"
import java.util.*;
class Bot {
    public static void main(String[] words) throws Exception {
        Thread thread = new Thread(() -> System.err.print("all of it "));
        thread.start();
        thread.join();
        System.err.println("worked");
        Scanner in = new Scanner(System.in);
        in.nextLine();
        while (in.hasNextLine()) {
            for (int row = 0; row < 8; row++) in.nextLine();
            int count = Integer.parseInt(in.nextLine());
            String first = in.nextLine();
            for (int i = 1; i < count; i++) in.nextLine();
            System.out.println(first);
        }
    }
}
"#;

/// Plays a game against `random`; gives what the bot has written to its standard error.
fn play(setup: &EscapeSetup, user: User, bot: &str) -> String {
    let record = setup.workspace.path("record");
    let options = "--games 1 --max-turns 6 --time 60s --first-turn 60s --record";
    let mut arguments = vec!["match", bot, "random"];
    arguments.extend(options.split(' '));
    arguments.push(record.to_str().unwrap());
    let done = setup.run(user, &arguments);
    assert!(done.status.success(), "{user:?}: {bot}: {done:?}");
    let game = std::fs::read_to_string(&record).unwrap();
    std::fs::remove_file(record).unwrap();
    let game: Value = serde_json::from_str(&game).unwrap();
    assert_eq!(game["termination"], "turn-limit", "{user:?}: {bot}: {game}");
    crate::common::sandbox::log(&game)
}

/// Whether this user has such a program.
fn has(user: User, program: &str) -> bool {
    let found = user.command(Path::new(program)).arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {user:?} has no {program}");
    }
    found
}

#[test]
fn interpreters_run_with_their_threads_and_processes() {
    use User::{Ordinary, Own, WithoutNamespaces};
    let setup = EscapeSetup::new();
    // Without a file system of its own, Python has no place for the semaphores of `multiprocessing`.
    let bots = [
        ("python3", "bot.py", PYTHON, [Own, Ordinary]),
        ("node", "bot.js", NODE, [Ordinary, WithoutNamespaces]),
        ("java", "Bot.java", JAVA, [Own, WithoutNamespaces]),
    ];
    for (interpreter, file, text, users) in bots {
        let path = setup.workspace.path("bots/one").join(file);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        if !is_there(interpreter) {
            continue;
        }
        let is_tried = |user: &User| {
            users.contains(user) || is_long() && (interpreter != "python3" || user.has_namespaces())
        };
        for user in User::all().into_iter().filter(is_tried) {
            if has(user, interpreter) {
                let log = play(&setup, user, &format!("{interpreter} '{}'", path.display()));
                assert!(
                    log.contains("all of it worked"),
                    "{user:?}: {interpreter}: {log}"
                );
            }
        }
    }
}

#[test]
fn built_in_bots_run() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        play(&setup, user, "alphabeta --depth 2");
    }
}

#[test]
fn a_bot_whose_first_thread_has_ended_is_seen_to_wait_for_its_turn() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let game = setup.play(user, "hides-files-without-first-thread -", &[]);
        let start_up = &game["players"][0]["start_up_us"];
        assert!(start_up.is_u64(), "{user:?}: {game}");
    }
}
