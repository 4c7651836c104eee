//! `crownhead ladder check` and `export`: every stored game.

use super::super::output::{GameFile, write_json};
use super::FolderCommand;
use crate::failure::{Failure, usage};
use crate::recorded::each_stored;
use clap::Args;
use crownhead_ladder::{DAMAGED, Findings, Folder, check};
use crownhead_record::numbers::counted;
use crownhead_record::text::printable;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder check night\n  crownhead ladder check night --repair",
    after_long_help = "\
Exit status: 0 no problems, or all are repaired; 1 there are problems; 2 the configuration cannot be used."
)]
pub(super) struct Check {
    /// Mark pairs that cannot be right to be played again
    ///
    /// Their games are kept, unrated. The database is copied before.
    #[arg(long)]
    repair: bool,
    /// Print what was found as one JSON object
    #[arg(long)]
    json: bool,
}

impl FolderCommand for Check {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let findings = check(folder, self.repair)?;
        let mut out = anstream::stdout().lock();
        if self.json {
            write_json(&mut out, &json!(findings))?;
        } else {
            self.write(&findings, folder, &mut out)?;
        }
        if !findings.mistakes.is_empty() {
            let file = folder.config_file();
            return Err(usage(format_args!(
                "{}: the configuration cannot be used",
                file.display()
            )));
        }
        findings.sound.then_some(()).ok_or(Failure::Silent)
    }
}

impl Check {
    fn write(
        &self,
        findings: &Findings,
        folder: &Folder,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let found = if self.repair {
            &findings.mended
        } else {
            &findings.problems
        };
        for line in findings.mistakes.iter().chain(found) {
            // It may quote stored text, which a worker may have written.
            writeln!(out, "{}", printable(line))?;
        }
        match (findings.problems.len(), findings.sound) {
            _ if !findings.mistakes.is_empty() => Ok(()),
            (0, _) => {
                let (bots, games) = (
                    counted(findings.bots, "bot"),
                    counted(findings.games, "game"),
                );
                writeln!(out, "{bots} and {games} checked: no problems")
            }
            (fixed, true) => writeln!(out, "{} fixed: none left", counted(fixed, "problem")),
            (_, false) if self.repair => Ok(()),
            (_, false) if findings.damaged => writeln!(out, "{DAMAGED}"),
            (_, false) => {
                let path = folder.path().display();
                writeln!(
                    out,
                    "`crownhead ladder check {path} --repair` fixes as much as possible"
                )
            }
        }
    }
}

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder export night games.jsonl\n  crownhead ladder export night games.pdn"
)]
pub(super) struct Export {
    /// File to create: PDN if it ends in .pdn, else JSON lines (`-`: standard output)
    file: PathBuf,
    /// Replace the file if it exists
    #[arg(long, short)]
    force: bool,
}

impl FolderCommand for Export {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let mut file = GameFile::open(&self.file, self.force, &folder.config()?.contest.game)?;
        each_stored(&folder.read_store()?, |game| Ok(file.add(&game)?))?;
        Ok(file.add_all([])?)
    }
}
