//! Connect Four for Crownhead: discs fall into seven columns, and four in a line win.
//! Change `legal`, `drop_disc`, `wins` and what `play` sends, and it is a game of your own. The
//! seed chooses the first discs: the same bots play other games with other seeds.

const WIDTH: usize = 7;
const HEIGHT: usize = 6;
const OPENING: usize = 4;

fn read_line() -> String {
    let line = std::io::stdin().lines().next();
    line.and_then(Result::ok).unwrap_or_default()
}

fn legal(board: &str) -> Vec<String> {
    let room = board[..WIDTH].match_indices('.');
    room.map(|(column, _)| column.to_string()).collect()
}

fn drop_disc(board: &mut String, column: usize, player: usize) {
    let mut squares = (column..board.len()).step_by(WIDTH + 1);
    let lowest = squares.rfind(|&at| board[at..].starts_with('.')).unwrap();
    board.replace_range(lowest..=lowest, &player.to_string());
}

fn wins(board: &str, player: usize) -> bool {
    let disc = b"01"[player];
    let is_disc = |at: usize| board.as_bytes().get(at) == Some(&disc);
    let four = |at, step| (0..4).all(|i| is_disc(at + i * step));
    let ways = [1, WIDTH, WIDTH + 1, WIDTH + 2]; // how far apart in the text
    (0..board.len()).any(|at| ways.iter().any(|step| four(at, step)))
}

/// Asks the players in turn; gives the winner, none in a draw, and the reason.
fn play(board: &mut String) -> (Option<usize>, &'static str) {
    for turn in OPENING..WIDTH * HEIGHT {
        let (player, moves) = (turn % 2, legal(board));
        let (list, lines) = (moves.join(" "), moves.join("\n"));
        println!("###Show\n{board}0123456\n###Input {player}\n{player}\n{board}{list}");
        println!("###Legal\n{lines}\n###Output {player} 1");
        let answer = read_line();
        if !moves.contains(&answer) {
            println!("###Error {player} answered `{answer}`, which is no free column");
            return (Some(1 - player), "an illegal answer");
        }
        drop_disc(board, answer.parse().unwrap(), player);
        if wins(board, player) {
            return (Some(player), "four in a line");
        }
    }
    (None, "the board is full")
}

fn main() {
    let seed: usize = read_line()["###Seed ".len()..].parse().unwrap();
    assert_eq!(read_line(), "###Start 2", "a game for 2 players");
    let mut board = (".".repeat(WIDTH) + "\n").repeat(HEIGHT);
    for turn in 0..OPENING {
        drop_disc(&mut board, seed / WIDTH.pow(turn as u32) % WIDTH, turn % 2);
    }
    let (winner, reason) = play(&mut board);
    let result = match winner {
        Some(0) => "###Score 0 1\n###Score 1 0\n###End 0 1",
        Some(_) => "###Score 0 0\n###Score 1 1\n###End 1 0",
        None => "###Score 0 0.5\n###Score 1 0.5\n###End 01",
    };
    println!("###Show\n{board}0123456\n###Reason {reason}\n{result}");
}
