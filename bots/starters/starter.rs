// A first checkers bot in Rust, for Crownhead and for the contest on CodinGame.
//
// It takes as many pieces as one move can; otherwise it prefers a move after which fewer of its own pieces
// are in danger; equals are decided at random. The place to make it stronger is `worth`.

use std::cmp::Reverse;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// As it is read: row 8 first.
type Board = Vec<Vec<u8>>;

/// The piece on a square; a '#' outside the board.
fn at(board: &Board, row: i32, column: i32) -> u8 {
    let inside = (0..8).contains(&row) && (0..8).contains(&column);
    if inside { board[row as usize][column as usize] } else { b'#' }
}

/// The squares that a move visits, as rows and columns: "A3C5" is [(5, 0), (3, 2)].
fn squares(name: &str) -> Vec<(usize, usize)> {
    let pairs = name.as_bytes().chunks_exact(2);
    pairs.map(|pair| ((b'8' - pair[1]) as usize, (pair[0] - b'A') as usize)).collect()
}

/// The board after a move: the piece is on the last square, and what it jumped over is gone.
fn play(board: &Board, name: &str) -> Board {
    let mut after = board.clone();
    for step in squares(name).windows(2) {
        let [(row, column), (next_row, next_column)] = [step[0], step[1]];
        after[next_row][next_column] = after[row][column];
        after[row][column] = b'.';
        if row.abs_diff(next_row) == 2 {
            after[(row + next_row) / 2][(column + next_column) / 2] = b'.';
        }
    }
    after
}

/// In how many ways the opponent could jump over a piece of mine.
fn dangers(board: &Board, mine: &[u8]) -> usize {
    let mut count = 0;
    for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
        let piece = at(board, row, column);
        if piece == b'.' || mine.contains(&piece) {
            continue;
        }
        for (down, right) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            // Red's men go down the board, away from row 8, black's men go up, kings both ways.
            let can_go = piece != if down == 1 { b'b' } else { b'r' };
            let over = at(board, row + down, column + right);
            let behind = at(board, row + 2 * down, column + 2 * right);
            if can_go && mine.contains(&over) && behind == b'.' {
                count += 1;
            }
        }
    }
    count
}

/// What is greater in the first of these that differs is the better move. When one listed move is a jump,
/// all are; so the longest name takes the most pieces. The last is a random number.
fn worth(board: &Board, mine: &[u8], name: &str) -> (usize, Reverse<usize>, u64) {
    let random = RandomState::new().build_hasher().finish();
    (name.len(), Reverse(dangers(&play(board, name), mine)), random)
}

fn main() {
    let mut lines = std::io::stdin().lines().map_while(Result::ok);
    let Some(colour) = lines.next() else { return };
    let mine = if colour.trim() == "b" { b"bB" } else { b"rR" }; // red is told "r" or "w"
    loop {
        let rows = lines.by_ref().take(8).map(|row| row.trim().into());
        let board: Board = rows.collect();
        // When the input has ended, the game is over.
        let Some(count) = lines.next() else { return };
        let count = count.trim().parse().expect("the number of moves");
        let moves: Vec<String> = lines.by_ref().take(count).map(|name| name.trim().into()).collect();
        if let Some(best) = moves.iter().max_by_key(|name| worth(&board, mine, name)) {
            println!("{best}"); // the end of the line flushes
        }
    }
}
