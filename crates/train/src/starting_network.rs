//! Reads a network from its module, as a start for a fit instead of random weights.

use super::model::{Model, Shape};
use crownhead::network::{FIRST_CHARACTER, LEVELS, NO_WEIGHTS, ONE, OUTPUT, UNITS, WORD};
use crownhead_record::seed::stable_hash;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A network that [`export`](super::export) wrote as source.
#[derive(Clone, Debug)]
pub struct StartingNetwork {
    pub(crate) file: NetworkFile,
    /// Its output for a position is a score, in hundredths of a man.
    model: Model,
}

/// The module that a fit started from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NetworkFile {
    /// Its name, without folders.
    pub name: String,
    /// The hash of its bytes: [`stable_hash`], as sixteen digits.
    pub hash: String,
}

/// Why a module cannot be the start of a fit.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// It has no network in it.
    #[error("no network stands there; expected a module that “crownhead train export” wrote")]
    NoNetwork,
    /// A part of it is missing.
    #[error("{there} characters of weights; expected {expected} for {hidden} units")]
    Weights {
        /// The number found.
        there: usize,
        /// The number expected.
        expected: usize,
        /// Hidden units.
        hidden: usize,
    },
    /// The fit makes a network of another shape.
    #[error(
        "{there:?} is the shape of this network; expected the buckets of {expected:?}, and at most its inputs \
         and hidden units"
    )]
    Shape {
        /// Of the network.
        there: Shape,
        /// Of the fit.
        expected: Shape,
    },
}

impl StartingNetwork {
    /// Reads the network in a module.
    ///
    /// # Errors
    /// When the file cannot be read, or has no complete network.
    pub fn read(path: &Path) -> Result<StartingNetwork, NetworkError> {
        let bytes = std::fs::read(path)?;
        let text = String::from_utf8(bytes).map_err(|_| NetworkError::NoNetwork)?;
        let name = path.file_name().unwrap_or_default();
        Ok(StartingNetwork {
            model: decode(&text)?,
            file: NetworkFile {
                name: name.to_string_lossy().into_owned(),
                hash: format!("{:016x}", stable_hash(text.as_bytes())),
            },
        })
    }

    /// The network as the start of a fit at this scale. Missing units get random weights and contribute nothing yet;
    /// neither do missing inputs.
    pub(crate) fn model(
        &self,
        shape: Shape,
        scale: f32,
        rng: &mut Pcg64,
    ) -> Result<Model, NetworkError> {
        let own = self.model.shape;
        if own.buckets != shape.buckets || own.inputs > shape.inputs || own.hidden > shape.hidden {
            return Err(NetworkError::Shape {
                there: own,
                expected: shape,
            });
        }
        let mut model = Model::random(shape, rng);
        model.weights[shape.inputs()][own.inputs * shape.hidden..].fill(0.0);
        let inputs = model.weights[shape.inputs()].chunks_exact_mut(shape.hidden);
        for (column, own) in inputs.zip(self.model.weights[own.inputs()].chunks_exact(own.hidden)) {
            column[..own.len()].copy_from_slice(own);
        }
        model.weights[shape.biases()][..own.hidden]
            .copy_from_slice(&self.model.weights[own.biases()]);
        for bucket in 0..shape.buckets {
            let (weights, bias) = self.model.weights[own.output(bucket)].split_at(own.hidden);
            let output = &mut model.weights[shape.output(bucket)];
            output.fill(0.0);
            let scaled = weights.iter().chain(bias).map(|weight| weight / scale);
            let places = (0..own.hidden).chain([shape.hidden]);
            for (place, weight) in places.zip(scaled) {
                output[place] = weight;
            }
        }
        Ok(model)
    }
}

/// The network of a module.
fn decode(text: &str) -> Result<Model, NetworkError> {
    let shape = shape(text).ok_or(NetworkError::NoNetwork)?;
    let numbers: Vec<i32> = text
        .chars()
        .filter_map(|character| (character as u32).checked_sub(FIRST_CHARACTER))
        .filter(|&number| number <= NO_WEIGHTS - FIRST_CHARACTER)
        .map(|number| number as i32)
        .collect();
    let none = (NO_WEIGHTS - FIRST_CHARACTER) as i32;
    let empty = numbers.iter().filter(|&&number| number == none).count();
    let pairs = shape.hidden / 2;
    let ends = shape.weights() - shape.inputs().len();
    let expected = (shape.inputs.saturating_sub(empty)) * pairs + empty + ends;
    if numbers.len() != expected {
        return Err(NetworkError::Weights {
            there: numbers.len(),
            expected,
            hidden: shape.hidden,
        });
    }
    let (columns, ends) = numbers.split_at(numbers.len() - ends);
    let mut weights = Vec::with_capacity(shape.weights());
    for &number in columns {
        if number == none {
            weights.resize(weights.len() + shape.hidden, 0.0);
            continue;
        }
        let two = [number / LEVELS, number % LEVELS];
        weights.extend(two.map(|one| (one - LEVELS / 2) as f32 / ONE as f32));
    }
    let (biases, outputs) = ends.split_at(shape.hidden);
    let centred = |&number: &i32| (number - LEVELS * LEVELS / 2) as f32;
    weights.extend(biases.iter().map(|number| centred(number) / ONE as f32));
    weights.extend(outputs.iter().map(|number| centred(number) / OUTPUT as f32));
    Ok(Model::new(shape, weights))
}

