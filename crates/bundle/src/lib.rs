//! One source file out of a Rust binary and the crates of its workspace: what a contest's submission is.
//!
//! 1. `crates` asks cargo for the crates; `tokens` reads their files and `source` parses each crate into one syntax
//!    tree, without tests and documentation (`cfg` evaluates conditional compilation).
//! 2. `merge` puts each library into a module of its own and the binary at the root; `paths` rewrites `crate::x`.
//! 3. `prune` removes what the compiler (`rustc`) reports as dead code, until it reports nothing.
//! 4. `text` writes the rest, compactly if readable text would be above [`LIMIT`].
//!
//! `places` knows which line of which file each token comes from, for `errors`. Names are resolved by the compiler
//! alone. Left out on purpose: the source of crates from a registry (the contest offers [`OFFERED`]; the error names
//! the line that uses another one), and any change to the code that is kept.

mod cfg;
mod crates;
mod errors;
mod imports;
mod merge;
mod paths;
mod places;
mod prune;
mod rustc;
mod source;
mod text;
mod tokens;

pub use errors::BundleError;
pub use text::{Part, units};

use crates::{Crate, Dependency, External};
use merge::CrateSource;
use places::Files;
use prune::Source;
use rustc::{Compiler, Message};
use std::collections::HashMap;
use std::path::Path;

/// A submission may have so many characters, counted as units of UTF-16 (the contest's editor).
pub const LIMIT: usize = 100_000;

/// The crates that CodinGame says it offers, from its list of languages and versions
/// (<https://www.codingame.com/playgrounds/40701/help-center/languages-versions>). Another bundler noted them in
/// January 2025 for Rust 1.70: chrono 0.4.26, itertools 0.11.0, libc 0.2.147, rand 0.8.5, regex 1.8.4, time 0.3.22.
pub const OFFERED: [&str; 6] = ["chrono", "itertools", "libc", "rand", "regex", "time"];

/// The stack of the thread that bundles; only what is used of it takes memory.
const STACK: usize = 1 << 30;

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
    /// Compile the bundle to the end, as the contest does.
    pub check: bool,
    /// The crates from the registry that the bundle may use: see [`OFFERED`].
    pub offered: &'a [&'a str],
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
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn make(request: &BundleRequest<'_>) -> Result<Bundle, BundleError> {
    let crates = crates::of_binary(request.manifest, request.binary)?;
    let name = crates[0].name.clone();
    let mut files = Files::default();
    let mut sources = Vec::with_capacity(crates.len());
    for krate in &crates {
        let bundled = krate
            .dependencies
            .iter()
            .filter_map(|(name, other)| match other {
                Dependency::Bundled(index) => Some((name.clone(), *index)),
                Dependency::External(_) => None,
            });
        sources.push(CrateSource {
            name: krate.name.clone(),
            file: source::read(krate, request.keep_docs, &mut files)?,
            dependencies: bundled.collect(),
        });
    }
    let merged = merge::merge(sources)?;
    let compiler = compiler(&crates)?;
    let hidden = Source::new(&merge::hide_root(&merged), &files)?;
    let pruned = match prune::prune(hidden, &compiler) {
        Err(BundleError::DoesNotCompile(_)) => {
            prune::prune(Source::new(&merged, &files)?, &compiler)?
        }
        pruned => pruned?,
    };
    let (pruned, compiler) = only_offered(request, &crates, &compiler, pruned)?;

    let mut file = pruned.file.clone();
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
fn compile(compiler: &Compiler, text: &str, pruned: &Source) -> Result<(), BundleError> {
    let build = compiler.externs.is_empty();
    let is_error = |message: &&Message| message.is_error;
    let messages = compiler.check(text, build)?;
    let Some(error) = messages.iter().find(is_error) else {
        return Ok(());
    };
    // The same tokens in the text whose places are known.
    let messages = compiler.check(&pruned.text, build)?;
    let errors: Vec<&Message> = messages.iter().filter(is_error).collect();
    if errors.is_empty() {
        return Err(BundleError::DoesNotCompile(error.text.clone()));
    }
    Err(errors::does_not_compile(&errors, &pruned.places))
}

/// The crates that are not bundled, by their names in the code.
fn external(crates: &[Crate]) -> HashMap<&str, &External> {
    let dependencies = crates.iter().flat_map(|krate| &krate.dependencies);
    dependencies
        .filter_map(|(name, other)| match other {
            Dependency::External(external) => Some((name.as_str(), external)),
            Dependency::Bundled(_) => None,
        })
        .collect()
}

/// A compiler that knows the crates which are not bundled: whether they are used shows when dead code is gone.
fn compiler(crates: &[Crate]) -> Result<Compiler, BundleError> {
    let mut compiler = Compiler::new()?;
    let external = external(crates);
    if !external.is_empty() {
        let compiled = crates::compiled(&crates[0])?;
        compiler.externs = external
            .into_iter()
            .filter_map(|(name, external)| {
                let file = compiled.get(&external.package)?;
                Some((name.to_string(), file.clone()))
            })
            .collect();
    }
    Ok(compiler)
}

/// Removes what only derives code by a crate that is neither bundled nor offered, and refuses what uses one.
fn only_offered(
    request: &BundleRequest<'_>,
    crates: &[Crate],
    every: &Compiler,
    mut pruned: Source,
) -> Result<(Source, Compiler), BundleError> {
    let external = external(crates);
    let offered = |name: &str| {
        let same = external
            .get(name)
            .is_some_and(|external| external.name == name);
        same && request.offered.contains(&name)
    };
    let mut compiler = Compiler::new()?;
    compiler.externs = every.externs.clone();
    compiler.externs.retain(|(name, _)| offered(name));
    loop {
        if compiler.externs.len() == every.externs.len() {
            return Ok((pruned, compiler));
        }
        let messages = compiler.check(&pruned.text, false)?;
        let errors: Vec<&Message> = messages.iter().filter(|message| message.is_error).collect();
        if errors.is_empty() {
            return Ok((pruned, compiler));
        }
        let without = prune::without(&pruned, &errors, every)?;
        if without.text != pruned.text {
            pruned = without;
            continue;
        }
        for error in &errors {
            let named = |name: &str| error.text.contains(&format!("`{name}`"));
            if let Some((name, external)) = external.iter().find(|(name, _)| named(name)) {
                let place = error
                    .ranges
                    .first()
                    .and_then(|range| pruned.places.at(range));
                return Err(BundleError::ExternalCrate {
                    name: name.to_string(),
                    origin: external.origin,
                    place: errors::show(place.as_ref()),
                    offered: request.offered.iter().map(ToString::to_string).collect(),
                });
            }
        }
        return Err(errors::does_not_compile(&errors, &pruned.places));
    }
}
