//! `crownhead serve` and `crownhead export`: standings and games as pages, where people can also play and analyse: in a
//! browser, or as files.

use super::progress::{note, tell};
use super::recorded::warn_of_store;
use crate::failure::{Failure, usage};
use crate::interrupts::interrupts;
use anyhow::anyhow;
use clap::{Args, Subcommand};
use crownhead_arena::runner::{LiveRun, MatchPlan, RunProgress};
use crownhead_ladder::Folder;
use crownhead_record::GameRecord;
use crownhead_record::numbers::counted;
use crownhead_sandbox::OPENER;
use crownhead_web::{Options, PORT, Site, SiteError, export, serve};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;
use tempfile::NamedTempFile;

/// Open games or a ladder in a web browser
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead serve games.jsonl --open
  crownhead serve my_ladder --port 8080",
    after_long_help = "\
More examples:
  crownhead serve tournament.pdn
  crownhead serve my_ladder --listen 0.0.0.0:8642 --host ladder.example

The pages follow a ladder that is running and a file of records that grows. They only read, so a run is not disturbed. PDN \
files do not contain what bots wrote, and often no times, so the pages do not show these.

Only this machine can reach the pages, unless --listen names another address. Anyone who can reach them can see \
everything, including other accounts of this machine. There is no password and no encryption; a web server in front can \
add both.

Exit status: 0 it was interrupted; 1 it failed; 2 unusable arguments."
)]
pub(super) struct Serve {
    /// Ladder folder, file of `match --record`, or PDN file
    path: PathBuf,
    #[command(flatten)]
    server: ServerOptions,
}

/// Where pages are served.
#[derive(Default, Debug, Args)]
pub(super) struct ServerOptions {
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Port to listen on, for this machine [default: 8642, or another if it is in use]
    #[arg(long, short, value_name = "N", conflicts_with = "listen")]
    port: Option<u16>,
    /// Address and port to listen on, such as 0.0.0.0:8642 for other machines
    #[arg(long, value_name = "ADDR:PORT", value_parser = parse_listen)]
    listen: Option<SocketAddr>,
    /// Name by which browsers reach this machine, with --listen (repeatable)
    #[arg(long, value_name = "NAME", requires = "listen")]
    host: Vec<String>,
}

impl Serve {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let site = open_site(&self.path)?;
        let interrupted = interrupts()?;
        self.server.serve(site, &interrupted, |link| {
            let mut out = anstream::stdout().lock();
            writeln!(out, "{link}")?;
            out.flush()
        })
    }
}

/// Export games or a ladder as a static web site
#[derive(Debug, Subcommand)]
#[command(
    before_help = "Examples:\n  crownhead export site my_ladder pages\n  crownhead export site games.jsonl pages"
)]
pub(super) enum Export {
    Site(ExportSite),
}

/// Write a ladder or recorded games as a folder of web pages
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead export site my_ladder pages
  python3 -m http.server --directory pages",
    after_long_help = "\
The pages are those of `crownhead serve`. They play and analyse by themselves, with the built-in bots as WebAssembly. They \
work from any folder of a web server. A page that is opened as a file plays and analyses too, and says what it needs to \
show games. There are about 1,000 files at most, whatever the number of games. The command updates a folder that it made \
before."
)]
pub(super) struct ExportSite {
    /// Ladder folder, file of `match --record`, or PDN file
    path: PathBuf,
    /// Folder to create or update
    folder: PathBuf,
}

impl Export {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let Export::Site(ExportSite { path, folder }) = self;
        let mut site = open_site(path)?;
        let done = export(&mut site, folder)?;
        let megabytes = done.bytes as f64 / 1e6;
        let (games, files) = (counted(done.games, "game"), counted(done.files, "file"));
        writeln!(anstream::stdout(), "{games} in {files}, {megabytes:.1} MB")?;
        if done.left_out > 0 {
            let left_out = counted(done.left_out, "game");
            note(format_args!("left out {left_out} that cannot be shown"));
        }
        Ok(())
    }
}

