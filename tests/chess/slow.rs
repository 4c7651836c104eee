//! The rules again, slow and obvious: a board of letters and coordinates, every move tried out.

/// A position.
#[derive(Clone)]
pub(crate) struct Slow {
    /// Row 1 first, white's pieces in capitals.
    pub(crate) board: [[char; 8]; 8],
    pub(crate) white_to_move: bool,
}

/// Column and row, from 0.
pub(crate) type Place = (i32, i32);

impl Slow {
    pub(crate) fn start() -> Slow {
        let mut board = [['.'; 8]; 8];
        board[0] = ['R', 'N', 'B', 'Q', 'K', 'B', 'N', 'R'];
        board[1] = ['P'; 8];
        board[6] = ['p'; 8];
        board[7] = ['r', 'n', 'b', 'q', 'k', 'b', 'n', 'r'];
        Slow {
            board,
            white_to_move: true,
        }
    }

    fn at(&self, (column, row): Place) -> Option<char> {
        let row = self.board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// Whether a piece of the side to move, or else of its opponent, stands there.
    fn stands(&self, place: Place, mover: bool) -> bool {
        self.at(place).is_some_and(|piece| {
            piece != '.' && (piece.is_ascii_uppercase() == self.white_to_move) == mover
        })
    }

    /// Every move of the side to move, except for the safety of its king.
    pub(crate) fn careless_moves(&self) -> Vec<(Place, Place)> {
        let places = (0..8).flat_map(|row| (0..8).map(move |column| (column, row)));
        let own = places.filter(|&place| self.stands(place, true));
        own.flat_map(|from| self.targets(from).into_iter().map(move |to| (from, to)))
            .collect()
    }

    fn targets(&self, from: Place) -> Vec<Place> {
        const STRAIGHT: [Place; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        const DIAGONAL: [Place; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
        let everywhere = [STRAIGHT, DIAGONAL].concat();
        let knight: Vec<Place> = (-2..=2)
            .flat_map(|x: i32| (-2..=2).map(move |y: i32| (x, y)))
            .filter(|(x, y)| x.abs() + y.abs() == 3)
            .collect();
        match self.at(from).unwrap().to_ascii_lowercase() {
            'p' => self.pawn_targets(from),
            'n' => self.run(from, &knight, 1),
            'b' => self.run(from, &DIAGONAL, 7),
            'r' => self.run(from, &STRAIGHT, 7),
            'q' => self.run(from, &everywhere, 7),
            _ => self.run(from, &everywhere, 1),
        }
    }

    fn run(&self, from: Place, directions: &[Place], furthest: i32) -> Vec<Place> {
        let mut targets = Vec::new();
        for (columns, rows) in directions {
            for distance in 1..=furthest {
                let to = (from.0 + columns * distance, from.1 + rows * distance);
                if self.at(to).is_none() || self.stands(to, true) {
                    break;
                }
                targets.push(to);
                if self.stands(to, false) {
                    break;
                }
            }
        }
        targets
    }

    fn pawn_targets(&self, (column, row): Place) -> Vec<Place> {
        let (ahead, first_row) = if self.white_to_move { (1, 1) } else { (-1, 6) };
        let (one, two) = ((column, row + ahead), (column, row + 2 * ahead));
        let mut targets = Vec::new();
        if self.at(one) == Some('.') {
            targets.push(one);
            if row == first_row && self.at(two) == Some('.') {
                targets.push(two);
            }
        }
        let diagonal = [(column - 1, row + ahead), (column + 1, row + ahead)];
        targets.extend(diagonal.into_iter().filter(|&to| self.stands(to, false)));
        targets
    }

    pub(crate) fn after(&self, (from, to): (Place, Place)) -> Slow {
        let mut after = self.clone();
        after.board[to.1 as usize][to.0 as usize] = self.at(from).unwrap();
        after.board[from.1 as usize][from.0 as usize] = '.';
        after.white_to_move = !self.white_to_move;
        after
    }

    /// Whether the side to move could take the other's king.
    pub(crate) fn takes_king(&self) -> bool {
        let targets = self.careless_moves().into_iter().map(|(_, to)| self.at(to));
        targets.flatten().any(|piece| matches!(piece, 'k' | 'K'))
    }

    pub(crate) fn in_check(&self) -> bool {
        let mut other = self.clone();
        other.white_to_move = !self.white_to_move;
        other.takes_king()
    }

    pub(crate) fn is_safe(&self, mv: (Place, Place)) -> bool {
        !self.after(mv).takes_king()
    }

    pub(crate) fn text(&self) -> String {
        let rows = self.board.iter().rev();
        rows.map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

pub(crate) fn name((from, to): (Place, Place)) -> String {
    let square = |(column, row): Place| format!("{}{}", (b'a' + column as u8) as char, row + 1);
    square(from) + &square(to)
}
