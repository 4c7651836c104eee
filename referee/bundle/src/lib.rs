//! One source file out of a Rust binary and the crates of its workspace: what a contest's submission is.
//!
//! 1. `crates` asks cargo for the crates; `source` parses each into one syntax tree, without tests and
//!    documentation (`cfg` evaluates conditional compilation).
//! 2. `tree` numbers items, `resolve` resolves paths, and `reach` finds the items reachable from `main` by the
//!    names that source mentions (`mentions`).
//! 3. `merge` makes one crate root of all roots; no path is rewritten.
//! 4. `unused` removes what the compiler reports as dead code, until it reports nothing.
//! 5. `text` writes the rest, compactly if readable text would be above [`LIMIT`].
//!
//! Left out on purpose: crates from a registry (the arena has none; the error names the module that uses one),
//! and any change to the code that is kept.

mod cfg;
mod crates;
mod imports;
mod mentions;
mod merge;
mod reach;
mod resolve;
mod source;
mod text;
mod tree;
mod unused;

pub use text::{Part, units};

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tree::{CrateSource, Tree};

/// A submission may have so many characters, counted as units of UTF-16 (the contest's editor).
pub const LIMIT: usize = 100_000;

/// What to bundle, and how.
#[derive(Clone, Copy, Default, Debug)]
pub struct BundleRequest<'a> {
    /// The `Cargo.toml` of the package or workspace; by default that of the current folder.
    pub manifest: Option<&'a Path>,
    /// The binary; by default the only one, or the one named `contest`.
    pub binary: Option<&'a str>,
    /// Keep documentation comments.
    pub keep_docs: bool,
    /// Write compactly even where readable text would fit.
    pub compact: bool,
}

/// One source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The crate name of the binary.
    pub name: String,
    /// The file.
    pub text: String,
    /// Its characters as the contest counts them; may be above [`LIMIT`].
    pub units: usize,
    /// Whether it was written compactly.
    pub compact: bool,
    /// The size of each module, in the order of the file.
    pub parts: Vec<Part>,
}

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// `cargo metadata` failed.
    #[error("cargo cannot read the package: {0}")]
    Cargo(String),
    /// No binary, or more than one, matches the request.
    #[error("{}", which_binary(wanted.as_deref(), there_are))]
    Binary {
        /// The one asked for.
        wanted: Option<String>,
        /// The binaries of the workspace.
        there_are: Vec<String>,
    },
    /// A file cannot be read.
    #[error("{}: {problem}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: String,
    },
    /// A module has no file.
    #[error(
        "{} declares the module `{module}`, but there is no {}",
        declared.display(),
        looked_for.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" or ")
    )]
    NoModule {
        /// The module.
        module: String,
        /// The file that declares it.
        declared: PathBuf,
        /// The files that would be the module.
        looked_for: Vec<PathBuf>,
    },
    /// A reachable item is in a crate that cannot be bundled.
    #[error(
        "module `{module}` uses the crate `{name}`, which is {origin}; a submission has the standard \
         library alone: move what needs `{name}` into a module that the binary does not reach"
    )]
    ExternalCrate {
        /// The crate that cannot be bundled.
        name: String,
        /// Where it comes from.
        origin: &'static str,
        /// The module that uses it.
        module: String,
    },
    /// Two crates define different items of one name at their roots.
    #[error(
        "both `{}` and `{}` have a `{name}` at their root, and one file has one root: rename one of them \
         (an import with `as`) or move it into a module", roots[0], roots[1]
    )]
    Clash {
        /// The name.
        name: String,
        /// The crates.
        roots: [String; 2],
    },
    /// The compiler refuses the bundle.
    #[error("the bundle does not compile with `rustc --edition 2021`:\n{0}")]
    DoesNotCompile(String),
    /// The compiler cannot be run.
    #[error("cannot run rustc, which finds what is never used: {0}")]
    Compiler(std::io::Error),
    /// A temporary file cannot be written.
    #[error("cannot write a file for rustc: {0}")]
    Scratch(std::io::Error),
}

fn which_binary(wanted: Option<&str>, there_are: &[String]) -> String {
    let there_are = match there_are {
        [] => "there is none; a bot is a package with a `src/main.rs`".to_string(),
        names => format!("there are: {}", names.join(", ")),
    };
    match wanted {
        Some(name) => format!("no binary named `{name}`; {there_are}"),
        None => format!("which binary is to be bundled? Name it with --bin; {there_are}"),
    }
}

/// Makes one file of a binary.
///
/// # Errors
/// When the source cannot be read, cannot be one file, or does not compile.
pub fn bundle(request: &BundleRequest<'_>) -> Result<Bundle, BundleError> {
    let crates = crates::of_binary(request.manifest, request.binary)?;
    let name = crates[0].name.clone();
    let mut sources = Vec::with_capacity(crates.len());
    for krate in crates {
        let mut file = source::read(&krate, request.keep_docs)?;
        imports::split(&mut file.items);
        sources.push(CrateSource {
            name: krate.name,
            file,
            dependencies: krate.dependencies,
        });
    }
    let reached = {
        let tree = Tree::new(&sources);
        let reached = reach::reached(&tree)?;
        merge::without_duplicates(&tree, sources.len(), reached)?
    };
    let mut next = 0;
    for source in &mut sources {
        merge::retain(&mut source.file.items, &mut next, &reached);
    }
    let mut file = without_unused(&merge::merge(sources))?;
    imports::join(&mut file.items);

    let header = format!("// The binary `{name}` in one file, written by `crownhead bundle`.\n");
    let readable = format!("{header}{}", text::readable(&file));
    let compact = request.compact || units(&readable) > LIMIT;
    let text = if compact {
        format!("{header}{}", text::compact(&file))
    } else {
        readable
    };
    let unreadable = |error: syn::Error| BundleError::DoesNotCompile(error.to_string());
    let parts = text::parts(&text).map_err(unreadable)?;
    Ok(Bundle {
        name,
        units: units(&text),
        text,
        compact,
        parts,
    })
}

/// The file without what the compiler reports as unused and what is then no longer reachable.
fn without_unused(whole: &syn::File) -> Result<syn::File, BundleError> {
    let hidden = [
        merge::hide_root(whole, false),
        merge::hide_root(whole, true),
    ];
    let compiles = |file: &&syn::File| unused::find(&text::readable(file)).is_ok();
    let mut file = hidden.iter().find(compiles).unwrap_or(whole).clone();
    loop {
        let text = text::readable(&file);
        let unused = unused::find(&text)?;
        // Parsed again, for the compiler's spans are offsets into this text.
        let parsed = syn::parse_file(&text);
        let mut parsed = parsed.map_err(|error| BundleError::DoesNotCompile(error.to_string()))?;
        let removed = unused::remove(&mut parsed, &unused);
        let sources = [CrateSource {
            name: String::new(),
            file: parsed,
            dependencies: HashMap::new(),
        }];
        let (reached, all) = {
            let tree = Tree::new(&sources);
            (reach::reached(&tree)?, tree.items.len())
        };
        let [CrateSource { file: parsed, .. }] = sources;
        file = parsed;
        merge::retain(&mut file.items, &mut 0, &reached);
        if removed == 0 && reached.len() == all {
            return Ok(file);
        }
    }
}
