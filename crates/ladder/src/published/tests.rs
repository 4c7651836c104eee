//! What a publication may name, and which files it writes.

use super::*;

const CONFIG: &str = "[[bot]]\nname = \"a\"\ncommand = \"sh a.sh\"\n";

/// What a worker says of this publication.
fn refusal(config: &str) -> String {
    let cache = tempfile::tempdir().unwrap();
    let options = WorkerOptions {
        address: Address::parse("postgres://host/night").unwrap(),
        cache: cache.path().into(),
        machine: Machine {
            name: "one".into(),
            cores: 1,
            concurrency: 1,
            speed: 1.0,
        },
        sandbox: SandboxMode::Auto,
        grants: Grants::default(),
    };
    let published = Publication {
        config: format!("{config}\n{CONFIG}"),
        openings: None,
        referee: None,
        signature: 1,
        bots: Vec::new(),
    };
    let refused = PublishedLadder::new(options, published).err().unwrap();
    refused.to_string()
}

#[test]
fn a_worker_reads_nothing_of_its_machine_that_the_database_names_as_referee_or_openings() {
    for command in [
        "java -cp a.jar:/etc Main",
        "../x.jar",
        "sh -c 'cat /etc/passwd'",
        r"sh .\\./x.sh",
        "--x=a/../../b",
    ] {
        let told = refusal(&format!("referee = \"{command}\""));
        assert!(told.contains("is outside. Copy it there"), "{told}");
    }
    let told = refusal("referee = \"python3 a.py\"");
    assert_eq!(told, "the referee is not published");
    let link = r#"{"command":"sh a.sh","files":{"a.sh":{"link":"/etc/passwd"}}}"#;
    let linked = expect_no_links(&serde_json::from_str(link).unwrap());
    let told = "the referee's `a.sh` is a link, which does not travel to workers; put a copy there";
    assert_eq!(linked.unwrap_err().to_string(), told);
    let told = refusal("openings = \"/etc/passwd\"");
    assert_eq!(told, "the file of openings is not published");
}

#[test]
fn a_published_command_names_installed_programs_and_the_bots_own_files() {
    let bot = Config::parse(CONFIG).unwrap().bots.remove(0);
    let files = BTreeMap::from([("a.sh".to_string(), PathBuf::from("/own/a.sh"))]);
    let start = |command: Vec<Word>| {
        let published = PublishedBot {
            bot: "a".into(),
            version: "1".into(),
            command,
            in_folder: true,
        };
        start(&bot, &published, &files)
    };
    let text = |text: &str| Word::Text(text.into());
    let file = |option: &str, name: &str| Word::File(option.into(), name.into());
    let spec = start(vec![text("sh"), file("--script=", "a.sh")]).unwrap();
    let words = &spec.program().unwrap().arguments;
    assert_eq!(words, &["--script=/own/a.sh"]);
    for misplaced in [text("../../loot"), file("../../..", "a.sh")] {
        let told = start(vec![misplaced]).unwrap_err().to_string();
        assert!(
            told.ends_with("not a path: ../../loot") || told.ends_with("../../.."),
            "{told}"
        );
    }
    let told = start(vec![text("sh"), file("", "b.sh")]).unwrap_err();
    assert_eq!(told.to_string(), "its file b.sh is not published");
}

/// The paths that are written for files with these names and equal content, and links with these names that lead
/// outside.
fn unpacked(names: &[&str], links: &[&str]) -> (Result<(), LadderError>, tempfile::TempDir) {
    let workspace = tempfile::tempdir().unwrap();
    let outside = workspace.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    let files = names
        .iter()
        .map(|name| ((*name).into(), Content::Sha256("hash".into())));
    let link = |name: &&str| ((*name).into(), Content::Link(outside.clone()));
    let description = Description {
        command: "bot".into(),
        environment: BTreeMap::new(),
        inherited: BTreeMap::new(),
        signature: None,
        files: files.chain(links.iter().map(link)).collect(),
    };
    let to = workspace.path().join("bot");
    (
        write_files(&to, &description, |_| Ok(b"text".into())),
        workspace,
    )
}

#[test]
fn no_name_of_a_file_leads_out_of_the_folder_that_a_version_is_written_into() {
    let (done, workspace) = unpacked(&["../above", "/etc/root", "in/side"], &["link"]);
    done.unwrap();
    for file in ["above", "etc/root", "in/side"] {
        assert!(workspace.path().join("bot").join(file).is_file(), "{file}");
    }
    assert!(!workspace.path().join("above").exists());
    for (names, links) in [
        (&["link/through"][..], &["link"][..]),
        (&["twice", "../twice"], &["link"]),
        (&[], &["link", "link/through"]),
    ] {
        let (done, workspace) = unpacked(names, links);
        assert!(done.is_err(), "{names:?} {links:?}");
        let outside = workspace.path().join("outside");
        assert_eq!(std::fs::read_dir(outside).unwrap().count(), 0, "{names:?}");
    }
}
