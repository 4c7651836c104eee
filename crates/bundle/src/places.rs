//! Where in the contestant's files each token of a text comes from.

use proc_macro2::{Span, TokenStream};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The files that were read, by the names that spans give them.
#[derive(Default)]
pub(super) struct Files {
    paths: HashMap<String, PathBuf>,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) line: usize,
}

impl Files {
    /// Notes that these tokens were lexed from the file at `path`.
    pub(super) fn add(&mut self, tokens: &TokenStream, path: &Path) {
        if let Some(first) = tokens.clone().into_iter().next() {
            self.paths.insert(first.span().file(), path.to_path_buf());
        }
    }

    /// The place of a token that was lexed from one of the files.
    pub(super) fn place(&self, span: Span) -> Option<Place> {
        let file = self.paths.get(&span.file())?.clone();
        let line = span.start().line;
        Some(Place { file, line })
    }
}

/// The place of each token of a text, in its order.
#[derive(Clone, Default)]
pub(super) struct Places(Vec<(usize, Option<Place>)>);

impl Places {
    /// The places of tokens, each at its offset, that come straight from the files.
    pub(super) fn new(tokens: &[(usize, Span)], files: &Files) -> Places {
        let place = |&(offset, span): &(usize, Span)| (offset, files.place(span));
        Places(tokens.iter().map(place).collect())
    }

    /// The places of tokens that were parsed from the text of these places.
    pub(super) fn follow(&self, tokens: &[(usize, Span)]) -> Places {
        let place = |&(offset, span): &(usize, Span)| (offset, self.at(&span.byte_range()));
        Places(tokens.iter().map(place).collect())
    }

    /// The place of the token at the beginning of a range, or of the last one before it that has a place.
    pub(super) fn at(&self, range: &Range<usize>) -> Option<Place> {
        let before = self.0.partition_point(|&(offset, _)| offset <= range.start);
        let known = self.0[..before].iter().rev();
        known.take(8).find_map(|(_, place)| place.clone())
    }
}
