//! What makes a folder a ladder, and which bots it may have.

use super::*;
use tempfile::TempDir;

/// A folder with this configuration.
fn ladder(config: &str) -> (TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join(CONFIG_FILE), config).unwrap();
    let folder = Folder::open(place.path()).unwrap();
    (place, folder)
}

fn told<T>(refused: Result<T, LadderError>) -> String {
    refused.err().expect("it is refused").to_string()
}

#[test]
fn a_folder_without_a_configuration_is_no_ladder() {
    let place = tempfile::tempdir().unwrap();
    let refusal = told(Folder::open(place.path()));
    assert!(
        refusal.contains("there is no ladder.toml in it"),
        "{refusal}"
    );
    let (_place, folder) = ladder("pairs = \"many\"");
    let refusal = told(folder.config());
    assert!(refusal.contains("ladder.toml: line 1: "), "{refusal}");
}

#[test]
fn a_ladder_begins_once_and_is_read_before_it_has_begun() {
    let (_place, folder) = ladder("");
    assert!(folder.database().unwrap().is_none());
    assert_eq!(folder.read_store().unwrap().pairs(0).unwrap(), []);
    assert!(!folder.games_file().exists(), "who reads makes nothing");
    drop(folder.store().unwrap());
    assert!(folder.games_file().is_file());
    let refusal = told(folder.begin());
    assert!(refusal.contains("already has a ladder"), "{refusal}");
    assert!(folder.store().is_ok() && folder.read_store().is_ok());
    let file = folder.games_file();
    assert_eq!(folder.store_name(), file.display().to_string());
    std::fs::write(&file, "").unwrap();
    for refusal in [told(folder.store()), told(folder.read_store())] {
        assert!(refusal.contains("the file is empty"), "{refusal}");
    }
    assert_eq!(file.metadata().unwrap().len(), 0);
}

#[test]
fn games_that_are_gone_are_missed_while_their_log_is_there() {
    for (length, is_refused) in [(0, false), (1, true)] {
        let (place, folder) = ladder("");
        // A run that has ended leaves an empty log.
        std::fs::write(place.path().join("games.db-wal"), vec![0; length]).unwrap();
        assert_eq!(folder.read_store().is_err(), is_refused);
        if is_refused {
            for refusal in [told(folder.store()), told(folder.begin())] {
                assert!(refusal.contains("so there were games"), "{refusal}");
            }
        } else {
            folder.begin().unwrap();
        }
        assert_eq!(folder.games_file().exists(), !is_refused);
    }
}

#[test]
fn a_bot_that_cannot_play_is_refused_with_the_line_that_names_it() {
    let (_place, folder) = ladder(
        "[[bot]]\nname = \"gone\"\ncommand = \"python3 gone.py\"\n\
         [[bot]]\nname = \"none\"\ncommand = \"\"\n\
         [[bot]]\nname = \"net\"\ncommand = \"alphabeta --net a.net\"\n\
         [[bot]]\nname = \"ours\"\ncommand = \"greedy\"\n\
         [[bot]]\nname = \"theirs\"\ncommand = \"true\"\n",
    );
    let config = folder.config().unwrap();
    for (number, line, reason) in [
        (0, 3, "there is no file `gone.py` in "),
        (1, 6, ""),
        (2, 9, "the network that is compiled in"),
    ] {
        let refusal = told(folder.bot(&config, number));
        let place = format!("ladder.toml: line {line}: ");
        assert!(
            refusal.contains(&place) && refusal.contains(reason),
            "{refusal}"
        );
    }
    assert_eq!(folder.bot(&config, 3).unwrap().spec.name, "ours");
    assert!(folder.bot(&config, 4).is_ok());
}

#[test]
fn without_a_sandbox_a_bot_runs_where_its_command_is_written() {
    for (sandbox, own) in [("off", true), ("auto", false)] {
        let (place, folder) = ladder(&format!(
            "sandbox = \"{sandbox}\"\n[[bot]]\nname = \"a\"\ncommand = \"true\"\n"
        ));
        let config = folder.config().unwrap();
        let (_, files) = folder.entry(&config, 0).unwrap();
        assert_eq!(
            files.folder.as_deref() == Some(place.path()),
            own,
            "{sandbox}"
        );
    }
}

#[test]
fn settings_that_cannot_be_played_are_refused_with_their_line() {
    let (_place, folder) = ladder("pairs = 1\nopenings = \"gone.txt\"\n");
    let config = folder.config().unwrap();
    let refusal = told(folder.openings(&config));
    assert!(refusal.contains("ladder.toml: line 2: "), "{refusal}");
    let (_place, folder) = ladder("pairs = 1\nallow_read = [\"/\", \"gone\"]\n");
    let refusal = told(folder.settings(&folder.config().unwrap()));
    assert!(
        refusal.contains("ladder.toml: line 2: ") && refusal.contains("gone"),
        "{refusal}"
    );
}

#[test]
fn a_bounded_part_of_standard_error_is_kept_by_default_for_lost_games() {
    let kept = |config: &str| {
        let (_place, folder) = ladder(config);
        let settings = folder.settings(&folder.config().unwrap()).unwrap();
        assert_eq!(settings.most_stderr, MOST_STDERR);
        settings.stderr
    };
    assert_eq!(kept(""), StderrKept::Faults);
    assert_eq!(kept("stderr = \"all\""), StderrKept::All);
}

#[test]
fn a_build_runs_in_the_bots_folder_with_its_environment_and_its_failure_is_told() {
    let (place, folder) = ladder(
        "[[bot]]\nname = \"builds\"\nfolder = \"own\"\ncommand = \"true\"\nenv = { WORD = \"x\" }\n\
         build = \"echo $WORD > made\"\n\
         [[bot]]\nname = \"fails\"\ncommand = \"true\"\nbuild = \"exit 3\"\n\
         [[bot]]\nname = \"ready\"\ncommand = \"true\"\n",
    );
    std::fs::create_dir(place.path().join("own")).unwrap();
    let bots = folder.config().unwrap().bots;
    folder.build(&bots[0]).unwrap();
    let made = std::fs::read_to_string(place.path().join("own/made")).unwrap();
    assert_eq!(made, "x\n");
    let refusal = told(folder.build(&bots[1]));
    assert_eq!(
        refusal,
        "its build command `exit 3` failed (exit status: 3): it wrote no error"
    );
    folder.build(&bots[2]).unwrap();
}
