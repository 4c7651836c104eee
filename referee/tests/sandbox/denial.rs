//! A bot's fault names the sandbox as its cause, with the option that opens what the bot needs.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::skip::is_there;
use crate::common::{OrdinaryUser, TestWorkspace, crownhead, ordinary_user};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A home with bots in it, and who runs the referee there.
struct Home {
    user: Option<OrdinaryUser>,
    workspace: TestWorkspace,
    crownhead: PathBuf,
}

impl Home {
    fn new(user: Option<OrdinaryUser>) -> Home {
        let workspace = TestWorkspace::new();
        let crownhead = workspace.open_copy(assert_cmd::cargo::cargo_bin!("crownhead"));
        Home {
            user,
            workspace,
            crownhead,
        }
    }

    /// One for the user who runs the tests.
    fn own() -> Home {
        Home::new(None)
    }

    /// Also one for an ordinary user, if the tests can become that.
    fn all() -> Vec<Home> {
        let ordinary = ordinary_user().map(|user| Home::new(Some(user)));
        [Home::own()].into_iter().chain(ordinary).collect()
    }

    fn path(&self) -> PathBuf {
        match &self.user {
            Some(user) => user.home().to_path_buf(),
            None => self.workspace.path(""),
        }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        let folder = path.parent().expect("it is in the home");
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(&path, text).unwrap();
        if let Some(user) = &self.user {
            user.own(folder);
        }
        path
    }

    /// How the only game of black's command ended, in words.
    fn play(&self, black: &str, options: &[&str]) -> String {
        self.play_in("", black, options)
    }

    /// The same, started in this folder of the home.
    fn play_in(&self, folder: &str, black: &str, options: &[&str]) -> String {
        let mut command = match &self.user {
            Some(user) => user.command(&self.crownhead),
            None => Command::new(&self.crownhead),
        };
        command
            .args(["match", black, "random", "--openings", "none", "--json"])
            .args(["--games", "1", "--max-turns", "2"])
            .args(["--time", "30s", "--first-turn", "30s"])
            .args(options)
            .env("HOME", self.path())
            .current_dir(self.path().join(folder));
        let output = command.output().unwrap();
        let result: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let fault = &result["faults"][0]["reason"];
        fault.as_str().unwrap_or("no fault").to_string()
    }
}

