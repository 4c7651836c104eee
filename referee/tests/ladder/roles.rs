//! The roles of a ladder's database: a worker plays with its own, and one that is hostile changes nothing but the pairs
//! that it has claimed.

use super::cluster::{client, cluster};
use super::machines::Machines;
use crate::common::ladder::{Ladder, THREE, read};
use postgres::Client;
use predicates::prelude::*;

/// A ladder with roles, half played; what its tables hold afterwards must be what they held before.
struct Scene {
    ladder: Ladder,
    /// As a superuser, who may do all.
    url: String,
    /// As who made the ladder and its roles.
    maker: String,
    database: String,
}

impl Scene {
    fn new() -> Option<Scene> {
        let url = cluster()?.database();
        let settings = "pairs = 3";
        let (_, name) = url.split_once("@/").unwrap();
        let database = name.split('?').next().unwrap().to_string();
        // As the manual has it: an ordinary role that may create others.
        let made = format!(
            "CREATE ROLE {database}_maker LOGIN CREATEROLE; ALTER DATABASE {database} OWNER TO {database}_maker"
        );
        client(&url).batch_execute(&made).unwrap();
        let maker = url.replace("ladder@", &format!("{database}_maker@"));
        let ladder = Ladder::in_database(&maker, settings, &THREE);
        ladder.command("publish").assert().success();
        let told = format!("{database}_worker may play it and change nothing else");
        for _ in 0..2 {
            let done = ladder.command("roles").assert().success();
            done.stdout(predicate::str::contains(told.as_str()));
        }
        Some(Scene {
            ladder,
            url,
            maker,
            database,
        })
    }

    /// The address for somebody else.
    fn url_of(&self, role: &str) -> String {
        self.url.replace("ladder@", &format!("{role}@"))
    }

    fn worker(&self) -> String {
        self.url_of(&format!("{}_worker", self.database))
    }

    /// All that is stored.
    fn content(&self) -> Vec<String> {
        let tables = [
            "run",
            "pair",
            "game",
            "void_game",
            "disabled",
            "enabled",
            "version",
            "crownhead",
            "publication",
            "file",
            "worker",
        ];
        let mut owner = client(&self.url);
        let mut content = |table: &&str| {
            let select = format!(
                "SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text), '') FROM {table} t"
            );
            owner.query_one(&select, &[]).unwrap().get(0)
        };
        tables.iter().map(&mut content).collect()
    }

    /// A session of a worker whose runs are known by this key, which is its name too, with a run.
    fn run(&self, key: &str) -> (Client, i64) {
        Scene::run_at(&self.worker(), key)
    }

    fn run_at(url: &str, key: &str) -> (Client, i64) {
        let mut client = client(url);
        client
            .query("SELECT set_config('crownhead.key', $1, FALSE)", &[&key])
            .unwrap();
        let run = client
            .query_one("INSERT INTO run DEFAULT VALUES RETURNING id", &[])
            .unwrap();
        let run: i64 = run.get(0);
        client.execute(JOIN, &[&key, &run]).unwrap();
        let named = "UPDATE run SET worker = $1 WHERE id = $2";
        assert_eq!(client.execute(named, &[&key, &run]).unwrap(), 1);
        (client, run)
    }
}

const JOIN: &str =
    "INSERT INTO worker (name, run, cores, concurrency, speed) VALUES ($1, $2, 1, 1, 1)";

const INSERT: &str = "INSERT INTO pair (bots, round)
     SELECT jsonb_agg(jsonb_build_array(bot, version) ORDER BY bot)::text, $1 FROM version
     WHERE bot IN ('chance', 'taker')";

/// Claims a pair that is not there yet, as workers do, and gives its number.
fn claim(client: &mut Client, run: i64, round: i64) -> i64 {
    client.execute(INSERT, &[&round]).unwrap();
    let claim = "UPDATE pair SET run = $1, fence = fence + 1, leased_until = clock_timestamp() + make_interval(secs => 60)
         WHERE round = $2 AND stored IS NULL RETURNING id";
    client.query_one(claim, &[&run, &round]).unwrap().get(0)
}

