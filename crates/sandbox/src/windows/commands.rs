//! How a command is written on Windows, and what of it runs.

use std::borrow::Cow;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The launcher of Python.
pub const PYTHON: &str = "py";

/// The variables that programs get in addition to those that they get everywhere. Without the first ones, no interpreter
/// starts.
pub(crate) const INHERITED: &str = "\
    SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA \
    ALLUSERSPROFILE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES NUMBER_OF_PROCESSORS \
    PROCESSOR_ARCHITECTURE";

/// The name of a variable as it is compared.
pub(crate) fn variable(name: &str) -> Cow<'_, str> {
    name.to_uppercase().into()
}

/// What runs these words, as seen from a folder: a file in Python is run by its launcher, or by the interpreter.
pub fn launched(mut words: Vec<String>, folder: &Path) -> Vec<String> {
    let is_python =
        |file: &String| has_kind(Path::new(file), &["py"]) && folder.join(file).is_file();
    if words.first().is_some_and(is_python) {
        let mut launchers = [PYTHON, "python"].into_iter();
        let launcher = launchers.find(|name| which::which(name).is_ok());
        words.splice(..0, launcher.map(String::from));
    }
    words
}

/// What runs a line of the command prompt, which removes the outer quotes (`cmd /?`).
pub fn shell(line: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell
        .args(["/d", "/s", "/c"])
        .raw_arg(format!("\"{line}\""));
    shell
}

/// Whether the system starts such a file.
pub fn is_program(file: &Path) -> bool {
    has_kind(file, &["exe", "com", "bat", "cmd"])
}

fn has_kind(file: &Path, kinds: &[&str]) -> bool {
    let kind = file.extension().unwrap_or_default();
    kinds.iter().any(|known| kind.eq_ignore_ascii_case(known))
}

/// Why a file is none that can be started, and what to do.
pub fn why_no_program(_: impl std::fmt::Display) -> String {
    "is no program. Name a file that ends with `.exe`, `.bat`, `.cmd` or `.py`".into()
}
