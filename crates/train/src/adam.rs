//! The optimiser Adam (D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015).

/// The moments of the gradients so far.
#[derive(Clone, Debug)]
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Adam {
    /// For this many weights.
    pub(crate) fn new(weights: usize) -> Adam {
        Adam {
            mean: vec![0.0; weights],
            square: vec![0.0; weights],
            steps: 0,
        }
    }

    /// Moves `weights` against `gradient` at this learning rate.
    pub(crate) fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE_DECAY.powi(self.steps)).sqrt()
            / (1.0 - MEAN_DECAY.powi(self.steps));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, &slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            *weight -= rate * *mean / (square.sqrt() + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Adam;

    #[test]
    fn it_finds_the_bottom_of_a_bowl_however_stretched() {
        let mut weights = [5.0, -3.0];
        let mut adam = Adam::new(2);
        for step in 0..2000 {
            let gradient = [200.0 * (weights[0] - 1.0), 0.02 * (weights[1] - 2.0)];
            adam.step(&mut weights, &gradient, 0.05 * (1.0 - step as f32 / 2000.0));
        }
        assert!((weights[0] - 1.0f32).abs() < 1e-3, "{weights:?}");
        assert!((weights[1] - 2.0f32).abs() < 1e-3, "{weights:?}");
    }

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_slope() {
        let mut weights = [0.0, 0.0];
        Adam::new(2).step(&mut weights, &[1e-3, -50.0], 0.1);
        assert!((weights[0] + 0.1f32).abs() < 1e-4 && (weights[1] - 0.1f32).abs() < 1e-4);
    }
}
