//! The crates of a binary: itself, the libraries it depends on by path, and external dependencies.

use super::contest::EDITION;
use super::errors::BundleError;
use cargo_metadata::{
    DepKindInfo, DependencyKind, Edition, Message, Metadata, MetadataCommand, Package, PackageId,
    Target,
};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The binary that is bundled when none is named and there are several.
const USUAL_BINARY: &str = "contest";

/// One crate whose source goes into the bundle.
pub(super) struct Crate {
    package: Package,
    /// The folder in which cargo calls the compiler.
    workspace: PathBuf,
    target: Target,
    /// The features it is built with.
    pub(super) features: HashSet<String>,
    /// The dependencies that are bundled too, by their names in its code: their indices.
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

    /// What the compiler calls this file: its path in the workspace.
    pub(super) fn shown<'p>(&self, file: &'p Path) -> &'p Path {
        file.strip_prefix(&self.workspace).unwrap_or(file)
    }

    /// Its edition, if code of it may mean something else in that of the contest.
    fn older_edition(&self) -> Option<&'static str> {
        match self.target.edition {
            Edition::E2015 => Some("2015"),
            Edition::E2018 => Some("2018"),
            _ => None,
        }
    }

    /// What cargo sets for its package: `CARGO_PKG_NAME` and so on.
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
    let features = features(&metadata, package)?;
    let mut found = vec![(package, target)];
    let mut crates: Vec<Crate> = Vec::new();
    while let Some(&(package, target)) = found.get(crates.len()) {
        let features = features.get(&in_a_tree(package));
        let mut krate = Crate {
            package: package.clone(),
            workspace: metadata.workspace_root.clone().into(),
            target: target.clone(),
            features: features.cloned().unwrap_or_default(),
            bundled: HashMap::new(),
            external: HashMap::new(),
        };
        let own = library_of(package).filter(|_| crates.is_empty());
        let own = own.map(|library| (crate_name(library), package));
        for (name, package) in dependencies(&metadata, package).into_iter().chain(own) {
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

/// The packages that a package depends on, but for its tests and its build, by their names in its code.
fn dependencies<'m>(metadata: &'m Metadata, package: &Package) -> Vec<(String, &'m Package)> {
    let nodes = metadata.resolve.iter().flat_map(|graph| &graph.nodes);
    let of_package = nodes.filter(|node| node.id == package.id);
    let normal = |kind: &DepKindInfo| kind.kind == DependencyKind::Normal;
    let dependencies = of_package.flat_map(|node| &node.deps);
    dependencies
        .filter(|dependency| dependency.dep_kinds.iter().any(normal))
        .map(|dependency| (dependency.name.clone(), &metadata[&dependency.pkg]))
        .collect()
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
        cargo_metadata::Error::CargoMetadata { stderr } => BundleError::Cargo(problem(&stderr)),
        other => BundleError::Cargo(other.to_string()),
    })
}

/// The requested binary: of the manifest's own package if that has it, otherwise of the whole workspace.
fn pick<'m>(
    metadata: &'m Metadata,
    binary: Option<&str>,
) -> Result<(&'m Package, &'m Target), BundleError> {
    let binaries = |package: &'m Package| {
        let targets = package.targets.iter().filter(|target| target.is_bin());
        targets.map(move |target| (package, target))
    };
    let wanted = |(_, target): &(&Package, &Target)| binary.is_none_or(|name| target.name == name);
    let own = metadata.root_package();
    let mut all: Vec<_> = own.into_iter().flat_map(binaries).collect();
    if !all.iter().any(wanted) {
        let packages = metadata.workspace_packages().into_iter();
        all = packages.flat_map(binaries).collect();
    }
    let matching: Vec<_> = all.iter().copied().filter(wanted).collect();
    let usual = matching.iter().find(|one| one.1.name == USUAL_BINARY);
    match (&matching[..], usual) {
        ([only], _) | (_, Some(only)) => Ok(*only),
        _ => Err(BundleError::Binary {
            wanted: binary.map(String::from),
            there_are: all.iter().map(|(_, target)| target.name.clone()).collect(),
        }),
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
    Err(BundleError::Cargo(problem(&stderr)))
}

/// Cargo's error, without what it tells of its progress before.
fn problem(stderr: &str) -> String {
    let is_error = |line: &str| line.starts_with("error");
    let lines: Vec<&str> = stderr.lines().skip_while(|line| !is_error(line)).collect();
    let problem = lines.join("\n");
    let problem = if lines.is_empty() { stderr } else { &problem };
    problem.trim().trim_start_matches("error: ").into()
}

/// Has cargo compile what a binary depends on, into this folder; returns the file of each package that the compiler reads.
///
/// # Errors
/// When the package does not compile, with cargo's message.
pub(super) fn compiled(
    binary: &Crate,
    folder: &Path,
) -> Result<HashMap<PackageId, PathBuf>, BundleError> {
    let mut command = cargo("check");
    command.arg("--target-dir").arg(folder);
    command.args(["--message-format", "json-render-diagnostics"]);
    let manifest = &binary.package.manifest_path;
    command.arg("--manifest-path").arg(manifest);
    command.arg("--bin").arg(&binary.target.name);
    command.current_dir(manifest.parent().unwrap_or(manifest));
    let output = run(command)?;
    let messages = Message::parse_stream(&output[..]).flatten();
    let files = messages.filter_map(|message| match message {
        Message::CompilerArtifact(artifact) => {
            let file = artifact.filenames.first()?;
            Some((artifact.package_id, file.clone().into()))
        }
        _ => None,
    });
    Ok(files.collect())
}

fn library_of(package: &Package) -> Option<&Target> {
    let is_library = |target: &&Target| target.is_lib() || target.is_rlib();
    package.targets.iter().find(is_library)
}

fn crate_name(target: &Target) -> String {
    target.name.replace('-', "_")
}
