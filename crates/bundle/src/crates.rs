//! The crates of a binary, as cargo compiles them: itself, the libraries it depends on by path, and crates that are not
//! bundled. What cargo has compiled says which dependencies and features are on.

use super::errors::BundleError;
use cargo_metadata::{
    Artifact, DependencyKind, Message, Metadata, MetadataCommand, Package, PackageId, Target,
};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The binary that is bundled if none is named and there are several.
const USUAL_BINARY: &str = "contest";

/// One crate whose source goes into the bundle.
pub(super) struct Crate {
    package: Package,
    target: Target,
    /// The features it is built with.
    pub(super) features: HashSet<String>,
    /// The indices of the dependencies that are bundled too, by their names in its code.
    pub(super) bundled: HashMap<String, usize>,
    /// The other dependencies, by their names in its code.
    pub(super) external: HashMap<String, External>,
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

    /// The variables that cargo sets for its package.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        match name {
            "CARGO_PKG_NAME" => Some(self.package.name.to_string()),
            "CARGO_PKG_VERSION" => Some(self.package.version.to_string()),
            _ => None,
        }
    }
}

/// A crate that is not bundled. The contest may offer it.
pub(super) struct External {
    /// Its package's name.
    pub(super) name: String,
    /// Its origin, for messages: "from a registry".
    pub(super) origin: &'static str,
    /// The file of it that the compiler reads.
    pub(super) file: PathBuf,
}

/// The crates of a binary; the binary comes first.
///
/// # Errors
/// When no binary matches the request, or the package does not compile.
pub(super) fn of_binary(
    manifest: Option<&Path>,
    binary: Option<&str>,
) -> Result<Vec<Crate>, BundleError> {
    let metadata = metadata(manifest)?;
    let (package, target) = find_binary(&metadata, binary)?;
    let compiled = compile(package, target)?;
    let graph = metadata.resolve.as_ref().map_or(&[][..], |all| &all.nodes);
    let mut found = vec![(package, target)];
    let mut crates: Vec<Crate> = Vec::new();
    while let Some(&(package, target)) = found.get(crates.len()) {
        let built = compiled.get(&package.id);
        let mut krate = Crate {
            package: package.clone(),
            target: target.clone(),
            features: built.map_or_else(HashSet::new, |built| {
                built.features.iter().cloned().collect()
            }),
            bundled: HashMap::new(),
            external: HashMap::new(),
        };
        let own = library_of(package).filter(|_| crates.is_empty());
        let own = own.map(|library| (crate_name(library), package));
        let node = graph.iter().find(|node| node.id == package.id);
        let dependencies = node.into_iter().flat_map(|node| &node.deps);
        let dependencies = dependencies.filter(|one| {
            let mut kinds = one.dep_kinds.iter();
            kinds.any(|kind| kind.kind == DependencyKind::Normal)
        });
        let dependencies = dependencies.map(|one| (one.name.clone(), &metadata[&one.pkg]));
        for (name, package) in dependencies.chain(own) {
            // What is not compiled is off.
            let Some(built) = compiled.get(&package.id) else {
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
            let file = built.filenames.first();
            let other = External {
                name: package.name.to_string(),
                origin,
                file: file.map_or_else(PathBuf::new, |file| file.clone().into()),
            };
            krate.external.insert(name, other);
        }
        crates.push(krate);
    }
    Ok(crates)
}

/// The packages of a manifest's workspace, and all their dependencies. The default is the manifest of the current folder.
fn metadata(manifest: Option<&Path>) -> Result<Metadata, BundleError> {
    let mut command = MetadataCommand::new();
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

/// The requested binary: from the manifest's own package if it has it, otherwise from the whole workspace.
fn find_binary<'m>(
    metadata: &'m Metadata,
    name: Option<&str>,
) -> Result<(&'m Package, &'m Target), BundleError> {
    let wanted = |(_, target): &(&Package, &Target)| name.is_none_or(|name| target.name == name);
    let own = metadata.root_package();
    let mut all: Vec<_> = own.into_iter().flat_map(binaries).collect();
    if !all.iter().any(wanted) {
        let members = metadata.workspace_packages();
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

fn binaries(package: &Package) -> impl Iterator<Item = (&Package, &Target)> {
    let binaries = package.targets.iter().filter(|target| target.is_bin());
    binaries.map(move |target| (package, target))
}

/// Has cargo check the binary and what it depends on. Returns what it has compiled of each package: a library, if the
/// package has one.
fn compile(
    package: &Package,
    binary: &Target,
) -> Result<HashMap<PackageId, Artifact>, BundleError> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["check", "--message-format", "json-render-diagnostics"]);
    let manifest = &package.manifest_path;
    command.arg("--manifest-path").arg(manifest);
    command.arg("--bin").arg(&binary.name);
    command.current_dir(manifest.parent().unwrap_or(manifest));
    let output = command.output();
    let output = output.map_err(|error| BundleError::Cargo(error.to_string()))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(BundleError::DoesNotCompile(problem(&stderr)));
    }
    let messages = Message::parse_stream(&output.stdout[..]).flatten();
    let artifacts = messages.filter_map(|message| match message {
        Message::CompilerArtifact(artifact) if !artifact.target.is_custom_build() => Some(artifact),
        _ => None,
    });
    let mut compiled = HashMap::new();
    for artifact in artifacts {
        // A package's library is compiled before its binary, which has the same features.
        compiled
            .entry(artifact.package_id.clone())
            .or_insert(artifact);
    }
    Ok(compiled)
}

/// A target's name in code.
fn crate_name(target: &Target) -> String {
    target.name.replace('-', "_")
}

/// The library of a package that is linked with others.
fn library_of(package: &Package) -> Option<&Target> {
    let is_library = |target: &&Target| target.is_lib() || target.is_rlib();
    package.targets.iter().find(is_library)
}

/// Cargo's error, without the progress messages before it.
fn problem(stderr: &str) -> String {
    let is_error = |line: &str| line.starts_with("error");
    let lines: Vec<&str> = stderr.lines().skip_while(|line| !is_error(line)).collect();
    let problem = lines.join("\n");
    let problem = if lines.is_empty() { stderr } else { &problem };
    problem.trim().trim_start_matches("error: ").into()
}
