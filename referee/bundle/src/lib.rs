//! One source file out of a binary and the crates of its workspace: what the contest takes.
//!
//! 1. `crates` asks cargo which crates there are; `source` reads each into one tree, without tests and
//!    documentation (`cfg` settles conditions).
//! 2. `tree` numbers items, `follow` says where paths lead, and `reach` finds what `main` reaches by the
//!    names that are mentioned (`mention`).
//! 3. `merge` lays the roots of the crates upon each other; no path is rewritten.
//! 4. `unused` asks the compiler what is still never used, again and again until it is silent.
//! 5. `text` writes what remains, readable where that fits.
//!
//! Deliberately absent: crates from a registry (the arena has none; saying which module wants one is all
//! that is done), and any change to the code that is kept.

mod cfg;
mod crates;
mod follow;
mod mention;
mod merge;
mod reach;
mod source;
mod text;
mod tree;
mod unused;
mod uses;

pub use text::{Part, units};

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tree::{Source, Tree};

/// A submission may have so many characters, counted as units of UTF-16 (the contest's editor).
pub const LIMIT: usize = 100_000;

/// What to bundle, and how.
#[derive(Clone, Copy, Default, Debug)]
pub struct Request<'a> {
    /// The `Cargo.toml` of the package or workspace; the one of this folder if none is named.
    pub manifest: Option<&'a Path>,
    /// The binary; the only one, or `contest`, if none is named.
    pub binary: Option<&'a str>,
    /// Keep the comments that are documentation.
    pub keep_docs: bool,
    /// Write as compactly as possible, whether readable text would fit or not.
    pub compact: bool,
}

/// One source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The binary it was made of.
    pub name: String,
    /// The file.
    pub text: String,
    /// Its characters as the contest counts them; may be above [`LIMIT`].
    pub units: usize,
    /// Whether it was written compactly.
    pub compact: bool,
    /// What takes the room, in the order of the file.
    pub parts: Vec<Part>,
}

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// Cargo does not say which crates there are.
    #[error("cargo cannot read the package: {0}")]
    Cargo(String),
    /// It is not clear which binary is meant.
    #[error("{}", which_binary(wanted.as_deref(), there_are))]
    Binary {
        /// The one asked for.
        wanted: Option<String>,
        /// Those there are.
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
        /// Where it may be.
        looked_for: Vec<PathBuf>,
    },
    /// Something that is reached is in a crate that cannot be bundled.
    #[error(
        "module `{module}` uses the crate `{name}`, which is {origin}; a submission has the standard \
         library alone: move what needs `{name}` into a module that the binary does not reach"
    )]
    Elsewhere {
        /// The crate that cannot be bundled.
        name: String,
        /// Where it comes from.
        origin: &'static str,
        /// The module that uses it.
        module: String,
    },
    /// Two crates call different things by one name at their roots.
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
    /// There is no compiler.
    #[error("cannot run rustc, which finds what is never used: {0}")]
    Compiler(std::io::Error),
    /// There is no room for a file on the way.
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
pub fn bundle(request: &Request<'_>) -> Result<Bundle, BundleError> {
    let crates = crates::of_binary(request.manifest, request.binary)?;
    let name = crates[0].name.clone();
    let mut sources = Vec::with_capacity(crates.len());
    for krate in crates {
        let mut file = source::read(&krate, request.keep_docs)?;
        uses::take_apart(&mut file.items);
        sources.push(Source {
            name: krate.name,
            file,
            others: krate.others,
        });
    }
    let reached = {
        let tree = Tree::new(&sources);
        let reached = reach::reached(&tree)?;
        merge::without_doubles(&tree, sources.len(), reached)?
    };
    let mut next = 0;
    for source in &mut sources {
        merge::retain(&mut source.file.items, &mut next, &reached);
    }
    let mut file = without_unused(&merge::merge(sources))?;
    uses::put_together(&mut file.items);

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

/// The file without what the compiler, and then nobody, names.
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
        // Parsed anew, for the compiler speaks of places in this text.
        let parsed = syn::parse_file(&text);
        let mut parsed = parsed.map_err(|error| BundleError::DoesNotCompile(error.to_string()))?;
        let removed = unused::remove(&mut parsed, &unused);
        let sources = [Source {
            name: String::new(),
            file: parsed,
            others: HashMap::new(),
        }];
        let (reached, all) = {
            let tree = Tree::new(&sources);
            (reach::reached(&tree)?, tree.items.len())
        };
        let [Source { file: parsed, .. }] = sources;
        file = parsed;
        merge::retain(&mut file.items, &mut 0, &reached);
        if removed == 0 && reached.len() == all {
            return Ok(file);
        }
    }
}
