//! The rules again, slow and obvious: a board of letters, as rows show them, and coordinates.

use std::fmt::Write;

/// A position.
pub(crate) struct Slow {
    /// Row 1 first; `P`, `p`, `M`, `m` or `.`.
    board: [[char; 8]; 8],
    pub(crate) white_to_move: bool,
}

impl Slow {
    pub(crate) fn start() -> Slow {
        let mut board = [['.'; 8]; 8];
        board[1] = ['P'; 8];
        board[6] = ['p'; 8];
        Slow {
            board,
            white_to_move: true,
        }
    }

    pub(crate) fn won(&self) -> bool {
        self.board[7].contains(&'P') || self.board[0].contains(&'p')
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        let (mut captures, mut steps) = (Vec::new(), Vec::new());
        let (own, others, ahead) = if self.white_to_move {
            ('P', "pm", 1)
        } else {
            ('p', "PM", -1)
        };
        for row in 0..8 {
            for column in 0..8 {
                if self.won() || self.board[row][column] != own {
                    continue;
                }
                for sideways in [-1, 0, 1] {
                    let to_column = column as i32 + sideways;
                    let to_row = row as i32 + ahead;
                    if !(0..8).contains(&to_column) || !(0..8).contains(&to_row) {
                        continue;
                    }
                    let target = self.board[to_row as usize][to_column as usize];
                    let name = name(column, row, to_column as usize, to_row as usize);
                    if sideways == 0 && target == '.' {
                        steps.push(name);
                    } else if sideways != 0 && others.contains(target) {
                        captures.push(name);
                    }
                }
            }
        }
        if captures.is_empty() {
            steps
        } else {
            captures
        }
    }

    pub(crate) fn play(&mut self, mv: &str) {
        let at = |index: usize| mv.as_bytes()[index] as usize;
        let (from_column, from_row) = (at(0) - 'a' as usize, at(1) - '1' as usize);
        let (to_column, to_row) = (at(2) - 'a' as usize, at(3) - '1' as usize);
        let piece = self.board[from_row][from_column];
        self.board[from_row][from_column] = '.';
        if self.board[to_row][to_column] == '.' {
            self.board[to_row][to_column] = piece;
            self.white_to_move = !self.white_to_move;
            for square in self.board.iter_mut().flatten() {
                match square {
                    'M' => *square = 'P',
                    'm' => *square = 'p',
                    _ => {}
                }
            }
        } else {
            self.board[to_row][to_column] = if piece == 'P' { 'M' } else { 'm' };
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for row in self.board.iter().rev() {
            writeln!(text, "{}", row.iter().collect::<String>()).unwrap();
        }
        text.trim_end().to_string()
    }
}

fn name(column: usize, row: usize, to_column: usize, to_row: usize) -> String {
    let letter = |column: usize| (b'a' + column as u8) as char;
    format!(
        "{}{}{}{}",
        letter(column),
        row + 1,
        letter(to_column),
        to_row + 1
    )
}
