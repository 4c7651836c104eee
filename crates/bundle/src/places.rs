//! Where in the contestant's files each token of a text comes from.

use proc_macro2::{Span, TokenStream};
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

/// The files that were read, by the names that spans give them.
#[derive(Default)]
pub(super) struct Files {
    paths: HashMap<String, PathBuf>,
}

/// A line of a file.
#[derive(Clone)]
pub(super) struct Location {
    pub(super) file: PathBuf,
    pub(super) line: usize,
}

impl Display for Location {
    /// The file, relative to the current folder if it is inside it.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let here = std::env::current_dir().unwrap_or_default();
        let file = self.file.strip_prefix(&here).unwrap_or(&self.file);
        write!(out, "{}:{}", file.display(), self.line)
    }
}

/// A location for messages. A token that is not in a file comes from a macro.
pub(super) fn show(location: Option<&Location>) -> String {
    location.map_or("what a macro writes".into(), Location::to_string)
}

impl Files {
    /// Records that these tokens were lexed from the file at `path`.
    pub(super) fn add(&mut self, tokens: &TokenStream, path: &Path) {
        if let Some(first) = tokens.clone().into_iter().next() {
            self.paths.insert(first.span().file(), path.to_path_buf());
        }
    }

    /// The place of a token that was lexed from one of the files.
    pub(super) fn place(&self, span: Span) -> Option<Location> {
        let file = self.paths.get(&span.file())?.clone();
        let line = span.start().line;
        Some(Location { file, line })
    }
}

/// The offset and the place of each token of a text, in its order.
#[derive(Clone)]
pub(super) struct Places(pub(super) Vec<(usize, Option<Location>)>);

impl Places {
    /// The place of the token at an offset, or of the last one before it that has a place.
    pub(super) fn at(&self, offset: usize) -> Option<Location> {
        let before = self.0.partition_point(|&(begin, _)| begin <= offset);
        let known = self.0[..before].iter().rev();
        known.take(8).find_map(|(_, place)| place.clone())
    }
}
