//! The file between a fit and its export: the network and how it was made, as JSON.

use super::data::{DataError, Games, Header};
use super::fit::{Fit, FitSettings, fit};
use super::samples::add_samples;
use super::starting_network::{NetworkError, NetworkFile, StartingNetwork};
use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead::network::Inputs;
use crownhead::notation::{Notation, rule_book};
use crownhead_record::seed::stable_hash;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A fitted network, and what it was fitted to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WeightsFile {
    /// The game's name.
    pub game: String,
    /// How it was fitted.
    pub settings: FitSettings,
    /// The files of games.
    pub data: Vec<DataFile>,
    /// The network that the fit started from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<NetworkFile>,
    /// The numbers of positions learnt from and held out.
    pub positions: (usize, usize),
    /// The network.
    #[serde(flatten)]
    pub fit: Fit,
}

/// A file of games that a network was fitted to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DataFile {
    /// Its name, without folders.
    pub name: String,
    /// How many games were read from it.
    pub games: u64,
    /// The hash of its bytes: [`stable_hash`], as sixteen digits.
    pub hash: String,
    /// How its games were played.
    pub header: Header,
}

/// Why no network can be fitted to files of games.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A file cannot be used.
    #[error("{}", problem.of_file(file))]
    File {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: DataError,
    },
    /// No network has inputs for this game.
    #[error(
        "{}: there are no inputs of a network for {game}; expected games of {known}",
        file.display()
    )]
    Game {
        /// The first file.
        file: PathBuf,
        /// Its game.
        game: String,
        /// The games that have some.
        known: String,
    },
    /// The starting network has another shape.
    #[error("{}: {problem}", file.name)]
    Start {
        /// Its module.
        file: NetworkFile,
        /// What does not fit.
        problem: NetworkError,
    },
    /// Nothing to learn from, or nothing held out.
    #[error("these {0} games have too few quiet positions to fit a network to")]
    TooFew(u64),
    /// The scale should follow from the results, and there are none.
    #[error(
        "these games were broken off and have no results that tell what a score stands for; give --scale, such as \
         --scale 150"
    )]
    NoResults,
}

/// One in this many games is held out.
const HELD_OUT: u64 = 20;

/// Called with the losses of learnt and held-out positions after each epoch.
type Watch<'a> = &'a mut dyn FnMut(f32, f32);

/// The starting network, if there is one.
type Start<'a> = Option<&'a StartingNetwork>;

/// A game with the inputs of a network, so that one can be fitted to its positions.
#[derive(Clone, Copy, Debug)]
pub struct FittedGame {
    name: &'static str,
    fit: fn(&[PathBuf], FitSettings, Start<'_>, Watch<'_>) -> Result<WeightsFile, FitError>,
}

impl FittedGame {
    /// The game of these positions, whose evaluation tells which of them are quiet.
    pub const fn new<const WORDS: usize, G, E>() -> FittedGame
    where
        G: Notation + Inputs<WORDS>,
        E: Evaluate<G> + Default,
    {
        FittedGame {
            name: G::NAME,
            fit: |files, settings, start, watch| {
                fit_games::<WORDS, G, E>(files, settings, start, watch)
            },
        }
    }
}

/// The games of the library.
pub const LIBRARY_GAMES: &[FittedGame] = &[
    FittedGame::new::<4, Checkers, checkers::Learned>(),
    FittedGame::new::<2, EverChess, everchess::Learned>(),
    FittedGame::new::<12, Chess, chess::Learned>(),
];

