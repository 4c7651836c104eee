//! A published ladder on a worker's machine: its folder there, its published bots, and what the machine lets them do.
//! `worker` starts the bots.

use super::UnusableLadder;
use super::cache::{Cache, HostTerms};
use super::config::{Bot, Config};
use super::folder::Folder;
use super::grants::{Grants, Wishes};
use super::refuse;
use super::version::Ready;
use crate::store::shared::{Build, Machine, Publication, expect_shared};
use crate::store::{Address, Store, StoreError};
use anyhow::Context;
use crownhead_record::text::printable;
use crownhead_sandbox::SandboxMode;
use std::path::PathBuf;

/// How a worker plays.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The database of the ladder.
    pub address: Address,
    /// The folder for its copies of ladders.
    pub cache: PathBuf,
    /// What it is.
    pub machine: Machine,
    /// How bots are isolated.
    pub sandbox: SandboxMode,
    /// Whether bots that have a build command are built here.
    pub builds: bool,
    /// What bots may read and write here in addition to their own files.
    pub grants: Grants,
}

/// A worker's copy of a ladder.
pub struct PublishedLadder {
    pub(super) options: WorkerOptions,
    pub(super) published: Publication,
    terms: HostTerms,
    cache: Cache,
}

impl PublishedLadder {
    /// Reads what is published, and writes it as a ladder's folder.
    ///
    /// # Errors
    /// When it cannot be understood, played by a worker, or written.
    pub fn new(
        options: WorkerOptions,
        published: Publication,
    ) -> anyhow::Result<(PublishedLadder, Folder)> {
        let config = Config::parse(&published.config)?;
        if config.options.referee.referee.is_some() {
            let told = "the published configuration names an external referee, a program that runs outside of the \
                        sandbox: such a ladder is played on one machine, with `crownhead ladder run`";
            return Err(refuse(told).into());
        }
        let cache = Cache::of(&options.cache, &options.address);
        let wishes = Wishes::of(&config.options.bots);
        let is_open = options.sandbox == SandboxMode::Off;
        let terms = HostTerms {
            builds: options.builds,
            missing: options.grants.missing(&wishes).filter(|_| !is_open),
            grants: options.grants.clone(),
            wishes,
        };
        let ladder = PublishedLadder {
            options,
            published,
            terms,
            cache,
        };
        let folder = ladder.write_folder()?;
        Ok((ladder, folder))
    }

    fn write_folder(&self) -> anyhow::Result<Folder> {
        self.cache
            .write_folder(&self.published, &self.options.address)
    }

    /// Takes up later publications. Rewrites its folder, which is then read like a changed configuration.
    pub(super) fn replace(&mut self, published: Publication) -> anyhow::Result<()> {
        self.published = published;
        self.write_folder().map(drop)
    }

    /// The configuration as it holds on this machine.
    pub(super) fn as_here(&self, mut config: Config) -> Config {
        config.options.bots.sandbox = self.options.sandbox;
        config.options.bots = self.terms.grants.in_force(config.options.bots);
        config
    }

    /// Makes a bot ready in the version that plays. Reports what is built here.
    pub(super) fn make_ready(
        &self,
        config: &Config,
        bot: &Bot,
        store: &dyn Store,
    ) -> anyhow::Result<(Ready, Option<Build>)> {
        let mut versions = store.versions()?.into_iter();
        let version = versions.find(|version| version.bot == bot.name && version.current);
        let version = version.context("it is not published")?;
        let shared = expect_shared(store)?;
        let (cache, terms) = (&self.cache, &self.terms);
        cache.make_ready(config.game(), bot, &self.published, &version, shared, terms)
    }

    /// Fetches the files of all bots, and returns for each why it cannot play on this machine, if so.
    ///
    /// # Errors
    /// When the store fails, or the configuration cannot be read.
    pub fn fetch(
        &self,
        folder: &Folder,
        store: &dyn Store,
    ) -> anyhow::Result<Vec<(String, Option<UnusableLadder>)>> {
        let config = self.as_here(folder.config()?);
        let fetch = |bot: &Bot| match self.make_ready(&config, bot, store) {
            Ok(_) => Ok((bot.name.clone(), None)),
            Err(error) if error.is::<StoreError>() => Err(error),
            Err(error) => Ok((
                bot.name.clone(),
                Some(refuse(printable(format!("{error:#}")))),
            )),
        };
        config.bots.iter().map(fetch).collect()
    }
}
