//! What is granted, what else is asked for, and what the messages say.

use super::*;
use crate::config::Config;
use crate::version::{Content, content_of};
use std::fs::write;
use tempfile::TempDir;

/// The paths of a file and a folder on this machine.
fn machine() -> (TempDir, PathBuf, PathBuf) {
    let machine = tempfile::tempdir().unwrap();
    let place = machine.path().canonicalize().unwrap();
    let (file, folder) = (place.join("file"), place.join("folder"));
    write(&file, "text").unwrap();
    std::fs::create_dir(&folder).unwrap();
    write(folder.join("book"), "a book").unwrap();
    (machine, file, folder)
}

fn read(path: &Path) -> Grants {
    Grants::new(&[path.into()], &[], &[]).unwrap()
}

fn written(path: &Path) -> Grants {
    Grants::new(&[], &[path.into()], &[]).unwrap()
}

/// What the bots of a ladder with this configuration may do.
fn options(config: &str) -> BotOptions {
    Config::parse(config).unwrap().options.bots
}

#[test]
fn granted_paths_must_exist_and_writable_ones_must_be_folders() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_path_buf();
    let error = Grants::new(&[], &[path], &[]).unwrap_err().to_string();
    assert!(
        error.contains("--allow-write") && error.contains("expected a folder"),
        "{error}"
    );
    let error = Grants::new(&["/no/where".into()], &[], &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("--allow-read /no/where"), "{error}");
}

#[test]
fn a_bot_has_the_variables_of_a_machine_that_its_worker_grants_if_they_are_those_of_its_version() {
    let bot = Bot {
        environment: ["DEPTH=3", "TOKEN"].map(|it| it.parse().unwrap()).into(),
        ..Bot::default()
    };
    let granted = |text: &str| {
        let variables: Vec<Variable> = text.split(' ').map(|it| it.parse().unwrap()).collect();
        Grants::new(&[], &[], &variables).unwrap()
    };
    let version = |token: &str| {
        let values = BTreeMap::from([("TOKEN".into(), token.into())]);
        Description {
            command: "bot".into(),
            environment: BTreeMap::new(),
            inherited: inherited(&bot, &values),
            signature: None,
            files: BTreeMap::new(),
        }
    };
    let told = |grants: &Grants| {
        let refused = grants.environment(&bot, &version("ours")).unwrap_err();
        refused.to_string()
    };
    assert_eq!(
        told(&Grants::default()),
        "the ladder gives it the variable TOKEN of the machine, and this worker does not; `--env TOKEN` does"
    );
    assert_eq!(
        told(&granted("TOKEN=other")),
        "the variable TOKEN has another value on this machine than its version was made of; `--env TOKEN=VALUE` sets it"
    );
    let given = granted("TOKEN=ours DEPTH=9 MORE=1").environment(&bot, &version("ours"));
    let given: Vec<(String, String)> = given.unwrap().into_iter().collect();
    let expected = [("DEPTH", "3"), ("TOKEN", "ours")];
    assert_eq!(
        given,
        expected.map(|(name, value)| (name.into(), value.into()))
    );
    let text = serde_json::to_string(&version("ours")).unwrap();
    assert!(text.contains("TOKEN") && !text.contains("ours"), "{text}");
    let unset = "NO_SUCH_VARIABLE".parse().unwrap();
    let refused = Grants::new(&[], &[], &[unset]).unwrap_err().to_string();
    assert!(
        refused.starts_with("--env: `NO_SUCH_VARIABLE` is not set here"),
        "{refused}"
    );
}