/// Fits a network to the quiet positions of the games in files, all of one of `games`, from `start` if there is one.
/// `watch` is called with the losses of learnt and held-out positions after each epoch.
///
/// # Errors
/// When a file cannot be used, the files have too little to learn from, or `start` has another shape.
pub fn fit_files(
    games: &[FittedGame],
    files: &[PathBuf],
    settings: FitSettings,
    start: Start<'_>,
    mut watch: impl FnMut(f32, f32),
) -> Result<WeightsFile, FitError> {
    let first = files[0].clone();
    match header_of(&first) {
        Err(problem) => Err(FitError::File {
            file: first,
            problem,
        }),
        Ok(Header { game, .. }) => match games.iter().find(|fitted| fitted.name == game) {
            Some(fitted) => (fitted.fit)(files, settings, start, &mut watch),
            None => {
                let known: Vec<&str> = games.iter().map(|fitted| fitted.name).collect();
                let known = match known[..] {
                    [] => "none".into(),
                    _ => known.join(" or "),
                };
                Err(FitError::Game {
                    file: first,
                    game,
                    known,
                })
            }
        },
    }
}

fn fit_games<const WORDS: usize, G, E>(
    files: &[PathBuf],
    settings: FitSettings,
    start: Start<'_>,
    watch: impl FnMut(f32, f32),
) -> Result<WeightsFile, FitError>
where
    G: Notation + Inputs<WORDS>,
    E: Evaluate<G> + Default,
{
    // Learnt from, and held out.
    let mut samples = [Vec::new(), Vec::new()];
    let mut number = 0;
    let mut add_file = |file: &PathBuf| -> Result<DataFile, DataError> {
        // A file that does not begin correctly is not read to its end.
        let header = header_of(file)?;
        let bytes = std::fs::read(file)?;
        if header.game != G::NAME {
            return Err(DataError::OtherGame {
                game: header.game,
                first: G::NAME,
            });
        }
        let rules = rule_book::<G>(&header.rules);
        let rules = rules.ok_or_else(|| DataError::RuleBook(header.rules.clone()))?;
        let mut games = 0;
        for game in Games::new(&bytes[..])? {
            let samples = &mut samples[usize::from(number % HELD_OUT == 0)];
            add_samples::<_, G, _>(samples, &game?, games, rules, &E::default())?;
            number += 1;
            games += 1;
        }
        let name = file.file_name().unwrap_or_default();
        Ok(DataFile {
            name: name.to_string_lossy().into_owned(),
            games,
            hash: format!("{:016x}", stable_hash(&bytes)),
            header,
        })
    };
    let data = files.iter().map(|file| {
        add_file(file).map_err(|problem| FitError::File {
            file: file.clone(),
            problem,
        })
    });
    let data = data.collect::<Result<_, _>>()?;
    let [train, held_out] = samples;
    if train.is_empty() || held_out.is_empty() {
        return Err(FitError::TooFew(number));
    }
    if settings.scale.is_none() && train.iter().all(|sample| sample.result.is_none()) {
        return Err(FitError::NoResults);
    }
    let from = start.map(|start| start.file.clone());
    let fitted = fit(&train, &held_out, G::BUCKETS, settings, start, watch);
    let fitted = fitted.map_err(|problem| FitError::Start {
        file: from.clone().expect("only a start has a wrong shape"),
        problem,
    })?;
    Ok(WeightsFile {
        game: G::NAME.into(),
        settings,
        data,
        from,
        positions: (train.len(), held_out.len()),
        fit: fitted,
    })
}

/// How the games of a file were played.
fn header_of(file: &Path) -> Result<Header, DataError> {
    Ok(Games::new(BufReader::new(File::open(file)?))?.header)
}

impl WeightsFile {
    /// The command that fitted it, in a folder with its data.
    pub(crate) fn command(&self) -> String {
        let names: Vec<&str> = self.data.iter().map(|file| file.name.as_str()).collect();
        let settings = self.settings;
        let scale = settings.scale;
        format!(
            "crownhead train fit {}{} --hidden {} --epochs {} --batch {} --rate {} --result-share {}{} --seed {}",
            names.join(" "),
            self.from
                .as_ref()
                .map_or_else(String::new, |from| format!(" --from {}", from.name)),
            settings.hidden,
            settings.epochs,
            settings.batch,
            settings.rate,
            settings.result_share,
            scale.map_or_else(String::new, |scale| format!(" --scale {scale}")),
            settings.seed
        )
    }
}
