//! Crates that are not bundled. The compiler reads them while dead code is removed. Code that then still uses one is
//! refused, unless the contest offers the crate.

use super::crates::{Crate, External};
use super::errors::BundleError;
use super::places::{Places, show};
use super::prune::{self, SpannedFile};
use super::rustc::{Compiler, Message, does_not_compile};
use super::text;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};

/// The crates that are not bundled, by their names in the code.
fn external(crates: &[Crate]) -> HashMap<&str, &External> {
    let external = crates.iter().flat_map(|krate| &krate.external);
    external
        .map(|(name, other)| (name.as_str(), other))
        .collect()
}

/// The compiler's errors about a crate that it does not know: imports, paths, and `extern crate`.
const UNKNOWN_CRATE: [&str; 3] = ["E0432", "E0433", "E0463"];

/// Whether the code names another crate, and cargo has not resolved all dependencies.
///
/// # Errors
/// When the compiler cannot be run.
pub(super) fn names_unresolved(crates: &[Crate], code: &syn::File) -> Result<bool, BundleError> {
    if crates.iter().all(|krate| krate.is_resolved) {
        return Ok(false);
    }
    let (text, _) = text::tokens(code);
    let errors = Compiler::new()?.check(&text, false)?.errors;
    Ok(errors
        .iter()
        .any(|error| UNKNOWN_CRATE.contains(&error.code.as_str())))
}

/// A compiler that knows the crates that are not bundled. Whether they are used is known only after dead code is
/// removed.
///
/// Cargo compiles them only if `code` names one, in a folder of the compiler's own.
pub(super) fn compiler(crates: &[Crate], code: &syn::File) -> Result<Compiler, BundleError> {
    let mut compiler = Compiler::new()?;
    let mut external = external(crates);
    let named = names(code.to_token_stream());
    external.retain(|name, _| named.contains(*name));
    if external.is_empty() {
        return Ok(compiler);
    }
    let compiled = crates[0].dependencies(compiler.folder())?;
    let externs = external.into_iter().filter_map(|(name, external)| {
        let file = compiled.get(&external.package)?;
        Some((name.to_string(), file.clone()))
    });
    compiler.externs = externs.collect();
    Ok(compiler)
}

/// All names of these tokens.
fn names(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut streams = vec![tokens];
    while let Some(tokens) = streams.pop() {
        for token in tokens {
            match token {
                TokenTree::Group(group) => streams.push(group.stream()),
                TokenTree::Ident(name) => drop(found.insert(name.to_string())),
                _ => {}
            }
        }
    }
    found
}

/// Removes derives by a crate that is neither bundled nor offered, and refuses other uses of such a crate.
pub(super) fn only_offered(
    offered: &[&str],
    crates: &[Crate],
    every: &Compiler,
    mut pruned: SpannedFile,
) -> Result<(SpannedFile, Compiler), BundleError> {
    let external = external(crates);
    let is_offered = |name: &str| {
        let other = external.get(name);
        other.is_some_and(|other| other.name == name) && offered.contains(&name)
    };
    let mut externs = every.externs.clone();
    externs.retain(|(name, _)| is_offered(name));
    let mut compiler = Compiler::new()?;
    compiler.externs = externs;
    if compiler.externs.len() == every.externs.len() {
        return Ok((pruned, compiler));
    }
    loop {
        let errors = compiler.check(&pruned.text, false)?.errors;
        if errors.is_empty() {
            return Ok((pruned, compiler));
        }
        let without = prune::without(&pruned, &errors, every)?;
        if without.text == pruned.text {
            let refused = refused(&errors, &external, &pruned.places, offered);
            return Err(refused.unwrap_or_else(|| does_not_compile(&errors, &pruned.places)));
        }
        pruned = without;
    }
}

/// The first of the compiler's errors that is about a crate.
fn refused(
    errors: &[Message],
    external: &HashMap<&str, &External>,
    places: &Places,
    offered: &[&str],
) -> Option<BundleError> {
    errors.iter().find_map(|error| {
        let is_named = |name: &str| error.text.contains(&format!("`{name}`"));
        let (name, external) = external.iter().find(|(name, _)| is_named(name))?;
        Some(BundleError::ExternalCrate {
            name: name.to_string(),
            origin: external.origin,
            place: show(error.location(places).as_ref()),
            offered: offered.iter().map(ToString::to_string).collect(),
        })
    })
}
