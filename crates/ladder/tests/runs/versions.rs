//! A changed bot is a new version: what belongs to a version, and what is played after a change.

use crate::ladder::{BOT, Ladder, Ran, THREE};
use crownhead_record::GameRecord;
use rusqlite::Connection;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

/// A bot whose files are in a folder of their own.
const MINE: (&str, &str) = ("mine", "sh mine/mine.sh");

/// A ladder of two bots, one of them [`MINE`], which has more keys.
fn with_mine(settings: &str, more: &str) -> Ladder {
    let mine = (MINE.0, &*format!("{}\n{more}", MINE.1));
    let ladder = Ladder::new(settings, &[THREE[0], mine]);
    std::fs::create_dir(ladder.path("mine")).unwrap();
    write(&ladder, "mine/mine.sh", BOT);
    ladder
}

fn write(ladder: &Ladder, name: &str, text: &str) {
    std::fs::write(ladder.path(name), text).unwrap();
}

fn change_mine(ladder: &Ladder) {
    write(ladder, "mine/mine.sh", &format!("{BOT}# better\n"));
}

/// A run that accepts changed bots.
fn run_accepting(ladder: &Ladder) -> Ran {
    ladder.run_until(true, |_| Ok(false))
}

fn count(ladder: &Ladder, what: &str) -> u64 {
    let database = Connection::open(ladder.path("games.db")).unwrap();
    let count = format!("SELECT count(*) FROM {what}");
    database.query_row(&count, (), |row| row.get(0)).unwrap()
}

/// The version of the bot in a game.
fn version_of<'a>(game: &'a GameRecord, bot: &str) -> &'a str {
    let player = game.players.iter().find(|player| player.name == bot);
    player.and_then(|player| player.version.as_deref()).unwrap()
}

pub(super) fn games_of_a_bot_that_changes_meanwhile_are_not_stored_and_the_run_ends() {
    // At the first look that shows two pairs, five are finished at most.
    let ladder = with_mine("pairs = 10\nconcurrency = 2", "");
    let mut stored = 0;
    let ran = ladder.run_until(false, |shown| {
        if stored == 0 && shown.finished >= 2 {
            change_mine(&ladder);
            stored = ladder.games().len();
        }
        Ok(false)
    });
    let refusal = ran.refusal();
    assert!(
        refusal.contains("mine has changed") && refusal.contains("mine.sh differs"),
        "{refusal}"
    );
    let games = ladder.games();
    assert_eq!(games.len(), stored);
    let first = version_of(&games[0], "mine");
    assert!(games.iter().all(|game| version_of(game, "mine") == first));
    assert!(
        count(&ladder, "void_game") >= 2,
        "it is kept, and not rated"
    );
    assert_eq!(
        count(&ladder, "pair WHERE finished IS NULL AND run IS NOT NULL"),
        0
    );
}

pub(super) fn a_change_that_is_accepted_while_a_bot_plays_has_all_pairs_played_by_the_new_version()
{
    // At the first look that shows a pair, two are finished at most.
    let ladder = with_mine("pairs = 3", "");
    let mut is_changed = false;
    let ran = ladder.run_until(true, |shown| {
        if shown.finished >= 1 && !std::mem::replace(&mut is_changed, true) {
            change_mine(&ladder);
        }
        Ok(false)
    });
    assert!(ran.news.contains("mine has changed"), "{}", ran.news);
    assert_eq!(ran.last().left, 0);
    let standings = ran.standings.unwrap();
    let rows = standings.rows.iter().filter(|row| row.bot == "mine");
    let current: Vec<u64> = rows
        .filter(|row| row.current)
        .map(|row| row.pairs)
        .collect();
    assert_eq!(current, [3]);
    assert!(standings.pairs > 3, "what was played before is rated");
}

