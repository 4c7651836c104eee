//! The file between a fit and its export: the network with all that tells how it came about, as JSON.

use super::data::Header;
use super::fit::{Fit, FitSettings};
use super::model::{Model, Shape};
use serde::{Deserialize, Serialize};

/// A fitted network, and what it was fitted to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WeightsFile {
    /// The game's name.
    pub game: String,
    /// How it was fitted.
    pub settings: FitSettings,
    /// The files of games.
    pub data: Vec<DataFile>,
    /// Positions that were learnt from, and that were held out.
    pub positions: (usize, usize),
    /// The score that stands for odds of e to 1, in hundredths of a man.
    pub scale: f32,
    /// The losses after each epoch, of the positions learnt from and held out.
    pub losses: Vec<(f32, f32)>,
    /// How large the network is.
    pub shape: Shape,
    /// Its weights.
    pub weights: Vec<f32>,
}

/// A file of games that a network was fitted to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DataFile {
    /// Its name, without folders.
    pub name: String,
    /// How many games were read from it.
    pub games: u64,
    /// The hash of its bytes: [`stable_hash`](crownhead_record::seed::stable_hash), as sixteen digits.
    pub hash: String,
    /// How its games were played.
    pub header: Header,
}

impl WeightsFile {
    /// What is kept of `fit`.
    pub fn new(
        game: &str,
        settings: FitSettings,
        data: Vec<DataFile>,
        positions: (usize, usize),
        fit: Fit,
    ) -> WeightsFile {
        WeightsFile {
            game: game.into(),
            settings,
            data,
            positions,
            scale: fit.scale,
            losses: fit.losses,
            shape: fit.model.shape,
            weights: fit.model.weights,
        }
    }

    /// The network itself.
    ///
    /// # Errors
    /// When there are not as many weights as the shape asks for.
    pub fn model(&self) -> Result<Model, String> {
        let expected = self.shape.weights();
        if self.weights.len() == expected {
            Ok(Model::new(self.shape, self.weights.clone()))
        } else {
            let there = self.weights.len();
            Err(format!(
                "{there} weights; expected {expected} for this shape"
            ))
        }
    }

    /// The command that fitted it, in a folder with its data.
    pub fn command(&self) -> String {
        let FitSettings {
            hidden,
            epochs,
            batch,
            rate,
            result_share,
            scale,
            seed,
        } = self.settings;
        let scale = scale.map_or_else(String::new, |scale| format!(" --scale {scale}"));
        let names: Vec<&str> = self.data.iter().map(|file| file.name.as_str()).collect();
        format!(
            "crownhead train fit {} --hidden {hidden} --epochs {epochs} --batch {batch} --rate {rate} \
             --result-share {result_share}{scale} --seed {seed}",
            names.join(" ")
        )
    }
}
