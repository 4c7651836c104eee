//! `assets.js`, the list of pictures and fonts that a viewer loads, as the engine's runner makes it
//! (`Renderer.generateAssetsFile`, CodinGame/codingame-game-engine 4.5.0).

use super::Viewer;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::io;

/// The folder of the files that are listed.
const FOLDER: &str = "assets/";

/// The module's text.
pub(super) fn list(viewer: &Viewer) -> io::Result<String> {
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
