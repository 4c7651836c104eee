//! Crates that are not bundled. The compiler reads them while dead code is removed. Code that then still uses one is
//! refused, unless the contest offers the crate.

use super::crates::{Crate, External};
use super::errors::{BundleError, OFFERED};
use super::places::{Places, show};
use super::prune::{self, SpannedFile};
use super::rustc::{Compiler, does_not_compile, location};
use cargo_metadata::diagnostic::Diagnostic;
use std::collections::HashMap;

/// The crates that are not bundled, by their names in the code.
fn external(crates: &[Crate]) -> HashMap<&str, &External> {
    let external = crates.iter().flat_map(|krate| &krate.external);
    external
        .map(|(name, other)| (name.as_str(), other))
        .collect()
}

/// A compiler that knows these of the crates that are not bundled. Whether one is used is known only after dead code is
/// removed.
pub(super) fn compiler(
    crates: &[Crate],
    is_known: impl Fn(&str, &External) -> bool,
) -> Result<Compiler, BundleError> {
    let known = external(crates).into_iter();
    let known = known.filter(|(name, other)| is_known(name, other));
    Compiler::new(known.map(|(name, other)| (name.to_string(), other.file.clone())))
}

/// Removes derives by a crate that is neither bundled nor offered, and refuses other uses of such a crate. `every`
/// compiler knows all crates.
pub(super) fn only_offered(
    crates: &[Crate],
    every: &Compiler,
    mut pruned: SpannedFile,
) -> Result<(SpannedFile, Compiler), BundleError> {
    let is_offered = |name: &str, other: &External| other.name == name && OFFERED.contains(&name);
    let compiler = compiler(crates, is_offered)?;
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
            let refused = refused(&errors, &external(crates), &pruned.places);
            return Err(refused.unwrap_or_else(|| does_not_compile(&errors, &pruned.places)));
        }
        pruned = without;
    }
}

/// The first of the compiler's errors that is about a crate.
fn refused(
    errors: &[Diagnostic],
    external: &HashMap<&str, &External>,
    places: &Places,
) -> Option<BundleError> {
    errors.iter().find_map(|error| {
        let is_named = |name: &str| error.message.contains(&format!("`{name}`"));
        let (name, external) = external.iter().find(|(name, _)| is_named(name))?;
        Some(BundleError::ExternalCrate {
            name: name.to_string(),
            origin: external.origin,
            place: show(location(error, places).as_ref()),
        })
    })
}
