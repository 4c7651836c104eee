//! The features that the packages of a binary are built with, by the rules of cargo's resolver 2 (The Cargo Book,
//! "Features"): those that the binary's own dependencies ask for, all together.
//!
//! Cargo itself reports them only after it has resolved all dependencies, including those that no line of the binary
//! names.

use super::errors::BundleError;
use super::packages::{self, Packages};
use super::rustc::Host;
use cargo_metadata::{Dependency, Package, PackageId};
use std::collections::{HashMap, HashSet};

/// The features of one package.
#[derive(Clone, Default)]
pub(super) struct Features {
    pub(super) on: HashSet<String>,
    /// Its optional dependencies that are on, by their names in the manifest.
    optional: HashSet<String>,
}

impl Features {
    /// Whether the package is built with this dependency.
    pub(super) fn has(&self, dependency: &Dependency) -> bool {
        !dependency.optional || self.optional.contains(manifest_name(dependency))
    }

    /// Turns on a feature, if the package has it.
    fn turn_on(&mut self, package: &Package, feature: &str) {
        if package.features.contains_key(feature) {
            self.on.insert(feature.into());
        }
    }

    /// Turns on everything that an active feature names. Returns the features that they require of dependencies, with
    /// the dependencies' names.
    fn expand(&mut self, package: &Package) -> Vec<(String, String)> {
        let mut asked = Vec::new();
        for feature in self.on.clone() {
            for value in package.features.get(&feature).into_iter().flatten() {
                if let Some(name) = value.strip_prefix("dep:") {
                    self.optional.insert(name.into());
                } else if let Some((name, feature)) = value.split_once('/') {
                    let of = name.trim_end_matches('?');
                    asked.push((of.to_string(), feature.to_string()));
                    if of == name {
                        self.optional.insert(of.into());
                        self.turn_on(package, of);
                    }
                } else {
                    self.turn_on(package, value);
                }
            }
        }
        asked
    }
}

/// The features of each package that a binary of `package` is built with.
///
/// # Errors
/// When the compiler cannot report its target.
pub(super) fn of_binary(
    packages: &Packages,
    package: &Package,
) -> Result<HashMap<PackageId, Features>, BundleError> {
    let host = Host::of_compiler()?;
    let is_built = |dependency: &Dependency| {
        let platform = dependency.target.as_ref();
        platform.is_none_or(|platform| host.is(platform))
    };
    let mut own = Features::default();
    own.turn_on(package, "default");
    let mut found = vec![package];
    let mut all = HashMap::from([(package.id.clone(), own)]);
    loop {
        let size = |one: &Features| one.on.len() + one.optional.len();
        let before: usize = all.values().map(size).sum();
        let mut at = 0;
        while let Some(&package) = found.get(at) {
            at += 1;
            let mut features = all.remove(&package.id).unwrap_or_default();
            let asked = features.expand(package);
            for dependency in packages::normal(package).filter(|one| is_built(one)) {
                let there = packages.of(package, dependency);
                let Some(there) = there.filter(|_| features.has(dependency)) else {
                    continue;
                };
                if !found.iter().any(|known| known.id == there.id) {
                    found.push(there);
                }
                let its = all.entry(there.id.clone()).or_default();
                if dependency.uses_default_features {
                    its.turn_on(there, "default");
                }
                let name = manifest_name(dependency);
                let asked = asked.iter().filter(|(of, _)| of == name);
                let asked = asked.map(|(_, feature)| feature);
                for feature in asked.chain(&dependency.features) {
                    its.turn_on(there, feature);
                }
            }
            all.insert(package.id.clone(), features);
        }
        if all.values().map(size).sum::<usize>() == before {
            return Ok(all);
        }
    }
}

/// A dependency's name in the manifest.
fn manifest_name(dependency: &Dependency) -> &str {
    dependency.rename.as_deref().unwrap_or(&dependency.name)
}
