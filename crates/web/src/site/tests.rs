//! A ladder's site while the ladder is played, and the site of a file of games.

mod files;

use super::*;
use crate::bot_page::bot_page;
use crate::tests::records::record;
use crownhead_ladder::store::{Entrant, FinishedPair, PairKey};
use crownhead_ladder::{CONFIG_FILE, Folder};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A ladder whose games are written into its store without being played.
pub(in super::super) struct Ladder(TempDir);

impl Ladder {
    pub(in super::super) fn new(bots: &[&str]) -> Ladder {
        let ladder = Ladder(tempfile::tempdir().unwrap());
        ladder.configure(bots);
        ladder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    pub(in super::super) fn configure(&self, bots: &[&str]) {
        let bot = |name: &&str| format!("[[bot]]\nname = \"{name}\"\ncommand = \"true\"\n");
        self.write(CONFIG_FILE, &bots.iter().map(bot).collect::<String>());
    }

    /// Stores a pair of games between these two in this version; the first bot wins both.
    pub(in super::super) fn play(&self, bots: [&str; 2], version: &str) {
        let mut store = Folder::open(self.0.path()).unwrap().store().unwrap();
        let entrants = bots.map(|bot| Entrant {
            bot: bot.into(),
            version: version.into(),
        });
        for bot in bots {
            let accepted = BotVersion {
                bot: bot.into(),
                version: version.into(),
                description: version.into(),
                current: true,
            };
            store.accept(&accepted).unwrap();
        }
        let run = store.begin_run().unwrap();
        let key = PairKey::new(entrants.into(), 0);
        let lease = store.claim(run, &key).unwrap().unwrap();
        let [one, other] = bots;
        let game = |number, players, scores| {
            let record = record(number, players, &["A3B4", "B6A5"], scores, "no-moves");
            serde_json::from_value(record).unwrap()
        };
        let pair = FinishedPair {
            lease,
            games: vec![
                game(2 * lease.pair - 1, [one, other], json!([1, 0])),
                game(2 * lease.pair, [other, one], json!([0, 1])),
            ],
            replaced: Vec::new(),
            void: None,
        };
        assert_eq!(store.finish(run, &[pair]).unwrap(), [true]);
        store.release(run).unwrap();
    }

    pub(in super::super) fn site(&self) -> Site {
        Site::open(self.0.path()).unwrap()
    }
}

fn about(site: &Site) -> Value {
    serde_json::to_value(site.about()).unwrap()
}

fn rows(site: &mut Site) -> Vec<Value> {
    let standings: Value = serde_json::from_slice(&site.standings()).unwrap();
    assert_eq!(standings["generation"], site.generation);
    standings["rows"].as_array().unwrap().clone()
}

#[test]
fn a_ladder_is_followed_from_before_its_first_game_and_told_anew_only_when_something_is_new() {
    let ladder = Ladder::new(&["anna", "bert"]);
    let mut site = ladder.site();
    let told = about(&site);
    assert_eq!(
        [&told["kind"], &told["games"]],
        [&json!("ladder"), &json!(0)]
    );
    assert_eq!(told["is_live"], true);
    assert_eq!(
        told["bots"],
        json!(["anna", "bert"]),
        "before they have played"
    );
    assert_eq!(rows(&mut site).len(), 2);
    assert!(site.remarks().is_empty());

    ladder.play(["anna", "bert"], "1");
    // The games are in the file that did not exist.
    let mut site = ladder.site();
    assert_eq!(about(&site)["games"], 2);
    let before = site.generation;
    site.refresh().unwrap();
    assert_eq!(site.generation, before);
    assert_eq!(site.index.entries.len(), 2);

    ladder.configure(&["anna", "bert", "carl"]);
    site.refresh().unwrap();
    assert_eq!(site.generation, before + 1);
    assert_eq!(about(&site)["bots"], json!(["anna", "bert", "carl"]));
    ladder.play(["anna", "carl"], "1");
    ladder.play(["carl", "bert"], "1");
    site.refresh().unwrap();
    assert!(site.generation > before + 1);
    assert_eq!(about(&site)["games"], 6);
    let rows = rows(&mut site);
    let games = |row: &Value| ["won", "drawn", "lost"].map(|key| row[key].as_u64().unwrap());
    assert!(
        rows.iter().all(|row| games(row).iter().sum::<u64>() == 4),
        "{rows:?}"
    );
    assert!(rows.iter().all(|row| row["pairs"] == 2), "{rows:?}");

    let (record, line) = site.game(3).unwrap().unwrap();
    assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
    assert!(site.game(7).unwrap().is_none());
    assert_eq!(site.index.list(0).map(|games| games.len()), Some(6));
}

#[test]
fn an_earlier_version_of_a_bot_is_a_player_of_its_own() {
    let ladder = Ladder::new(&["anna", "bert"]);
    ladder.play(["anna", "bert"], "1");
    let mut site = ladder.site();
    assert_eq!(rows(&mut site).len(), 2);
    let before = site.index.edition;
    ladder.play(["anna", "bert"], "2");
    site.refresh().unwrap();
    assert_eq!(site.index.edition, before + 1, "games have other players");
    let told = about(&site);
    assert_eq!(told["games"], 4);
    let bots = told["bots"].as_array().unwrap();
    assert_eq!(bots[..2], [json!("anna"), json!("bert")]);
    assert_eq!(bots.len(), 4, "{bots:?}");
    assert_eq!(rows(&mut site).len(), 4);
    let labels = ["anna", bots[2].as_str().unwrap()].map(|label| {
        let versions = site.versions_of(label).into_iter();
        versions
            .map(|version| (version.bot.clone(), version.current))
            .collect::<Vec<_>>()
    });
    assert_eq!(labels[0], [("anna".into(), false), ("anna".into(), true)]);
    assert_eq!(labels[0].len(), labels[1].len());
    assert!(site.versions_of("nobody").is_empty());
}

#[test]
fn a_configuration_that_cannot_be_read_for_a_moment_is_as_it_was() {
    let ladder = Ladder::new(&["anna", "bert"]);
    ladder.play(["anna", "bert"], "1");
    let mut site = ladder.site();
    ladder.write(CONFIG_FILE, "pairs = ");
    site.refresh().unwrap();
    assert_eq!(about(&site)["bots"], json!(["anna", "bert"]));
    assert!(Site::open(ladder.0.path()).is_err());
}

#[test]
fn a_history_serves_for_a_while_when_games_have_come_and_is_made_anew_then() {
    let ladder = Ladder::new(&["anna", "bert"]);
    ladder.play(["anna", "bert"], "1");
    let mut site = ladder.site();
    let first = site.history();
    let is_first = |site: &mut Site| site.history().as_ptr() == first.as_ptr();
    let age = |site: &mut Site, age: Duration| site.history.as_mut().unwrap().made -= age;
    age(&mut site, HISTORY_KEPT);
    assert!(is_first(&mut site), "nothing has come");
    // However long this test takes, no time has passed.
    let hour = Duration::from_secs(3600);
    site.history.as_mut().unwrap().made = Instant::now() + hour;
    ladder.configure(&["anna", "bert", "carl"]);
    site.refresh().unwrap();
    assert!(is_first(&mut site));
    age(&mut site, hour + HISTORY_KEPT);
    assert!(!is_first(&mut site));
}

#[test]
fn a_bots_page_names_its_command_and_its_versions_where_there_are_several() {
    let ladder = Ladder::new(&["anna", "bert"]);
    ladder.play(["anna", "bert"], "1");
    let page = |site: &Site| serde_json::to_value(bot_page(site, 0).unwrap()).unwrap();
    let told = page(&ladder.site());
    assert_eq!([&told["name"], &told["command"]], ["anna", "true"]);
    assert_eq!(told.get("versions"), None);
    ladder.play(["anna", "bert"], "2");
    let told = page(&ladder.site());
    let versions = told["versions"].as_array().unwrap();
    let versions = versions.iter().map(|it| [&it["version"], &it["current"]]);
    let expected = [[json!("1"), json!(false)], [json!("2"), json!(true)]];
    assert!(
        versions.eq(expected.each_ref().map(|both| both.each_ref())),
        "{told}"
    );
    assert_eq!(told["versions"][1]["id"], 0);
}
