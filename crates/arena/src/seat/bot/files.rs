//! How a command line names files: its arguments as seen from the folder where they were written, and as they read from
//! another one.

use super::spec::{BotKind, BotSpec, Program, absolute};
use crownhead_sandbox::{join_words, split_words};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf, is_separator};

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
        let is_script = has_kind || first.contains(is_separator);
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

/// The command with the files that are found here, and not in `place`, named from there.
///
/// A program is a file only where it has a separator, as for a shell; the other words are files if there is one.
pub fn command_seen_from(place: &Path, command: &str) -> String {
    if let Some(whole) = file_seen_from(place, command).filter(|_| command.contains(is_separator)) {
        return join_words(&[whole]);
    }
    let Some(words) = split_words(command) else {
        return command.into();
    };
    let mut has_moved = false;
    let words = words.into_iter().enumerate().map(|(number, word)| {
        let could_be_a_file = number > 0 || word.contains(is_separator);
        // Of a program, the ending may be left out.
        let file = file_seen_from(place, &word);
        let file = file.or_else(|| file_seen_from(place, &format!("{word}{EXE_SUFFIX}")));
        match file.filter(|_| could_be_a_file) {
            Some(path) => {
                has_moved = true;
                path
            }
            None => word,
        }
    });
    let words: Vec<String> = words.collect();
    // What needs no change stays as it was written.
    match has_moved {
        true => join_words(&words),
        false => command.into(),
    }
}

/// The path from `place` of a file that is here, by a relative path, and not there.
fn file_seen_from(place: &Path, word: &str) -> Option<String> {
    let file = Path::new(word);
    if file.is_absolute() || !file.is_file() || place.join(file).exists() {
        return None;
    }
    // The folders as they really are: `..` leads out of these. The file itself may be a link that has its name
    // for a reason.
    let folder = std::path::absolute(file).ok()?;
    let folder = folder.parent()?.canonicalize().ok()?;
    let path = relative(&folder, &place.canonicalize().ok()?).join(file.file_name()?);
    Some(path.to_str()?.into())
}

/// The path from `place` of a folder that is here, by a relative path; `None` if it is not here.
pub fn folder_seen_from(place: &Path, folder: &str) -> Option<String> {
    let folder = Path::new(folder).canonicalize().ok()?;
    let path = relative(&folder, &place.canonicalize().ok()?);
    path.to_str().filter(|_| folder.is_dir()).map(Into::into)
}

/// `folder` as seen from `place`, both absolute; unchanged where they have only the root in common.
fn relative(folder: &Path, place: &Path) -> PathBuf {
    let pairs = folder.components().zip(place.components());
    let common = pairs.take_while(|(one, other)| one == other).count();
    if common < 2 {
        return folder.into();
    }
    let up = place.components().skip(common);
    let up = up.map(|_| Component::ParentDir);
    let down = folder.components().skip(common);
    let path: PathBuf = up.chain(down).collect();
    // A program is a file only with a slash.
    if path.starts_with("..") {
        path
    } else {
        Path::new(".").join(path)
    }
}

#[cfg(test)]
mod tests {
    use super::relative;
    use std::path::Path;

    #[test]
    fn a_folder_is_named_from_another_and_by_itself_where_they_are_far_apart() {
        let cases = [
            ("/home/me", "/home/me/night", ".."),
            ("/home/me/bots", "/home/me/night", "../bots"),
            ("/home/me/night", "/home/me/night", "./"),
            ("/home/me/night/bots", "/home/me/night", "./bots"),
            ("/opt/bots", "/home/me/night", "/opt/bots"),
        ];
        for (folder, place, expected) in cases {
            let path = relative(Path::new(folder), Path::new(place));
            assert_eq!(path, Path::new(expected), "{folder} from {place}");
        }
    }
}
