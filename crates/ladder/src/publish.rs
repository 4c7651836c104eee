//! Publishes a ladder: puts into the store everything that workers on other machines play.

use super::config::Config;
use super::entrants::admit;
use super::error::{LadderError, about, fail, refuse};
use super::files::listed;
use super::folder::Folder;
use super::version::{Description, Ready, contents, hash_of_bytes};
use crate::store::Store;
use crate::store::shared::{Publication, PublishedBot, Word};
use crownhead_arena::contest::{Contest, External};
use crownhead_arena::runner::Participant;
use crownhead_record::bench;
use crownhead_record::input::read_text;
use crownhead_record::openings::Source;
use crownhead_record::system_error::OfFile;
use crownhead_record::text::printable;
use crownhead_sandbox::split_words;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, value};

/// The most bytes of a version's files.
const MOST_BYTES: u64 = 64 << 20;

/// The result of publishing a ladder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    /// The bots that workers play now.
    pub bots: Vec<String>,
    /// The bots that cannot play, with the reason.
    pub failed: Vec<(String, String)>,
    /// Whether anything has changed.
    pub is_new: bool,
}

/// Builds and examines all bots that play, and lets workers play them as they are.
///
/// # Errors
/// When the ladder's games are not in a database, a bot has changed, or is too large to travel.
pub fn publish(folder: &Folder) -> Result<Published, LadderError> {
    let config = folder.config()?;
    folder.openings(&config)?;
    let mut store = folder.store()?;
    store.expect_shared().map_err(refuse)?;
    let states = store.bot_states()?;
    let mut ready = vec![None; config.bots.len()];
    let (mut failed, mut refusals) = (Vec::new(), Vec::new());
    for (number, bot) in config.bots.iter().enumerate() {
        if bot.retired || states.is_disabled(&bot.name) {
            continue;
        }
        let built = folder.build(bot);
        let admitted = built.and_then(|()| admit(folder, &config, number, &mut store, false));
        match admitted {
            Ok((bot, _)) => ready[number] = Some(bot),
            Err(error) if error.is_unusable() => refusals.push(error.to_string()),
            Err(error) => failed.push((bot.name.clone(), error.to_string())),
        }
    }
    if !refusals.is_empty() {
        return Err(refuse(refusals.join("\n")));
    }
    let is_new = send(folder, &config, &ready, &mut store)?;
    let bots = ready.into_iter().flatten();
    Ok(Published {
        bots: bots.map(|bot| bot.entrant().bot).collect(),
        failed,
        is_new,
    })
}

/// Puts everything that workers need into the store, files first, so that every published file is available. Returns
/// whether anything has changed.
///
/// # Errors
/// When the store fails, or a bot is too large to travel.
pub(super) fn send(
    folder: &Folder,
    config: &Config,
    ready: &[Option<Ready>],
    store: &mut Store,
) -> Result<bool, LadderError> {
    for bot in ready.iter().flatten() {
        let description = serde_json::from_str(&bot.version.description).map_err(fail)?;
        send_files(&bot.version.bot, &description, &bot.files.files, store)?;
    }
    let referee = match &folder.settings(config)?.contest {
        Contest::External(external) => Some(send_referee(folder, external, store)?),
        Contest::Board { .. } => None,
    };
    let file = folder.config_file();
    let document = read_text(&file).of_file(&file)?.parse().map_err(fail);
    let mut document: DocumentMut = document.map_err(about(file.display()))?;
    // Each worker reaches the database in its own way.
    document.remove("store");
    let openings = match &config.openings {
        Source::File(path) => {
            let name = path.file_name().unwrap_or_default();
            document["openings"] = value(format!("./{}", name.to_string_lossy()));
            let path = folder.path().join(path);
            Some(read_text(&path).of_file(&path)?)
        }
        Source::Ballots | Source::Random(_) | Source::Balanced(_) | Source::Seeds(_) => None,
    };
    let bots = ready.iter().flatten().map(published_bot);
    Ok(store.publish(&Publication {
        config: document.to_string(),
        openings,
        referee,
        signature: bench::signature(config.game()),
        bots: bots.collect(),
    })?)
}

/// Puts the files of an external referee into the store. Gives its description.
///
/// # Errors
/// When it consists of files that are not in the ladder's folder.
fn send_referee(
    folder: &Folder,
    External { referee, .. }: &External,
    store: &mut Store,
) -> Result<String, LadderError> {
    let command = &referee.options.command;
    expect_own_files(command)?;
    let ladder = std::path::absolute(folder.path())?;
    let mut files = BTreeMap::new();
    for path in &referee.files {
        for path in listed("the referee", path)?.files.into_values() {
            let name = path.strip_prefix(&ladder).unwrap_or(&path);
            files.insert(name.to_string_lossy().into_owned(), path);
        }
    }
    let description = Description {
        command: command.clone(),
        files: contents(&files)?,
        ..Description::default()
    };
    expect_no_links(&description)?;
    send_files("the referee", &description, &files, store)?;
    serde_json::to_string(&description).map_err(fail)
}

