//! The crates of a binary: itself, the libraries it depends on by path, and external dependencies.

use super::BundleError;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId, Target};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The binary that is bundled when none is named and there are several.
const USUAL_BINARY: &str = "contest";

/// One crate whose source goes into the bundle.
#[derive(Clone, Debug)]
pub(super) struct Crate {
    /// Its name in Rust code.
    pub(super) name: String,
    /// Its root file.
    pub(super) root: PathBuf,
    /// The features it is built with.
    pub(super) features: HashSet<String>,
    /// Its dependencies, by their names in its code.
    pub(super) dependencies: HashMap<String, Dependency>,
}

/// A dependency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Dependency {
    /// A crate of the bundle, by its index.
    Bundled(usize),
    /// One that cannot be bundled, with its origin in words: "from a registry".
    External(&'static str),
}

/// The crates of a binary: the binary first.
pub(super) fn of_binary(
    manifest: Option<&Path>,
    binary: Option<&str>,
) -> Result<Vec<Crate>, BundleError> {
    let metadata = metadata(manifest)?;
    let (package, target) = pick(&metadata, binary)?;
    let mut found = Found {
        metadata: &metadata,
        crates: Vec::new(),
        libraries: HashMap::new(),
    };
    found.add(package, target);
    if let Some(library) = library_of(package) {
        let index = found.library(package, library);
        let name = crate_name(library);
        found.crates[0]
            .dependencies
            .insert(name, Dependency::Bundled(index));
    }
    Ok(found.crates)
}

fn metadata(manifest: Option<&Path>) -> Result<Metadata, BundleError> {
    let mut command = MetadataCommand::new();
    if let Some(manifest) = manifest {
        let manifest = std::path::absolute(manifest).map_err(|error| BundleError::Read {
            file: manifest.to_path_buf(),
            problem: error.to_string(),
        })?;
        // Cargo reads its configuration from the current folder upwards.
        if let Some(folder) = manifest.parent().filter(|folder| folder.is_dir()) {
            command.current_dir(folder);
        }
        command.manifest_path(manifest);
    }
    command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => {
            let problem = stderr.trim().trim_start_matches("error: ");
            BundleError::Cargo(problem.to_string())
        }
        other => BundleError::Cargo(other.to_string()),
    })
}

/// The requested binary: of the manifest's own package if that has it, otherwise of the whole workspace.
fn pick<'m>(
    metadata: &'m Metadata,
    binary: Option<&str>,
) -> Result<(&'m Package, &'m Target), BundleError> {
    let binaries = |packages: Vec<&'m Package>| -> Vec<(&'m Package, &'m Target)> {
        let of_package = |package: &'m Package| {
            let targets = package.targets.iter().filter(|target| target.is_bin());
            targets.map(move |target| (package, target))
        };
        packages.into_iter().flat_map(of_package).collect()
    };
    let mut all = binaries(metadata.root_package().into_iter().collect());
    let wanted = |(_, target): &(&Package, &Target)| binary.is_none_or(|name| target.name == name);
    if !all.iter().any(wanted) {
        all = binaries(metadata.workspace_packages());
    }
    let usual = |(_, target): &(&Package, &Target)| target.name == USUAL_BINARY;
    let matching: Vec<_> = all.iter().copied().filter(wanted).collect();
    match matching[..] {
        [only] => Ok(only),
        ref several => {
            let usual = several.iter().copied().find(usual);
            usual.ok_or_else(|| BundleError::Binary {
                wanted: binary.map(String::from),
                there_are: all.iter().map(|(_, target)| target.name.clone()).collect(),
            })
        }
    }
}

struct Found<'m> {
    metadata: &'m Metadata,
    crates: Vec<Crate>,
    libraries: HashMap<&'m PackageId, usize>,
}

impl<'m> Found<'m> {
    fn library(&mut self, package: &'m Package, library: &Target) -> usize {
        match self.libraries.get(&package.id) {
            Some(&index) => index,
            None => {
                self.libraries.insert(&package.id, self.crates.len());
                self.add(package, library)
            }
        }
    }

    /// Adds a crate and its dependencies; returns its index.
    fn add(&mut self, package: &'m Package, target: &Target) -> usize {
        let index = self.crates.len();
        let resolve = self.metadata.resolve.as_ref();
        let node = resolve.and_then(|graph| graph.nodes.iter().find(|node| node.id == package.id));
        let features = node.into_iter().flat_map(|node| &node.features);
        self.crates.push(Crate {
            name: crate_name(target),
            root: target.src_path.clone().into(),
            features: features.map(ToString::to_string).collect(),
            dependencies: HashMap::new(),
        });
        for dependency in node.into_iter().flat_map(|node| &node.deps) {
            let normal = |kind: &cargo_metadata::DepKindInfo| kind.kind == DependencyKind::Normal;
            if !dependency.dep_kinds.iter().any(normal) {
                continue;
            }
            let package = &self.metadata[&dependency.pkg];
            let other = match library_of(package) {
                _ if package.source.is_some() => Dependency::External("from a registry"),
                Some(library) => Dependency::Bundled(self.library(package, library)),
                None => Dependency::External("a crate of procedural macros"),
            };
            let dependencies = &mut self.crates[index].dependencies;
            dependencies.insert(dependency.name.clone(), other);
        }
        index
    }
}

fn library_of(package: &Package) -> Option<&Target> {
    let is_library = |target: &&Target| target.is_lib() || target.is_rlib();
    package.targets.iter().find(is_library)
}

fn crate_name(target: &Target) -> String {
    target.name.replace('-', "_")
}
