//! A site as files: the same pages, for any host that can serve a folder, at any path.
//!
//! Games come in chunks, so that a hundred thousand of them are at most a thousand files. Their records and PDN come in
//! separate chunks, which are loaded only for downloads. The library in the page answers play and analysis. Anything
//! that needs this machine's processes, files and random numbers is left out: a ladder's bots, and kept games.

use super::assets;
use super::bot_page::bot_page;
use super::download::Download;
use super::game_analysis::within;
use super::index::Entry;
use super::site::Site;
use super::viewers::{FOLDER as VIEWERS, ViewerGame};
use anyhow::{Context, bail};
use crownhead_arena::game_analysis::GameAnalysis;
use crownhead_record::{GameFigures, Termination};
use indexmap::IndexSet;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// The most files of games, lists of games and bots together, except for the few that every export has.
const MOST_FILES: usize = 990;
/// The games of one list.
const LISTED: usize = 2000;
/// The fewest games of one chunk, because fewer would only make more files.
const SMALLEST_CHUNK: usize = 10;

/// How long games are analysed before they are written, the newest first, because those are viewed most.
const ANALYSIS_TIME: Duration = Duration::from_secs(20);
/// How long one of them may take.
const GAME_ANALYSIS_TIME: Duration = Duration::from_secs(5);

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
    /// The games that were analysed, the newest.
    pub analysed: usize,
}

/// The index of an export, for its pages.
#[derive(Serialize)]
struct Contents<'a> {
    /// The first game of each chunk of games.
    chunks: Vec<u64>,
    /// The same for the chunks of downloads.
    downloads: Vec<u64>,
    /// The same for the data of viewers; empty if no game has a viewer.
    views: Vec<u64>,
    /// How many lists there are; the last holds the newest games.
    lists: usize,
    /// The meaning of the numbers in lists.
    terminations: Vec<Termination>,
    openings: Vec<&'a String>,
}

/// Writes the site into `folder`, which is new, empty or an earlier export. `analysing` gets the number of analysed
/// games.
///
/// # Errors
/// When the folder holds something else, or cannot be written.
pub fn export(
    site: &mut Site,
    folder: &Path,
    analysing: impl FnMut(usize, usize),
) -> anyhow::Result<Exported> {
    let mut out = OutputFolder::begin(folder)?;
    out.write("index.html", assets::static_page(&site.about()).as_bytes())?;
    out.write("library.js", assets::library().as_bytes())?;
    for (name, _, text) in assets::FILES {
        out.write(name, text.as_bytes())?;
    }
    out.write("data/standings.json", &site.standings()?)?;
    out.write("data/history.json", &site.history()?)?;
    site.read_figures()?;
    let index = &site.index;
    let bots = index.bots.len();
    for bot in 0..bots {
        let page = bot_page(site, bot as u32)?;
        out.json(&format!("data/bot/{bot}.json"), &page)?;
    }
    let mut entries: Vec<&Entry> = index.entries.iter().collect();
    entries.sort_by_key(|entry| entry.id);
    let figures = index.figures.iter();
    let figures = figures.map(|(&place, figures)| (index.entries[place].id, figures));
    let figures: HashMap<u64, &GameFigures> = figures.collect();
    let lists = entries.len().div_ceil(LISTED);
    let room = MOST_FILES.saturating_sub(bots).saturating_sub(lists);
    let sizes = chunk_sizes(entries.len(), room, site.is_external());
    let mut analyses = analyse(site, &entries, analysing);
    out.done.analysed = analyses.len();
    let (chunks, games) = write_chunks(&mut out, "games", entries.chunks(sizes[0]), |entry| {
        let (record, _) = site.record(entry)?;
        let analysis = analyses.remove(&entry.id);
        Ok(site.view(entry.id, record)?.with_analysis(analysis))
    })?;
    let downloads = entries.chunks(sizes[1]);
    let (downloads, _) = write_chunks(&mut out, "downloads", downloads, |entry| {
        let (record, line) = site.record(entry)?;
        Ok(Download::new(&record, line))
    })?;
    let views = if site.is_external() {
        write_viewers(&mut out, site, entries.chunks(sizes[1]))?
    } else {
        Vec::new()
    };
    (out.done.games, out.done.left_out) = (games, entries.len() - games);
    let mut terminations = IndexSet::new();
    for (number, list) in entries.chunks(LISTED).enumerate() {
        let rows = list.iter().map(|entry| {
            let (termination, _) = terminations.insert_full(entry.termination);
            let (players, points, scores) = (&entry.players, &entry.points, &entry.scores);
            let (id, turns, opening) = (entry.id, entry.turns, entry.opening);
            let figures = figures.get(&id);
            (
                id,
                players,
                points,
                scores,
                termination,
                turns,
                opening,
                figures,
            )
        });
        let rows: Vec<_> = rows.collect();
        out.json(&format!("data/list/{number}.json"), &rows)?;
    }
    let contents = Contents {
        chunks,
        downloads,
        views,
        lists,
        terminations: terminations.into_iter().collect(),
        openings: index.openings.iter().collect(),
    };
    out.json("data/contents.json", &contents)?;
    // Written last, so that its presence means a complete export.
    out.json(MARK, &site.about())?;
    Ok(out.done)
}