/// The shape, from the declarations of a module.
fn shape(text: &str) -> Option<Shape> {
    let number = |before: &str, after: &str| {
        let (_, rest) = text.split_once(before)?;
        rest.split_once(after)?.0.parse::<usize>().ok()
    };
    Some(Shape {
        inputs: number("NETWORK: Network<", ",")?.checked_mul(WORD)?,
        hidden: number("ROWS: usize = ", ";")?.checked_mul(UNITS)?,
        buckets: number(", ROWS, ", ">")?,
    })
    .filter(|shape| shape.inputs.max(shape.hidden).max(shape.buckets) <= 1 << 12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::encode;
    use crate::samples::Sample;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::network::Inputs;
    use crownhead::position::Position;
    use rand::SeedableRng;

    const SCALE: f32 = 150.0;

    fn module(words: usize, rows: usize) -> (Model, String) {
        let shape = Shape {
            inputs: words * WORD,
            hidden: rows * UNITS,
            buckets: Checkers::BUCKETS,
        };
        let mut model = Model::random(shape, &mut Pcg64::seed_from_u64(7));
        model.weights[..shape.hidden].fill(0.0);
        let text = encode(&model, SCALE);
        let head =
            format!("const ROWS: usize = {rows};\nstatic NETWORK: Network<{words}, ROWS, 8> = ");
        (model, format!("{head}Network::decode(\"\\\n{text}\\\n\");"))
    }

    fn starting(text: &str) -> Result<StartingNetwork, NetworkError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.rs");
        std::fs::write(&path, text).unwrap();
        StartingNetwork::read(&path)
    }

    #[test]
    fn a_fit_begins_with_what_the_module_says_of_positions_also_with_more_units() {
        let (mut written, text) = module(4, 2);
        let network = starting(&text).unwrap();
        let sample: Sample<4> = Sample::new(&Checkers::start(&rules::CONTEST), 0, None);
        let expected = written.output(&sample);
        for hidden in [2 * UNITS, 5 * UNITS] {
            let shape = Shape {
                hidden,
                ..written.shape
            };
            let mut rng = Pcg64::seed_from_u64(1);
            let mut model = network.model(shape, SCALE, &mut rng).unwrap();
            assert!((model.output(&sample) - expected).abs() < 0.05);
            let half = network
                .model(shape, 2.0 * SCALE, &mut rng)
                .unwrap()
                .output(&sample);
            assert!((2.0 * half - model.output(&sample)).abs() < 1e-3);
        }
    }

    #[test]
    fn inputs_that_the_module_lacks_add_nothing_yet() {
        let (written, text) = module(2, 1);
        let shape = Shape {
            inputs: 4 * WORD,
            ..written.shape
        };
        let mut rng = Pcg64::seed_from_u64(1);
        let begun = starting(&text).unwrap().model(shape, SCALE, &mut rng);
        let begun = begun.unwrap();
        let (there, new) = begun.weights[shape.inputs()].split_at(2 * WORD * UNITS);
        let written = &written.weights[written.shape.inputs()];
        let mut pairs = there.iter().zip(written);
        assert!(pairs.all(|(one, other)| (one - other).abs() < 0.01));
        assert!(new.len() == there.len() && new.iter().all(|&weight| weight == 0.0));
    }

    #[test]
    fn what_is_no_network_or_one_of_another_shape_is_refused() {
        assert!(matches!(
            starting("fn main() {}"),
            Err(NetworkError::NoNetwork)
        ));
        let (_, text) = module(4, 2);
        let mut short = text.clone();
        short.remove(
            short
                .rfind(|character: char| !character.is_ascii())
                .unwrap(),
        );
        assert!(matches!(
            starting(&short),
            Err(NetworkError::Weights { .. })
        ));
        let network = starting(&text).unwrap();
        let narrow = Shape {
            hidden: UNITS,
            ..network.model.shape
        };
        let buckets = Shape {
            buckets: 4,
            ..network.model.shape
        };
        let fewer = Shape {
            inputs: WORD,
            ..network.model.shape
        };
        for shape in [narrow, buckets, fewer] {
            let begun = network.model(shape, SCALE, &mut Pcg64::seed_from_u64(1));
            assert!(matches!(begun, Err(NetworkError::Shape { .. })));
        }
    }
}
