//! Which referee is meant, and what distinguishes its games from others.

use crownhead_external::{ExternalReferee, RefereeError, RefereeOptions};
use crownhead_record::RefereeProtocol;
use crownhead_record::openings::Opening;
use std::fs::write;
use std::path::Path;

fn find(
    command: &str,
    parameters: &[(&str, &str)],
    folder: &Path,
) -> Result<ExternalReferee, RefereeError> {
    let parameters = parameters.iter();
    let options = RefereeOptions {
        command: command.into(),
        protocol: Some(RefereeProtocol::Engine),
        players: 2,
        parameters: parameters
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect(),
    };
    ExternalReferee::find(&options, folder)
}

#[test]
fn a_referee_has_another_hash_when_its_files_or_what_it_is_told_are_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |text: &str| write(folder.join("race.py"), text).unwrap();
    let hash = |command: &str, parameters: &[(&str, &str)]| {
        find(command, parameters, folder).unwrap().hash
    };
    write("print(1)");
    let first = hash("python3 race.py", &[]);
    assert_eq!(hash("python3 race.py", &[]), first);
    let others = [
        hash("python3 race.py --fast", &[]),
        hash("python3 race.py", &[("size", "3")]),
        hash("python3 race.py", &[("size", "4")]),
        {
            write("print(2)");
            hash("python3 race.py", &[])
        },
    ];
    let mut all = others.to_vec();
    all.push(first.clone());
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 5, "{first} {others:?}");
    write("print(1)");
    assert_eq!(hash("python3 race.py", &[]), first);
}

#[test]
fn the_files_of_a_class_path_are_hashed_each() {
    let folder = tempfile::tempdir().unwrap();
    let hash = || {
        find("true -cp a.jar:b.jar Main", &[], folder.path())
            .unwrap()
            .hash
    };
    write(folder.path().join("a.jar"), "a").unwrap();
    write(folder.path().join("b.jar"), "b").unwrap();
    let first = hash();
    write(folder.path().join("b.jar"), "c").unwrap();
    assert_ne!(hash(), first);
}

#[test]
fn a_referee_is_called_after_its_script_and_runs_in_the_folder_that_it_was_named_in() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path().join("race.py"),
        "print('[[FAIL] 1]', open('reason').read(), sep='\\n')",
    )
    .unwrap();
    write(folder.path().join("reason"), "told by a file beside it").unwrap();
    let referee = find("python3 race.py", &[], folder.path()).unwrap();
    assert_eq!(referee.name, "race");
    let mut process = referee.start(&[]).unwrap();
    process.begin(&Opening::default());
    let said = process.next(&false.into()).unwrap_err().to_string();
    assert_eq!(said, "the referee race failed: told by a file beside it");
}

#[test]
fn a_program_that_is_no_referee_is_explained_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path().join("game.jar"),
        "PK com/codingame/game/Player.class",
    )
    .unwrap();
    write(folder.path().join("race"), "").unwrap();
    let cases = [
        (
            "",
            "no referee is named. Name a jar, a folder of classes or a command line",
        ),
        ("'a", "the quotes in `'a` do not match"),
        (
            "./race",
            "`./race` is not executable. Run `chmod +x ./race`",
        ),
        (
            "nothing-of-this-name x",
            "there is no program `nothing-of-this-name`. Name a jar",
        ),
        (
            "game.jar",
            "game.jar does not hold com.codingame.gameengine.core.RefereeMain",
        ),
    ];
    for (command, sentence) in cases {
        let error = find(command, &[], folder.path()).unwrap_err();
        assert!(matches!(error, RefereeError::NotFound(_)), "{error:?}");
        assert!(error.to_string().contains(sentence), "{command}: {error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_referee_runs_on_the_cores_that_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let script = "import os\nprint('[[FAIL] 1]', sorted(os.sched_getaffinity(0)), sep='\\n')";
    write(folder.path().join("cores.py"), script).unwrap();
    let referee = find("python3 cores.py", &[], folder.path()).unwrap();
    let set = rustix::thread::sched_getaffinity(None).unwrap();
    let core = (0..rustix::thread::CpuSet::MAX_CPU)
        .rfind(|&core| set.is_set(core))
        .unwrap();
    let mut process = referee.start(&[core]).unwrap();
    let said = process.next(&false.into()).unwrap_err().to_string();
    assert_eq!(said, format!("the referee cores failed: [{core}]"));
}
