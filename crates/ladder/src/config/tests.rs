//! Valid configurations, and the errors of invalid ones.

use super::*;
use crate::schedule::Schedule;
use crownhead_arena::seat::SuspendIdle;
use crownhead_record::judge::ColourLine;
use crownhead_record::openings::Source;
use std::path::PathBuf;
use std::time::Duration;

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text)
}

#[test]
fn a_file_says_everything_and_what_it_leaves_out_is_usual() {
    let config = parse(
        r#"
        rules = "classroom"
        time = "50ms"
        schedule = "gauntlet"
        newcomer = "new"
        pairs = 3
        openings = "random 4"
        anchor = { bot = "old", rating = 1500.0 }
        [[bot]]
        name = "old"
        command = "greedy"
        [[bot]]
        name = "new"
        command = "./bot --fast"
        folder = "bots/new"
        build = "make"
        env = { RUST_BACKTRACE = "1" }
        "#,
    )
    .unwrap();
    assert_eq!(config.contest.rules, "classroom");
    assert_eq!(
        (config.options.time, config.options.first_turn),
        (Duration::from_millis(50), Duration::from_secs(1))
    );
    let schedule = Schedule::Gauntlet {
        newcomer: 1,
        rounds: 3,
    };
    assert_eq!(config.schedule, schedule);
    assert_eq!(config.openings, Source::Random(4));
    assert_eq!(config.anchor.unwrap().rating, 1500.0);
    assert_eq!(variables(&config.bots[1]), ["RUST_BACKTRACE=1"]);
    assert_eq!(config.bots[1].folder, Some(PathBuf::from("bots/new")));

    let usual = parse("").unwrap();
    assert_eq!(usual.openings, Source::Ballots);
    assert_eq!(usual.schedule, Schedule::RoundRobin { rounds: 10 });
}

fn variables(bot: &Bot) -> Vec<String> {
    let variables = bot.environment.iter().map(ToString::to_string);
    variables.collect()
}

#[test]
fn the_ladders_variables_are_its_bots_and_a_bots_own_come_before_them() {
    let config = parse(
        "env = [\"HOME\", \"DEPTH=3\"]\n\
         [[bot]]\nname = \"one\"\ncommand = \"./bot\"\n\
         [[bot]]\nname = \"two\"\ncommand = \"./bot\"\nenv = { DEPTH = \"5\" }\n\
         [[bot]]\nname = \"three\"\ncommand = \"./bot\"\nenv = [\"TOKEN\"]\n\
         [[bot]]\nname = \"built in\"\ncommand = \"greedy\"",
    );
    let bots = config.unwrap().bots;
    let of = |number: usize| variables(&bots[number]);
    assert_eq!(of(0), ["DEPTH=3", "HOME"]);
    assert_eq!(of(1), ["DEPTH=5", "HOME"]);
    assert_eq!(of(2), ["DEPTH=3", "HOME", "TOKEN"]);
    assert!(of(3).is_empty(), "a built-in reads none");
}

