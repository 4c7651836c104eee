//! The crates of a binary: itself, the libraries it depends on by path, and external dependencies.

use super::contest::EDITION;
use super::errors::BundleError;
use super::features;
use super::packages::{self, Packages, crate_name, library_of};
use cargo_metadata::{Edition, Package, PackageId, Target};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// One crate whose source goes into the bundle.
pub(super) struct Crate {
    package: Package,
    /// The folder in which cargo runs the compiler.
    workspace: PathBuf,
    target: Target,
    /// The features it is built with.
    pub(super) features: HashSet<String>,
    /// The indices of the dependencies that are bundled too, by their names in its code.
    pub(super) bundled: HashMap<String, usize>,
    /// The other dependencies, by their names in its code.
    pub(super) external: HashMap<String, External>,
    /// Whether these are all its dependencies.
    pub(super) is_resolved: bool,
}

impl Crate {
    /// Its name in Rust code.
    pub(super) fn name(&self) -> String {
        crate_name(&self.target)
    }

    /// Its root file.
    pub(super) fn root(&self) -> &Path {
        self.target.src_path.as_std_path()
    }

    /// Has cargo compile what the crate, a binary, depends on: see [`packages::compiled`].
    pub(super) fn dependencies(
        &self,
        folder: &Path,
    ) -> Result<HashMap<PackageId, PathBuf>, BundleError> {
        packages::compiled(&self.package, &self.target, folder)
    }

    /// The compiler's name for this file: its path in the workspace.
    pub(super) fn shown<'p>(&self, file: &'p Path) -> &'p Path {
        file.strip_prefix(&self.workspace).unwrap_or(file)
    }

    /// Its edition, if its code may mean something else in the contest's edition.
    fn older_edition(&self) -> Option<&'static str> {
        match self.target.edition {
            Edition::E2015 => Some("2015"),
            Edition::E2018 => Some("2018"),
            _ => None,
        }
    }

    /// The variables that cargo sets for its package: `CARGO_PKG_NAME` and so on.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        let package = &self.package;
        Some(match name {
            "CARGO_PKG_NAME" => package.name.to_string(),
            "CARGO_PKG_VERSION" => package.version.to_string(),
            "CARGO_PKG_VERSION_MAJOR" => package.version.major.to_string(),
            "CARGO_PKG_VERSION_MINOR" => package.version.minor.to_string(),
            "CARGO_PKG_VERSION_PATCH" => package.version.patch.to_string(),
            "CARGO_PKG_AUTHORS" => package.authors.join(":"),
            "CARGO_PKG_DESCRIPTION" => package.description.clone().unwrap_or_default(),
            _ => return None,
        })
    }
}

/// A crate that is not bundled. The contest may offer it.
pub(super) struct External {
    pub(super) package: PackageId,
    /// Its package's name.
    pub(super) name: String,
    /// Its origin, for messages: "from a registry".
    pub(super) origin: &'static str,
}

/// The crates of a binary, as far as these packages contain them; the binary comes first.
///
/// # Errors
/// When no binary matches the request, or the compiler cannot be asked about this machine.
pub(super) fn of_binary(
    packages: &Packages,
    binary: Option<&str>,
) -> Result<Vec<Crate>, BundleError> {
    let (package, target) = packages.binary(binary)?;
    let features = features::of_binary(packages, package)?;
    let mut found = vec![(package, target)];
    let mut crates: Vec<Crate> = Vec::new();
    while let Some(&(package, target)) = found.get(crates.len()) {
        let features = features.get(&package.id).cloned().unwrap_or_default();
        let own = library_of(package).filter(|_| crates.is_empty());
        let own = own.map(|library| (crate_name(library), Some(package)));
        let dependencies = packages::normal(package).filter(|one| features.has(one));
        let dependencies = dependencies.map(|dependency| {
            let known = packages.of(package, dependency);
            (packages::name_in_code(dependency, known), known)
        });
        let mut krate = Crate {
            package: package.clone(),
            workspace: packages.workspace().into(),
            target: target.clone(),
            bundled: HashMap::new(),
            external: HashMap::new(),
            is_resolved: true,
            features: features.on.clone(),
        };
        for (name, package) in dependencies.chain(own) {
            let Some(package) = package else {
                krate.is_resolved = false;
                continue;
            };
            let origin = match library_of(package) {
                _ if package.source.is_some() => "from a registry",
                Some(library) => {
                    // The first is the binary, whose package may have a library too.
                    let known = (1..found.len()).find(|&at| found[at].0.id == package.id);
                    let index = known.unwrap_or_else(|| {
                        found.push((package, library));
                        found.len() - 1
                    });
                    krate.bundled.insert(name, index);
                    continue;
                }
                None => "a crate of procedural macros",
            };
            let other = External {
                package: package.id.clone(),
                name: package.name.to_string(),
                origin,
            };
            krate.external.insert(name, other);
        }
        crates.push(krate);
    }
    Ok(crates)
}

/// The error, with the crates that were written for an older edition than the bundle is compiled with.
pub(super) fn with_editions(mut error: BundleError, crates: &[Crate]) -> BundleError {
    if let BundleError::DoesNotCompile(text) = &mut error {
        let older = |krate: &Crate| Some((krate.name(), krate.older_edition()?));
        for (name, edition) in crates.iter().filter_map(older) {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\n`{name}` is of edition {edition}, and the contest compiles {EDITION}: run `cargo fix --edition` in \
                 its folder, and write the next edition in its Cargo.toml, until that is {EDITION}"
            );
        }
    }
    error
}