/// # Errors
/// When the command line of an external referee names paths that lead out of the ladder's folder.
pub(super) fn expect_own_files(command: &str) -> Result<(), LadderError> {
    // As a path and as words: it may be either.
    let words = split_words(command).unwrap_or_default();
    let words = [command.to_string()].into_iter().chain(words);
    let words: Vec<String> = words.map(|word| word.replace('\\', "/")).collect();
    let parts = words
        .iter()
        .flat_map(|word| word.split(['=', ':', ';', ',', ' ']));
    let leads_out = |part: &&str| part.starts_with('/') || part.split('/').any(|it| it == "..");
    parts.into_iter().find(leads_out).map_or(Ok(()), |part| {
        Err(refuse(format!(
            "referee: workers have the files of the ladder's folder alone, and `{}` is outside. Copy it there, and name it \
             from there in ladder.toml",
            printable(part)
        )))
    })
}

/// # Errors
/// When a referee has links, which could lead to other files of a worker's machine.
pub(super) fn expect_no_links(referee: &Description) -> Result<(), LadderError> {
    let mut files = referee.files.iter();
    let link = files.find(|(_, content)| content.hash().is_none());
    link.map_or(Ok(()), |(name, _)| {
        let name = printable(name);
        Err(refuse(format!(
            "the referee's `{name}` is a link, which does not travel to workers; put a copy there"
        )))
    })
}

fn send_files(
    name: &str,
    description: &Description,
    paths: &BTreeMap<String, PathBuf>,
    store: &mut Store,
) -> Result<(), LadderError> {
    let files = description.files.iter();
    let files = files.filter_map(|(name, what)| Some((what.hash()?.into(), &paths[name])));
    let files: BTreeMap<String, &PathBuf> = files.collect();
    let sizes = files.values().map(|path| Ok(path.metadata()?.len()));
    let bytes: u64 = sizes.sum::<io::Result<u64>>()?;
    if bytes > MOST_BYTES {
        return Err(refuse(format!(
            "{name}: its files have {} MB, and 64 MB at most travel to workers; name what it consists of in \
             ladder.toml, with `files = [\"…\"]`",
            bytes >> 20
        )));
    }
    let hashes: Vec<String> = files.keys().cloned().collect();
    for hash in store.missing_files(&hashes)? {
        let path = files[&hash];
        let content = std::fs::read(path).of_file(path)?;
        if hash_of_bytes(&content) != hash {
            let told = format!("{name}: {} was written to meanwhile", path.display());
            return Err(refuse(told));
        }
        store.keep_file(&hash, &content)?;
    }
    Ok(())
}

/// How to start a bot wherever its files are.
fn published_bot(bot: &Ready) -> PublishedBot {
    let entrant = bot.entrant();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let files = bot.files.files.iter();
    let files: HashMap<PathBuf, &String> = files.map(|(name, path)| (real(path), name)).collect();
    PublishedBot {
        bot: entrant.bot,
        version: entrant.version,
        command: words(&bot.participant, |path| files.get(&real(path)).copied()),
        in_folder: bot.files.folder.is_some(),
    }
}

/// The words of a bot's command line, with files named by `name_of`.
fn words<'a>(
    participant: &Participant,
    name_of: impl Fn(&Path) -> Option<&'a String>,
) -> Vec<Word> {
    let Some(found) = participant.spec.program() else {
        return Vec::new();
    };
    let file = |option: &str, path: &Path| Some(Word::File(option.into(), name_of(path)?.clone()));
    let program = found.path.file_name().unwrap_or_default().to_string_lossy();
    let first = file("", &found.path).unwrap_or_else(|| Word::Text(program.into()));
    let word = |text: &String| {
        let after_option = text.find('=').filter(|_| text.starts_with('-'));
        let (option, path) = text.split_at(after_option.map_or(0, |at| at + 1));
        let path = Some(Path::new(path)).filter(|path| path.is_absolute());
        let file = path.and_then(|path| file(option, path));
        file.unwrap_or_else(|| Word::Text(text.clone()))
    };
    std::iter::once(first)
        .chain(found.arguments.iter().map(word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_arena::seat::BotSpec;

    #[test]
    fn files_of_a_command_line_are_named_as_the_version_names_them_and_all_else_stays() {
        let arguments = [
            "/bots/x.py",
            "--book=/bots/book.bin",
            "--fast",
            "/etc/hosts",
            "a=b",
        ];
        let arguments = arguments.map(String::from).to_vec();
        let spec = BotSpec::of_program("x", Path::new("sh"), arguments).unwrap();
        let names = [("/bots/x.py", "x.py"), ("/bots/book.bin", "book.bin")];
        let names = names.map(|(path, name)| (PathBuf::from(path), String::from(name)));
        let name_of = |path: &Path| {
            names
                .iter()
                .find(|(known, _)| known == path)
                .map(|(_, name)| name)
        };
        let text = |text: &str| Word::Text(text.into());
        let file = |option: &str, name: &str| Word::File(option.into(), name.into());
        let expected = [
            text("sh"),
            file("", "x.py"),
            file("--book=", "book.bin"),
            text("--fast"),
            text("/etc/hosts"),
            text("a=b"),
        ];
        assert_eq!(words(&spec.into(), name_of), expected);
        let built_in = BotSpec::parse("greedy").unwrap();
        assert_eq!(words(&built_in.into(), |_| None), []);
    }
}
