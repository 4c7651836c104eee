//! The network as the fit sees it: weights as fractions, the loss, and its gradient.
//!
//! Every weight is the sum of one that all buckets share and one of its own bucket, so that what holds for all is
//! learnt from all positions. When the fit is over the sums are what remains.

use super::samples::Samples;
use rand::RngExt;
use rand_pcg::Pcg64;

/// How large a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Shape {
    /// Inputs.
    pub inputs: usize,
    /// Hidden units.
    pub hidden: usize,
    /// Buckets.
    pub buckets: usize,
}

impl Shape {
    /// The weights of one bucket: of inputs, by input and unit; then biases, outputs and the output's bias.
    pub fn block(self) -> usize {
        self.inputs * self.hidden + 2 * self.hidden + 1
    }

    fn bias(self) -> usize {
        self.inputs * self.hidden
    }

    fn output(self) -> usize {
        self.bias() + self.hidden
    }

    fn output_bias(self) -> usize {
        self.output() + self.hidden
    }
}

/// The weights of all buckets, as they act, and room for a position's units.
#[derive(Clone, Debug)]
pub struct Model {
    /// How large it is.
    pub shape: Shape,
    /// A block for each bucket.
    pub weights: Vec<f32>,
    units: Vec<f32>,
}

impl Model {
    /// A network of these weights, a block for each bucket.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Model {
        assert_eq!(weights.len(), shape.buckets * shape.block());
        Model {
            shape,
            weights,
            units: vec![0.0; shape.hidden],
        }
    }

    /// Random weights for one block.
    pub fn random_block(shape: Shape, rng: &mut Pcg64) -> Vec<f32> {
        let mut block = vec![0.0; shape.block()];
        let (inputs, rest) = block.split_at_mut(shape.bias());
        let (biases, rest) = rest.split_at_mut(shape.hidden);
        inputs.fill_with(|| rng.random_range(-0.25..0.25));
        biases.fill_with(|| rng.random_range(0.2..0.6));
        rest[..shape.hidden].fill_with(|| rng.random_range(-0.5..0.5));
        block
    }

    /// The output for a position: the logarithm of the odds that its side to move wins.
    pub fn output(&mut self, samples: &Samples, index: usize) -> f32 {
        let (shape, hidden) = (self.shape, self.shape.hidden);
        let block = &self.weights[samples.bucket(index) * shape.block()..][..shape.block()];
        let units = &mut self.units[..];
        units.copy_from_slice(&block[shape.bias()..][..hidden]);
        samples.each_input(index, |input| {
            let column = &block[input * hidden..][..hidden];
            for (unit, weight) in units.iter_mut().zip(column) {
                *unit += weight;
            }
        });
        let mut sum = block[shape.output_bias()];
        for (unit, weight) in units.iter().zip(&block[shape.output()..][..hidden]) {
            let clipped = unit.clamp(0.0, 1.0);
            sum += clipped * clipped * weight;
        }
        sum
    }

    /// Adds the gradient of the loss of a position to `gradient`, and says what the loss is.
    ///
    /// See [`loss`].
    pub fn add_gradient(
        &mut self,
        samples: &Samples,
        index: usize,
        target: f32,
        gradient: &mut [f32],
    ) -> f32 {
        let output = self.output(samples, index);
        let (shape, hidden) = (self.shape, self.shape.hidden);
        let start = samples.bucket(index) * shape.block();
        let weights = &self.weights[start..][..shape.block()];
        let (inputs, rest) = gradient[start..][..shape.block()].split_at_mut(shape.bias());
        let (biases, rest) = rest.split_at_mut(hidden);
        let (outputs, output_bias) = rest.split_at_mut(hidden);
        let error = sigmoid(output) - target;
        output_bias[0] += error;
        let units = &mut self.units[..];
        for (unit, ((output, bias), weight)) in units.iter_mut().zip(
            outputs
                .iter_mut()
                .zip(biases)
                .zip(&weights[shape.output()..][..hidden]),
        ) {
            let clipped = unit.clamp(0.0, 1.0);
            *output += error * clipped * clipped;
            // What the loss changes by as the unit does: nothing where it is clipped.
            let inside = if clipped == *unit { 1.0 } else { 0.0 };
            *unit = inside * 2.0 * clipped * error * weight;
            *bias += *unit;
        }
        samples.each_input(index, |input| {
            let column = &mut inputs[input * hidden..][..hidden];
            for (sum, unit) in column.iter_mut().zip(&*units) {
                *sum += unit;
            }
        });
        loss(output, target)
    }
}

/// The share of points that an output stands for.
pub fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// How much worse than knowing `target` it is to expect the points that `output` stands for: the cross entropy
/// less the entropy of the target (the divergence of Kullback and Leibler), in nats.
pub fn loss(output: f32, target: f32) -> f32 {
    // ln(1 + e^x) without overflow.
    let softplus = output.max(0.0) + (-output.abs()).exp().ln_1p();
    let term = |share: f32| if share > 0.0 { share * share.ln() } else { 0.0 };
    softplus - target * output + term(target) + term(1.0 - target)
}