const GAMES: &str = r#"INSERT INTO game (pair, place, record, summary)
     SELECT $1, place, '{}', '{"players":["chance","taker"],"points":[1.0,0.0],"termination":"goal","times_us":[1,1],'
        '"turns":1,"opening":""}' FROM generate_series(0, 1) AS place"#;

/// Stores a pair with its games in one transaction, as workers do.
fn store(pair: i64, games: &str) -> String {
    format!(
        "BEGIN; UPDATE pair SET stored = clock_timestamp(), leased_until = NULL WHERE id = {pair}; {games}; COMMIT"
    )
}

/// What an attempt does: an error, or no row.
fn is_held(client: &mut Client, statement: &str) -> bool {
    let may_do_nothing = statement.starts_with("UPDATE");
    match client.execute(statement, &[]) {
        Err(_) => true,
        Ok(rows) => may_do_nothing && rows == 0,
    }
}

#[test]
fn workers_play_a_ladder_with_a_role_that_may_do_no_more() {
    let Some(scene) = Scene::new() else { return };
    let machines = Machines::new(&scene.worker());
    let workers = ["one", "two"].map(|name| machines.start(name, &[], &[]));
    machines.wait_for(9, &workers.each_ref());
    for worker in workers {
        let log = worker.end();
        assert!(!log.contains("permission denied"), "{log}");
    }
    scene.ladder.command("check").assert().success();
    let in_file = Ladder::new("pairs = 3", &THREE);
    in_file.command("run").assert().success();
    let pairs = |ladder: &Ladder| ladder.standings()["pairs"].clone();
    assert_eq!(pairs(&scene.ladder), pairs(&in_file));

    // Owners do the rest with theirs.
    let config = scene.ladder.folder.join("ladder.toml");
    let owner = scene.url_of(&format!("{}_owner", scene.database));
    std::fs::write(&config, read(&config).replace(&scene.maker, &owner)).unwrap();
    scene
        .ladder
        .command("disable")
        .arg("chance")
        .assert()
        .success();
    std::fs::write(&config, read(&config).replace("pairs = 3", "pairs = 4")).unwrap();
    scene.ladder.command("run").assert().success();
    // And a worker learns what it may not do.
    std::fs::write(&config, read(&config).replace(&owner, &scene.worker())).unwrap();
    let told = predicate::str::contains("permission denied")
        .and(predicate::str::contains("crownhead ladder roles"));
    scene
        .ladder
        .command("enable")
        .arg("chance")
        .assert()
        .failure()
        .stderr(told);
}

