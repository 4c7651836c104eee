//! What a run leaves on the terminal that it was typed at.

use super::damage::wait_for_pairs;
use crate::common::ladder::{Ladder, THREE, read};
use crate::common::terminal::{all_at_terminal, in_locale, lines_after};
use std::process::Command;

/// The lines that a command at a terminal leaves there, and its status.
fn left_by(mut command: Command, ladder: &Ladder) -> (Vec<String>, Option<i32>) {
    command.args(["ladder", "run"]).arg(&ladder.folder);
    let seen = all_at_terminal(command);
    (lines_after(&seen.screen), seen.status)
}

fn database(ladder: &Ladder) -> rusqlite::Connection {
    rusqlite::Connection::open(ladder.folder.join("games.db")).unwrap()
}

/// The counts below the last table, and the column of pairs in that table.
fn last_picture(lines: &[String]) -> (&str, Vec<u64>) {
    let last = |is_it: fn(&String) -> bool| lines.iter().rposition(is_it).expect("a picture");
    let (table, counts) = (
        last(|line| line.starts_with('#')),
        last(|line| line.contains("pairs finished")),
    );
    assert!(table < counts, "{lines:#?}");
    let pairs = lines[table..counts].iter().filter_map(|row| {
        let mut cells = row.split("  ").filter(|cell| !cell.is_empty());
        cells.nth(5)?.trim().parse().ok()
    });
    (&lines[counts], pairs.collect())
}

#[test]
fn a_run_ends_on_a_picture_of_all_that_it_has_played_also_when_it_is_interrupted() {
    let ladder = Ladder::new("pairs = 6", &THREE);
    let (lines, status) = left_by(in_locale("C.UTF-8"), &ladder);
    let (line, pairs) = last_picture(&lines);
    assert!(
        line.starts_with("18 pairs finished, 0 left; "),
        "{lines:#?}"
    );
    assert_eq!((pairs, status), (vec![12, 12, 12], Some(0)), "{lines:#?}");
    let counted = lines.iter().filter(|line| line.contains("pairs finished"));
    assert_eq!(counted.count(), 1, "{lines:#?}");

    database(&ladder)
        .execute_batch(
            "DELETE FROM game WHERE pair IN (2, 3);
             UPDATE pair SET void = 'lost on time while it waited for a core' WHERE id IN (2, 3);",
        )
        .unwrap();
    let config = ladder.folder.join("ladder.toml");
    let more = read(&config).replace("pairs = 6", "pairs = 20000");
    std::fs::write(&config, more).unwrap();
    // It sends its signal to the program and then to the program's group: one interrupt, in two signals.
    let mut timed = Command::new("timeout");
    timed.args(["--preserve-status", "--signal", "INT", "2"]);
    timed.arg(in_locale("C.UTF-8").get_program());
    timed.env("LANG", "C.UTF-8").env("TERM", "xterm-256color");
    let (lines, status) = left_by(timed, &ladder);
    let count = "SELECT count(*) FROM pair WHERE finished IS NOT NULL";
    let stored: u64 = database(&ladder)
        .query_row(count, (), |row| row.get(0))
        .unwrap();
    let told = format!(
        "{stored} pairs finished, 2 of them void, {} left",
        60_000 - stored
    );
    let (line, pairs) = last_picture(&lines);
    // Whatever separates thousands.
    let [line, told] = [line, &told].map(|text| text.replace(',', ""));
    assert!(line.starts_with(&told), "{told}: {lines:#?}");
    assert_eq!(pairs.iter().sum::<u64>(), 2 * (stored - 2), "{lines:#?}");
    assert_eq!(status, Some(130), "{lines:#?}");
}

#[test]
fn a_second_interrupt_ends_a_run_at_once_whatever_it_waits_for() {
    let ladder = Ladder::new("pairs = 20000", &THREE);
    let mut run = ladder.run_in_background();
    wait_for_pairs(&ladder, 1);
    // It waits for seconds for its database, and would end with status 1.
    let held = database(&ladder);
    held.busy_timeout(std::time::Duration::from_secs(30))
        .unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let pid = rustix::process::Pid::from_child(&run);
    let status = loop {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
        std::thread::sleep(std::time::Duration::from_millis(300));
        if let Some(status) = run.try_wait().unwrap() {
            break status;
        }
    };
    assert_eq!(status.code(), Some(130));
}

#[test]
fn what_is_told_above_the_table_is_broken_between_words_at_the_terminals_width() {
    let ladder = Ladder::new("pairs = 4", &THREE[..1]);
    let config = ladder.folder.join("ladder.toml");
    let told =
        "this bot has much to tell of why it cannot go on from here and tells it in one long line";
    let bot =
        format!("[[bot]]\nname = \"teller\"\ncommand = \"sh -c 'echo {told} >&2; exit 3'\"\n");
    std::fs::write(&config, read(&config) + &bot).unwrap();
    let (lines, _) = left_by(in_locale("C.UTF-8"), &ladder);
    let broken = |start: &str, further: &str| {
        lines
            .windows(2)
            .any(|two| two[0].starts_with(start) && two[1].starts_with(further))
    };
    assert!(broken("game 1, turn", "  "), "{lines:#?}");
    assert!(broken("      | this bot", "          in one"), "{lines:#?}");
    assert!(broken("teller: one more crash; ", "  "), "{lines:#?}");
}
