//! A bot for the referee beside it: takes a win, prevents the opponent's, else the middle.

use std::io::stdin;

fn drop_disc(board: &[String], column: usize, player: &str) -> Vec<String> {
    let mut board = board.to_vec();
    let has_room = |row: &&mut String| row[column..].starts_with('.');
    let row = board.iter_mut().rfind(has_room).unwrap();
    row.replace_range(column..=column, player);
    board
}

fn wins(board: &[String], player: &str) -> bool {
    let text = board.join("\n");
    let is_disc = |at: usize| text.get(at..=at) == Some(player);
    let four = |at, step: &usize| (0..4).all(|i| is_disc(at + i * step));
    // In the text, the next square of a line is 1, 7, 8 or 9 letters further.
    (0..text.len()).any(|at| [1, 7, 8, 9].iter().any(|step| four(at, step)))
}

/// What is better in the first of these is the better move.
fn worth(board: &[String], column: usize, me: &str) -> (bool, bool, i32) {
    let opponent = if me == "0" { "1" } else { "0" };
    let makes_four = |player| wins(&drop_disc(board, column, player), player);
    let from_middle = (column as i32 - 3).abs();
    (makes_four(me), makes_four(opponent), -from_middle)
}

fn main() {
    let mut lines = stdin().lines().map_while(Result::ok);
    // A turn is which player this bot is, "0" or "1", and six rows, then the columns with room.
    while let Some(me) = lines.next() {
        let board: Vec<String> = lines.by_ref().take(6).collect();
        let columns = lines.next().unwrap_or_default();
        let columns = columns.split(' ').flat_map(str::parse);
        let best = columns.max_by_key(|&column| worth(&board, column, &me));
        println!("{}", best.expect("a column with room"));
    }
}
