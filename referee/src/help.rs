//! How help is laid out: examples before options, commands in groups, exit statuses in every `--help`.

use clap::Command;

/// What a command does, how it is used, examples, options, notes.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// The statuses of a command whose own notes list none.
const EXIT_STATUSES: &str =
    "Exit status: 0 it did what it says; 1 it failed; 2 unusable arguments.";

/// What `crownhead` alone prints.
pub(super) const FIRST_STEPS: &str = "\
Crownhead plays game bots against each other, and explains why one lost.

  crownhead init              write a first bot into the folder my_bot
  crownhead match ./my_bot    play it against the built-in bot greedy
  crownhead play              play a game yourself

`crownhead --help` lists all commands, `crownhead help match` explains one.
";

/// A heading of a command's list, and the commands below it. Some builds do not have all of them.
type Group = (&'static str, &'static [&'static str]);

const GROUPS: &[Group] = &[
    ("First steps", &["init", "check", "doctor", "explain"]),
    ("Play and judge", &["match", "sprt", "play", "chess"]),
    (
        "Look at games",
        &["import", "replay", "ask", "show", "serve", "export"],
    ),
    ("Many bots", &["ladder", "worker"]),
    ("Submit", &["bundle"]),
    ("Make a game or a network", &["referee", "train"]),
    ("Measure", &["bench", "perft"]),
    ("Shell and tools", &["completions", "man", "bot"]),
];

const LADDER_GROUPS: &[Group] = &[
    ("Set up", &["new", "add", "remove"]),
    ("Play", &["run"]),
    ("Look", &["standings", "check", "export"]),
    ("Bots that change or fail", &["update", "disable", "enable"]),
    ("Many machines", &["publish", "roles", "workers"]),
];

/// The groups of this command's own commands, if it has so many that they are grouped.
fn groups_of(command: &Command) -> Option<&'static [Group]> {
    match command.get_name() {
        "crownhead" => Some(GROUPS),
        "ladder" => Some(LADDER_GROUPS),
        _ => None,
    }
}

/// Lays out the help of a command and of all below it.
pub(super) fn laid_out(command: Command) -> Command {
    let command = command.mut_subcommands(laid_out);
    let template = match groups_of(&command) {
        Some(groups) => grouped_template(&command, groups),
        None => TEMPLATE.into(),
    };
    let notes = command.get_after_long_help().or(command.get_after_help());
    let notes = notes.map(ToString::to_string);
    let notes = match notes {
        Some(notes) if notes.contains("Exit status: ") => notes,
        Some(notes) => format!("{notes}\n\n{EXIT_STATUSES}"),
        None => EXIT_STATUSES.into(),
    };
    command.help_template(template).after_long_help(notes)
}

/// The template of a command whose commands are listed in groups.
fn grouped_template(command: &Command, groups: &[Group]) -> String {
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let names = groups.iter().flat_map(|(_, names)| *names);
    let width = names.map(|name| name.len()).max().unwrap_or(0);
    let mut list = String::new();
    for (heading, names) in groups {
        let there = names
            .iter()
            .filter_map(|name| command.find_subcommand(name));
        let lines = there.filter(|it| !it.is_hide_set()).map(|it| {
            let (name, about) = (it.get_name(), it.get_about().cloned().unwrap_or_default());
            let aliases = it.get_visible_aliases();
            let alias: String = aliases.map(|alias| format!(" [alias: {alias}]")).collect();
            format!(
                "  {literal}{name}{literal:#}{:1$}{about}{alias}\n",
                "",
                width + 2 - name.len()
            )
        });
        let lines: String = lines.collect();
        if !lines.is_empty() {
            list += &format!("{header}{heading}:{header:#}\n{lines}\n");
        }
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{{before-help}}{list}\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}

#[cfg(test)]
mod tests {
    use super::groups_of;
    use crate::command_line;
    use clap::{Arg, Command};

    /// A terminal's usual width.
    const WIDTH: usize = 80;

    /// Every command that help shows, by the words that call it.
    fn commands() -> Vec<(String, Command)> {
        fn collect(path: &str, command: &Command, all: &mut Vec<(String, Command)>) {
            all.push((path.into(), command.clone()));
            let inner = command.get_subcommands();
            for it in inner.filter(|it| !it.is_hide_set() && it.get_name() != "help") {
                collect(&format!("{path} {}", it.get_name()), it, all);
            }
        }
        let mut program = command_line().term_width(WIDTH);
        program.build();
        let mut all = Vec::new();
        collect("crownhead", &program, &mut all);
        all
    }

    fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
        let arguments = command.get_arguments();
        arguments
            .filter(|it| !it.is_hide_set() && !["help", "version"].contains(&it.get_id().as_str()))
    }

    #[test]
    fn an_option_is_explained_in_one_line_without_a_full_stop() {
        let mut long = Vec::new();
        for (path, command) in commands() {
            for argument in shown(&command) {
                let help = argument.get_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                let is_short = (1..=80).contains(&help.chars().count());
                if !is_short || help.ends_with(['.', ';', ':']) || help.contains('\n') {
                    long.push(format!("{path} {argument}: {help}"));
                }
            }
        }
        assert!(long.is_empty(), "{long:#?}");
    }

    #[test]
    fn a_command_shows_examples_that_are_understood_and_fit_on_a_line() {
        let (program, mut wrong) = (command_line(), Vec::new());
        for (path, command) in commands() {
            let texts = [command.get_before_help(), command.get_after_long_help()];
            let texts = texts.map(|text| text.map(ToString::to_string).unwrap_or_default());
            let examples = texts.iter().flat_map(|text| text.lines());
            let examples = examples.filter_map(|line| line.strip_prefix("  crownhead "));
            let own = path.strip_prefix("crownhead").unwrap_or_default();
            let own = own.trim_start_matches(" bot").trim();
            let shows_itself = examples.clone().any(|line| line.contains(own));
            if !texts[0].starts_with("Examples:\n  ") || !shows_itself {
                wrong.push(format!("{path} has no example of itself"));
            }
            for line in examples.filter(|line| cfg!(feature = "shared") || !line.contains("://")) {
                let words = shlex::split(line.trim_end_matches('\\')).unwrap_or_default();
                let end = words
                    .iter()
                    .position(|word| [">", "<", "|"].contains(&&**word));
                let words = words[..end.unwrap_or(words.len())]
                    .iter()
                    .map(String::as_str);
                let words = std::iter::once("crownhead").chain(words);
                if let Err(error) = program.clone().try_get_matches_from(words) {
                    wrong.push(format!("{path}: {line}: {error}"));
                } else if line.len() + "  crownhead ".len() > WIDTH {
                    wrong.push(format!("{path}: {line} is too long"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn more_than_ten_options_stand_under_headings() {
        for (path, command) in commands() {
            let options: Vec<&Arg> = shown(&command).filter(|it| !it.is_positional()).collect();
            let without = options.iter().filter(|it| it.get_help_heading().is_none());
            let (all, without) = (options.len(), without.count());
            assert!(
                all <= 10 || without <= 10 && without < all,
                "{path}: {without} of {all}"
            );
        }
    }

    #[test]
    fn short_help_of_a_match_fits_on_a_screen() {
        let long = commands().into_iter().filter_map(|(path, command)| {
            let help = command.term_width(WIDTH).render_help().to_string();
            let plays = path == "crownhead match" || path == "crownhead sprt";
            plays.then(|| (help.lines().count(), help))
        });
        let long: Vec<_> = long.collect();
        assert_eq!(long.len(), 2);
        for (lines, help) in long {
            assert!(lines <= 45, "{lines} lines:\n{help}");
        }
    }

    #[test]
    fn every_command_stands_in_one_group_on_one_line_and_says_its_exit_statuses() {
        for (path, mut command) in commands() {
            let help = command.render_long_help().to_string();
            assert!(help.contains("Exit status: 0"), "{path}");
            let Some(groups) = groups_of(&command) else {
                continue;
            };
            let inner = command.get_subcommands();
            for it in inner.filter(|it| !it.is_hide_set() && it.get_name() != "help") {
                let named = groups.iter().flat_map(|(_, names)| *names);
                let count = named.filter(|name| **name == it.get_name()).count();
                assert_eq!(count, 1, "{path} {}", it.get_name());
            }
            let longest = help.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(WIDTH), "{help}");
        }
    }
}
