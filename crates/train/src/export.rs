//! A fitted network as source: whole numbers, written as a string of characters in a module of their own.

use super::fit::Fit;
use super::model::Model;
use super::weights_file::WeightsFile;
use crownhead::network::{FIRST_CHARACTER, LEVELS, NO_WEIGHTS, ONE, OUTPUT, UNITS, WORD};
use std::fmt::Write;

/// Characters of the string in a line.
const LINE: usize = 100;

/// The weights of `model` as [`Network::decode`](crownhead::network::Network::decode) reads them.
pub(crate) fn encode(model: &Model, scale: f32) -> String {
    let shape = model.shape;
    let mut text = String::new();
    for column in model.weights[shape.inputs()].chunks_exact(shape.hidden) {
        if column.iter().all(|&weight| weight == 0.0) {
            text.extend(char::from_u32(NO_WEIGHTS));
            continue;
        }
        for two in column.chunks_exact(2) {
            let [one, other] = [two[0], two[1]].map(|weight| digit(weight * ONE as f32, LEVELS));
            text.push(character(one * LEVELS + other));
        }
    }
    for bias in &model.weights[shape.biases()] {
        text.push(character(digit(bias * ONE as f32, LEVELS * LEVELS)));
    }
    for output in &model.weights[shape.biases().end..] {
        let worth = output * scale * OUTPUT as f32;
        text.push(character(digit(worth, LEVELS * LEVELS)));
    }
    text
}

/// The nearest of the whole numbers from `-levels / 2` up, counted from the lowest.
fn digit(number: f32, levels: i32) -> i32 {
    (number.round() as i32 + levels / 2).clamp(0, levels - 1)
}

fn character(number: i32) -> char {
    char::from_u32(FIRST_CHARACTER + number as u32).expect("these blocks have no gaps")
}

/// The module that holds the network of `file`, whose scores are those of its fit or, with `scale`, in proportion to
/// it. `library` is the library's name there: `crate` inside the library.
///
/// # Errors
/// When the number of the file's weights does not match its shape.
pub fn module(file: &WeightsFile, scale: Option<f32>, library: &str) -> Result<String, String> {
    let Fit { model, losses, .. } = &file.fit;
    let (there, expected) = (model.weights.len(), model.shape.weights());
    if there != expected {
        return Err(format!(
            "{there} weights; expected {expected} for this shape"
        ));
    }
    let text = encode(model, scale.unwrap_or(file.fit.scale));
    let mut out = String::new();
    let held_out = losses.last().map_or(f32::NAN, |losses| losses.1);
    let _ = writeln!(
        out,
        "//! The weights of a network, written by `crownhead train export`: fit it anew rather than change them here.\n\
         //!\n\
         //! ```text\n\
         //! {}\n\
         //! crownhead train export FILE.json{}\n\
         //! ```\n\
         //!\n\
         //! It was fitted to {} positions; the loss of the {} held out was {held_out:.5}. The games, with FNV-1a of\n\
         //! their files:\n\
         //!",
        file.command(),
        scale.map_or_else(String::new, |scale| format!(" --scale {scale}")),
        file.positions.0,
        file.positions.1,
    );
    for data in &file.data {
        let header = &data.header;
        let _ = writeln!(
            out,
            "//! - {} ({}): {} games of search {} at {} nodes, seed {}",
            data.name, data.hash, data.games, header.signature, header.play.nodes, header.seed
        );
    }
    let shape = model.shape;
    let _ = writeln!(
        out,
        "\nuse {library}::network::Network;\n\n\
         /// Rows of {UNITS} hidden units of the network.\n\
         pub(super) const ROWS: usize = {};\n\n\
         /// The network.\n\
         #[rustfmt::skip]\n\
         pub(super) static NETWORK: Network<{}, ROWS, {}> = Network::decode(\n    \"\\",
        shape.hidden / UNITS,
        shape.inputs / WORD,
        shape.buckets
    );
    let characters: Vec<char> = text.chars().collect();
    for line in characters.chunks(LINE) {
        let _ = writeln!(out, "    {}\\", line.iter().collect::<String>());
    }
    let _ = writeln!(out, "    \",\n);");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::SelfPlay;
    use crate::model::Shape;
    use crate::samples::Sample;
    use crate::self_play::GameGenerator;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::network::{Inputs, Network};
    use crownhead::position::Position;
    use crownhead_bots::CHECKERS;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    const ROWS: usize = 1;
    const SHAPE: Shape = Shape {
        inputs: 4 * WORD,
        hidden: ROWS * UNITS,
        buckets: Checkers::BUCKETS,
    };

    #[test]
    fn a_network_says_of_positions_what_the_fit_made_of_them() {
        let mut rng = Pcg64::seed_from_u64(1);
        let mut model = Model::random(SHAPE, &mut rng);
        // An output of its own for each bucket.
        model.weights[SHAPE.output(0)].fill(0.25);
        const SCALE: f32 = 150.0;
        let network: Network<4, ROWS, { Checkers::BUCKETS }> =
            Network::decode(&encode(&model, SCALE));

        let settings = SelfPlay {
            nodes: 1,
            opening: (2, 6),
            balance: 200,
            random: 0.0,
            draw_after: 20,
            until_captured: None,
        };
        let mut samples: Vec<Sample<4>> = Vec::new();
        let mut worths = Vec::new();
        let mut player = GameGenerator::new(CHECKERS, &rules::CONTEST, settings);
        for seed in 0..5 {
            let game = player.play(seed);
            let mut position = Checkers::start(&rules::CONTEST);
            for turn in &game.turns {
                samples.push(Sample::new(&position, turn.score.unwrap_or(0), None));
                worths.push(network.evaluate(&position));
                let moves = position.legal_moves();
                position = position.play_unchecked(moves[usize::from(turn.index)]);
            }
        }
        assert!(worths.len() > 100 && worths.iter().any(|&worth| worth.abs() > 50));
        for (sample, &worth) in samples.iter().zip(&worths) {
            let exact = SCALE * model.output(sample);
            // Of sixteen units, each off by the rounding of some twenty weights.
            assert!((worth as f32 - exact).abs() < 15.0, "{worth} for {exact}");
        }
    }

    #[test]
    fn weights_too_large_to_be_written_become_the_largest() {
        let highest = digit(1e9, LEVELS);
        assert_eq!([digit(-1e9, LEVELS), highest], [0, LEVELS - 1]);
        assert_eq!(digit(0.4, LEVELS), LEVELS / 2);
    }
}
