//! What words mean which bot, how it is started, and what is said of words that mean none.

use super::BotSpec;
use crate::runner::command;
use crate::settings::GameSettings;
use crownhead::games::checkers::rules;
use crownhead_bots::games;
use std::os::unix::fs::PermissionsExt;

fn arguments(words: &str) -> Vec<String> {
    let game = games::usual();
    let settings = GameSettings::new(
        crate::contest::Contest::Board {
            game,
            rules: rules::CONTEST,
        },
        "crownhead",
    );
    let bot = BotSpec::parse(words).unwrap().into();
    let command = command(&settings, &bot, 7);
    command
        .get_args()
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_built_in_is_told_what_its_words_leave_open() {
    assert_eq!(
        arguments("random"),
        ["bot", "random", "--game", "checkers", "--seed", "7"]
    );
    assert_eq!(
        arguments("greedy --seed=3"),
        ["bot", "greedy", "--seed=3", "--game", "checkers"]
    );
    assert_eq!(
        arguments("alphabeta"),
        [
            "bot",
            "alphabeta",
            "--game",
            "checkers",
            "--rules",
            "contest",
            "--time",
            "100ms"
        ]
    );
    assert_eq!(
        arguments("alphabeta --nodes 500"),
        [
            "bot",
            "alphabeta",
            "--nodes",
            "500",
            "--game",
            "checkers",
            "--rules",
            "contest"
        ]
    );
}

#[test]
fn a_command_line_is_split_as_a_shell_does() {
    assert_eq!(arguments("sh -c 'echo \"a b\"'"), ["-c", "echo \"a b\""]);
}

#[test]
fn a_program_whose_path_has_spaces_needs_no_quotes() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("my bot.sh");
    std::fs::write(&program, "").unwrap();
    let error = BotSpec::parse(program.to_str().unwrap())
        .unwrap_err()
        .to_string();
    assert!(error.contains("not executable"), "{error}");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let spec = BotSpec::parse(program.to_str().unwrap()).unwrap();
    assert_eq!(spec.name, "my bot");
}

#[test]
fn a_command_that_is_no_bot_is_refused_with_a_way_out() {
    let error = |words| BotSpec::parse(words).unwrap_err().to_string();
    assert_eq!(
        error("alphabte"),
        "there is no bot `alphabte`. Did you mean `alphabeta`?"
    );
    assert!(
        error("xyzzy")
            .contains("Expected `random`, `greedy`, `alphabeta` or the command of a program")
    );
    assert_eq!(
        error("pyhton3 bot.py"),
        "there is no program `pyhton3`. Install it, or name another"
    );
    let folder = tempfile::tempdir().unwrap();
    for (name, advice) in [
        ("good.py", "Run it as \"python3 good.py\""),
        (
            "good.cpp",
            "Compile it, for example by `g++ -O2 good.cpp -o ./good`, and name the program",
        ),
    ] {
        std::fs::write(folder.path().join(name), "").unwrap();
        let error = BotSpec::parse_in(name, folder.path())
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            format!("`{name}` is source, not a program. {advice}")
        );
    }
    assert!(error("  ").contains("a bot has no name"));
    assert!(error("sh 'oops").contains("quotes"));
    assert!(error("/tmp").contains("it is a folder"));
    let told = "`/no/such/bot` does not exist. Expected `random`, `greedy`, `alphabeta` or the command of a program";
    assert_eq!(error("/no/such/bot"), told);
    assert_eq!(
        error("greedy --sede 3"),
        "`greedy --sede 3`: `greedy` has no option `--sede`. Did you mean `--seed`?"
    );
}
