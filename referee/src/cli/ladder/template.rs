//! The configuration of a new ladder, with every setting explained.

/// The text of `ladder.toml`.
pub(super) const TEMPLATE: &str = r#"# A ladder of Crownhead. Times are written like "100ms" or "1s".

# The game (checkers, everchess or chess) and its rule book, for checkers contest or classroom.
game = "checkers"
# rules = "contest"

# The time limit of a turn, and of a bot's first turn.
time = "100ms"
first_turn = "1s"
# A draw after so many turns, if the rule book has another limit or none.
# max_turns = 200

# How strictly lateness and output are judged: "strict" or "contest"; what counts as time: "wall", "cpu" or
# "fair"; whether bots are locked in: "auto", "require" or "off".
# profile = "strict"
# clock = "wall"
# sandbox = "auto"
# Files and folders that bots may read besides their own folder, relative to this one.
# allow_read = ["../nets"]
# The letter that tells a bot it plays red: "live" sends w as the contest's site does, "statement" sends r. Under
# the contest profile it is "live" unless set here.
# colour_line = "statement"
# Stop a bot's processes while its opponent thinks, so that it steals no core.
# suspend_idle = false
# Play a game again that was lost on time while the bot may have wanted a core: the second one counts, and the
# first is kept unrated.
# replay_suspect = false

# Where games begin: "ballots" (the 156 three-move ballots of tournaments), "random 6" (six random moves), or
# a file of FENs, one a line. Both games of a pair have the same opening, colours swapped.
openings = "ballots"

# Who plays: "round robin" (everybody), "gauntlet" (the newcomer against all), or "matched" (the two whose
# games teach most).
schedule = "round robin"
# newcomer = "mine"
# Pairs of games: between every two, or against each, or, if matched, in all.
pairs = 10

# How many pairs are played at once.
concurrency = 1
# Repeats openings, the order of pairs, and the chance of built-in bots.
seed = 1

# The bot whose rating is fixed; without one the mean is 0.
# anchor = { bot = "random", rating = 0 }

# The bots: a built-in with its options or a command line, and, where needed, the folder it runs in (relative to
# this one), what its environment has besides, and a shell command that builds it.
#
# [[bot]]
# name = "mine"
# command = "./my_bot --fast"
# folder = "../my_bot"
# env = { THREADS = "1" }
# build = "make"
"#;
