//! Machines of workers, and ladders that are published for them.

use super::cluster::{Cluster, client};
use crate::ladder::{Ladder, Ran, Shown};
use crownhead_ladder::store::shared::{Machine, Worker};
use crownhead_ladder::store::{Access, Address, PostgresStore, Store};
use crownhead_ladder::{Grants, Published, WorkerOptions, publish, published, run_worker};
use crownhead_record::GameRecord;
use crownhead_sandbox::SandboxMode;
use std::path::PathBuf;
use tempfile::TempDir;

/// Positions a second of the machines here, unless a test says otherwise.
pub(super) const SPEED: f64 = 1e6;

/// A ladder in a database of its own.
pub(super) struct SharedLadder {
    pub(super) ladder: Ladder,
    pub(super) url: String,
    pub(super) store: Store,
    settings: String,
}

impl SharedLadder {
    /// `settings` are keys of the configuration, a line each.
    pub(super) fn new(cluster: &Cluster, settings: &str, bots: &[(&str, &str)]) -> SharedLadder {
        let url = cluster.database();
        let store = PostgresStore::open(&url, Access::New).unwrap().into();
        let settings = format!("store = \"{url}\"\n{settings}");
        SharedLadder {
            ladder: Ladder::new(&settings, bots),
            url,
            store,
            settings,
        }
    }

    /// Changes to these bots.
    pub(super) fn with_bots(&self, bots: &[(&str, &str)]) {
        self.ladder.configure(&self.settings, bots);
    }

    /// The same with another setting.
    pub(super) fn change(&self, from: &str, to: &str, bots: &[(&str, &str)]) {
        assert!(self.settings.contains(from), "{}", self.settings);
        self.ladder
            .configure(&self.settings.replace(from, to), bots);
    }

    pub(super) fn publish(&self) -> Published {
        let published = publish(&self.ladder.folder()).unwrap();
        assert_eq!(published.failed, []);
        published
    }

    /// Why nothing can be published.
    pub(super) fn refusal(&self) -> String {
        format!("{:#}", publish(&self.ladder.folder()).unwrap_err())
    }

    pub(super) fn workers(&self) -> Vec<Worker> {
        self.store.workers().unwrap()
    }

    pub(super) fn worker(&self, name: &str) -> Worker {
        let mut workers = self.workers().into_iter();
        workers.find(|worker| worker.machine.name == name).unwrap()
    }

    /// Changes stored data directly.
    pub(super) fn spoil(&self, statement: &str) {
        assert_ne!(client(&self.url).execute(statement, &[]).unwrap(), 0);
    }
}

/// The moves of these games, without players and times.
pub(super) fn moves(games: &[GameRecord]) -> Vec<String> {
    let told = games.iter().map(|game| {
        let replies = game.turns.iter().map(|turn| turn.reply.as_deref());
        let names = game.players.iter().map(|player| &*player.name);
        format!(
            "{:?} {:?} {:?} {:?}",
            names.collect::<Vec<_>>(),
            game.opening,
            replies.collect::<Vec<_>>(),
            game.scores
        )
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    told
}

/// A machine with a cache of its own.
pub(super) struct Host {
    cache: TempDir,
    pub(super) options: WorkerOptions,
}

impl Host {
    /// The machine of the worker of this name, for the ladder of this address.
    pub(super) fn new(name: &str, url: &str) -> Host {
        let cache = tempfile::tempdir().unwrap();
        let options = WorkerOptions {
            address: Address::parse(url).unwrap(),
            cache: cache.path().into(),
            machine: Machine {
                name: name.into(),
                cores: 2,
                concurrency: 1,
                speed: SPEED,
            },
            sandbox: SandboxMode::Off,
            grants: Grants::default(),
        };
        Host { cache, options }
    }

    pub(super) fn with_speed(mut self, speed: f64) -> Host {
        self.options.machine.speed = speed;
        self
    }

    /// Everything that its worker shows until `look` says enough.
    pub(super) fn play_until(&self, look: impl FnMut(&Shown) -> std::io::Result<bool>) -> Ran {
        let options = self.options.clone();
        Ran::until(look, |interrupted, look| {
            let tell = &mut |told: &str| panic!("{told}");
            let ladder = published(&options.address, interrupted, tell)?;
            run_worker(options, ladder, interrupted, look)
        })
    }

    /// The same until this many pairs of the ladder are finished.
    pub(super) fn play_pairs(&self, pairs: u64) -> Ran {
        let ran = self.play_until(|shown| Ok(shown.finished >= pairs && shown.playing.is_empty()));
        assert_eq!(ran.last().finished, pairs, "{}", ran.news);
        ran
    }

    /// Why it plays nothing.
    pub(super) fn refusal(&self) -> String {
        self.play_until(|shown| panic!("it plays: {shown:?}"))
            .refusal()
    }

    /// All files of this name that it keeps.
    pub(super) fn kept(&self, name: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.cache.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name().unwrap() == name {
                    found.push(path);
                }
            }
        }
        found
    }
}
