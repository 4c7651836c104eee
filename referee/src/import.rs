//! `crownhead import`: games of CodinGame's site, played again by their rules or their referee, as records.

use super::output::write_json;
use super::output_file::{OutputFile, OutputPath, is_stdout};
use super::progress::{Progress, note, tell};
use crate::conditions::cores;
use crate::failure::{Failure, usage};
use crate::interrupts::{check, interrupts};
use crate::words::paragraph;
use clap::Args;
use crownhead_arena::contest::{Contest, RefereeFlags};
use crownhead_arena::headings::{CONTESTS, OUTPUT};
use crownhead_arena::runner::{JobSource, Poll, replay_site_game, work};
use crownhead_bots::games;
use crownhead_external::RefereeError;
use crownhead_record::GameRecord;
use crownhead_record::numbers::counted;
use crownhead_record::site::{SiteError, SiteGame, SiteGames, SiteRecord, is_site_file};
use crownhead_record::system_error::OfFile;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bring in games of the site, and play them again to verify them
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead import lost.json --out games.jsonl
  crownhead import my_games --referee SpringChallenge2023 -o games.jsonl",
    after_long_help = "\
Each game is played again with the recorded answers: by the rules of checkers, or by the contest's referee, with the \
same seed and league. What comes out is compared with the file: who is asked, summaries, views, scores and ranks. The \
record says whether all is the same, or what differs first. The file can be one game, a list, or one game a line, packed \
by gzip or not. docs/guide/site-games.md says how to save one.

Exit status: 0 all games came out the same; 1 a game did not, or cannot be read; 2 unusable arguments; 130 interrupted."
)]
pub(super) struct Import {
    /// Files of games as the site has them, and folders of such files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// File of records to write (`-`: standard output)
    #[arg(long, short, value_name = "FILE.jsonl", help_heading = OUTPUT)]
    out: PathBuf,
    /// Replace the file of --out if it exists
    #[arg(long, short, help_heading = OUTPUT)]
    force: bool,
    /// Print how each game came out as JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// The contest's referee, a jar, build folder or command [default: checkers' rules]
    #[arg(long, value_name = "COMMAND", help_heading = CONTESTS)]
    referee: Option<String>,
    /// League of the contest [default: that of the game]
    #[arg(long, value_name = "N", requires = "referee", help_heading = CONTESTS)]
    league: Option<u32>,
    /// Games to play at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

impl Import {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let out = OutputPath::new(&self.out, self.force)?;
        if self.json && is_stdout(&self.out) {
            return Err(usage(
                "--json and `--out -` both mean standard output: name a file for the records",
            ));
        }
        let files = self.all_files()?;
        // A missing referee is reported before the first game.
        self.contest(2, None).map_err(usage)?;
        let interrupted = interrupts()?;
        let mut source = Source {
            files: files.iter(),
            games: None,
            given: 0,
            kept: 0,
            waiting: BTreeMap::new(),
            out: out.create()?,
            done: Vec::new(),
            unreadable: 0,
            progress: Progress::new("games", None),
            interrupted: &interrupted,
        };
        let threads = self.concurrency.map_or_else(cores, usize::from);
        let contests = Contests::new(threads);
        work(
            threads,
            true,
            &mut source,
            |thread, Job { place, file, game }| {
                let contest = contests.of(self, thread, &game);
                let record = contest
                    .and_then(|contest| replay_site_game(&contest, place, &game, &interrupted));
                Replayed {
                    place,
                    file,
                    line: game.line,
                    record,
                }
            },
        )?;
        source.progress.finish();
        let Source {
            mut out,
            done,
            unreadable,
            ..
        } = source;
        if done.is_empty() {
            check(&interrupted)?;
            return Err(usage("no game of the site could be read"));
        }
        out.put_in_place()?;
        let is_same = self.report(&done)? && unreadable == 0;
        check(&interrupted)?;
        is_same.then_some(()).ok_or(Failure::Silent)
    }

    /// The files, with those of folders in the order of their names.
    fn all_files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut all = Vec::new();
        for path in &self.files {
            if !path.is_dir() {
                all.push(path.clone());
                continue;
            }
            let entries = path.read_dir().of_file(path).map_err(usage)?;
            let files = entries.map(|entry| entry.map(|entry| entry.path()));
            let mut files: Vec<PathBuf> = files.collect::<Result<_, _>>()?;
            files.retain(|file| file.is_file());
            let count = files.len();
            files.retain(|file| is_site_file(file).unwrap_or(true));
            files.sort_unstable();
            if let passed @ 1.. = count - files.len() {
                let passed = counted(passed, "file");
                note(format_args!(
                    "{}: passed over {passed} that hold no games of the site",
                    path.display()
                ));
            }
            all.append(&mut files);
        }
        Ok(all)
    }

    /// What games of so many players are played by.
    fn contest(&self, players: usize, league: Option<u32>) -> Result<Contest, RefereeError> {
        let flags = |league| RefereeFlags {
            referee: self.referee.clone(),
            league,
            players: u8::try_from(players).ok(),
            ..RefereeFlags::default()
        };
        let find = |league| flags(league).find(Path::new(""));
        let found = match find(self.league.or(league)) {
            // A command line names its league itself.
            Err(_) if self.league.is_none() && league.is_some() => find(None)?,
            found => found?,
        };
        let usual = games::usual();
        let rules = usual.rule_books()[0];
        Ok(found.unwrap_or(Contest::Board { game: usual, rules }))
    }

    /// Prints how the games came out. Returns whether all are the same.
    fn report(&self, done: &[Done]) -> Result<bool, Failure> {
        let mut out = anstream::stdout().lock();
        let [mut same, mut differ, mut unverified] = [0; 3];
        for Done { game, site, .. } in done {
            *match site {
                _ if site.verified => &mut same,
                _ if site.difference.is_some() => &mut differ,
                _ => &mut unverified,
            } += 1;
            let told = site
                .problem()
                .filter(|_| !self.json && !is_stdout(&self.out));
            if let Some(told) = told {
                let id = site.game.map(|id| format!(" ({id} on the site)"));
                let told = format!("game {game}{}: {told}", id.unwrap_or_default());
                writeln!(out, "{}", paragraph("", &told))?;
            }
        }
        if self.json {
            write_json(&mut out, &done)?;
        } else {
            let told = format!(
                "{}: {same} verified, {differ} different, {unverified} not verified",
                counted(done.len(), "game")
            );
            tell(told);
        }
        Ok(same == done.len())
    }
}

