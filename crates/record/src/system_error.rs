//! What the system refuses, in words for people: why, about which file, and which file may be meant instead.

use crate::text::printable;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file or folder that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}", describe(path, error))]
pub struct PathError {
    path: PathBuf,
    error: io::Error,
}

impl PathError {
    /// The error that the system gave for this file.
    pub fn new(path: &Path, error: io::Error) -> PathError {
        PathError {
            path: path.into(),
            error,
        }
    }
}

/// Names the file in an error of the system.
pub trait OfFile<T> {
    /// The same, with an error that names this file.
    ///
    /// # Errors
    /// When there was one.
    fn of_file(self, path: &Path) -> Result<T, PathError>;
}

impl<T> OfFile<T> for io::Result<T> {
    fn of_file(self, path: &Path) -> Result<T, PathError> {
        self.map_err(|error| PathError::new(path, error))
    }
}

/// Why a file or folder cannot be used, with its name.
pub fn describe(path: &Path, error: &io::Error) -> String {
    let name = printable(path.as_os_str().as_encoded_bytes());
    match error.kind() {
        ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            if let Some(folder) = folder.filter(|folder| !folder.exists()) {
                let folder = printable(folder.as_os_str().as_encoded_bytes());
                return format!("`{name}`: there is no folder `{folder}`");
            }
            let meant = neighbour(path).map(|meant| path.with_file_name(meant));
            match meant {
                Some(meant) => format!(
                    "`{name}` does not exist. Did you mean `{}`?",
                    printable(meant.as_os_str().as_encoded_bytes())
                ),
                None => format!("`{name}` does not exist"),
            }
        }
        ErrorKind::AlreadyExists => format!("`{name}` already exists"),
        ErrorKind::IsADirectory => format!("`{name}` is a folder. Name a file"),
        ErrorKind::NotADirectory => format!("`{name}`: a part of this path is a file"),
        _ => format!("`{name}`: {}", reason(error)),
    }
}

/// Why the system refused something.
pub fn reason(error: &io::Error) -> String {
    // execve(2): the file has no format that the system runs.
    const ENOEXEC: i32 = 8;
    // What Windows says of a file that is no program, or is open elsewhere (winerror.h).
    const BAD_EXE_FORMAT: i32 = 193;
    const SHARING_VIOLATION: i32 = 32;
    let number = error.raw_os_error();
    let reason = match error.kind() {
        kind if number == Some(ENOEXEC) && kind != ErrorKind::OutOfMemory => {
            "it is no program of this machine, or a script without a first line such as `#!/bin/sh`"
        }
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::AlreadyExists => "it already exists",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of its path is a file",
        ErrorKind::DirectoryNotEmpty => "the folder is not empty",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "your share of the disk is used up",
        ErrorKind::FileTooLarge => "the file may not become larger",
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        ErrorKind::InvalidFilename => "its name is too long",
        ErrorKind::ArgumentListTooLong => "the command line is too long",
        ErrorKind::ExecutableFileBusy => "a program is still writing it",
        ErrorKind::AddrInUse => "another program uses it",
        ErrorKind::AddrNotAvailable => "this machine has no such address",
        ErrorKind::ConnectionRefused => "nothing answers there",
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => "the other side has closed it",
        ErrorKind::TimedOut => "no answer came in time",
        _ if number == Some(BAD_EXE_FORMAT) => "it is no program of this machine",
        _ if number == Some(SHARING_VIOLATION) => "another program has it open",
        _ => return without_number(&error.to_string()).to_lowercase(),
    };
    reason.into()
}

/// A message with the system's own errors in these words.
pub fn plain_words(message: &str) -> String {
    let Some((before, after)) = message.split_once(OS_ERROR) else {
        return message.into();
    };
    let Some((number, rest)) = after.split_once(')') else {
        return message.into();
    };
    let Ok(number) = number.parse() else {
        return message.into();
    };
    let error = io::Error::from_raw_os_error(number);
    let text = error.to_string();
    let before = match before.strip_suffix(without_number(&text)) {
        Some(before) => format!("{before}{}", reason(&error)),
        None => before.into(),
    };
    before + &plain_words(rest)
}

/// What stands before the number of an error in the system's own words.
pub const OS_ERROR: &str = " (os error ";

fn without_number(error: &str) -> &str {
    error.rsplit_once(OS_ERROR).map_or(error, |(text, _)| text)
}

/// A file beside this one with nearly its name.
pub fn neighbour(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let near = names.map(|name| (strsim::damerau_levenshtein(&name, wanted), name));
    let (distance, name) = near.min()?;
    (distance * 3 < wanted.len()).then(|| printable(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_of_the_system_has_its_words() {
        use ErrorKind::*;
        for (kind, words) in [
            (NotFound, "it does not exist"),
            (PermissionDenied, "permission denied"),
            (AlreadyExists, "it already exists"),
            (IsADirectory, "it is a folder"),
            (NotADirectory, "a part of its path is a file"),
            (DirectoryNotEmpty, "the folder is not empty"),
            (StorageFull, "the disk is full"),
            (QuotaExceeded, "your share of the disk is used up"),
            (FileTooLarge, "the file may not become larger"),
            (ReadOnlyFilesystem, "the file system is read-only"),
            (InvalidFilename, "its name is too long"),
            (ArgumentListTooLong, "the command line is too long"),
            (ExecutableFileBusy, "a program is still writing it"),
            (AddrInUse, "another program uses it"),
            (AddrNotAvailable, "this machine has no such address"),
            (ConnectionRefused, "nothing answers there"),
            (ConnectionReset, "the other side has closed it"),
            (BrokenPipe, "the other side has closed it"),
            (TimedOut, "no answer came in time"),
        ] {
            assert_eq!(reason(&kind.into()), words);
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_told_with_one_that_may_be_meant() {
        let missing = ErrorKind::NotFound.into();
        let told = describe(Path::new("Cargo.tomk"), &missing);
        assert_eq!(
            told,
            "`Cargo.tomk` does not exist. Did you mean `Cargo.toml`?"
        );
        let told = describe(Path::new("./nothing/like/it"), &missing);
        assert_eq!(
            told,
            "`./nothing/like/it`: there is no folder `./nothing/like`"
        );
        let told = describe(Path::new("src/unlike-any"), &missing);
        assert_eq!(told, "`src/unlike-any` does not exist");
    }

    #[test]
    fn a_message_has_no_numbers_of_the_system() {
        let of = |number| io::Error::from_raw_os_error(number).to_string();
        let message = format!("a: {}; b: {}", of(2), of(13));
        assert_eq!(
            plain_words(&message),
            "a: it does not exist; b: permission denied"
        );
        // EBUSY has no words of ours, and 9999 none at all.
        assert_eq!(
            plain_words(&format!("a: {}", of(16))),
            "a: device or resource busy"
        );
        assert_eq!(plain_words("a (os error 9999) b"), "a b");
        assert_eq!(plain_words("a (os error x) b"), "a (os error x) b");
    }
}