#[test]
fn every_mistake_is_named_with_its_line_and_what_was_expected() {
    let cases = [
        ("seed = 1\ntmie = \"1s\"", 2, "there is no key `tmie`"),
        ("tmie = \"1s\"", 1, "`time`"),
        #[cfg(feature = "shared")]
        ("store = \"games.db\"", 1, "postgres://user@host/database"),
        ("sandbox = \"on\"", 1, "Expected `auto`, `require`"),
        (
            "game = \"go\"",
            1,
            "Expected `checkers`, `everchess` or `chess`",
        ),
        (
            "seed = \"one\"",
            1,
            "`seed = \"one\"`: expected a whole number from 0",
        ),
        ("seed = 1\nseed = 2", 2, "duplicate key"),
        (
            "\n\ntime = \"fast\"",
            3,
            "`time = \"fast\"`: expected a time with its unit, such as `100ms`",
        ),
        ("rules = \"chess\"", 1, "expected contest or classroom"),
        (
            "schedule = \"random\"",
            1,
            "expected `round robin`, `gauntlet` or `matched`",
        ),
        ("schedule = \"gauntlet\"", 1, "needs `newcomer"),
        ("openings = \"balots\"", 1, "expected `ballots`"),
        (
            "concurrency = 0",
            1,
            "`concurrency = 0`: expected a whole number from 1 to 1024",
        ),
        ("concurrency = 100000", 1, "from 1 to 1024"),
        ("\npairs = 99999999999999", 2, "expected 1000000 at most"),
        (
            "profile = \"contest\"\ntime = \"200ms\"",
            2,
            "the contest profile allows 30 s",
        ),
        (
            "first_turn = \"20s\"\nprofile = \"contest\"",
            2,
            "the contest profile allows 30 s",
        ),
        ("colour_line = \"red\"", 1, "Expected `statement` or `live`"),
        (
            "[[bot]]\nname = \"a\\nb\"\ncommand = \"x\"",
            2,
            "without control characters",
        ),
        (
            "[[bot]]\nname = \"a\\u001b[31m\"\ncommand = \"x\"",
            2,
            "without control characters",
        ),
        ("max_turns = 0", 1, "expected a whole number from 1"),
        (
            "anchor = { bot = \"nobody\" }",
            1,
            "there is no bot `nobody`",
        ),
        ("[[bot]]\nname = \"a\"", 1, "the key `command` is missing"),
        (
            "[[bot]]\nname = \"a\"\ncommand = \"x\"\n[[bot]]\nname = \"a\"\ncommand = \"x\"",
            5,
            "the first is on line 2",
        ),
        ("[[bot]\n", 1, "]"),
    ];
    for (text, line, reason) in cases {
        let error = parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.reason.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn an_anchor_is_a_number_not_far_from_others() {
    let parse_rating = |rating: &str| {
        parse(&format!(
            "\nanchor = {{ bot = \"a\", rating = {rating} }}\n[[bot]]\nname = \"a\"\ncommand = \"x\""
        ))
    };
    for rating in ["nan", "inf", "-inf", "10001", "-1e300"] {
        let error = parse_rating(rating).unwrap_err().to_string();
        assert_eq!(error, "line 2: expected a rating between -10000 and 10000");
    }
    assert_eq!(parse_rating("-10000").unwrap().anchor.unwrap().rating, -1e4);
}

#[test]
fn pairs_are_bounded_by_what_all_bots_play_together() {
    let bot = |number| format!("[[bot]]\nname = \"{number}\"\ncommand = \"x\"\n");
    let bots: String = (0..11).map(bot).collect();
    let file = |pairs: u64| parse(&format!("pairs = {pairs}\n{bots}"));
    assert!(file(18_181).is_ok());
    let error = file(18_182).unwrap_err();
    assert_eq!(error.line, 1);
    assert!(
        error.reason.starts_with("that makes 1000010 pairs in all"),
        "{error}"
    );
}

#[test]
fn ladder_settings_for_files_and_the_colour_line_work_as_on_the_command_line() {
    let config = parse(
        "colour_line = \"live\"\nsuspend_idle = true\nallow_read = [\n\"nets\",\n\"/opt/x\"]",
    )
    .unwrap();
    assert_eq!(config.options.bots.colour_line, Some(ColourLine::Live));
    assert_eq!(config.options.bots.suspend_idle, SuspendIdle::Always);
    assert_eq!(
        config.options.bots.allow_read,
        ["nets", "/opt/x"].map(PathBuf::from)
    );
    let lines = [0, 1].map(|place| config.refused(&["allow_read"], place, String::new()).line);
    assert_eq!(lines, [4, 5]);
}

#[test]
fn the_contest_profile_sends_what_the_live_site_sends_unless_told_otherwise() {
    for (text, line) in [
        ("", ColourLine::Statement),
        ("profile = \"contest\"", ColourLine::Live),
        (
            "profile = \"contest\"\ncolour_line = \"statement\"",
            ColourLine::Statement,
        ),
    ] {
        let bots = parse(text).unwrap().options.bots;
        assert_eq!(bots.colour_line_in_force(), line, "{text}");
    }
}

#[test]
fn keys_of_earlier_versions_are_ignored() {
    let config =
        parse("[workers]\nband = 1.0\n[[bot]]\nname = \"a\"\ncommand = \"x\"\nrepeatable = true");
    assert_eq!(config.unwrap().bots[0].name, "a");
}

const TWO_BOTS: &str = "[[bot]]\nname = \"anna\"\ncommand = \"random\"\n\
    [[bot]]\nname = \"bert\"\ncommand = \"greedy\"\n";

/// A configuration of two bots, with these lines before and after them.
fn two_bots(before: &str, behind: &str) -> Config {
    Config::parse(&format!("{before}\n{TWO_BOTS}{behind}")).unwrap()
}

#[test]
fn a_running_ladder_takes_up_bots_and_schedule_and_keeps_how_games_are_played() {
    let mut config = two_bots("seed = 7", "");
    assert_eq!(
        ["anna", "bert", "carl"].map(|name| config.number_of(name)),
        [Some(0), Some(1), None]
    );
    let third = "[[bot]]\nname = \"carl\"\ncommand = \"random\"\n";
    assert!(config.take_up(two_bots("seed = 7\npairs = 3", third)));
    assert_eq!(config.number_of("carl"), Some(2));
    assert_eq!(config.schedule, Schedule::RoundRobin { rounds: 3 });
    // A changed time or seed holds from the next run on.
    assert!(!config.take_up(two_bots("seed = 8\ntime = \"50ms\"", "")));
    assert_eq!((config.seed, config.number_of("carl")), (7, None));
    assert_eq!(config.options.limits(), two_bots("", "").options.limits());

    let mut config = two_bots(
        "max_turns = 30\nopenings = \"random 4\"\nconcurrency = 3",
        "",
    );
    assert!(!config.take_up(two_bots(
        "game = \"chess\"\nconcurrency = 9\nopenings = \"none\"",
        ""
    )));
    assert_eq!(&*config.contest.game, "checkers");
    assert_eq!(
        config.openings,
        two_bots("openings = \"random 4\"", "").openings
    );
    assert_eq!(config.concurrency, 3);
}

#[test]
fn a_bot_is_the_same_wherever_it_stands_and_whether_it_plays_or_not() {
    let bot = |config: Config| config.bots[1].clone();
    let usual = bot(two_bots("", ""));
    assert!(usual.is_same(&bot(two_bots("\n\n", "retired = true\n"))));
    assert!(!usual.is_same(&bot(two_bots("", "folder = \"bots\"\n"))));
    assert!(!usual.is_same(&two_bots("", "").bots[0]));
}
