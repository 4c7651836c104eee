//! The viewers of a site's contests: their files.
//!
//! A viewer's player (`player.html` of the engine's runner) runs in a frame without rights on this site. It exchanges
//! messages with the page around it, which has the data of the game.

use crownhead_external::{DRAWER, PLAYER, Viewer};
use crownhead_record::RefereeRecord;
use crownhead_record::text::printable;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The folder of viewers in a site; each has its referee's hash as its name.
pub(super) const FOLDER: &str = "viewer";
/// The most referees whose viewers are kept.
const MOST_KEPT: usize = 16;
/// How long to remember that a referee has no viewer, because finding out may mean reading its whole jar.
const RETRY: Duration = Duration::from_secs(10);

/// The contest's viewer, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum ViewerView {
    /// The viewer's location.
    Here {
        /// The folder of its files, with a final slash.
        folder: String,
        /// The page that draws.
        player: &'static str,
        /// The module that it draws with.
        drawer: &'static str,
        /// The libraries that the module may load, with their files.
        libraries: BTreeMap<String, String>,
    },
    /// A part of a sentence.
    Missing { why: String },
}

impl ViewerView {
    pub(super) fn missing(why: impl ToString) -> ViewerView {
        let why = why.to_string();
        ViewerView::Missing { why }
    }

    /// Where the viewer of a game is whose page can load nothing: a viewer loads megabytes, and runs its own scripts.
    pub(super) fn elsewhere(referee: &RefereeRecord) -> ViewerView {
        let command = printable(&referee.command);
        ViewerView::missing(match has_pictures(referee) {
            false => NO_PICTURES.into(),
            true => format!(
                "its files come with the referee, `{command}`, and this page is a single file. To see it, save the game as a \
                 JSON line and type `crownhead serve FILE.jsonl` where that referee is"
            ),
        })
    }
}

/// Why a game without pictures has no viewer.
const NO_PICTURES: &str = "its referee sends nothing that a viewer could draw";

fn has_pictures(referee: &RefereeRecord) -> bool {
    referee.frames.iter().any(|frame| !frame.view.is_empty())
}

/// The viewers that were looked for.
#[derive(Debug)]
pub(super) struct Viewers {
    /// The base folder of referees' relative paths.
    folder: PathBuf,
    found: Mutex<HashMap<Key, Found>>,
}

/// A referee's command, and its hash.
type Key = (String, String);

/// When it was looked for, and what was found.
type Found = (Instant, Result<Arc<Viewer>, String>);

impl Viewers {
    pub(super) fn new(folder: PathBuf) -> Viewers {
        Viewers {
            folder,
            found: Mutex::default(),
        }
    }

    /// The viewer of a game that this referee judged, for the page.
    pub(super) fn view(&self, referee: &RefereeRecord) -> ViewerView {
        if !has_pictures(referee) {
            return ViewerView::missing(NO_PICTURES);
        }
        match self.open(referee) {
            Err(why) => ViewerView::missing(why),
            Ok(viewer) => {
                let libraries = viewer.libraries().into_iter();
                ViewerView::Here {
                    folder: format!("{FOLDER}/{}/", referee.hash),
                    player: PLAYER,
                    drawer: DRAWER,
                    libraries: libraries.map(|(name, file)| (name, file.into())).collect(),
                }
            }
        }
    }

    /// The viewer of this referee.
    ///
    /// # Errors
    /// With a part of a sentence, when it has none.
    pub(super) fn open(&self, referee: &RefereeRecord) -> Result<Arc<Viewer>, String> {
        let key = (referee.command.clone(), referee.hash.clone());
        let mut found = self.lock();
        if let Some((at, viewer)) = found.get(&key)
            && (viewer.is_ok() || at.elapsed() < RETRY)
        {
            return viewer.clone();
        }
        let viewer = Viewer::open(referee, &self.folder).map(Arc::new);
        let viewer = viewer.map_err(|error| error.to_string());
        if found.len() >= MOST_KEPT {
            found.clear();
        }
        found.insert(key, (Instant::now(), viewer.clone()));
        viewer
    }

    /// A file of the viewer of this hash, if a game of its referee was shown.
    pub(super) fn file(&self, hash: &str, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        let found = self.lock();
        let mut viewers = found.iter().filter(|((_, own), _)| own == hash);
        let viewer = viewers.find_map(|(_, (_, viewer))| viewer.clone().ok());
        drop(found);
        viewer.map_or(Ok(None), |viewer| viewer.read(name))
    }

    /// The viewers that were found, by their hashes.
    pub(super) fn all(&self) -> BTreeMap<String, Arc<Viewer>> {
        let found = self.lock();
        let viewers = found.iter();
        viewers
            .filter_map(|((_, hash), (_, viewer))| Some((hash.clone(), viewer.clone().ok()?)))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The content type of a file of a viewer, by its name.
pub(super) fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, kind)| kind) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "fnt" | "xml" => "text/xml; charset=utf-8",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;
