//! Fitting a network to samples: seeded, on one thread, bit for bit the same each time.

use super::adam::Adam;
use super::model::{Model, Shape, loss, sigmoid};
use super::samples::Sample;
use crownhead::network::{LEVELS, ONE};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

/// How a network is fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitSettings {
    /// Hidden units.
    pub hidden: usize,
    /// How often each position is seen.
    pub epochs: u32,
    /// Positions between two steps of the optimiser.
    pub batch: usize,
    /// The initial learning rate; it falls to zero along half a cosine.
    pub rate: f32,
    /// The share of the result in the target; the rest is the search's score.
    pub result_share: f32,
    /// The score that stands for odds of e to 1, in hundredths of a man.
    pub scale: f32,
    /// The same for the scores of the network itself.
    pub output_scale: f32,
    /// Chooses the first weights and the order of positions.
    pub seed: u64,
}

/// A network that was fitted.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// After the last epoch, the mean loss of the positions it saw, and of those held out.
    pub(crate) losses: (f32, f32),
    /// The network.
    pub(crate) model: Model,
}

/// Fits a network of this shape to `train`, and measures it on `held_out`, which it never learns from. `watch` is called
/// with both losses after each epoch.
pub(crate) fn fit(
    train: &[Sample],
    held_out: &[Sample],
    shape: Shape,
    settings: FitSettings,
    mut watch: impl FnMut(f32, f32),
) -> Fit {
    let target = |sample: &Sample| {
        let by_score = sigmoid(f32::from(sample.score) / settings.scale);
        sample.result.map_or(by_score, |result| {
            settings.result_share * result + (1.0 - settings.result_share) * by_score
        })
    };
    let mut rng = Pcg64::seed_from_u64(settings.seed);
    let mut model = Model::random(shape, &mut rng);
    let mut adam = Adam::new(shape.weights());
    let mut gradient = vec![0.0; shape.weights()];
    let mut order: Vec<u32> = (0..train.len() as u32).collect();
    let steps = settings.epochs as usize * order.len().div_ceil(settings.batch);
    let (mut step, mut losses) = (0, (0.0, 0.0));
    for _ in 0..settings.epochs {
        order.shuffle(&mut rng);
        let mut seen = 0.0;
        for batch in order.chunks(settings.batch) {
            gradient.fill(0.0);
            for &index in batch {
                let sample = &train[index as usize];
                seen += f64::from(model.add_gradient(sample, target(sample), &mut gradient));
            }
            for slope in &mut gradient {
                *slope /= batch.len() as f32;
            }
            let done = step as f32 / steps as f32;
            let rate = settings.rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
            adam.step(&mut model.weights, &gradient, rate);
            for weight in &mut model.weights[shape.inputs()] {
                *weight = weight.clamp(-LARGEST, LARGEST);
            }
            step += 1;
        }
        let losses_held = held_out.iter();
        let losses_held = losses_held.map(|one| f64::from(loss(model.output(one), target(one))));
        let held = losses_held.sum();
        let mean = |sum: f64, count: usize| (sum / count.max(1) as f64) as f32;
        let (seen, held) = (mean(seen, train.len()), mean(held, held_out.len()));
        losses = (seen, held);
        watch(seen, held);
    }
    forget_absent_inputs(&mut model, train);
    Fit { losses, model }
}

/// Sets the weights of inputs that no sample has to 0: nothing was learnt about them.
fn forget_absent_inputs(model: &mut Model, samples: &[Sample]) {
    let mut present = vec![false; model.shape.inputs];
    for sample in samples {
        sample.each_input(|input| present[input] = true);
    }
    let range = model.shape.inputs();
    let columns = model.weights[range].chunks_exact_mut(model.shape.hidden);
    for (column, present) in columns.zip(present) {
        if !present {
            column.fill(0.0);
        }
    }
}