/// The site of a folder or file, after notes about what cannot be shown.
pub(super) fn open_site(path: &Path) -> Result<Site, Failure> {
    if let Ok(folder) = Folder::open(path) {
        warn_of_store(&folder)?;
    }
    let site = Site::open(path).map_err(usage)?;
    for remark in site.remarks() {
        note(format_args!("{}: {remark}", path.display()));
    }
    Ok(site)
}

/// An address of this machine that other machines cannot reach.
fn here(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

/// Reads an address with its port, or a port of this machine.
fn parse_listen(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(here);
    port.or_else(|_| text.parse()).map_err(|_| {
        "expected an address and a port, such as 127.0.0.1:8080, or a port alone".into()
    })
}

impl ServerOptions {
    /// Serves until it is interrupted. Prints the link by `print`, and who can see the pages.
    fn serve(
        &self,
        site: Site,
        interrupted: &Arc<AtomicBool>,
        print: impl Fn(&str) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let listen = match self.listen.or(self.port.map(here)) {
            Some(address) => vec![address],
            None => vec![here(PORT), here(0)],
        };
        let viewers = match listen.iter().all(|address| address.ip().is_loopback()) {
            true => "any user of this machine",
            false => "anyone who can reach this address",
        };
        let options = Options {
            listen,
            hosts: self.host.clone(),
        };
        let served = serve(site, &options, interrupted, |link| {
            print(link)?;
            note(format_args!(
                "press Ctrl-C to stop. All games can be seen by {viewers}"
            ));
            if self.open {
                open_in_browser(link);
            }
            Ok(())
        });
        served.map_err(|error| match error {
            SiteError::CannotListen(why) => usage(why),
            // The program sees whether its output was closed.
            SiteError::System(error) => error.into(),
            error => error.into(),
        })
    }
}

/// A match that is served while it is played.
pub(super) struct LiveMatch {
    /// The games so far.
    file: NamedTempFile,
    /// The games under way, and the progress of the match.
    pub(super) run: Arc<LiveRun>,
    pub(super) server: RunServer,
}

/// A server beside a run of this program. Only this machine can reach it.
pub(super) struct RunServer(JoinHandle<Result<(), Failure>>);

impl RunServer {
    /// Serves on its own thread. The link goes to standard error: standard output is for the result.
    pub(super) fn start(site: Site, interrupted: &Arc<AtomicBool>) -> RunServer {
        let interrupted = interrupted.clone();
        let print = |link: &str| {
            tell(link);
            Ok(())
        };
        let serve = move || ServerOptions::default().serve(site, &interrupted, print);
        RunServer(std::thread::spawn(serve))
    }

    /// Waits until the server is interrupted.
    pub(super) fn wait(self) -> Result<(), Failure> {
        note("the run is over; its pages stay until you press Ctrl-C");
        let served = self.0.join();
        served.unwrap_or_else(|_| Err(anyhow!("the server failed").into()))
    }
}

impl LiveMatch {
    /// Serves the match on its own thread, to this machine only.
    pub(super) fn start(
        plan: &MatchPlan,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<LiveMatch, Failure> {
        let (file, run) = (NamedTempFile::new()?, Arc::new(LiveRun::default()));
        run.tell(RunProgress {
            unit: "games".into(),
            all: plan.all_games(),
            ..RunProgress::default()
        });
        let site = Site::of_match(file.path(), plan, run.clone())?;
        let server = RunServer::start(site, interrupted);
        Ok(LiveMatch { file, run, server })
    }

    /// Shows a game that was played.
    pub(super) fn show(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        writeln!(self.file, "{}", serde_json::to_string(game)?)?;
        Ok(())
    }
}

/// Opens a page as desktops do. Without a desktop, the person has the link.
fn open_in_browser(link: &str) {
    let mut command = Command::new(OPENER);
    command.arg(link).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        note(format_args!(
            "`{OPENER}` is not there; open the link in a browser"
        ));
    }
}
