//! The packages that cargo reports: those of a workspace and their path dependencies, for which it reads only
//! manifests; or all packages, after it has resolved those of registries.

use super::errors::BundleError;
use cargo_metadata::{
    Dependency, DependencyKind, Message, Metadata, MetadataCommand, Package, PackageId, Target,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The binary that is bundled if none is named and there are several.
const USUAL_BINARY: &str = "contest";

/// The requested packages.
pub(super) struct Packages {
    metadata: Metadata,
    /// The requested manifest, with links in its path resolved.
    manifest: Option<PathBuf>,
}

impl Packages {
    /// The packages of a manifest's workspace and their path dependencies. The default is the manifest of the current
    /// folder. Nothing is resolved, so no registry is asked.
    ///
    /// # Errors
    /// When cargo cannot read a manifest.
    pub(super) fn by_path(manifest: Option<&Path>) -> Result<Packages, BundleError> {
        let mut packages = Packages::new(manifest, MetadataCommand::new().no_deps())?;
        let all = &mut packages.metadata.packages;
        let mut at = 0;
        while let Some(package) = all.get(at) {
            let normal = normal(package);
            let folders: Vec<_> = normal.filter_map(|one| one.path.clone()).collect();
            for folder in folders {
                if !all.iter().any(|one| lies_in(one, folder.as_std_path())) {
                    let manifest = folder.join("Cargo.toml");
                    let mut command = MetadataCommand::new();
                    let there = metadata(Some(manifest.as_std_path()), command.no_deps())?;
                    let mut there = there.packages.into_iter();
                    all.extend(there.find(|one| lies_in(one, folder.as_std_path())));
                }
            }
            at += 1;
        }
        Ok(packages)
    }

    /// The packages of a manifest's workspace, and all their dependencies.
    ///
    /// # Errors
    /// When cargo cannot read a manifest, or finds no version of a dependency that fits.
    pub(super) fn resolved(manifest: Option<&Path>) -> Result<Packages, BundleError> {
        Packages::new(manifest, &mut MetadataCommand::new())
    }

    fn new(
        manifest: Option<&Path>,
        command: &mut MetadataCommand,
    ) -> Result<Packages, BundleError> {
        let metadata = metadata(manifest, command)?;
        // If none is named, cargo takes the manifest of the nearest folder that has one.
        let manifest = match manifest {
            Some(manifest) => manifest.canonicalize(),
            None => std::env::current_dir().and_then(|here| {
                let mut above = here.ancestors().map(|folder| folder.join("Cargo.toml"));
                above
                    .find(|file| file.is_file())
                    .unwrap_or(here)
                    .canonicalize()
            }),
        };
        Ok(Packages {
            metadata,
            manifest: manifest.ok(),
        })
    }

    /// The folder in which cargo calls the compiler.
    pub(super) fn workspace(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// The requested binary: from the manifest's own package if it has it, otherwise from the whole workspace.
    ///
    /// # Errors
    /// When none matches the request, or more than one.
    pub(super) fn binary(&self, name: Option<&str>) -> Result<(&Package, &Target), BundleError> {
        let wanted =
            |(_, target): &(&Package, &Target)| name.is_none_or(|name| target.name == name);
        let is_own = |package: &&Package| {
            let manifest = package.manifest_path.canonicalize().ok();
            manifest.is_some() && manifest == self.manifest
        };
        let members = self.metadata.workspace_packages();
        let own = members.iter().copied().find(is_own);
        let mut all: Vec<_> = own.into_iter().flat_map(binaries).collect();
        if !all.iter().any(wanted) {
            all = members.into_iter().flat_map(binaries).collect();
        }
        let matching: Vec<_> = all.iter().copied().filter(wanted).collect();
        let usual = matching.iter().find(|one| one.1.name == USUAL_BINARY);
        match (&matching[..], usual) {
            ([only], _) | (_, Some(only)) => Ok(*only),
            _ => Err(BundleError::Binary {
                wanted: name.map(String::from),
                there_are: all.iter().map(|(_, target)| target.name.clone()).collect(),
            }),
        }
    }

    /// The package behind a dependency of another one; `None` if it is not resolved.
    pub(super) fn of(&self, package: &Package, dependency: &Dependency) -> Option<&Package> {
        let Some(graph) = &self.metadata.resolve else {
            let folder = dependency.path.as_deref()?.as_std_path();
            let mut packages = self.metadata.packages.iter();
            return packages.find(|one| lies_in(one, folder));
        };
        let node = graph.nodes.iter().find(|node| node.id == package.id)?;
        let there = node
            .deps
            .iter()
            .map(|one| (&one.name, &self.metadata[&one.pkg]));
        let mut named = there.filter(|(_, there)| *there.name == dependency.name);
        let named = named.find(|(name, there)| **name == name_in_code(dependency, Some(there)));
        named.map(|(_, there)| there)
    }
}

/// The dependencies of a package, except those for tests and build scripts.
pub(super) fn normal(package: &Package) -> impl Iterator<Item = &Dependency> {
    let all = package.dependencies.iter();
    all.filter(|dependency| dependency.kind == DependencyKind::Normal)
}

/// A dependency's name in code. The dependency is this package, if that is known.
pub(super) fn name_in_code(dependency: &Dependency, package: Option<&Package>) -> String {
    let library = || package.and_then(|package| package.targets.iter().find(|one| is_named(one)));
    match (&dependency.rename, library()) {
        (Some(name), _) => name.replace('-', "_"),
        (None, Some(library)) => crate_name(library),
        (None, None) => dependency.name.replace('-', "_"),
    }
}

/// Whether dependents of a package can name this target.
fn is_named(target: &Target) -> bool {
    target.is_lib() || target.is_rlib() || target.is_proc_macro()
}

/// A library's name in code.
pub(super) fn crate_name(target: &Target) -> String {
    target.name.replace('-', "_")
}

/// The library of a package that is linked with others.
pub(super) fn library_of(package: &Package) -> Option<&Target> {
    let is_library = |target: &&Target| target.is_lib() || target.is_rlib();
    package.targets.iter().find(is_library)
}

/// Makes cargo compile a binary's dependencies into this folder. Returns the file of each package that the compiler
/// reads.
///
/// # Errors
/// When the package does not compile, with cargo's message.
pub(super) fn compiled(
    package: &Package,
    binary: &Target,
    folder: &Path,
) -> Result<HashMap<PackageId, PathBuf>, BundleError> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.arg("check").arg("--target-dir").arg(folder);
    command.args(["--message-format", "json-render-diagnostics"]);
    let manifest = &package.manifest_path;
    command.arg("--manifest-path").arg(manifest);
    command.arg("--bin").arg(&binary.name);
    command.current_dir(manifest.parent().unwrap_or(manifest));
    let output = command.output();
    let output = output.map_err(|error| BundleError::Cargo(error.to_string()))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(BundleError::Cargo(problem(&stderr)));
    }
    let messages = Message::parse_stream(&output.stdout[..]).flatten();
    let files = messages.filter_map(|message| match message {
        Message::CompilerArtifact(artifact) => {
            let file = artifact.filenames.first()?;
            Some((artifact.package_id, file.clone().into()))
        }
        _ => None,
    });
    Ok(files.collect())
}

