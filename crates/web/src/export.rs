//! A site as files: the same pages, for any host that can serve a folder, at any path.
//!
//! Games come in chunks, so that a hundred thousand of them are at most a thousand files.

use super::assets;
use super::data::data;
use super::error::{SiteError, fail};
use super::index::Entry;
use super::live::json;
use super::site::Site;
use super::view::GameView;
use super::viewers::FOLDER as VIEWERS;
use crownhead_record::system_error::OfFile;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The most files of games, lists of games and bots together, except for the few that every export has.
const MOST_FILES: usize = 990;
/// The fewest games of one chunk, because fewer would only make more files.
const SMALLEST_CHUNK: usize = 10;

/// The result of an export.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Exported {
    /// Files in all.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The games in them.
    pub games: usize,
    /// The games that could not be shown.
    pub left_out: usize,
}

/// Writes the site into `folder`, which is new, empty or an earlier export.
///
/// # Errors
/// When the folder holds something else, or cannot be written.
pub fn export(site: &mut Site, folder: &Path) -> Result<Exported, SiteError> {
    let mut out = OutputFolder::begin(folder)?;
    out.write("index.html", assets::static_page(&site.about()).as_bytes())?;
    for (name, _, text) in assets::files() {
        out.write(name, &text)?;
    }
    let (bots, lists) = (site.index.bots.len(), site.index.contents().lists);
    let names = ["standings", "history"].map(String::from).into_iter();
    let names = names.chain((0..bots).map(|bot| format!("bot/{bot}")));
    for name in names.chain((0..lists).map(|list| format!("list/{list}"))) {
        let bytes = data(site, &name)?.unwrap_or_default();
        out.write(&format!("data/{name}.json"), &bytes)?;
    }
    let mut entries: Vec<&Entry> = site.index.entries.iter().collect();
    entries.sort_by_key(|entry| entry.id);
    let mut contents = site.index.contents();
    let room = MOST_FILES.saturating_sub(bots).saturating_sub(lists);
    for (number, chunk) in entries.chunks(chunk_size(entries.len(), room)).enumerate() {
        let view = |entry: &&Entry| {
            let view = site.view(entry.id, site.record(entry).ok()?).ok()?;
            Some((entry.id, view))
        };
        let views: BTreeMap<u64, GameView> = chunk.iter().filter_map(view).collect();
        out.write(&format!("data/games/{number}.json"), &json(&views))?;
        contents.chunks.push(chunk[0].id);
        out.done.games += views.len();
    }
    out.done.left_out = entries.len() - out.done.games;
    for (hash, viewer) in site.viewers.all() {
        for name in viewer.names() {
            let bytes = viewer.read(name)?.unwrap_or_default();
            out.write(&format!("{VIEWERS}/{hash}/{name}"), &bytes)?;
        }
    }
    out.write("data/contents.json", &json(contents))?;
    // Written last, so that its presence means a complete export.
    out.write(MARK, &json(site.about()))?;
    Ok(out.done)
}

/// How many of this many games a file has, so that all fit into `room` files, or into one if `room` is 0.
fn chunk_size(games: usize, room: usize) -> usize {
    games.div_ceil(room.max(1)).max(SMALLEST_CHUNK)
}

/// The mark of an export's folder.
const MARK: &str = "data/site.json";

struct OutputFolder<'a> {
    path: &'a Path,
    done: Exported,
}

impl OutputFolder<'_> {
    fn begin(path: &Path) -> Result<OutputFolder<'_>, SiteError> {
        fs::create_dir_all(path).of_file(path)?;
        let is_empty = fs::read_dir(path).of_file(path)?.next().is_none();
        let is_export = path.join(MARK).is_file() && path.join("app.js").is_file();
        if !(is_empty || is_export) {
            return Err(fail(format!(
                "{}: it holds other files; name a new folder, or one from an earlier export",
                path.display()
            )));
        }
        for folder in ["data", VIEWERS].map(|folder| path.join(folder)) {
            if folder.exists() {
                fs::remove_dir_all(&folder).of_file(&folder)?;
            }
        }
        let done = Exported::default();
        Ok(OutputFolder { path, done })
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), SiteError> {
        let path = self.path.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = written.and_then(|()| fs::write(&path, bytes));
        written.of_file(&path)?;
        self.done.files += 1;
        self.done.bytes += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
