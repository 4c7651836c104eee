//! Referees made of Java classes: where they are, and the command line that runs them, as that of any other referee.

use crate::RefereeError;
use crownhead_sandbox::inherited_environment;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command line that is started for each game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// The folder where it runs.
    pub(crate) folder: PathBuf,
}

impl Launch {
    /// The command that starts it; in a sandbox it has none of our variables but the usual ones.
    pub(crate) fn command(&self, is_confined: bool) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder);
        if is_confined {
            command.env_clear().envs(inherited_environment());
        }
        // Text is UTF-8 and numbers have a decimal point, whatever the user's language.
        command.env("LC_ALL", "C.UTF-8");
        command
    }
}

/// The engine's entry for servers, which speaks on standard input and output.
pub(crate) const ENTRY: &str = "com.codingame.gameengine.core.RefereeMain";

/// Its file.
const ENTRY_FILE: &str = "com/codingame/gameengine/core/RefereeMain.class";

/// The classes of a referee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Classes {
    /// The jars and folders that hold them.
    pub(crate) path: Vec<PathBuf>,
    /// Whether the engine is among them.
    pub(crate) has_engine: bool,
}

impl Classes {
    /// The classes at a path: a jar, a folder of classes and packages, Maven's `target` with `classes` and the jars in
    /// `dependency`, or the folder that holds `target`. `None` if there are none.
    ///
    /// # Errors
    /// When they cannot be read, or the engine is not among those of a folder.
    pub(crate) fn at(path: &Path) -> Result<Option<Classes>, RefereeError> {
        let is_jar = path.is_file() && is_jar(path);
        if is_jar || path.join(ENTRY_FILE).is_file() {
            return Ok(Some(Classes {
                path: vec![path.into()],
                has_engine: !is_jar || has_entry(path)?,
            }));
        }
        if !path.is_dir() {
            return Ok(None);
        }
        let target = [path.to_path_buf(), path.join("target")];
        let target = target
            .into_iter()
            .find(|folder| folder.join("classes").is_dir());
        match target {
            Some(target) => Classes::of_build(&target).map(Some),
            None => Err(RefereeError::NotFound(format!(
                "the folder `{}` holds no referee. Expected {ENTRY_FILE} in it, or `classes` and `dependency` as Maven \
                 builds them",
                path.components().collect::<PathBuf>().display()
            ))),
        }
    }

    /// What Maven has built in this folder.
    fn of_build(target: &Path) -> Result<Classes, RefereeError> {
        let classes = target.join("classes");
        let entries = std::fs::read_dir(target.join("dependency"));
        let mut jars: Vec<PathBuf> = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_jar(path))
            .collect();
        jars.sort();
        let mut has_engine = classes.join(ENTRY_FILE).is_file();
        for jar in &jars {
            has_engine = has_engine || has_entry(jar)?;
        }
        if !has_engine {
            return Err(RefereeError::NotFound(format!(
                "no jar in {} holds CodinGame's engine; `mvn dependency:copy-dependencies` puts them there",
                target.join("dependency").display()
            )));
        }
        Ok(Classes {
            path: [vec![classes], jars].concat(),
            has_engine,
        })
    }

    /// The arguments of `java` that run the engine's entry, or the jar's own entry if it is `None`.
    pub(crate) fn arguments(&self, league: Option<&str>, entry: Option<&str>) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = [
            // Games are short: the second compiler is rarely worth it, and garbage collection needs no threads.
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            // It would leave a folder among the temporary files.
            "-XX:-UsePerfData",
            // Standard output belongs to the referee, so messages of the virtual machine go elsewhere.
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-Dgame.mode=multi",
            "-Dfile.encoding=UTF-8",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
        ]
        .map(OsString::from)
        .to_vec();
        arguments.extend(league.map(|league| format!("-Dleague.level={league}").into()));
        match entry {
            Some(entry) => {
                // No class path can hold a name with its separator.
                let path = std::env::join_paths(&self.path).unwrap_or_default();
                arguments.extend(["-cp".into(), path, entry.into()]);
            }
            None => {
                arguments.push("-jar".into());
                arguments.extend(self.path.iter().map(OsString::from));
            }
        }
        arguments
    }
}

/// Whether a path is called a jar.
pub(crate) fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "jar")
}

/// Whether a jar contains the engine's entry. File names in a jar are not compressed.
pub(crate) fn has_entry(jar: &Path) -> Result<bool, RefereeError> {
    let bytes = std::fs::read(jar).map_err(|error| {
        RefereeError::NotFound(format!("the referee {}: {error}", jar.display()))
    })?;
    Ok(memchr::memmem::find(&bytes, ENTRY_FILE.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    /// A jar, as far as it matters here: the name of a file in it.
    fn write_jar(path: &Path, file: &str) {
        create_dir_all(path.parent().unwrap()).unwrap();
        write(path, format!("PK\x03\x04…{file}…")).unwrap();
    }

    #[test]
    fn a_jar_is_a_referee_of_the_engine_if_its_entry_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        for (file, has_engine) in [
            (ENTRY_FILE, true),
            ("com/codingame/game/Player.class", false),
        ] {
            let jar = folder.path().join("spring-2023-1.0.jar");
            write_jar(&jar, file);
            let classes = Classes::at(&jar).unwrap().unwrap();
            assert_eq!(classes.has_engine, has_engine);
        }
    }

    #[test]
    fn a_maven_build_gives_its_classes_and_the_jars_they_depend_on() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("soak");
        let target = project.join("target");
        create_dir_all(target.join("classes")).unwrap();
        let missing = Classes::at(&project).unwrap_err().to_string();
        assert!(
            missing.contains("`mvn dependency:copy-dependencies`"),
            "{missing}"
        );
        write_jar(
            &target.join("dependency/guice.jar"),
            "com/google/inject/Guice.class",
        );
        write_jar(&target.join("dependency/core.jar"), ENTRY_FILE);
        for path in [&project, &target] {
            let classes = Classes::at(path).unwrap().unwrap();
            assert!(classes.has_engine);
            let files = ["classes", "dependency/core.jar", "dependency/guice.jar"];
            assert_eq!(classes.path, files.map(|file| target.join(file)));
        }
    }

    #[test]
    fn a_folder_of_classes_is_one_and_another_folder_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Classes::at(folder.path()).unwrap_err().to_string();
        assert!(
            missing.contains("holds no referee. Expected com/codingame"),
            "{missing}"
        );
        let entry = folder.path().join(ENTRY_FILE);
        create_dir_all(entry.parent().unwrap()).unwrap();
        write(entry, "").unwrap();
        let classes = Classes::at(folder.path()).unwrap().unwrap();
        assert_eq!(classes.path, [folder.path()]);
        assert!(
            Classes::at(&folder.path().join("python3 referee.py"))
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn the_league_is_a_property_and_all_of_the_path_is_searched() {
        let classes = Classes {
            path: vec!["/a/classes".into(), "/a/b.jar".into()],
            has_engine: true,
        };
        let arguments = classes.arguments(Some("4"), Some(ENTRY));
        assert!(arguments.contains(&"-Dleague.level=4".into()));
        let last: [OsString; 3] = ["-cp".into(), "/a/classes:/a/b.jar".into(), ENTRY.into()];
        assert!(arguments.ends_with(&last), "{arguments:?}");
    }
}
