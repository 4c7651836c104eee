//! Makes one source file of a Rust binary and the crates of its workspace, as a submission to a contest.
//!
//! 1. `crates` asks cargo for the crates of the binary and has it check them; `tokens` reads their files and `source`
//!    parses each crate into one syntax tree, without tests and documentation (`cfg` evaluates conditional compilation).
//! 2. `merge` puts each library into a module of its own and the binary at the root; `paths` rewrites `crate::x`, `macros`
//!    leads to the macros of each crate, and `imports` splits each `use` into single imports.
//! 3. `prune` removes what the compiler (`rustc`) reports as dead code, until it reports nothing; `external` then
//!    refuses code that uses a crate that is neither bundled nor offered.
//! 4. `text` writes the rest, compactly if readable text would be above [`LIMIT`]; `shorten` first gives the names in
//!    a compact text one or two letters.
//!
//! `places` maps each token to its file and line, for errors; `items` is at the bottom. Only the
//! compiler resolves names. Left out on purpose: the source of crates from a registry (the contest offers some; the error
//! names the line that uses another one), and any other change to code that stays. A file uses only files before it in
//! this order: errors, items, imports, cfg, places, rustc, crates, tokens, source, paths, macros, merge, text,
//! prune, shorten, external.

mod cfg;
mod crates;
mod errors;
mod external;
mod imports;
mod items;
mod macros;
mod merge;
mod paths;
mod places;
mod prune;
mod rustc;
mod shorten;
mod source;
mod text;
mod tokens;

pub use errors::BundleError;
pub use text::{LIMIT, Part};

use places::Files;
use prune::SpannedFile;
use rustc::{Compiler, does_not_compile};
use std::path::Path;
use text::units;

/// The stack of the thread that bundles; only the used part takes memory.
const STACK: usize = 1 << 30;

/// What to bundle, and how.
#[derive(Clone, Copy, Default, Debug)]
pub struct BundleRequest<'a> {
    /// The `Cargo.toml` of the package or workspace; by default that of the current folder.
    pub manifest: Option<&'a Path>,
    /// The binary; by default the only one, or the one named `contest`.
    pub binary: Option<&'a str>,
    /// Write compactly even if readable text would fit.
    pub compact: bool,
    /// Compile the bundle to the end, as the contest does.
    pub check: bool,
}

/// One source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The crate name of the binary.
    pub name: String,
    /// The file.
    pub text: String,
    /// Its number of characters as the contest counts them; may be above [`LIMIT`].
    pub units: usize,
    /// Whether it was written compactly.
    pub compact: bool,
    /// The size of each module, in the order of the file.
    pub parts: Vec<Part>,
    /// The version of the compiler that compiled it to the end, if [`BundleRequest::check`] asked for that.
    pub checked: Option<String>,
}

/// Makes one file of a binary.
///
/// # Errors
/// When the source cannot be read, cannot be one file, or does not compile.
pub fn bundle(request: &BundleRequest<'_>) -> Result<Bundle, BundleError> {
    // Syntax trees are walked by recursion, and a long expression is a deep tree.
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        let worker = worker.spawn_scoped(scope, || make(request));
        let worker = worker.map_err(BundleError::Scratch)?;
        let done = worker.join();
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn make(request: &BundleRequest<'_>) -> Result<Bundle, BundleError> {
    let crates = crates::of_binary(request.manifest, request.binary)?;
    let mut files = Files::default();
    let sources = crates.iter().map(|krate| source::read(krate, &mut files));
    let merged = merge::merge(&crates, sources.collect::<Result<_, _>>()?)?;
    let name = crates[0].name();
    let compiler = external::compiler(&crates, |_, _| true)?;
    let pruned = prune::prune(SpannedFile::new(&merged, &files)?, &compiler)?;
    let (pruned, compiler) = external::only_offered(&crates, &compiler, pruned)?;

    let file = &pruned.file;
    let header = format!("// The binary `{name}` in one file, written by `crownhead bundle`.\n");
    let readable = format!("{header}{}", text::readable(file));
    let compact = request.compact || units(&readable) > LIMIT;
    let text = if compact {
        let short = shorten::shorten(file, &compiler)?;
        format!("{header}{}", text::compact(&short))
    } else {
        readable
    };
    let parts = text::parts(&text)?;
    let checked = if request.check {
        compile(&compiler, &text, &pruned)?;
        Some(Compiler::version()?)
    } else {
        None
    };
    Ok(Bundle {
        name,
        units: units(&text),
        text,
        compact,
        parts,
        checked,
    })
}

/// Compiles a bundle to the end, except for linking it with the crates that the contest offers.
fn compile(compiler: &Compiler, text: &str, pruned: &SpannedFile) -> Result<(), BundleError> {
    let build = compiler.externs.is_empty();
    let mut errors = compiler.check(text, build)?.errors.into_iter();
    let Some(error) = errors.next() else {
        return Ok(());
    };
    // The same tokens, in the text with known places.
    let errors = compiler.check(&pruned.text, build)?.errors;
    if errors.is_empty() {
        return Err(BundleError::DoesNotCompile(error.message));
    }
    Err(does_not_compile(&errors, &pruned.places))
}
