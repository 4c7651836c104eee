//! A ladder of shell scripts, and what its run showed.

#![allow(dead_code)] // Each test file uses its part.

use crownhead_ladder::{Folder, LadderError, Progress, Standings, run_ladder};
use crownhead_record::GameRecord;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Plays the first move of the list, or the last if its command says so.
pub(super) const BOT: &str = r#"read colour
while read row; do
  for more in 2 3 4 5 6 7 8; do read row; done
  read count; read best
  while [ $count -gt 1 ]; do read other; count=$((count - 1)); [ "$1" != last ] || best=$other; done
  echo $best
done
"#;

/// The same, but it begins each game only once this file exists, so that a test can hold a run.
pub(super) fn waiting_bot(until: &Path) -> String {
    format!(
        "until [ -e {} ]; do sleep 0.02; done\n{BOT}",
        until.display()
    )
}

/// Games end soon, and a busy machine loses none.
const SETTINGS: &str = "openings = \"random 4\"\nmax_turns = 10\nsandbox = \"off\"\ntime = \"60s\"\nfirst_turn = \"60s\"\n";

/// The bots of most ladders here.
pub(super) const THREE: [(&str, &str); 3] = [
    ("first", "sh bot.sh"),
    ("last", "sh bot.sh last"),
    ("other", "sh bot.sh first"),
];

/// Long enough for everything, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A ladder's folder. By default, one pair is played while another waits, so that at most two end between two looks at
/// the run.
pub(super) struct Ladder {
    place: TempDir,
}

/// What a run showed.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) left: u64,
    pub(super) games: u64,
    pub(super) finished: u64,
    pub(super) void: u64,
    pub(super) playing: Vec<Vec<String>>,
    pub(super) news: String,
    pub(super) is_last: bool,
}

/// The callback that gets the progress of a run.
type Look<'a> = dyn FnMut(&Progress<'_>) -> io::Result<()> + 'a;

/// Everything that a run showed, and how it ended.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) shown: Vec<Shown>,
    pub(super) news: String,
    /// Who lost by a fault, and how.
    pub(super) faults: Vec<String>,
    pub(super) standings: Option<Standings>,
    ended: Result<(), LadderError>,
}

impl Ran {
    /// Everything that a run shows until `look` interrupts it.
    pub(super) fn until(
        mut look: impl FnMut(&Shown) -> io::Result<bool>,
        run: impl FnOnce(&Arc<AtomicBool>, &mut Look<'_>) -> Result<(), LadderError>,
    ) -> Ran {
        let mut ran = Ran {
            shown: Vec::new(),
            news: String::new(),
            faults: Vec::new(),
            standings: None,
            ended: Ok(()),
        };
        let interrupted = Arc::new(AtomicBool::new(false));
        ran.ended = run(&interrupted, &mut |progress| {
            let shown = Shown {
                left: progress.left,
                games: progress.games,
                finished: progress.finished(),
                void: progress.void(),
                playing: progress.under_way.clone(),
                news: progress.news.clone().unwrap_or_default(),
                is_last: progress.is_last,
            };
            if !shown.news.is_empty() {
                writeln!(ran.news, "{}", shown.news).unwrap();
            }
            let faults = progress.faults.iter();
            ran.faults.extend(faults.map(|game| {
                let loser = game.turns[game.fault_turn().unwrap()].player;
                format!("{} {}", game.players[loser].name, game.termination)
            }));
            ran.standings = Some(progress.standings());
            if progress.elapsed >= PATIENCE {
                let told = format!("it goes on for ever: {shown:?}");
                return Err(io::Error::other(told));
            }
            let interrupt = look(&shown)?;
            ran.shown.push(shown);
            interrupted.fetch_or(interrupt, Ordering::Relaxed);
            Ok(())
        });
        ran
    }

    /// The final state of a run that ended without an error.
    pub(super) fn last(&self) -> &Shown {
        let last = self.shown.last().unwrap();
        assert!(
            last.is_last && self.ended.is_ok(),
            "{last:?}, {:?}: {}",
            self.ended,
            self.news
        );
        last
    }

    /// Why the run ended.
    pub(super) fn refusal(&self) -> String {
        self.ended.as_ref().unwrap_err().to_string()
    }
}

impl Ladder {
    pub(super) fn new(settings: &str, bots: &[(&str, &str)]) -> Ladder {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("bot.sh"), BOT).unwrap();
        let ladder = Ladder { place };
        ladder.configure(settings, bots);
        ladder
    }

    pub(super) fn configure(&self, settings: &str, bots: &[(&str, &str)]) {
        let mut text = format!("{settings}\n");
        for line in SETTINGS.lines() {
            let (key, _) = line.split_once(" = ").unwrap();
            if !settings.contains(&format!("{key} = ")) {
                writeln!(text, "{line}").unwrap();
            }
        }
        for (name, command) in bots {
            // More keys follow the command on their own lines.
            let (command, more) = command.split_once('\n').unwrap_or((command, ""));
            writeln!(
                text,
                "[[bot]]\nname = \"{name}\"\ncommand = \"{command}\"\n{more}"
            )
            .unwrap();
        }
        std::fs::write(self.path("ladder.toml"), text).unwrap();
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub(super) fn folder(&self) -> Folder {
        Folder::open(self.place.path()).unwrap()
    }

    /// A run to its end.
    pub(super) fn run(&self) -> Ran {
        self.run_until(false, |_| Ok(false))
    }

    /// A run until `look` interrupts it.
    pub(super) fn run_until(
        &self,
        accept_changes: bool,
        look: impl FnMut(&Shown) -> io::Result<bool>,
    ) -> Ran {
        let folder = self.folder();
        Ran::until(look, |interrupted, look| {
            run_ladder(&folder, accept_changes, interrupted, look)
        })
    }

    /// All games that count, in the order of their numbers.
    pub(super) fn games(&self) -> Vec<GameRecord> {
        let store = self.folder().read_store().unwrap();
        store.records().map(Result::unwrap).collect()
    }

    /// The pairings of all games.
    pub(super) fn meetings(&self) -> Vec<[String; 2]> {
        let names = |game: GameRecord| [0, 1].map(|player| game.players[player].name.clone());
        let mut meetings: Vec<_> = self.games().into_iter().map(names).collect();
        meetings.sort();
        meetings
    }
}
