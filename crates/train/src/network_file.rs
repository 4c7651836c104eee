//! From files of games to the file of a network: its weights as text, and above them how it was made.

use super::data::{DataError, Games, Header};
use super::fit::{Fit, FitSettings, fit};
use super::model::Shape;
use super::samples::add_samples;
use crownhead::network::WORD;
use crownhead_bots::games;
use crownhead_record::seed::stable_hash;
use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A fitted network.
#[derive(Clone, Debug)]
pub struct FittedNetwork {
    /// Its file.
    pub text: String,
    /// The numbers of positions learnt from and held out.
    pub positions: (usize, usize),
    /// After the last epoch, the mean loss of the positions learnt from, and of those held out.
    pub losses: (f32, f32),
}

/// One in this many games is held out.
const HELD_OUT: u64 = 20;

/// Fits a network to the quiet positions of the games in files, all of one game. `watch` is called with the losses of
/// learnt and held-out positions after each epoch.
///
/// # Errors
/// With a sentence, when a file cannot be used, or the files have too little to learn from.
pub fn fit_files(
    files: &[PathBuf],
    settings: FitSettings,
    watch: impl FnMut(f32, f32),
) -> Result<FittedNetwork, String> {
    let first = &files[0];
    let header = header_of(first).map_err(|problem| problem.of_file(first))?;
    let game = games::find(&header.game);
    let seen = game.and_then(|game| {
        let start = game.start(game.rule_books()[0]);
        Some((game, game.network_inputs(start.as_ref())?))
    });
    let Some((game, inputs)) = seen else {
        return Err(format!(
            "`{}`: there are no inputs of a network for {}",
            first.display(),
            header.game
        ));
    };
    let shape = Shape {
        inputs: WORD * inputs.words.len(),
        hidden: settings.hidden,
        buckets: inputs.buckets,
    };
    // Learnt from, and held out.
    let mut samples = [Vec::new(), Vec::new()];
    let mut number = 0;
    let mut data = String::new();
    let mut add_file = |file: &Path| -> Result<(), DataError> {
        // A file that does not begin correctly is not read to its end.
        let header = header_of(file)?;
        let bytes = std::fs::read(file)?;
        if header.game != game.name() {
            return Err(DataError::Content(format!(
                "games of {}; the first file has {}",
                header.game,
                game.name()
            )));
        }
        let rules = game.rules(Some(&header.rules));
        let rules = rules.map_err(DataError::Content)?;
        let mut count = 0;
        for played in Games::new(&bytes[..])? {
            let samples = &mut samples[usize::from(number % HELD_OUT == 0)];
            add_samples(samples, &played?, count, game, &rules)?;
            number += 1;
            count += 1;
        }
        let _ = writeln!(
            data,
            "- {} ({:016x}): {count} games of search {} at {} nodes, seed {}",
            name_of(file),
            stable_hash(&bytes),
            header.signature,
            header.nodes,
            header.seed
        );
        Ok(())
    };
    for file in files {
        add_file(file).map_err(|problem| problem.of_file(file))?;
    }
    let [train, held_out] = samples;
    if train.is_empty() || held_out.is_empty() {
        return Err(format!(
            "these {number} games have too few quiet positions to fit a network to"
        ));
    }
    let Fit { losses, model } = fit(&train, &held_out, shape, settings, watch);
    let text = format!(
        "{}\nFitted to {} positions; the loss of the {} held out is {:.5}. Files of games, with FNV-1a:\n{data}{}",
        command(files, settings),
        train.len(),
        held_out.len(),
        losses.1,
        model.to_weights(settings.output_scale).write()
    );
    Ok(FittedNetwork {
        text,
        positions: (train.len(), held_out.len()),
        losses,
    })
}

/// How the games of a file were played.
fn header_of(file: &Path) -> Result<Header, DataError> {
    Ok(Games::new(BufReader::new(File::open(file)?))?.header)
}

fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The command that fits the network, in a folder with its data.
fn command(files: &[PathBuf], settings: FitSettings) -> String {
    let names: Vec<String> = files.iter().map(|file| name_of(file)).collect();
    let FitSettings {
        hidden,
        epochs,
        batch,
        rate,
        result_share,
        scale,
        output_scale,
        seed,
    } = settings;
    format!(
        "crownhead train fit {} --hidden {hidden} --epochs {epochs} --batch {batch} --rate {rate} --result-share \
         {result_share} --scale {scale} --output-scale {output_scale} --seed {seed}",
        names.join(" "),
    )
}