fn binaries(package: &Package) -> impl Iterator<Item = (&Package, &Target)> {
    let binaries = package.targets.iter().filter(|target| target.is_bin());
    binaries.map(move |target| (package, target))
}

fn lies_in(package: &Package, folder: &Path) -> bool {
    package.manifest_path.as_std_path().parent() == Some(folder)
}

fn metadata(
    manifest: Option<&Path>,
    command: &mut MetadataCommand,
) -> Result<Metadata, BundleError> {
    if let Some(manifest) = manifest {
        let absolute = std::path::absolute(manifest);
        let manifest = absolute.map_err(|error| BundleError::Cargo(error.to_string()))?;
        // Cargo reads its configuration from the current folder upwards.
        if let Some(folder) = manifest.parent().filter(|folder| folder.is_dir()) {
            command.current_dir(folder);
        }
        command.manifest_path(manifest);
    }
    command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => BundleError::Cargo(problem(&stderr)),
        other => BundleError::Cargo(other.to_string()),
    })
}

/// Cargo's error, without the progress messages before it.
fn problem(stderr: &str) -> String {
    let is_error = |line: &str| line.starts_with("error");
    let lines: Vec<&str> = stderr.lines().skip_while(|line| !is_error(line)).collect();
    let problem = lines.join("\n");
    let problem = if lines.is_empty() { stderr } else { &problem };
    problem.trim().trim_start_matches("error: ").into()
}
