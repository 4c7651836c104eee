//! `crownhead completions` and `crownhead man`: write the command line for shells and for `man`.

use super::output_file::{OutputPath, make_folder};
use crate::failure::Failure;
use clap::builder::StyledStr;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, bold, roman};
use std::path::PathBuf;

/// Print a script that completes commands and options in your shell
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  source <(crownhead completions bash)
  crownhead completions fish > ~/.config/fish/completions/crownhead.fish")]
pub(super) struct Completions {
    /// Shell to complete in
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut command: Command) -> Result<(), Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "crownhead", &mut text);
        std::io::Write::write_all(&mut std::io::stdout().lock(), &text)?;
        Ok(())
    }
}

/// Write manual pages into a folder, one for each command
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  crownhead man ~/.local/share/man/man1
  crownhead man pages --force")]
pub(super) struct Man {
    /// Folder for the pages; it is created if it does not exist
    folder: PathBuf,
    /// Replace pages that exist
    #[arg(long, short)]
    force: bool,
}

impl Man {
    pub(super) fn run(&self, mut command: Command) -> Result<(), Failure> {
        make_folder(&self.folder)?;
        command.build();
        let mut pages = Vec::new();
        self.add_pages(command, &mut pages)?;
        pages.iter().try_for_each(|(to, text)| to.write(text))
    }

    /// Adds the page of a command and those of the commands below it.
    fn add_pages(
        &self,
        command: Command,
        pages: &mut Vec<(OutputPath, String)>,
    ) -> Result<(), Failure> {
        let inner = command.get_subcommands().filter(|it| !it.is_hide_set());
        for it in inner.filter(|it| it.get_name() != "help") {
            self.add_pages(it.clone(), pages)?;
        }
        let name = command.get_display_name().unwrap_or(command.get_name());
        let to = OutputPath::new(&self.folder.join(format!("{name}.1")), self.force)?;
        pages.push((to, page(command)?));
        Ok(())
    }
}

/// The manual page of a command.
fn page(mut command: Command) -> Result<String, Failure> {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_string();
    let text = |text: Option<&StyledStr>| text.map(ToString::to_string).unwrap_or_default();
    let examples = text(command.get_before_help());
    let notes = text(command.get_after_long_help());
    let has_commands = command.has_subcommands();
    let has_version = command.get_version().is_some();
    let (examples, notes) = sections(&examples, &notes);
    let page = clap_mangen::Man::new(command.override_usage(usage));
    let mut out = Vec::new();
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    let mut roff = Roff::default();
    roff.control("SH", ["EXAMPLES"]);
    for line in examples {
        roff.control("PP", []);
        roff.text([bold(line)]);
    }
    roff.to_writer(&mut out)?;
    page.render_options_section(&mut out)?;
    if has_commands {
        page.render_subcommands_section(&mut out)?;
    }
    let mut roff = Roff::default();
    for (heading, paragraphs) in notes {
        roff.control("SH", [heading]);
        for paragraph in paragraphs {
            roff.control("PP", []);
            roff.text([roman(paragraph)]);
        }
    }
    roff.to_writer(&mut out)?;
    if has_version {
        page.render_version_section(&mut out)?;
    }
    Ok(String::from_utf8(out)?)
}

/// The lines of all examples, and the paragraphs of the notes under their headings.
fn sections<'a>(
    examples: &'a str,
    notes: &'a str,
) -> (Vec<&'a str>, Vec<(&'static str, Vec<&'a str>)>) {
    let (mut lines, mut remarks, mut statuses) = (Vec::new(), Vec::new(), Vec::new());
    for paragraph in [examples].into_iter().chain(notes.split("\n\n")) {
        if let Some(status) = paragraph.strip_prefix("Exit status: ") {
            statuses.push(status);
        } else if paragraph.contains("xamples:\n") {
            lines.extend(paragraph.lines().skip(1).map(str::trim));
        } else {
            remarks.push(paragraph);
        }
    }
    let notes = [("NOTES", remarks), ("EXIT STATUS", statuses)];
    let notes = notes
        .into_iter()
        .filter(|(_, paragraphs)| !paragraphs.is_empty());
    (lines, notes.collect())
}