/// What a bot in Python does after it has done this.
const PLAYS: &str = "
input()
while True:
    [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print(moves[0], flush=True)
";

fn canonical(path: &Path) -> String {
    path.canonicalize().unwrap().display().to_string()
}

#[test]
fn a_log_beside_the_bot_is_refused_with_the_option_that_allows_it() {
    if !is_there("python3") {
        return;
    }
    for home in Home::all() {
        let bot = home.write(
            "bots/bot.py",
            &format!("open('bots/bot.log', 'a')\n{PLAYS}"),
        );
        let folder = canonical(bot.parent().unwrap());
        let bot = format!("python3 '{}'", bot.display());
        let told = home.play(&bot, &[]);
        let sentence = format!(
            "from writing `{folder}/bot.log`: `--allow-write '{folder}'` opens that folder"
        );
        assert!(told.contains(&sentence), "{told}");
        assert_eq!(home.play(&bot, &["--allow-write", &folder]), "no fault");
        assert!(Path::new(&folder).join("bot.log").exists());
    }
}

#[test]
fn weights_in_another_folder_are_refused_with_the_option_that_allows_them() {
    if !is_there("python3") {
        return;
    }
    let home = Home::own();
    let weights = canonical(&home.write("weights/best.bin", "1 2 3"));
    let bot = home.write("bots/bot.py", &format!("open('{weights}').read()\n{PLAYS}"));
    let bot = format!("python3 '{}'", bot.display());
    let told = home.play(&bot, &[]);
    let sentence = format!("from reading `{weights}`: `--allow-read '{weights}'` opens that");
    assert!(told.contains(&sentence), "{told}");
    assert_eq!(home.play(&bot, &["--allow-read", &weights]), "no fault");
}

#[test]
fn a_module_beside_a_bot_that_lies_in_the_home_folder_is_refused_with_the_option_that_allows_it() {
    if !is_there("python3") {
        return;
    }
    let home = Home::own();
    let module = canonical(&home.write("helper.py", "depth = 3"));
    let bot = home.write("bot.py", &format!("import helper\n{PLAYS}"));
    let bot = format!("python3 '{}'", bot.display());
    let told = home.play(&bot, &[]);
    assert!(told.contains(&format!("from reading `{module}`")), "{told}");
    let folder = canonical(&home.path());
    assert!(
        told.contains(&format!("`--allow-read '{folder}'` opens all")),
        "{told}"
    );
    assert_eq!(home.play(&bot, &["--allow-read", &folder]), "no fault");
    // As it advises: a folder of their own.
    home.write("own/helper.py", "depth = 3");
    let bot = home.write("own/bot.py", &format!("import helper\n{PLAYS}"));
    assert_eq!(
        home.play(&format!("python3 '{}'", bot.display()), &[]),
        "no fault"
    );
}

#[test]
fn files_that_a_command_starts_are_granted_below_the_start_folder_but_not_in_the_home() {
    if !is_there("python3") {
        return;
    }
    let home = Home::own();
    for file in [
        "work/good.py",
        "work/pkg/mod.py",
        "work/A B/bot.py",
        "good.py",
        "A/bot.py",
    ] {
        home.write(file, PLAYS);
    }
    let run = home.write("work/A B/run", &format!("#!/usr/bin/env python3\n{PLAYS}"));
    std::fs::set_permissions(run, PermissionsExt::from_mode(0o755)).unwrap();
    for command in [
        "python3 -m good",
        "env X=1 python3 -um pkg.mod",
        "sh -c 'python3 good.py'",
        "sh -c 'cd \"A B\" && exec python3 bot.py'",
        "sh -c 'cd \"A B\"; ./run'",
    ] {
        assert_eq!(home.play_in("work", command, &[]), "no fault", "{command}");
    }
    let folder = canonical(&home.path());
    let opens = |path: &str| format!("`--allow-read '{folder}{path}'` opens that");
    let all = format!("`--allow-read '{folder}'` opens all of that folder");
    for (command, sentence) in [
        ("python3 -m good", all),
        ("sh -c 'python3 good.py'", opens("/good.py")),
        ("sh -c 'cd A && exec python3 bot.py'", opens("/A")),
        ("python3 -m work.pkg.mod", opens("/work")),
    ] {
        let told = home.play(command, &[]);
        assert!(told.contains(&sentence), "{command}: {told}");
    }
    let open = format!("{folder}/A");
    let command = "sh -c 'cd A && exec python3 bot.py'";
    assert_eq!(home.play(command, &["--allow-read", &open]), "no fault");
    // What is there neither inside nor outside is not the sandbox's doing.
    let bot = home.write(
        "work/reads.py",
        &format!("open('{folder}/none.bin')\n{PLAYS}"),
    );
    let told = home.play(&format!("python3 '{}'", bot.display()), &[]);
    assert!(
        told.contains("exit status 1") && !told.contains("allow-"),
        "{told}"
    );
}

#[test]
fn classes_and_the_folder_of_node_are_the_bots_own_below_the_folder_that_it_is_started_in() {
    let home = Home::own();
    home.write("work/js/index.js", "readline();\nfor (;;) {\n  for (let i = 0; i < 8; i++) if (readline() === null) process.exit(0);\n  \
         const moves = Array.from({length: +readline()}, () => readline());\n  print(moves[0]);\n}\n");
    if is_there("node") {
        for (folder, command) in [
            ("work/js", "node ."),
            ("work", "node js"),
            ("work", "sh -c 'cd js && node .'"),
        ] {
            assert_eq!(home.play_in(folder, command, &[]), "no fault", "{command}");
        }
        let told = home.play_in("", "node work/js", &[]);
        let open = canonical(&home.path().join("work/js"));
        assert!(
            told.contains(&format!("`--allow-read '{open}'` opens that")),
            "{told}"
        );
    }
    let source = home.write("work/a/Player.java", "import java.util.*;\nclass Player { public static void main(String[] a) {\n\
         Scanner in = new Scanner(System.in); in.next();\nwhile (in.hasNext()) { for (int i = 0; i < 8; i++) in.next();\n\
         int n = in.nextInt(); String first = in.next(); while (--n > 0) in.next(); System.out.println(first); } } }\n");
    if is_there("java") {
        let compiled = Command::new("javac").arg(&source).status();
        assert!(compiled.unwrap().success());
        for (folder, command) in [("work/a", "java Player"), ("work", "java -cp b:a Player")] {
            assert_eq!(home.play_in(folder, command, &[]), "no fault", "{command}");
        }
        let told = home.play_in("", "java -cp work/a Player", &[]);
        let open = canonical(&home.path().join("work/a"));
        assert!(
            told.contains(&format!("`--allow-read '{open}'` opens all of that folder")),
            "{told}"
        );
    }
}

#[test]
fn a_refused_call_is_reported_with_what_turns_the_sandbox_off() {
    if !is_there("python3") {
        return;
    }
    for home in Home::all() {
        let text =
            format!("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n{PLAYS}");
        let bot = home.write("bots/bot.py", &text);
        let bot = format!("python3 '{}'", bot.display());
        let told = home.play(&bot, &[]);
        assert!(told.contains("Operation not permitted`)"), "{told}");
        assert!(told.contains("`--sandbox off` all"), "{told}");
        assert_eq!(home.play(&bot, &["--sandbox", "off"]), "no fault");
    }
}

#[test]
fn a_bot_that_fails_by_itself_is_told_nothing_of_the_sandbox() {
    if !is_there("python3") {
        return;
    }
    let home = Home::own();
    let bot = home.write("bots/bot.py", "input()\nopen('no-such-book.bin')\n");
    let told = home.play(&format!("python3 '{}'", bot.display()), &[]);
    assert!(
        told.contains("exit status 1") && !told.contains("sandbox"),
        "{told}"
    );
}

#[test]
fn only_a_folder_can_be_opened_for_writing() {
    let workspace = TestWorkspace::new();
    std::fs::write(workspace.path("file"), "").unwrap();
    for path in ["file", "no-such"] {
        let path = workspace.path(path);
        crownhead()
            .args(["match", "random", "random", "--allow-write"])
            .arg(&path)
            .assert()
            .code(2)
            .stderr(predicates::str::contains(format!(
                "`--allow-write`: `{}`",
                path.display()
            )));
    }
}

/// Sets a terminal's title, and writes from right to left.
const HOSTILE: &str = "b\u{1b}]0;owned\u{7}\u{202e}ot";

#[test]
fn no_name_and_no_reply_reaches_a_terminal_raw() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot(HOSTILE, "turn; printf 'A3\\342\\200\\256B4\\n'; turn");
    let dead = workspace.path("dead\u{1b}]0;owned\u{7}\u{202e}");
    std::fs::write(&dead, "#!/no/such/interpreter\n").unwrap();
    std::fs::set_permissions(&dead, PermissionsExt::from_mode(0o755)).unwrap();
    let record = workspace.path("games.jsonl");
    let runs = [
        vec![
            "match",
            &bot,
            "random",
            "--games",
            "1",
            "--record",
            record.to_str().unwrap(),
        ],
        vec!["match", dead.to_str().unwrap(), "random", "--games", "1"],
        vec!["match", "/no/such/\u{1b}]0;owned\u{7}\u{202e}", "random"],
        vec!["replay", record.to_str().unwrap()],
    ];
    for run in runs {
        let output = crownhead()
            .args(&run)
            // As in a terminal, where what the program itself writes in colours goes through.
            .env("CLICOLOR_FORCE", "1")
            .output()
            .unwrap();
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8(shown).unwrap();
        assert!(!shown.contains("\u{1b}]"), "{run:?}: {shown:?}");
        assert!(!shown.contains(['\u{7}', '\u{202e}']), "{run:?}: {shown:?}");
        assert!(
            shown.contains("\\u{202e}") || run[0] == "replay",
            "{run:?}: {shown:?}"
        );
    }
}