#[test]
fn a_hostile_worker_changes_neither_bots_nor_configuration_nor_what_others_have_claimed_or_played()
{
    let Some(scene) = Scene::new() else { return };
    let machines = Machines::new(&scene.worker());
    let worker = machines.start("one", &[], &[]);
    machines.wait_for(9, &[&worker]);
    worker.end();
    let (mut victim, honest) = scene.run("the-key-of-an-honest-run");
    let claimed = claim(&mut victim, honest, 100);
    let (mut hostile, run) = scene.run("the-key-of-a-hostile-run");
    let database = &scene.database;
    // A worker with a role of its own, which is a member of that of workers.
    let attic = format!("{database}_attic");
    let made = format!("CREATE ROLE {attic} LOGIN; GRANT {database}_worker TO {attic}");
    client(&scene.url).batch_execute(&made).unwrap();
    let (mut other, its_run) = Scene::run_at(&scene.url_of(&attic), "the-key-of-the-attic");
    other.execute(JOIN, &[&"attic", &its_run]).unwrap();
    let before = scene.content();
    let attempts = [
        "UPDATE publication SET content = '{}'",
        "DELETE FROM publication",
        "INSERT INTO version (bot, version, description, accepted) VALUES ('chance', 'mine', '{}', 99)",
        "UPDATE version SET accepted = 99",
        "UPDATE file SET content = ''",
        "INSERT INTO file (hash, content) VALUES ('x', '')",
        "INSERT INTO disabled (bot, reason) VALUES ('chance', 'mine')",
        "INSERT INTO enabled (bot, after) VALUES ('chance', 99)",
        "UPDATE crownhead SET revision = 99",
        "UPDATE crownhead SET version = 99",
        "UPDATE crownhead SET reference_speed = 1",
        "DELETE FROM game",
        "UPDATE game SET summary = '{}'",
        "TRUNCATE game",
        "DELETE FROM pair",
        "UPDATE pair SET finished = 99",
        "UPDATE pair SET bots = '[]'",
        "UPDATE pair SET void = 'mine'",
        "UPDATE pair SET run = NULL, leased_until = NULL",
        "UPDATE pair SET stored = NULL WHERE stored IS NOT NULL",
        "UPDATE pair SET leased_until = clock_timestamp() + make_interval(secs => 50)",
        "INSERT INTO pair (bots, round) VALUES ('[[\"a\",\"1\"],[\"b\",\"1\"]]', 0)",
        "INSERT INTO pair (bots, round) VALUES ('no list', 0)",
        "DELETE FROM void_game",
        "SELECT record FROM void_game",
        "UPDATE worker SET doing = 'mine'",
        "DELETE FROM worker",
        "UPDATE run SET worker = 'one'",
        "SELECT key FROM run",
        "SELECT * FROM run",
        "UPDATE run SET key = 'the-key-of-a-hostile-run'",
        "DELETE FROM run",
        "DROP TABLE game",
        "ALTER TABLE game DISABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON game USING (TRUE)",
        "CREATE TRIGGER mine AFTER INSERT ON game EXECUTE FUNCTION crownhead_expect_game()",
        "CREATE TABLE mine (x int)",
        "CREATE TEMPORARY TABLE mine (x int)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION pg_temp.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE OR REPLACE FUNCTION crownhead_is_worker() RETURNS boolean LANGUAGE sql AS 'SELECT FALSE'",
        "CREATE ROLE mine",
        "SET ROLE ladder",
        "SET SESSION AUTHORIZATION ladder",
        "SET session_replication_role = replica",
        "SELECT rolpassword FROM pg_authid",
        "SELECT passwd FROM pg_shadow",
        "SELECT pg_read_file('/etc/passwd')",
        "COPY game TO '/tmp/mine'",
        "COPY game TO PROGRAM 'cat'",
    ]
    .map(String::from);
    // Bots of the ladder, but in another order, one alone, one twice, and more than in other pairs.
    let bots = [
        ("ORDER BY bot", "ORDER BY bot DESC"),
        ("('chance', 'taker')", "('chance')"),
        ("version\n", "version CROSS JOIN generate_series(0, 1)\n"),
        ("WHERE bot IN ('chance', 'taker')", ""),
    ];
    let bots = bots.map(|(from, to)| {
        let other = INSERT.replace("$1", "200").replace(from, to);
        assert!(!INSERT.contains(&other), "{other}");
        other
    });
    let of_ids = [
        format!("SET ROLE {database}_owner"),
        format!("ALTER ROLE {database}_worker SUPERUSER"),
        format!("GRANT {database}_owner TO {database}_worker"),
        format!(
            "UPDATE pair SET run = {run}, fence = fence + 1, leased_until = clock_timestamp() WHERE id = {claimed}"
        ),
        format!(
            "UPDATE pair SET stored = clock_timestamp(), leased_until = NULL WHERE id = {claimed}"
        ),
        format!("UPDATE pair SET fence = 0 WHERE id = {claimed}"),
        GAMES.replace("$1", &claimed.to_string()),
        GAMES.replace("$1", "1"),
        format!("UPDATE worker SET run = {honest}"),
        format!("UPDATE worker SET run = {run} WHERE name = 'attic'"),
        format!("UPDATE run SET worker = 'attic' WHERE id = {run}"),
        format!(
            "INSERT INTO worker (name, run, cores, concurrency, speed) VALUES ('bad', {run}, -1, 1, 1)"
        ),
        format!(
            "INSERT INTO worker (name, run, cores, concurrency, speed) VALUES ('bad', {run}, 1, 1, 'NaN')"
        ),
        format!(
            "INSERT INTO worker (name, run, cores, concurrency, speed) VALUES ('mine', {honest}, 1, 1, 1)"
        ),
    ];
    let mut succeeded = Vec::new();
    for attempt in attempts.iter().chain(&bots).chain(&of_ids) {
        if !is_held(&mut hostile, attempt) {
            succeeded.push(attempt);
        }
    }
    assert_eq!(succeeded, Vec::<&String>::new());
    let theirs = store(claimed, &GAMES.replace("$1", &claimed.to_string()));
    assert!(hostile.batch_execute(&theirs).is_err());
    hostile.batch_execute("ROLLBACK").unwrap();
    assert!(before == scene.content(), "nothing has changed");

    // Nor with a pair of its own: it is stored with two games of its bots, once, within the lease, and then stands.
    let own = claim(&mut hostile, run, 101);
    for attempt in [
        format!(
            "UPDATE pair SET leased_until = clock_timestamp() + make_interval(days => 1) WHERE id = {own}"
        ),
        format!("UPDATE pair SET stored = clock_timestamp(), leased_until = NULL WHERE id = {own}"),
        GAMES.replace("$1", &own.to_string()),
    ] {
        assert!(is_held(&mut hostile, &attempt), "{attempt}");
    }
    let games = GAMES.replace("$1", &own.to_string());
    for (from, to) in [
        ("goal", "mine"),
        ("[\"chance\"", "[\"mine\""),
        ("'{}'", "'{'"),
        ("[1.0,0.0]", "[1.0]"),
        ("[1.0,0.0]", "[2.0,0.0]"),
        ("[1.0,0.0]", "[\"NaN\",0.0]"),
        ("[1,1]", "[1,-1]"),
        ("[1,1]", "[1,\"1\"]"),
        ("\"turns\":1", "\"turns\":-1"),
        ("\"turns\":1", "\"turns\":1.0"),
        ("\"opening\":\"\"", "\"opening\":\"\",\"opening\":\"\""),
        (
            "\"opening\":\"\"",
            "\"opening\":\"\",\"faults\":[\"mine\",null]",
        ),
    ] {
        let other = games.replace(from, to);
        assert_ne!(other, games);
        assert!(hostile.batch_execute(&store(own, &other)).is_err(), "{to}");
        hostile.batch_execute("ROLLBACK").unwrap();
    }
    // What remains: an invented game of a pair that it has claimed.
    hostile.batch_execute(&store(own, &games)).unwrap();
    for attempt in [
        format!("UPDATE pair SET void = 'mine' WHERE id = {own}"),
        format!("UPDATE pair SET stored = NULL WHERE id = {own}"),
        format!("DELETE FROM game WHERE pair = {own}"),
    ] {
        assert!(is_held(&mut hostile, &attempt), "{attempt}");
    }
    let forever = "UPDATE worker SET seen = 'infinity' WHERE name = 'the-key-of-a-hostile-run'";
    hostile.execute(forever, &[]).unwrap();
    // The honest run and the owner's commands continue: an unreadable record stops none of them.
    victim.batch_execute(&theirs).unwrap();
    for command in ["run", "workers", "standings"] {
        scene.ladder.command(command).assert().success();
    }
}

#[test]
fn a_role_that_no_privilege_holds_is_refused_for_workers() {
    let Some(scene) = Scene::new() else { return };
    let mut owner = client(&scene.url);
    let powerful = format!("{}_powerful", scene.database);
    owner
        .batch_execute(&format!("CREATE ROLE {powerful} LOGIN SUPERUSER"))
        .unwrap();
    let refused = |role: &str, told: &str| {
        let mut roles = scene.ladder.command("roles");
        let done = roles.args(["--worker", role]).assert().failure();
        done.stderr(predicate::str::contains(told.to_string()));
    };
    refused(&powerful, "so that no rule holds it");
    owner
        .batch_execute(&format!(
            "ALTER ROLE {powerful} NOSUPERUSER; GRANT {0}_owner TO {powerful}",
            scene.database
        ))
        .unwrap();
    refused(&powerful, "so that no rule holds it");
    let in_file = Ladder::new("", &THREE[..2]);
    let told = predicate::str::contains("--store");
    in_file.command("roles").assert().code(2).stderr(told);
}
