//! The linear algebra that a fit needs: symmetric matrices, solved by Cholesky's factorisation.

/// A square matrix, row by row.
#[derive(Debug)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds `weight · v vᵀ`, where `v` has these cells and is zero elsewhere.
    pub(super) fn add_outer(&mut self, weight: f64, v: &[(usize, f64)]) {
        self.add_product(weight, v, v);
    }

    /// Adds `weight · v wᵀ`, where `v` and `w` have these cells and are zero elsewhere.
    pub(super) fn add_product(&mut self, weight: f64, v: &[(usize, f64)], w: &[(usize, f64)]) {
        for &(row, a) in v {
            for &(column, b) in w {
                self.add(row, column, weight * a * b);
            }
        }
    }

    /// Cholesky's factor `L` of a positive definite matrix, `L Lᵀ = self`.
    pub(super) fn factor(&self) -> Factor {
        let n = self.size;
        let mut lower = Matrix::zero(n);
        for row in 0..n {
            for column in 0..=row {
                let both = lower.row(row).iter().zip(lower.row(column));
                let done: f64 = both.take(column).map(|(a, b)| a * b).sum();
                let rest = self.at(row, column) - done;
                let value = if row == column {
                    debug_assert!(rest > 0.0, "not positive definite");
                    rest.sqrt()
                } else {
                    rest / lower.at(column, column)
                };
                lower.add(row, column, value);
            }
        }
        Factor(lower)
    }
}

/// A factored matrix.
#[derive(Debug)]
pub(super) struct Factor(Matrix);

impl Factor {
    /// `x` with `A x = b`.
    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for row in 0..x.len() {
            let (known, rest) = x.split_at_mut(row);
            let cells = self.0.row(row);
            for (cell, known) in cells.iter().zip(known) {
                rest[0] -= cell * *known;
            }
            rest[0] /= cells[row];
        }
        for row in (0..x.len()).rev() {
            let (rest, known) = x.split_at_mut(row);
            let cells = self.0.row(row);
            known[0] /= cells[row];
            let above = rest.iter_mut().zip(cells);
            above.for_each(|(above, cell)| *above -= cell * known[0]);
        }
        x
    }

    /// `A⁻¹ B A⁻¹` for a symmetric `B`.
    pub(super) fn sandwich(&self, filling: &Matrix) -> Matrix {
        let n = filling.size;
        let columns = |of: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            (0..n)
                .map(|column| self.solve(&(0..n).map(|row| of(row, column)).collect::<Vec<_>>()))
                .collect()
        };
        // A⁻¹ B, then A⁻¹ (A⁻¹ B)ᵀ.
        let half = columns(&|row, column| filling.at(row, column));
        let whole = columns(&|row, column| half[row][column]);
        let mut product = Matrix::zero(n);
        for (column, cells) in whole.iter().enumerate() {
            for (row, &cell) in cells.iter().enumerate() {
                product.add(row, column, cell);
            }
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn a_solution_solves_and_a_sandwich_is_the_product() {
        let mut a = Matrix::zero(3);
        for (row, cells) in [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]
            .iter()
            .enumerate()
        {
            for (column, &cell) in cells.iter().enumerate() {
                a.add(row, column, cell);
            }
        }
        let factor = a.factor();
        let x = factor.solve(&[1.0, 2.0, 3.0]);
        for (row, b) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            let sum: f64 = (0..3).map(|column| a.at(row, column) * x[column]).sum();
            assert!((sum - b).abs() < 1e-12);
        }
        // A⁻¹ A A⁻¹ = A⁻¹.
        let inverse = factor.sandwich(&a);
        for row in 0..3 {
            for column in 0..3 {
                let cell: f64 = (0..3).map(|k| a.at(row, k) * inverse.at(k, column)).sum();
                assert!((cell - f64::from(u8::from(row == column))).abs() < 1e-12);
            }
        }
    }
}
