//! The global functions `readline()`, `print()` and `printErr()`, which CodinGame's site gives to bots in JavaScript and
//! TypeScript.
//!
//! An interpreter finds them in a file that its environment names, and runs it first: `NODE_OPTIONS` for Node and
//! what is built on it, and for Deno since January 2026 (denoland/deno#31949), `BUN_OPTIONS` for Bun since May 2025
//! (oven-sh/bun#19766). So no command line is changed, and an interpreter that another program starts has them too.
//! Leaves out the functions themselves: `preload.cjs`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempPath;

const PRELOAD: &str = include_str!("preload.cjs");

/// The file that defines the functions. It is removed with the last copy of this.
#[derive(Clone, Debug)]
pub struct JsGlobals(Arc<TempPath>);

impl JsGlobals {
    /// Writes the file, to the system's folder for temporary files.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write() -> io::Result<JsGlobals> {
        // A sandboxed bot may run as another user.
        let mut file = crownhead_sandbox::temporary_file(0o644)
            .prefix("crownhead-globals-")
            .suffix(".cjs")
            .tempfile()?;
        file.write_all(PRELOAD.as_bytes())?;
        Ok(JsGlobals(Arc::new(file.into_temp_path())))
    }

    /// Where the file is: a bot must be able to read it.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Adds to a program's environment what makes interpreters run the file. Options that are there already stay.
    pub(crate) fn add_to(&self, program: &mut Command) {
        let path = self.path().to_string_lossy();
        let quoted = path.replace('\\', "\\\\").replace('"', "\\\"");
        // Bun's quotes become part of the path.
        let escaped = path.replace(char::is_whitespace, "\\ ");
        append(program, "NODE_OPTIONS", &format!("--require \"{quoted}\""));
        append(program, "BUN_OPTIONS", &format!("--preload {escaped}"));
    }
}

/// Adds options to a variable of the program's environment.
fn append(program: &mut Command, name: &str, options: &str) {
    let own = program.get_envs().find(|(set, _)| *set == name);
    let own = own.and_then(|(_, value)| value.map(OsString::from));
    let mut value = own.unwrap_or_default();
    if !value.is_empty() {
        value.push(" ");
    }
    value.push(options);
    program.env::<_, OsString>(name, value);
}

#[cfg(test)]
mod tests;