pub(super) fn a_version_that_has_played_nothing_gives_way_unasked() {
    // All three are the same program.
    let mut bots = ["a", "b", "c"].map(|name| (name, "sh bot.sh"));
    let settings = "schedule = \"matched\"\npairs = 1";
    let ladder = Ladder::new(settings, &bots);
    ladder.run().last();
    let games = ladder.games();
    assert_eq!(games.len(), 2);
    let has_played = |name: &str| games[0].players.iter().any(|player| player.name == name);
    let idle = bots.iter_mut().find(|(name, _)| !has_played(name)).unwrap();
    idle.1 = "sh bot.sh never";
    let told = format!("{} has changed: from now on version ", idle.0);
    ladder.configure(&settings.replace('1', "2"), &bots);
    let ran = ladder.run();
    assert_eq!(ran.last().games, 2);
    assert!(ran.news.contains(&told), "{}", ran.news);
}

pub(super) fn an_earlier_version_that_is_back_plays_on_as_itself() {
    let ladder = with_mine("pairs = 1", "");
    ladder.run().last();
    change_mine(&ladder);
    run_accepting(&ladder).last();
    assert_eq!(ladder.games().len(), 4);
    let versions = ladder.folder().read_store().unwrap().versions().unwrap();
    let earlier = versions
        .iter()
        .find(|version| version.bot == "mine" && !version.current);
    std::fs::write(ladder.path("mine/mine.sh"), BOT).unwrap();
    let ran = run_accepting(&ladder);
    assert_eq!(ran.last().games, 0, "nothing is played again");
    let rows = ran.standings.unwrap().rows;
    let current = rows.iter().find(|row| row.bot == "mine" && row.current);
    assert_eq!(
        current.unwrap().version.as_deref(),
        Some(&*earlier.unwrap().version)
    );
}

pub(super) fn command_environment_and_who_may_run_a_file_are_part_of_a_version() {
    let ladder = with_mine("pairs = 1", "");
    ladder.run().last();
    let script = ladder.path("mine/mine.sh");
    let mode = |mode| std::fs::set_permissions(&script, Permissions::from_mode(mode)).unwrap();
    mode(0o755);
    let refusal = ladder.run().refusal();
    assert!(refusal.contains("mine.sh differs"), "{refusal}");
    mode(0o644);
    ladder.run().last();
    let changed = "sh mine/mine.sh fast\nenv = { DEPTH = \"3\" }";
    ladder.configure("pairs = 1", &[THREE[0], (MINE.0, changed)]);
    let refusal = ladder.run().refusal();
    assert!(
        refusal.contains("its command, its environment differ."),
        "{refusal}"
    );
    let unset = format!(
        "{changed}\n[[bot]]\nname = \"other\"\ncommand = \"sh mine/mine.sh\"\nenv = [\"NO_SUCH_VARIABLE\"]"
    );
    ladder.configure("pairs = 1", &[THREE[0], (MINE.0, &unset)]);
    let refusal = ladder.run().refusal();
    assert!(
        refusal.contains("other: `NO_SUCH_VARIABLE` is not set here"),
        "{refusal}"
    );
}

pub(super) fn files_of_allow_read_are_part_of_a_bot_that_names_its_files() {
    let ladder = with_mine(
        "pairs = 1\nallow_read = [\"nets\"]",
        "files = [\"mine/mine.sh\"]",
    );
    std::fs::create_dir(ladder.path("nets")).unwrap();
    write(&ladder, "nets/one.net", "a net");
    ladder.run().last();
    write(&ladder, "nets/one.net", "another net");
    let refusal = ladder.run().refusal();
    assert!(refusal.contains("nets/one.net differs"), "{refusal}");
}

pub(super) fn a_bot_runs_in_the_folder_of_its_first_file_or_in_the_one_that_the_configuration_names()
 {
    let ladder = with_mine("pairs = 1", "");
    let bot = format!("[ -f mine.sh ] || exit 7\n{BOT}");
    write(&ladder, "mine/mine.sh", &bot);
    let named = "sh mine.sh\nfolder = \"mine\"";
    ladder.configure("pairs = 1", &[THREE[0], MINE, ("named", named)]);
    let ran = ladder.run();
    assert_eq!(ran.last().games, 6);
    assert!(ran.faults.is_empty(), "{:?}", ran.faults);
}
