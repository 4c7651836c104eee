//! The viewers of a site's contests: their files, and the data of a game for the engine's player.
//!
//! The player (`player.html` of the engine's runner) runs in a frame without rights on this site. It exchanges messages
//! with the page around it, as with the runner's own page (`app.js` and `player.js`, 4.5.0).

use super::external_view::{ViewerView, is_key};
use crownhead_external::{DRAWER, PLAYER, Viewer};
use crownhead_record::{Frame, GameRecord, RefereeRecord};
use serde::Serialize;
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The folder of viewers in a site; each has its referee's hash as its name.
pub(super) const FOLDER: &str = "viewer";
/// The most referees whose viewers are kept.
const MOST_KEPT: usize = 16;
/// How long to remember that a referee has no viewer, because finding out may mean reading its whole jar.
const RETRY: Duration = Duration::from_secs(10);

/// The viewers that were looked for.
#[derive(Debug)]
pub(super) struct Viewers {
    /// The base folder of referees' relative paths.
    folder: PathBuf,
    found: Mutex<HashMap<Key, Found>>,
}

/// A referee's command, and its hash.
type Key = (String, String);

#[derive(Clone, Debug)]
struct Found {
    at: Instant,
    viewer: Result<Arc<Viewer>, String>,
}

impl Viewers {
    pub(super) fn new(folder: PathBuf) -> Viewers {
        Viewers {
            folder,
            found: Mutex::default(),
        }
    }

    /// The viewer of a game that this referee judged, for the page.
    pub(super) fn view(&self, referee: &RefereeRecord) -> ViewerView {
        if referee.frames.iter().all(|frame| frame.view.is_empty()) {
            return ViewerView::missing("its referee sends nothing that a viewer could draw");
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
        let known = found.get(&key);
        if let Some(known) =
            known.filter(|known| known.viewer.is_ok() || known.at.elapsed() < RETRY)
        {
            return known.viewer.clone();
        }
        let viewer = Viewer::open(referee, &self.folder).map(Arc::new);
        let viewer = viewer.map_err(|error| error.to_string());
        if found.len() >= MOST_KEPT {
            found.clear();
        }
        let at = Instant::now();
        found.insert(
            key,
            Found {
                at,
                viewer: viewer.clone(),
            },
        );
        viewer
    }

    /// A file of the viewer of this hash, if a game of its referee was shown.
    pub(super) fn file(&self, hash: &str, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        let found = self.lock();
        let mut viewers = found.iter().filter(|((_, own), _)| own == hash);
        let viewer = viewers.find_map(|(_, found)| found.viewer.clone().ok());
        drop(found);
        viewer.map_or(Ok(None), |viewer| viewer.read(name))
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

/// A game for the player, like the output of `convertFrameFormat` in the runner's `app.js`, without the pictures of
/// people, which the page draws.
#[derive(Debug, Serialize)]
pub(super) struct ViewerGame {
    agents: Vec<Agent>,
    frames: Vec<ViewerFrame>,
    /// Each is JSON inside JSON.
    tooltips: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Agent {
    index: usize,
    agent_id: usize,
    name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ViewerFrame {
    view: String,
    keyframe: bool,
    game_summary: String,
    /// Whose reply follows, as the player's console shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<String>,
    referee: Empty,
}

#[derive(Debug, Serialize)]
struct Empty {}

impl ViewerGame {
    /// The game of this record; `None` where Crownhead judged it.
    pub(super) fn of(record: &GameRecord) -> Option<ViewerGame> {
        let referee = record.referee.as_ref()?;
        let agents = record.players.iter().enumerate();
        let agents = agents.map(|(index, player)| Agent {
            index,
            agent_id: index,
            name: player.name.clone(),
        });
        let frames = referee.frames.iter();
        let tooltips = referee.frames.iter().enumerate();
        let tooltips = tooltips.flat_map(|(turn, frame)| {
            frame.tooltips.iter().filter_map(move |told| {
                let (event, text) = told.split_once(' ')?;
                let event: usize = event.parse().ok()?;
                Some(json!({ "text": text, "event": event, "turn": turn }).to_string())
            })
        });
        Some(ViewerGame {
            agents: agents.collect(),
            tooltips: tooltips.collect(),
            frames: frames.map(|frame| ViewerFrame::of(frame, record)).collect(),
        })
    }
}

impl ViewerFrame {
    fn of(frame: &Frame, record: &GameRecord) -> ViewerFrame {
        let view = ["KEY_FRAME", "INTERMEDIATE_FRAME"];
        let view = view.iter().find_map(|word| frame.view.strip_prefix(word));
        let answer = record.turns.get(frame.turn);
        ViewerFrame {
            view: view.unwrap_or(&frame.view).into(),
            keyframe: is_key(frame),
            game_summary: frame.summary.join("\n"),
            agent_id: answer.map(|turn| turn.player),
            stdout: answer.and_then(|turn| turn.reply.clone()),
            referee: Empty {},
        }
    }
}

#[cfg(test)]
mod tests;
