//! The viewer of a contest: the files below `view/` in the jars or the build folder of the referee that judged a game.
//!
//! The engine's own page draws a game with them: `player.html` and `lib/` are its runner's
//! (`runner/src/main/resources/ view`), `core/` the engine's, `config.js`, `graphics/` and `assets/` the contest's.
//! Here they are found, checked against the hash of the record, and read. `assets.js` is made, as the runner makes it. The referee is not started, because a record may come from anywhere. Leaves out how they reach a page.

mod files;

use crate::RefereeError;
use crate::find::{files_named, hash};
use crate::java::{Classes, is_jar};
use crownhead_record::RefereeRecord;
use crownhead_record::text::printable;
use crownhead_sandbox::split_words;
use files::Place;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The page that draws a game, and reports to the page around it what it draws.
pub const PLAYER: &str = "player.html";
/// The module that the player draws with.
pub const DRAWER: &str = "core/Drawer.js";
/// Which of the contest's modules draw.
const CONFIG: &str = "config.js";
/// The list of pictures, which is made.
const ASSETS: &str = "assets.js";
/// The game that is shown before the first one. The drawer needs the file.
const DEMO: &str = "demo.js";
const NO_DEMO: &str = "export const demo = null;\n";

/// The files of a contest's viewer.
#[derive(Debug)]
pub struct Viewer {
    /// Where each file is, by its name below `view/`.
    places: BTreeMap<String, Place>,
}

/// Why a game has no viewer: a part of a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ViewerError(String);

impl Viewer {
    /// The viewer of the referee of a record, which is at the same path below `folder` as when the game was played, and
    /// has not changed since.
    ///
    /// # Errors
    /// When it has, or has no viewer.
    pub fn open(record: &RefereeRecord, folder: &Path) -> Result<Viewer, ViewerError> {
        let command = printable(&record.command);
        let unreadable = |why: &dyn Display| {
            ViewerError(format!("its referee `{command}` cannot be read: {why}"))
        };
        let (words, files) = named(&record.command, folder).map_err(|error| unreadable(&error))?;
        let mut places = BTreeMap::new();
        for root in files.iter().filter(|file| file.is_dir() || is_jar(file)) {
            // What comes first on a class path wins.
            files::add(root, &mut places).map_err(|error| unreadable(&error))?;
        }
        let viewer = Viewer { places };
        let lacks = |name: &str| !viewer.places.contains_key(name);
        // The hash comes before anything is given to a page, and only where there is a viewer: it costs time.
        let hash = || hash(&words, &files, &record.parameters).map_err(|error| unreadable(&error));
        let why = if lacks(CONFIG) {
            format!(
                "there is no jar or build folder with a viewer, `view/{CONFIG}`, at its referee `{command}`"
            )
        } else if hash()? != record.hash {
            format!("its referee `{command}` has changed since the game was played")
        } else if lacks(PLAYER) || lacks(DRAWER) {
            format!(
                "its referee `{command}` holds the contest's part of the viewer and not the engine's, `view/{PLAYER}`: \
                 that is in the jar `runner`, which `mvn dependency:copy-dependencies` puts into `target/dependency`"
            )
        } else {
            let config = viewer.text(CONFIG).map_err(|error| unreadable(&error))?;
            match imported(&config).find(|name| lacks(name)) {
                None => return Ok(viewer),
                // The contest's scripts are not compiled.
                Some(module) => format!(
                    "the viewer of its referee `{command}` lacks `view/{}`, which its {CONFIG} imports: contests that \
                     draw in TypeScript are to be compiled first, with `tsc` in the folder of their tsconfig.json",
                    printable(module)
                ),
            }
        };
        Err(ViewerError(why))
    }

    /// The names of its files, those that are made among them.
    pub fn names(&self) -> Vec<&str> {
        let own = self.places.keys().map(String::as_str);
        let made = [ASSETS, DEMO].into_iter();
        let made = made.filter(|&name| !self.places.contains_key(name));
        own.chain(made).collect()
    }

    /// The file of this name; `None` where there is none.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or its archive is damaged.
    pub fn read(&self, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        match self.places.get(name) {
            _ if name == ASSETS => Ok(Some(list_assets(self)?.into_bytes())),
            Some(place) => place.read().map(Some),
            None if name == DEMO => Ok(Some(NO_DEMO.into())),
            None => Ok(None),
        }
    }

    /// The libraries that a drawer may ask for, by the names that it knows them by, such as `PIXI6`, with their files.
    pub fn libraries(&self) -> BTreeMap<String, &str> {
        let files = self.places.keys().filter_map(|file| {
            let name = file.strip_prefix("lib/")?.strip_suffix(".js")?;
            Some((name.to_uppercase(), file.as_str()))
        });
        files.collect()
    }

    fn text(&self, name: &str) -> std::io::Result<String> {
        let bytes = self.read(name)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The words and the files of a referee that is named so, as they count for its hash.
fn named(command: &str, folder: &Path) -> Result<(Vec<String>, Vec<PathBuf>), RefereeError> {
    if let Some(classes) = Classes::at(&folder.join(command))? {
        return Ok((Vec::new(), classes.path));
    }
    let words = split_words(command).unwrap_or_default();
    let files = files_named(&words, folder);
    Ok((words, files))
}

/// The files that a module beside `player.html` imports by a relative name.
fn imported(module: &str) -> impl Iterator<Item = &str> {
    let quoted: Vec<&str> = module.split(['\'', '"']).collect();
    let names = quoted.windows(2).filter_map(|pair| {
        let before = pair[0].trim_end();
        let is_import = before.ends_with("from") || before.ends_with("import");
        pair[1].strip_prefix("./").filter(|_| is_import)
    });
    names.collect::<Vec<_>>().into_iter()
}

/// The folder of the files that are listed.
const FOLDER: &str = "assets/";

/// The text of `assets.js`, the list of pictures and fonts that a viewer loads, as the engine's runner makes it
/// (`Renderer.generateAssetsFile`, CodinGame/codingame-game-engine 4.5.0).
fn list_assets(viewer: &Viewer) -> std::io::Result<String> {
    let names = viewer.places.keys();
    let names = names.filter_map(|name| Some((name, name.strip_prefix(FOLDER)?)));
    let (mut images, mut sprites, mut fonts) = (Map::new(), Vec::new(), Vec::new());
    // The pictures of sprite sheets, which come with them.
    let mut linked = BTreeSet::new();
    for (name, own) in names {
        match own.rsplit_once('.').map(|(_, kind)| kind) {
            Some("json") => {
                if let Some(image) = sheet_image(&viewer.text(name)?) {
                    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                    linked.insert(format!("{folder}/{image}"));
                    sprites.push(name);
                }
            }
            Some("fnt") => fonts.push(name),
            _ => {
                images.insert(own.into(), name.as_str().into());
            }
        }
    }
    images.retain(|_, name| name.as_str().is_none_or(|name| !linked.contains(name)));
    let assets = json!({ "images": images, "sprites": sprites, "fonts": fonts });
    Ok(format!("export const assets = {assets};\n"))
}

/// The picture of a sprite sheet; `None` where the text is none.
fn sheet_image(text: &str) -> Option<String> {
    let sheet: Value = serde_json::from_str(text).ok()?;
    Some(sheet.pointer("/meta/image")?.as_str()?.into())
}

#[cfg(test)]
mod tests;
