//! The crates of a binary: itself, the libraries it depends on by path, and external dependencies.

use super::errors::BundleError;
use cargo_metadata::{
    DependencyKind, Message, Metadata, MetadataCommand, Package, PackageId, Target,
};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The binary that is bundled when none is named and there are several.
const USUAL_BINARY: &str = "contest";

/// One crate whose source goes into the bundle.
pub(super) struct Crate {
    /// Its name in Rust code.
    pub(super) name: String,
    /// Its package's `Cargo.toml`.
    pub(super) manifest: PathBuf,
    /// The name of its target.
    pub(super) target: String,
    /// Its root file.
    pub(super) root: PathBuf,
    /// The features it is built with.
    pub(super) features: HashSet<String>,
    /// The variables that cargo sets for its package: `CARGO_PKG_NAME` and so on.
    pub(super) variables: HashMap<&'static str, String>,
    /// The dependencies that are bundled too, by their names in its code: their indices.
    pub(super) bundled: HashMap<String, usize>,
    /// The other dependencies, by their names in its code.
    pub(super) external: HashMap<String, External>,
}

/// A crate that is not bundled: at best the contest has it.
pub(super) struct External {
    pub(super) package: PackageId,
    /// Its package's name.
    pub(super) name: String,
    /// Its origin, for messages: "from a registry".
    pub(super) origin: &'static str,
}

/// The crates of a binary: the binary first.
pub(super) fn of_binary(
    manifest: Option<&Path>,
    binary: Option<&str>,
) -> Result<Vec<Crate>, BundleError> {
    let metadata = metadata(manifest)?;
    let (package, target) = pick(&metadata, binary)?;
    let mut collector = CrateCollector {
        metadata: &metadata,
        features: features(&metadata, package)?,
        crates: Vec::new(),
        libraries: HashMap::new(),
    };
    collector.add(package, target);
    if let Some(library) = library_of(package) {
        let index = collector.library(package, library);
        let name = crate_name(library);
        collector.crates[0].bundled.insert(name, index);
    }
    Ok(collector.crates)
}

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

/// The features that each package of a binary's is built with.
///
/// Metadata has those of all members of the workspace together; a binary is built with its own.
fn features(
    metadata: &Metadata,
    package: &Package,
) -> Result<HashMap<String, HashSet<String>>, BundleError> {
    let mut command = cargo("tree");
    command.arg("--manifest-path").arg(&package.manifest_path);
    command.args([
        "--edges", "normal", "--prefix", "none", "--format", "{p}|{f}",
    ]);
    command.current_dir(&metadata.workspace_root);
    let output = run(command)?;
    let output = String::from_utf8_lossy(&output);
    let mut all: HashMap<String, HashSet<String>> = HashMap::new();
    for line in output.lines() {
        let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') else {
            continue;
        };
        let package = package.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let features = features.split(',').filter(|feature| !feature.is_empty());
        all.entry(package)
            .or_default()
            .extend(features.map(String::from));
    }
    Ok(all)
}

/// What `cargo tree` calls a package: `name v1.0.0`.
fn in_a_tree(package: &Package) -> String {
    format!("{} v{}", package.name, package.version)
}

fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg(command);
    cargo
}

/// What a command writes to its standard output.
fn run(mut command: Command) -> Result<Vec<u8>, BundleError> {
    let output = command.output();
    let output = output.map_err(|error| BundleError::Cargo(error.to_string()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(BundleError::Cargo(stderr.trim().to_string()))
}

/// Collects the crates of a binary, each once.
struct CrateCollector<'m> {
    metadata: &'m Metadata,
    features: HashMap<String, HashSet<String>>,
    crates: Vec<Crate>,
    libraries: HashMap<&'m PackageId, usize>,
}

impl<'m> CrateCollector<'m> {
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
        let features = self.features.get(&in_a_tree(package));
        self.crates.push(Crate {
            name: crate_name(target),
            manifest: package.manifest_path.clone().into(),
            target: target.name.clone(),
            root: target.src_path.clone().into(),
            features: features.cloned().unwrap_or_default(),
            variables: variables(package),
            bundled: HashMap::new(),
            external: HashMap::new(),
        });
        for dependency in node.into_iter().flat_map(|node| &node.deps) {
            let normal = |kind: &cargo_metadata::DepKindInfo| kind.kind == DependencyKind::Normal;
            if !dependency.dep_kinds.iter().any(normal) {
                continue;
            }
            let package = &self.metadata[&dependency.pkg];
            let name = dependency.name.clone();
            let origin = match library_of(package) {
                _ if package.source.is_some() => "from a registry",
                Some(library) => {
                    let other = self.library(package, library);
                    self.crates[index].bundled.insert(name, other);
                    continue;
                }
                None => "a crate of procedural macros",
            };
            let other = External {
                package: package.id.clone(),
                name: package.name.to_string(),
                origin,
            };
            self.crates[index].external.insert(name, other);
        }
        index
    }
}

fn variables(package: &Package) -> HashMap<&'static str, String> {
    HashMap::from([
        ("CARGO_PKG_NAME", package.name.to_string()),
        ("CARGO_PKG_VERSION", package.version.to_string()),
        ("CARGO_PKG_VERSION_MAJOR", package.version.major.to_string()),
        ("CARGO_PKG_VERSION_MINOR", package.version.minor.to_string()),
        ("CARGO_PKG_VERSION_PATCH", package.version.patch.to_string()),
        ("CARGO_PKG_AUTHORS", package.authors.join(":")),
        (
            "CARGO_PKG_DESCRIPTION",
            package.description.clone().unwrap_or_default(),
        ),
    ])
}

/// Has cargo compile what a binary depends on; returns the file of each package that the compiler reads.
///
/// # Errors
/// When the package does not compile, with cargo's message.
pub(super) fn compiled(binary: &Crate) -> Result<HashMap<PackageId, PathBuf>, BundleError> {
    let mut command = cargo("check");
    command.args(["--message-format", "json-render-diagnostics"]);
    command.arg("--manifest-path").arg(&binary.manifest);
    command.arg("--bin").arg(&binary.target);
    command.current_dir(binary.manifest.parent().unwrap_or(Path::new(".")));
    let output = run(command)?;
    let mut files = HashMap::new();
    for message in Message::parse_stream(&output[..]).flatten() {
        if let Message::CompilerArtifact(artifact) = message
            && let Some(file) = artifact.filenames.first()
        {
            files.insert(artifact.package_id, file.clone().into());
        }
    }
    Ok(files)
}

fn library_of(package: &Package) -> Option<&Target> {
    let is_library = |target: &&Target| target.is_lib() || target.is_rlib();
    package.targets.iter().find(is_library)
}

fn crate_name(target: &Target) -> String {
    target.name.replace('-', "_")
}
