//! A bot that misbehaves in the one way it is told to, and otherwise plays by the rules.
//!
//! `misbehave CASE [VALUE]`; `CASES` lists what it can do. It is no part of the program: the referee's tests
//! seat it to see what becomes of the game, of the machine, and of the next game.
//!
//! Breaches of the protocol are here; crashes, ignored shutdowns and child processes are in `life`; attempts to escape
//! from the sandbox are in `escape`, to disturb others from inside in `attack`, the opponent through what the referee
//! reads in `neighbour`, to go on while that is to think in `idle`, and ways to use memory unseen in `memory`. `ubuntu` runs the referee itself as a system would that refuses mounts.

#![allow(clippy::print_stdout, clippy::print_stderr)] // It speaks the protocol.

mod attack;
mod escape;
mod idle;
mod life;
mod memory;
mod neighbour;
mod ubuntu;

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// A case: its name, and what is done with the value.
type Case = (&'static str, fn(&str));

const CASES: &[Case] = &[
    // Honest.
    ("honest", |_| play(say)),
    ("crlf", |_| play(|mv| write(format!("{mv}\r\n").as_bytes()))),
    ("pieces", |_| play(in_pieces)),
    ("busy", |milliseconds| {
        play(|mv| after_work(milliseconds, mv))
    }),
    ("late", |milliseconds| {
        play(|mv| after_sleep(milliseconds, mv))
    }),
    ("waits-for", |file| play(|mv| once_there(file, mv))),
    ("restless", |_| {
        life::restless(|gap| {
            play(|mv| {
                eprintln!("stood still for {} ms", gap());
                say(mv);
            })
        })
    }),
    ("restless-by-timer", |_| {
        escape::continue_by_timer();
        life::restless(|gap| {
            play(|mv| {
                eprintln!("stood still for {} ms", gap());
                say(mv);
            })
        })
    }),
    ("goes-on", |way| idle::go_on(way)),
    // A fixed amount of work, and how long it took.
    ("steps", |millions| {
        play(|mv| {
            let taken = life::steps(millions.parse().unwrap_or(0));
            eprintln!("worked for {} ms", taken.as_millis());
            say(mv);
        })
    }),
    ("spin", |_| life::spin_apart(Duration::ZERO)),
    ("spin-apart", |_| life::spin_apart(life::BEFORE_SPINNING)),
    ("starves-others", |count| {
        (0..count.parse().unwrap_or(0)).for_each(|_| life::leave_child("spin-apart"));
        sleep(2 * life::BEFORE_SPINNING);
        play(say);
    }),
    ("starves-itself", |milliseconds| {
        starve_itself(Duration::ZERO, milliseconds);
    }),
    // What it waits for its own is little beside what it slept.
    ("sleeps-and-starves-itself", |milliseconds| {
        let time = milliseconds.parse().unwrap_or(0);
        starve_itself(Duration::from_millis(time), "1000");
    }),
    ("spin-once-told", |_| life::spin_once_told()),
    ("holds-stderr", |_| {
        neighbour::hold_stderr();
        play(say);
    }),
    ("writes-bytes", |_| {
        std::thread::spawn(|| neighbour::write_bytes());
        play(say);
    }),
    // In its second turn writes until it has lost, or works until then.
    ("loses-by-bytes", |_| {
        let mut turns = 0;
        play(|mv| {
            turns += 1;
            if turns > 1 {
                neighbour::write_bytes();
            }
            say(mv);
        });
    }),
    ("loses-by-work", |_| {
        let mut turns = 0;
        play(|mv| {
            turns += 1;
            if turns > 1 {
                life::spin();
            }
            say(mv);
        });
    }),
    // Breaks the protocol.
    ("silent", |_| play(|_| forever())),
    ("early", |_| {
        say("C3C4");
        play(say);
    }),
    ("twice", |_| {
        play(|mv| write(format!("{mv}\n{mv}\n").as_bytes()))
    }),
    ("unfinished", |_| {
        play(|mv| {
            write(mv.as_bytes());
            forever();
        })
    }),
    ("drip", |_| {
        play(|_| {
            loop {
                write(b"A");
                sleep(Duration::from_millis(1));
            }
        })
    }),
    ("bare-return", |_| {
        play(|mv| {
            write(format!("{mv}\r").as_bytes());
        })
    }),
    ("empty-line", |_| play(|_| say(""))),
    ("leading-space", |_| play(|mv| say(&format!(" {mv}")))),
    ("not-utf8", |_| play(|_| write(b"\xff\xfe\n"))),
    ("gigabyte-line", |_| {
        play(|_| flood(&mut io::stdout(), b'A', 1 << 30))
    }),
    ("endless-output", |_| {
        flood(&mut io::stdout(), b'\n', u64::MAX)
    }),
    ("endless-error", |_| {
        std::thread::spawn(|| flood(&mut io::stderr(), b'e', u64::MAX));
        play(say);
    }),
    ("chatter", |file| {
        play(|mv| {
            say(mv);
            flood(&mut io::stderr(), b'c', 1 << 20);
            std::fs::write(file, "").expect("the test's folder");
        })
    }),
    ("last-words", |_| {
        play(|_| {
            eprintln!("the end of {}", "a long story ".repeat(1000));
            eprintln!("last words");
            std::process::exit(3);
        })
    }),
    // Stops reading, or closes a pipe.
    ("reads-nothing", |_| forever()),
    ("closes-output", |_| {
        let _ = life::close_output();
        forever();
    }),
    ("closes-input", |_| {
        play(|mv| {
            say(mv);
            let _ = life::close_input();
            forever();
        })
    }),
    // Exits, crashes, leaves children behind.
    ("exits-before", |_| std::process::exit(0)),
    ("exits", |status| {
        play(|_| std::process::exit(status.parse().unwrap_or(0)))
    }),
    ("exits-after", |_| {
        play(|mv| {
            say(mv);
            std::process::exit(0);
        })
    }),
    ("unfinished-exit", |_| {
        play(|mv| {
            write(mv.as_bytes());
            std::process::exit(0);
        })
    }),
    ("panics", |_| play(|_| panic!("out of ideas"))),
    ("aborts", |_| play(|_| std::process::abort())),
    ("segfaults", |_| play(|_| life::segfault())),
    ("killed", |_| play(|_| life::killed_by_another())),
    ("ignores-sigterm", |_| {
        life::ignore_sigterm();
        play(|_| forever());
    }),
    ("spins-after-end", |_| {
        play(say);
        life::spin();
    }),
    ("leaves-child", |_| {
        play(|_| {
            life::leave_child("stay");
            std::process::exit(0);
        })
    }),
    ("new-session", |_| {
        life::leave_child("leave-session");
        play(say);
    }),
    ("stay", |_| forever()),
    ("leave-session", |_| life::leave_session()),
    ("fork-bomb", |_| play(|_| life::fork_bomb())),
    ("forks-on", |_| life::fork_bomb()),
    ("eats-memory", |megabytes| {
        play(|_| life::eat_memory(megabytes))
    }),
    ("eats-nameless-files", |megabytes| {
        play(|mv| {
            memory::eat(megabytes, "nameless files", memory::nameless_file);
            after_sleep("1000", mv);
        })
    }),
    ("eats-shared", |megabytes| {
        play(|_| {
            memory::eat(megabytes, "shared", memory::shared);
            forever();
        })
    }),
    ("eats-without-first-threads", |children| {
        let count = children.parse().unwrap_or(0);
        play(|_| {
            (0..count).for_each(|_| life::leave_child("eats-in-second-thread"));
            forever();
        })
    }),
    ("eats-in-second-thread", |_| {
        idle::go_on_without_first_thread(|| {
            life::eat_memory("450");
            forever();
        })
    }),
    ("eats-pages-in-pipes", |megabytes| {
        play(|mv| {
            memory::eat(megabytes, "pages in pipes", memory::pages_in_pipe);
            after_sleep("1000", mv);
        })
    }),
    ("eats-sockets", |children| {
        let count = children.parse().unwrap_or(0);
        play(|_| {
            (0..count).for_each(|_| life::leave_child("fills-sockets"));
            forever();
        })
    }),
    ("eats-large-sockets", |megabytes| {
        play(|mv| {
            memory::fill_large_sockets(megabytes);
            after_sleep("1000", mv);
        })
    }),
    ("eats-sockets-in-flight", |_| {
        play(|mv| {
            memory::fill_sockets_in_flight();
            after_sleep("1000", mv);
        })
    }),
    ("fills-sockets", |_| {
        memory::fill_sockets();
        forever();
    }),
    ("fills-disk", |_| {
        play(|mv| {
            escape::fill_disk();
            say(mv);
        })
    }),
    ("hides-files", |_| {
        play(|mv| {
            attack::hide_files();
            say(mv);
        })
    }),
    ("hides-files-in-thread", |_| {
        play(|mv| {
            attack::hide_files_in_thread();
            say(mv);
        })
    }),
    ("hides-files-without-first-thread", |_| {
        idle::go_on_without_first_thread(|| {
            play(|mv| {
                attack::hide_files();
                say(mv);
            })
        })
    }),
    ("restless-session", |_| {
        life::leave_child("ticks-in-session");
        play(|mv| {
            eprintln!("stood still for {} ms", attack::longest_gap());
            say(mv);
        })
    }),
    ("ticks-in-session", |_| attack::tick_in_session()),
    // Runs the command that follows.
    ("like-ubuntu", |_| ubuntu::run(std::env::args_os().skip(2))),
    ("without-filters", |_| {
        ubuntu::run_without_filters(std::env::args_os().skip(2))
    }),
    // Attempts to escape, reports on standard error, and plays on.
    ("escape", |attempts| {
        escape::attempt_all(attempts);
        play(say);
    }),
    ("escape-later", |attempts| {
        let mut turns = 0;
        play(|mv| {
            turns += 1;
            if turns == 2 {
                escape::attempt_all(attempts);
            }
            say(mv);
        });
    }),
];

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let value = words.next().unwrap_or_default();
    match CASES.iter().find(|(known, _)| *known == name) {
        Some((_, case)) => case(&value),
        None => {
            let names: Vec<&str> = CASES.iter().map(|(name, _)| *name).collect();
            eprintln!("expected one of: {}", names.join(", "));
            std::process::exit(2);
        }
    }
}