/// Analyses games, the newest first, until the time is over.
fn analyse(
    site: &Site,
    entries: &[&Entry],
    mut analysing: impl FnMut(usize, usize),
) -> BTreeMap<u64, GameAnalysis> {
    let mut analyses = BTreeMap::new();
    if site.is_external() {
        return analyses;
    }
    let deadline = Instant::now() + ANALYSIS_TIME;
    for entry in entries.iter().rev() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left < GAME_ANALYSIS_TIME / 10 {
            break;
        }
        analysing(analyses.len(), entries.len());
        // A game that cannot be read is left out later.
        let record = site.record(entry).map(|(record, _)| record);
        let analysis = record
            .ok()
            .and_then(|record| within(&record, left.min(GAME_ANALYSIS_TIME)));
        analyses.extend(analysis.map(|analysis| (entry.id, analysis)));
    }
    analyses
}

/// How many of this many games a file of games has, and how many a file of downloads or viewers' data, so that all fit
/// into `room` files, or into one of each if `room` is 0.
fn chunk_sizes(games: usize, room: usize, has_viewers: bool) -> [usize; 2] {
    // Two files in three are games to view; the others are needed less often.
    let rest = room / if has_viewers { 6 } else { 3 };
    [2 * room / 3, rest].map(|files| games.div_ceil(files.max(1)).max(SMALLEST_CHUNK))
}

/// Writes the viewers' data of these games, and the files of each viewer once. Returns the first game of each file.
fn write_viewers<'a>(
    out: &mut OutputFolder<'_>,
    site: &Site,
    chunks: impl Iterator<Item = &'a [&'a Entry]>,
) -> anyhow::Result<Vec<u64>> {
    let mut viewers = BTreeMap::new();
    let (first, _) = write_chunks(out, "views", chunks, |entry| {
        let (record, _) = site.record(entry)?;
        let referee = record.referee.as_ref().context("no referee")?;
        // Without a viewer, the game's page says why.
        let viewer = site.viewers.open(referee).map_err(anyhow::Error::msg)?;
        viewers.insert(referee.hash.clone(), viewer);
        ViewerGame::of(&record).context("no referee")
    })?;
    for (hash, viewer) in viewers {
        for name in viewer.names() {
            let bytes = viewer.read(name)?.unwrap_or_default();
            out.write(&format!("{VIEWERS}/{hash}/{name}"), &bytes)?;
        }
    }
    Ok(first)
}

/// Writes the output of `make` for games, by id, into a file for each chunk. Leaves out games without output. Returns
/// the first game of each file, and how many games they contain.
fn write_chunks<'a, T: Serialize>(
    out: &mut OutputFolder<'_>,
    folder: &str,
    chunks: impl Iterator<Item = &'a [&'a Entry]>,
    mut make: impl FnMut(&Entry) -> anyhow::Result<T>,
) -> anyhow::Result<(Vec<u64>, usize)> {
    let (mut first, mut games) = (Vec::new(), 0);
    for (number, chunk) in chunks.enumerate() {
        let made = |entry: &&Entry| Some((entry.id, make(entry).ok()?));
        let made: BTreeMap<u64, T> = chunk.iter().filter_map(made).collect();
        out.json(&format!("data/{folder}/{number}.json"), &made)?;
        first.push(chunk[0].id);
        games += made.len();
    }
    Ok((first, games))
}

/// The mark of an export's folder.
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
                "{}: it holds other files; name a new folder, or one from an earlier export",
                about()
            );
        }
        for folder in ["data", VIEWERS].map(|folder| path.join(folder)) {
            if folder.exists() {
                fs::remove_dir_all(&folder).with_context(about)?;
            }
        }
        let done = Exported::default();
        Ok(OutputFolder { path, done })
    }

    fn json(&mut self, name: &str, value: &impl Serialize) -> anyhow::Result<()> {
        self.write(name, &serde_json::to_vec(value)?)
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.path.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = written.and_then(|()| fs::write(&path, bytes));
        written.with_context(|| path.display().to_string())?;
        self.done.files += 1;
        self.done.bytes += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