/// The contests that are in use: of each thread the last one.
struct Contests(Vec<Mutex<Option<(ContestKey, Contest)>>>);

/// Players and league.
type ContestKey = (usize, Option<u32>);

impl Contests {
    fn new(threads: usize) -> Contests {
        Contests((0..threads).map(|_| Mutex::default()).collect())
    }

    fn of(&self, import: &Import, thread: usize, game: &SiteGame) -> Result<Contest, RefereeError> {
        let key = (game.players.len(), game.league);
        let mut last = self.0[thread]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((own, contest)) = &*last
            && *own == key
        {
            return Ok(contest.clone());
        }
        let contest = import.contest(key.0, key.1)?;
        *last = Some((key, contest.clone()));
        Ok(contest)
    }
}

/// How a game came out.
#[derive(Serialize)]
struct Done {
    /// Its number in the file of records.
    game: u64,
    /// The line of its file in which it begins.
    line: usize,
    site: SiteRecord,
}

/// Reads the games, and writes their records in the same order.
struct Source<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    games: Option<(&'a Path, SiteGames<Box<dyn BufRead>>)>,
    /// How many games were given out, and how many have come back in their order.
    given: u64,
    kept: u64,
    /// What has come back out of its order.
    waiting: BTreeMap<u64, Replayed<'a>>,
    out: OutputFile,
    done: Vec<Done>,
    unreadable: usize,
    progress: Progress,
    interrupted: &'a AtomicBool,
}

/// A game that is to be played again.
struct Job<'a> {
    /// Its place among those that were given out.
    place: u64,
    file: &'a Path,
    game: SiteGame,
}

/// A game that was played again.
struct Replayed<'a> {
    place: u64,
    file: &'a Path,
    line: usize,
    record: Result<GameRecord, RefereeError>,
}

/// How many unreadable games are reported one by one.
const TOLD: usize = 10;

impl Source<'_> {
    /// Reports a game or a file that cannot be read.
    fn skip(&mut self, file: &Path, why: &SiteError) {
        self.unreadable += 1;
        if self.unreadable <= TOLD || matches!(why, SiteError::File(_)) {
            let told = format!("warning: {}: {why}", file.display());
            self.progress.tell(&told);
        } else if self.unreadable == TOLD + 1 {
            self.progress.tell("warning: more games cannot be read");
        }
    }

    /// Writes a game's record.
    fn keep(&mut self, replayed: Replayed<'_>) -> anyhow::Result<()> {
        let Replayed {
            file, line, record, ..
        } = replayed;
        match record {
            Ok(mut record) => {
                record.number = self.done.len() as u64 + 1;
                self.out
                    .write(format!("{}\n", serde_json::to_string(&record)?).as_bytes())?;
                if let (game, Some(site)) = (record.number, record.site) {
                    self.done.push(Done { game, line, site });
                }
            }
            Err(RefereeError::Interrupted) => {}
            Err(error) => {
                let why = error.to_string();
                self.skip(file, &SiteError::Game { line, why });
            }
        }
        Ok(())
    }
}

impl<'a> JobSource for Source<'a> {
    type Job = Job<'a>;
    type Result = Replayed<'a>;
    type Error = anyhow::Error;

    fn next(&mut self) -> anyhow::Result<Poll<Self::Job>> {
        loop {
            if self.interrupted.load(Ordering::Relaxed) {
                return Ok(Poll::Finished);
            }
            let Some((file, games)) = &mut self.games else {
                let Some(file) = self.files.next() else {
                    return Ok(Poll::Finished);
                };
                match SiteGames::open(file) {
                    Ok(games) => self.games = Some((file, games)),
                    Err(error) => self.skip(file, &SiteError::File(error)),
                }
                continue;
            };
            let file = *file;
            match games.next() {
                None => self.games = None,
                Some(Err(error)) => self.skip(file, &error),
                Some(Ok(game)) => {
                    self.given += 1;
                    return Ok(Poll::Ready(Job {
                        place: self.given,
                        file,
                        game,
                    }));
                }
            }
        }
    }

    fn done(&mut self, results: Vec<Replayed<'a>>) -> anyhow::Result<()> {
        self.waiting.extend(
            results
                .into_iter()
                .map(|replayed| (replayed.place, replayed)),
        );
        while let Some(next) = self.waiting.remove(&(self.kept + 1)) {
            self.kept += 1;
            self.keep(next)?;
        }
        let done = self.done.len();
        self.progress.show(done as u64, || counted(done, "game"));
        Ok(())
    }
}
