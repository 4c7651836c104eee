mod grid;
use grid::{Grid, WIDE};

fn main() {
    let mut grid = Grid::<3, { WIDE }>::default();
    grid[(1, 2)] = 7;
    println!("{} {:?}", grid.sum(), grid.transposed().row(2));
    println!("{}", grid::folded::<4>(|i| i * i));
}