#[test]
fn a_request_that_a_worker_does_not_grant_is_reported_with_the_flag_that_grants_it() {
    let (machine, file, folder) = machine();
    let config = format!("allow_read = [{file:?}]\nallow_write = [{folder:?}]");
    let wishes = options(&config);
    let of = |verb: &str, flag: &str, path: &Path| {
        let path = path.display();
        format!(
            "the ladder lets its bots {verb} {path}, and this worker does not; `{flag} {path}` does"
        )
    };
    let of_file = of("read", "--allow-read", &file);
    let of_folder = of("write", "--allow-write", &folder);
    let missing = |grants: Grants| grants.granted(&wishes).err();
    assert_eq!(
        missing(Grants::default()),
        Some(format!("{of_file}; {of_folder}"))
    );
    assert_eq!(missing(read(&file)), Some(of_folder.clone()));
    assert_eq!(
        missing(read(machine.path())),
        Some(of_folder),
        "to read is not to write"
    );
    assert_eq!(missing(written(&folder)), Some(of_file));
    assert_eq!(
        missing(written(machine.path())),
        None,
        "what is written is read as well"
    );

    let told = |config: &str| Grants::default().granted(&options(config)).err();
    assert_eq!(told(""), None);
    let relative = told("allow_read = [\"books\"]").unwrap();
    assert!(
        relative.contains("a path within the ladder's folder"),
        "{relative}"
    );
    let gone = told("allow_write = [\"/no/where\"]").unwrap();
    assert!(
        gone.starts_with("the ladder lets its bots write /no/where, and here: No such file"),
        "{gone}"
    );
    let no_folder = told(&format!("allow_write = [{file:?}]")).unwrap();
    assert!(
        no_folder.ends_with(", and here: expected a folder"),
        "{no_folder}"
    );
}

#[test]
fn what_is_granted_is_opened_where_the_links_to_it_lead() {
    let (machine, file, folder) = machine();
    let [to_file, to_folder] = ["to_file", "to_folder"].map(|name| machine.path().join(name));
    std::os::unix::fs::symlink(&file, &to_file).unwrap();
    std::os::unix::fs::symlink(&folder, &to_folder).unwrap();
    let wishes = options(&format!(
        "allow_read = [{to_file:?}]\nallow_write = [{to_folder:?}]"
    ));
    let granted = Grants::new(&[to_file], std::slice::from_ref(&to_folder), &[]).unwrap();
    let real = (vec![file.clone()], vec![folder]);
    assert_eq!(granted.granted(&wishes), Ok(real));
    // A link within what is granted leads out of it.
    std::os::unix::fs::symlink(&file, to_folder.join("link")).unwrap();
    let wishes = options(&format!("allow_read = [{:?}]", to_folder.join("link")));
    assert!(read(&to_folder).granted(&wishes).is_err());
}

#[test]
fn extra_files_that_a_bot_may_read_are_part_of_its_version_and_are_watched() {
    let (_machine, _, folder) = machine();
    let book = content_of(&folder.join("book")).unwrap();
    let version = |files: &[(&str, &Content)]| Description {
        command: "sh x.sh".into(),
        environment: BTreeMap::new(),
        inherited: BTreeMap::new(),
        signature: None,
        files: files
            .iter()
            .map(|(name, content)| (folder.join(name).display().to_string(), (*content).clone()))
            .collect(),
    };
    let watched = |description: &Description| {
        let mut files = BotFiles::default();
        let readable = std::slice::from_ref(&folder);
        expect_same_files(readable, &Bot::default(), description, &mut files)?;
        Ok::<_, LadderError>(files)
    };
    let mut known = version(&[("book", &book)]);
    known.files.insert("x.sh".into(), book.clone());
    let files = watched(&known).unwrap();
    let paths: Vec<PathBuf> = files.files.into_values().collect();
    assert_eq!(paths, [folder.join("book")]);
    assert_eq!(files.folders, std::slice::from_ref(&folder));

    let other = Content::Sha256("1".into());
    for differing in [
        version(&[]),
        version(&[("book", &other)]),
        version(&[("book", &book), ("more", &book)]),
    ] {
        let told = watched(&differing).unwrap_err().to_string();
        assert!(
            told.starts_with("this machine has other files in "),
            "{told}"
        );
    }
}
