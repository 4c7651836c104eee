//! The network as the fit sees it: weights as fractions, the loss, and its gradient.
//!
//! All buckets share the hidden layer; each has its own output.

use super::samples::Sample;
use crownhead::network::{ONE, OUTPUT, Weights};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::ops::Range;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Inputs.
    pub(crate) inputs: usize,
    /// Hidden units.
    pub(crate) hidden: usize,
    /// Buckets.
    pub(crate) buckets: usize,
}

impl Shape {
    /// How many weights there are: of inputs, by input and unit, then biases, then the outputs of each bucket.
    pub(crate) fn weights(self) -> usize {
        self.output(self.buckets).start
    }

    /// The weights of inputs.
    pub(crate) fn inputs(self) -> Range<usize> {
        0..self.inputs * self.hidden
    }

    /// The biases of the units.
    pub(crate) fn biases(self) -> Range<usize> {
        let start = self.inputs().end;
        start..start + self.hidden
    }

    /// The output of a bucket: a weight for each unit, and a bias.
    pub(crate) fn output(self, bucket: usize) -> Range<usize> {
        let length = self.hidden + 1;
        let start = self.biases().end + bucket * length;
        start..start + length
    }
}

/// The weights, and room for a position's units.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Its size.
    pub(crate) shape: Shape,
    /// The weights, in the order of [`Shape`].
    pub(crate) weights: Vec<f32>,
    units: Vec<f32>,
}

impl Model {
    /// A network of random weights, with the same output for every bucket.
    pub(crate) fn random(shape: Shape, rng: &mut Pcg64) -> Model {
        let mut weights = vec![0.0; shape.weights()];
        weights[shape.inputs()].fill_with(|| rng.random_range(-0.25..0.25));
        weights[shape.biases()].fill_with(|| rng.random_range(0.2..0.6));
        let mut output = vec![0.0; shape.hidden + 1];
        output[..shape.hidden].fill_with(|| rng.random_range(-0.5..0.5));
        for bucket in 0..shape.buckets {
            weights[shape.output(bucket)].copy_from_slice(&output);
        }
        Model {
            shape,
            weights,
            units: Vec::new(),
        }
    }

    /// The nearest whole numbers, whose network gives scores at this scale.
    pub(crate) fn to_weights(&self, scale: f32) -> Weights {
        let whole = |range: Range<usize>, times: f32| {
            let weights = self.weights[range].iter();
            weights
                .map(|weight| (weight * times).round() as i16)
                .collect()
        };
        let shape = self.shape;
        Weights {
            hidden: shape.hidden,
            inputs: whole(shape.inputs(), ONE as f32),
            biases: whole(shape.biases(), ONE as f32),
            outputs: whole(shape.biases().end..shape.weights(), scale * OUTPUT as f32),
        }
    }

    /// The output for a position: the logarithm of the odds that its side to move wins.
    pub(crate) fn output(&mut self, sample: &Sample) -> f32 {
        let (shape, hidden) = (self.shape, self.shape.hidden);
        self.units.clear();
        self.units.extend_from_slice(&self.weights[shape.biases()]);
        let units = &mut self.units[..];
        sample.each_input(|input| {
            let column = &self.weights[input * hidden..][..hidden];
            for (unit, weight) in units.iter_mut().zip(column) {
                *unit += weight;
            }
        });
        let (bias, output) = self.weights[shape.output(sample.bucket.into())]
            .split_last()
            .expect("an output has a bias");
        let mut sum = *bias;
        for (unit, weight) in units.iter().zip(output) {
            let clipped = unit.clamp(0.0, 1.0);
            sum += clipped * clipped * weight;
        }
        sum
    }

    /// Adds the gradient of the loss of a position to `gradient`, and says what the loss is.
    ///
    /// See [`loss`].
    pub(crate) fn add_gradient(
        &mut self,
        sample: &Sample,
        target: f32,
        gradient: &mut [f32],
    ) -> f32 {
        let output = self.output(sample);
        let (shape, hidden) = (self.shape, self.shape.hidden);
        let place = shape.output(sample.bucket.into());
        let weights = &self.weights[place.clone()];
        let (inputs, rest) = gradient.split_at_mut(shape.biases().start);
        let (biases, rest) = rest.split_at_mut(hidden);
        let (output_bias, outputs) = rest[place.start - shape.biases().end..][..=hidden]
            .split_last_mut()
            .expect("an output has a bias");
        let error = sigmoid(output) - target;
        *output_bias += error;
        let units = &mut self.units[..];
        for (unit, ((output, bias), weight)) in units
            .iter_mut()
            .zip(outputs.iter_mut().zip(biases).zip(weights))
        {
            let clipped = unit.clamp(0.0, 1.0);
            *output += error * clipped * clipped;
            // The derivative of the loss by the unit: 0 if the unit is clipped.
            let inside = if clipped == *unit { 1.0 } else { 0.0 };
            *unit = inside * 2.0 * clipped * error * weight;
            *bias += *unit;
        }
        sample.each_input(|input| {
            let column = &mut inputs[input * hidden..][..hidden];
            for (sum, unit) in column.iter_mut().zip(&*units) {
                *sum += unit;
            }
        });
        loss(output, target)
    }
}

/// The expected share of points for an output.
pub(crate) fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// The Kullback-Leibler divergence of the points that `output` stands for from `target`, in nats: the cross entropy
/// minus the entropy of the target.
pub(crate) fn loss(output: f32, target: f32) -> f32 {
    // ln(1 + e^x) without overflow.
    let softplus = output.max(0.0) + (-output.abs()).exp().ln_1p();
    let term = |share: f32| if share > 0.0 { share * share.ln() } else { 0.0 };
    softplus - target * output + term(target) + term(1.0 - target)
}
