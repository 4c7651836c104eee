//! A published ladder on a worker's machine: its folder there, its bots as they were published, and what the machine lets
//! them do. It starts no bot: `worker` plays.

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
    /// Where it keeps what it needs of ladders.
    pub cache: PathBuf,
    /// What it is.
    pub machine: Machine,
    /// How bots are locked in.
    pub sandbox: SandboxMode,
    /// Whether bots that have a build command are built here.
    pub builds: bool,
    /// What bots may read and write here besides their own files.
    pub grants: Grants,
}

/// What a worker has of a ladder.
pub struct PublishedLadder {
    pub(super) options: WorkerOptions,
    pub(super) published: Publication,
    terms: HostTerms,
    cache: Cache,
}

impl PublishedLadder {
    /// Looks at what is published, and writes it down as a ladder's folder.
    ///
    /// # Errors
    /// When it is not understood, cannot be played on a machine of a worker's, or cannot be written.
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

    /// Takes up what was published since. Its folder is written anew, and read as a changed configuration is.
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

    /// Makes a bot ready in the version that plays. What is built here is told.
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

    /// Has the files of all bots here, and tells of each why it cannot play on this machine, if it cannot.
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
