//! How a command line names files: its arguments as seen from the folder where they were written.

use super::spec::{BotKind, BotSpec, Program, absolute};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

impl BotSpec {
    /// The files that its arguments name as seen from `folder`, in their order, each as it is written and absolute.
    pub fn files_named(&self, folder: &Path) -> Vec<(String, PathBuf)> {
        let arguments = self.program().map_or(&[][..], |program| &program.arguments);
        let file = |word: &String| {
            let (_, path) = file_named(word, folder)?;
            Some((path.to_string(), absolute(&folder.join(path))))
        };
        arguments.iter().filter_map(file).collect()
    }

    /// The script that an interpreter is given and that is not in `folder`, if it is so.
    pub fn missing_script(&self, folder: &Path) -> Option<&str> {
        let program = self.program().filter(|program| program.installed)?;
        // Behind an option it may be anything.
        let first = program
            .arguments
            .first()
            .filter(|word| !word.starts_with('-'))?;
        let extension = Path::new(first).extension().and_then(OsStr::to_str);
        let has_kind = extension.is_some_and(|kind| kind.starts_with(char::is_alphabetic));
        let is_script = has_kind || first.contains('/');
        (is_script && !folder.join(first).exists()).then_some(first)
    }

    /// The same bot for a working folder other than `folder`, where its words were written: the files that its
    /// arguments name are named by absolute paths.
    #[must_use]
    pub fn with_absolute_files(mut self, folder: &Path) -> BotSpec {
        if let BotKind::Program(Program { arguments, .. }) = &mut self.kind {
            for word in arguments {
                let named = file_named(word, folder).map(|(option, path)| {
                    format!("{option}{}", absolute(&folder.join(path)).display())
                });
                *word = named.unwrap_or_else(|| std::mem::take(word));
            }
        }
        self
    }
}

/// The file that a word of a command line names, and what is before it: nothing, or `--option=`.
fn file_named<'a>(word: &'a str, folder: &Path) -> Option<(&'a str, &'a str)> {
    let is_file = |path: &str| !path.is_empty() && folder.join(path).is_file();
    if is_file(word) {
        return Some(("", word));
    }
    let at = word.find('=').filter(|_| word.starts_with('-'))? + 1;
    let (option, path) = word.split_at(at);
    is_file(path).then_some((option, path))
}