/// Reads turns and hands the first legal move of each to `answer`, until the end of input.
fn play(answer: impl FnMut(&str)) {
    let mut colour = String::new();
    let _ = io::stdin().read_line(&mut colour);
    play_on(answer);
}

/// The same, once the colour was read.
fn play_on(mut answer: impl FnMut(&str)) {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    loop {
        for _row in 0..8 {
            if lines.next().is_none() {
                return;
            }
        }
        let Some(count) = lines.next().and_then(|line| line.parse().ok()) else {
            return;
        };
        let moves: Vec<String> = lines.by_ref().take(count).collect();
        let Some(first) = moves.first() else { return };
        answer(first);
    }
}

fn say(line: &str) {
    write(format!("{line}\n").as_bytes());
}

fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // A referee that has judged this bot has closed its pipes.
    let written = out.write_all(bytes).and_then(|()| out.flush());
    if written.is_err() {
        std::process::exit(0);
    }
}

fn in_pieces(mv: &str) {
    for &byte in mv.as_bytes() {
        write(&[byte]);
        sleep(Duration::from_millis(1));
    }
    write(b"\n");
}

fn after_sleep(milliseconds: &str, mv: &str) {
    sleep(Duration::from_millis(milliseconds.parse().unwrap_or(0)));
    say(mv);
}

/// Uses so much processor time, however long that takes, then answers.
fn after_work(milliseconds: &str, mv: &str) {
    life::work(Duration::from_millis(milliseconds.parse().unwrap_or(0)));
    say(mv);
}

/// In its second turn sleeps for so long, and then works while a hundred processes of its own take the core.
fn starve_itself(asleep: Duration, milliseconds: &str) {
    (0..100).for_each(|_| life::leave_child("spin-once-told"));
    let mut turns = 0;
    play(|mv| {
        turns += 1;
        if turns < 2 {
            return say(mv);
        }
        sleep(asleep);
        life::tell_to_spin();
        after_work(milliseconds, mv);
    });
}

fn once_there(file: &str, mv: &str) {
    while !Path::new(file).exists() {
        sleep(Duration::from_millis(1));
    }
    say(mv);
}

fn flood(out: &mut dyn Write, byte: u8, mut count: u64) {
    let block = [byte; 1 << 14];
    while count > 0 {
        let size = count.min(block.len() as u64);
        if out.write_all(&block[..size as usize]).is_err() {
            return;
        }
        count -= size;
    }
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}