/// The largest weight of an input that can be written down.
const LARGEST: f32 = (LEVELS / 2 - 1) as f32 / ONE as f32;

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::evaluate::Evaluate;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::network::{Inputs, Network};
    use crownhead::position::Position;

    /// Positions of random games, worth what the difference of pieces is.
    fn samples(games: u64) -> Vec<Sample> {
        let mut samples = Vec::new();
        for seed in 0..games {
            let mut rng = Pcg64::seed_from_u64(seed);
            let mut position = Checkers::start(&rules::CONTEST);
            for _ in 0..60 {
                let [own, other, ..] = position.inputs().map(|pieces| pieces.count_ones() as i16);
                let balance = own - other;
                let result = seed
                    .is_multiple_of(2)
                    .then_some(0.5 + 0.5 * (balance as f32).signum());
                let inputs = Network::network_inputs(&position).expect("checkers has networks");
                samples.push(Sample::new(inputs, 100 * balance, result));
                let mut moves = position.legal_moves();
                moves.shuffle(&mut rng);
                let Some(&mv) = moves.first() else { break };
                position = position.play_unchecked(mv);
            }
        }
        samples
    }

    const SETTINGS: FitSettings = FitSettings {
        hidden: 8,
        epochs: 6,
        batch: 64,
        rate: 0.01,
        result_share: 0.0,
        scale: 150.0,
        output_scale: 150.0,
        seed: 1,
    };

    const SHAPE: Shape = Shape {
        inputs: 256,
        hidden: SETTINGS.hidden,
        buckets: Checkers::BUCKETS,
    };

    #[test]
    fn piece_values_are_learnt_and_hold_for_unseen_games() {
        let (train, held_out) = (samples(200), samples(220));
        let mut losses = Vec::new();
        let note = |learnt, held| losses.push((learnt, held));
        let fitted = fit(&train, &held_out, SHAPE, SETTINGS, note);
        let [first, last] = [losses[0], fitted.losses];
        assert!(
            last.0 < 0.01 && last.1 < 0.01 && last.0 < first.0,
            "{first:?} {last:?}"
        );
    }

    #[test]
    fn the_seed_alone_decides_what_is_found() {
        let (train, held_out) = (samples(20), samples(2));
        let weights = |seed| {
            let settings = FitSettings { seed, ..SETTINGS };
            fit(&train, &held_out, SHAPE, settings, |_, _| ())
                .model
                .weights
        };
        assert_eq!(weights(1), weights(1));
        assert_ne!(weights(1), weights(2));
    }

    #[test]
    fn every_weight_of_an_input_can_be_written_down() {
        let (train, held_out) = (samples(20), samples(2));
        let settings = FitSettings {
            rate: 0.3,
            ..SETTINGS
        };
        let fitted = fit(&train, &held_out, SHAPE, settings, |_, _| ());
        let inputs = &fitted.model.weights[fitted.model.shape.inputs()];
        assert!(inputs.iter().all(|weight| weight.abs() <= LARGEST));
    }

    #[test]
    fn inputs_that_no_position_has_weigh_nothing() {
        let (train, held_out) = (samples(100), samples(2));
        let model = fit(&train, &held_out, SHAPE, SETTINGS, |_, _| ()).model;
        let columns = model.weights[model.shape.inputs()].chunks_exact(model.shape.hidden);
        let is_empty = |column: &[f32]| column.iter().all(|&weight| weight == 0.0);
        let empty = (0..).zip(columns).filter(|(_, column)| is_empty(column));
        let men: Vec<usize> = empty
            .map(|(input, _)| input)
            .filter(|input| input % 64 < 32)
            .collect();
        // Men in the row where they are crowned: of the side to move, then of the other.
        assert_eq!(men, [7, 13, 19, 25, 64, 78, 84, 90]);
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let samples = samples(1);
        let shape = Shape { hidden: 4, ..SHAPE };
        let mut rng = Pcg64::seed_from_u64(3);
        let mut model = Model::random(shape, &mut rng);
        let mut gradient = vec![0.0; shape.weights()];
        let target = 0.8;
        model.add_gradient(&samples[0], target, &mut gradient);
        const STEP: f32 = 1e-2;
        for place in (0..shape.weights()).step_by(7) {
            let mut at = |by: f32| {
                let weight = model.weights[place];
                model.weights[place] = weight + by;
                let found = loss(model.output(&samples[0]), target);
                model.weights[place] = weight;
                found
            };
            let slope = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            assert!(
                (slope - gradient[place]).abs() < 2e-2,
                "{place}: {slope} {}",
                gradient[place]
            );
        }
    }

    #[test]
    fn the_network_in_whole_numbers_says_what_the_fit_made_of_positions() {
        let train = samples(20);
        let settings = FitSettings {
            hidden: 16,
            ..SETTINGS
        };
        let shape = Shape {
            hidden: 16,
            ..SHAPE
        };
        const SCALE: f32 = 150.0;
        let mut model = fit(&train, &train, shape, settings, |_, _| ()).model;
        let weights = model.to_weights(SCALE);
        let network = Network::parse(&weights.write()).expect("a network");
        let mut position = Checkers::start(&rules::CONTEST);
        for _ in 0..60 {
            let inputs = Network::network_inputs(&position).expect("checkers has networks");
            let sample = Sample::new(inputs, 0, None);
            let (worth, exact) = (
                network.evaluate(&position) as f32,
                SCALE * model.output(&sample),
            );
            // Of sixteen units, each off by the rounding of some twenty weights.
            assert!((worth - exact).abs() < 15.0, "{worth} for {exact}");
            let Some(&mv) = position.legal_moves().last() else {
                break;
            };
            position = position.play_unchecked(mv);
        }
    }
}
