//! The file as it is written.

use crate::judge::Clock;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::Spanned;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) game: Option<Spanned<String>>,
    pub(super) rules: Option<Spanned<String>>,
    pub(super) max_turns: Option<Spanned<u32>>,
    pub(super) time: Option<Spanned<String>>,
    pub(super) first_turn: Option<Spanned<String>>,
    pub(super) profile: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) clock: Clock,
    pub(super) colour_line: Option<Spanned<String>>,
    pub(super) sandbox: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) allow_read: Vec<Spanned<PathBuf>>,
    #[serde(default)]
    pub(super) suspend_idle: bool,
    #[serde(default)]
    pub(super) replay_suspect: bool,
    pub(super) openings: Option<Spanned<String>>,
    pub(super) schedule: Option<Spanned<String>>,
    pub(super) pairs: Option<Spanned<u64>>,
    pub(super) newcomer: Option<Spanned<String>>,
    pub(super) concurrency: Option<Spanned<u64>>,
    pub(super) seed: Option<u64>,
    pub(super) anchor: Option<FileAnchor>,
    #[serde(default)]
    pub(super) bot: Vec<FileBot>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileAnchor {
    pub(super) bot: Spanned<String>,
    pub(super) rating: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileBot {
    pub(super) name: Spanned<String>,
    pub(super) command: Spanned<String>,
    #[serde(default)]
    pub(super) folder: PathBuf,
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    pub(super) build: Option<String>,
    #[serde(default)]
    pub(super) retired: bool,
}
