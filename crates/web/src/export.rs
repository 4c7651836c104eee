//! A site as files: the same pages, for any host that can serve a folder, from any place below it.
//!
//! Games come in chunks, so that a hundred thousand of them are at most a thousand files; their records and PDN come in
//! chunks of their own, which are loaded only to be saved. What needs a program to answer is left out: play, analysis
//! and the legal moves of a position.

use super::assets;
use super::bot_page::bot_page;
use super::download::Download;
use super::index::Entry;
use super::site::Site;
use super::view::View;
use anyhow::{Context, bail};
use crownhead_record::Termination;
use indexmap::IndexSet;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The most files of games, lists of games and bots together, but for the few that every export has.
const MOST_FILES: usize = 990;
/// The games of one list.
const LISTED: usize = 2000;
/// The fewest games of one chunk: less would only make more files.
const SMALLEST_CHUNK: usize = 10;

/// What was written.
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

/// Where a page finds what.
#[derive(Serialize)]
struct Contents<'a> {
    /// The first game of each chunk of games.
    chunks: Vec<u64>,
    /// The same of the chunks of downloads.
    downloads: Vec<u64>,
    /// How many lists there are; the last holds the newest games.
    lists: usize,
    /// What the numbers in lists mean.
    terminations: Vec<Termination>,
    openings: Vec<&'a String>,
}

/// Writes the site into `folder`, which is new, empty or an earlier export.
///
/// # Errors
/// When the folder holds something else, or cannot be written.
pub fn export(site: &mut Site, folder: &Path) -> anyhow::Result<Exported> {
    let mut out = OutputFolder::begin(folder)?;
    out.write("index.html", assets::page("static", "").as_bytes())?;
    for (name, _, text) in assets::FILES {
        out.write(name, text.as_bytes())?;
    }
    out.write("data/standings.json", &site.standings()?)?;
    out.write("data/history.json", &site.history()?)?;
    let index = site.index();
    let bots = index.bots.len();
    for bot in 0..bots {
        out.json(
            &format!("data/bot/{bot}.json"),
            &bot_page(site, bot as u32)?,
        )?;
    }
    let mut entries: Vec<&Entry> = index.entries.iter().collect();
    entries.sort_by_key(|entry| entry.id);
    let lists = entries.len().div_ceil(LISTED);
    let room = MOST_FILES.saturating_sub(bots + lists).max(1);
    // Two files in three are games to look at; downloads are asked for less often.
    let mut chunks = Chunks::new("games", entries.len(), 2 * room / 3);
    let mut downloads = Chunks::new("downloads", entries.len(), room / 3);
    for entry in &entries {
        let shown = site.record(entry).and_then(|(record, line)| {
            let download = Download::new(&record, line);
            Ok((View::new(entry.id, record)?, download))
        });
        let Ok((view, download)) = shown else {
            out.done.left_out += 1;
            continue;
        };
        out.done.games += 1;
        chunks.add(&mut out, entry.id, view)?;
        downloads.add(&mut out, entry.id, download)?;
    }
    chunks.write(&mut out)?;
    downloads.write(&mut out)?;
    let mut terminations = IndexSet::new();
    for (number, list) in entries.chunks(LISTED).enumerate() {
        let rows = list.iter().map(|entry| {
            let (termination, _) = terminations.insert_full(entry.termination);
            let [black, white] = entry.players;
            let (result, turns, opening) = (entry.result, entry.turns, entry.opening);
            (entry.id, black, white, result, termination, turns, opening)
        });
        let rows: Vec<_> = rows.collect();
        out.json(&format!("data/list/{number}.json"), &rows)?;
    }
    let contents = Contents {
        chunks: chunks.first,
        downloads: downloads.first,
        lists,
        terminations: terminations.into_iter().collect(),
        openings: index.openings.iter().collect(),
    };
    out.json("data/contents.json", &contents)?;
    // Last: where it is, the export is whole.
    out.json(MARK, &site.about())?;
    Ok(out.done)
}

/// Games by their ids, in files of so many.
struct Chunks<T> {
    folder: &'static str,
    size: usize,
    /// The first game of each file.
    first: Vec<u64>,
    /// What is not written yet.
    open: BTreeMap<u64, T>,
}

impl<T: Serialize> Chunks<T> {
    /// For so many games, in at most `files` files unless those are none.
    fn new(folder: &'static str, games: usize, files: usize) -> Chunks<T> {
        Chunks {
            folder,
            size: games.div_ceil(files.max(1)).max(SMALLEST_CHUNK),
            first: Vec::new(),
            open: BTreeMap::new(),
        }
    }

    /// Adds a game; they come in the order of their ids.
    fn add(&mut self, out: &mut OutputFolder<'_>, id: u64, game: T) -> anyhow::Result<()> {
        if self.open.is_empty() {
            self.first.push(id);
        }
        self.open.insert(id, game);
        if self.open.len() == self.size {
            self.write(out)?;
        }
        Ok(())
    }

    /// Writes what is left.
    fn write(&mut self, out: &mut OutputFolder<'_>) -> anyhow::Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        let number = self.first.len() - 1;
        out.json(&format!("data/{}/{number}.json", self.folder), &self.open)?;
        self.open.clear();
        Ok(())
    }
}

/// What tells an export from another folder.
const MARK: &str = "data/site.json";

struct OutputFolder<'a> {
    path: &'a Path,
    done: Exported,
}

impl OutputFolder<'_> {
    fn begin(path: &Path) -> anyhow::Result<OutputFolder<'_>> {
        let about = || path.display().to_string();
        fs::create_dir_all(path).with_context(about)?;
        let is_empty = fs::read_dir(path).with_context(about)?.next().is_none();
        let is_export = path.join(MARK).is_file() && path.join("app.js").is_file();
        if !(is_empty || is_export) {
            bail!(
                "{}: it holds other files; expected a new folder, or one that an earlier export has made",
                about()
            );
        }
        let data = path.join("data");
        if data.exists() {
            fs::remove_dir_all(&data).with_context(about)?;
        }
        for folder in ["bot", "downloads", "games", "list"] {
            fs::create_dir_all(data.join(folder)).with_context(about)?;
        }
        let done = Exported::default();
        Ok(OutputFolder { path, done })
    }

    fn json(&mut self, name: &str, value: &impl Serialize) -> anyhow::Result<()> {
        self.write(name, &serde_json::to_vec(value)?)
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.path.join(name);
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        self.done.files += 1;
        self.done.bytes += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_games_there_are_they_fit_their_files() {
        for games in [0, 1, 99, 6_130, 100_000, 1_000_000] {
            for files in [1, 306, 613] {
                let chunks = Chunks::<()>::new("games", games, files);
                assert!(games.div_ceil(chunks.size) <= files, "{games} in {files}");
            }
        }
    }
}
