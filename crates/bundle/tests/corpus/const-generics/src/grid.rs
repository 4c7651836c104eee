use std::ops::{Index, IndexMut};
pub const WIDE: usize = 2 + 2;
#[derive(Clone, Copy)]
pub struct Grid<const R: usize, const C: usize>([[i32; C]; R]);
impl<const R: usize, const C: usize> Default for Grid<R, C> {
    fn default() -> Self {
        Grid([[1; C]; R])
    }
}
impl<const R: usize, const C: usize> Grid<R, C> {
    pub fn sum(&self) -> i32 {
        self.0.iter().flatten().sum()
    }
    pub fn row(&self, row: usize) -> &[i32; C] {
        &self.0[row]
    }
    pub fn transposed(&self) -> Grid<C, R> {
        let mut other = Grid([[0; R]; C]);
        for (r, row) in self.0.iter().enumerate() {
            for (c, &value) in row.iter().enumerate() {
                other[(c, r)] = value;
            }
        }
        other
    }
    pub const UNNEEDED: usize = R * C;
}
impl<const R: usize, const C: usize> Index<(usize, usize)> for Grid<R, C> {
    type Output = i32;
    fn index(&self, (row, column): (usize, usize)) -> &i32 {
        &self.0[row][column]
    }
}
impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Grid<R, C> {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut i32 {
        &mut self.0[row][column]
    }
}
pub fn folded<const N: usize>(f: impl Fn(usize) -> usize) -> usize {
    let values: [usize; N] = std::array::from_fn(f);
    values.iter().rev().fold(0, |sum, value| 10 * sum + value)
}
