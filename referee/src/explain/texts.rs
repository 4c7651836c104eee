//! What each way to end a game means, what causes it, how to find the cause and how to fix it. All of it is prose: the
//! command prints it, and the guide links to the command.

use crownhead_record::Termination;

/// The text about one ending.
#[derive(Debug)]
pub(super) struct Text {
    /// One sentence, as the list of all endings shows it.
    pub(super) summary: &'static str,
    /// Paragraphs that explain the sentence.
    pub(super) meaning: &'static [&'static str],
    /// The usual causes, the most frequent first. An ending by the rules has none.
    pub(super) causes: &'static [&'static str],
    /// Commands that show the cause, each with what it shows.
    pub(super) find: &'static [(&'static str, &'static str)],
    /// What to do about it.
    pub(super) fix: &'static [&'static str],
    /// Other words for the ending that people type.
    pub(super) synonyms: &'static [&'static str],
}

/// A game that ended by the rules needs no causes.
const BY_RULES: Text = Text {
    summary: "",
    meaning: &[],
    causes: &[],
    find: &[],
    fix: &[],
    synonyms: &[],
};

const REPLAY: (&str, &str) = (
    "crownhead replay games.jsonl --number 3 --fault",
    "shows the turn in which game 3 was lost: the board, the reply, and what the bot wrote on standard error",
);

const ASK: (&str, &str) = (
    "crownhead ask games.jsonl ./my_bot --number 3",
    "asks your bot that turn again, as often as you like, while you change it",
);

const PROTOCOL: (&str, &str) = (
    "crownhead replay games.jsonl --number 3 --protocol",
    "prints every line that the bot was sent up to that turn; pipe it into your bot to run it in a debugger",
);

const CHECK: (&str, &str) = (
    "crownhead check ./my_bot",
    "tries the bot on all that the contest does, in a few seconds",
);

/// The text about an ending.
pub(super) fn text(ending: Termination) -> Text {
    match ending {
        Termination::Timeout => Text {
            summary: "The bot did not reply in time",
            meaning: &[
                "A bot has 100 ms for a turn and 1 s for its first turn. Options and ladders may set other limits. The clock \
                 starts when the turn is sent and stops when the end of the reply line is read.",
                "Time that other programs took from the bot does not count. The report says how the time went: worked, \
                 waited for a core, or idle. An idle bot waits for input, or has not flushed its reply. A bot that worked \
                 all the time thinks too long.",
            ],
            causes: &[
                "The reply is still in a buffer, because the bot does not flush its output.",
                "The bot waits for a line that is never sent. Often it reads the colour line at every turn, but the colour \
                 line comes once.",
                "The bot reads to the end of its input, which comes only after the game.",
                "The search does not look at the clock often enough, or the clock starts with the program instead of with \
                 the turn.",
                "The language pauses: a virtual machine that still starts, or a garbage collection.",
            ],
            find: &[
                REPLAY,
                (
                    "crownhead ask games.jsonl ./my_bot --number 3 --repeat 20",
                    "asks your bot that turn 20 times and shows how long each reply took",
                ),
                CHECK,
            ],
            fix: &[
                "Flush after each reply: `print(move, flush=True)` in Python, `std::endl` in C++, `System.out.flush()` in \
                 Java, `Console.Out.Flush()` in C#.",
                "Read exactly the lines of a turn: the rows of the board, the number of moves, and that many moves.",
                "Start your clock at the first line of a turn, and reply after about 80 of 100 ms.",
            ],
            synonyms: &["late", "time", "time-out", "slow", "flush"],
        },
        Termination::IllegalReply => Text {
            summary: "The reply is not one of the listed moves",
            meaning: &[
                "The reply must be one of the moves in the list of this turn, spelled exactly as it is listed. The end of \
                 the line, and white space before it, do not count.",
            ],
            causes: &[
                "The bot replied with more than the move, such as a label, a score or quotation marks.",
                "The bot replied with a number instead of the move, or in lower case.",
                "A debug message went to standard output. It is taken for the reply.",
                "The bot printed two lines in an earlier turn. The second line is the reply of the next turn.",
                "The bot left lines of an earlier turn unread, so it replies to an old list.",
                "The bot generates its own moves and has missed that a capture is forced.",
            ],
            find: &[REPLAY, ASK, PROTOCOL],
            fix: &[
                "Choose from the list that you read this turn, and print only the move.",
                "Print debug messages on standard error: `print(text, file=sys.stderr)`, `std::cerr`, `console.error`.",
                "Read the whole list in every turn, also when you need only its first move.",
            ],
            synonyms: &["illegal", "illegal-move", "invalid-move", "invalid"],
        },
        Termination::UnreadableReply => Text {
            summary: "The reply is empty, too long, or not text",
            meaning: &[
                "The bot wrote an empty line, more than 10,000 bytes without the end of a line, or bytes that are not text \
                 (UTF-8).",
            ],
            causes: &[
                "The bot prints an empty line when it finds no move.",
                "The bot prints in a loop that does not end: it floods its output.",
                "The bot writes numbers as raw bytes instead of as text.",
            ],
            find: &[REPLAY, ASK],
            fix: &[
                "Print one line per turn: one of the listed moves.",
                "Look for a loop that prints, or for a `print` of debug messages. They belong on standard error.",
            ],
            synonyms: &[
                "flood",
                "empty-reply",
                "unreadable",
                "endless-line",
                "output-flood",
            ],
        },
        Termination::Crash => Text {
            summary: "The bot ended with an error in the middle of the game",
            meaning: &[
                "The bot's process ended with an exit status other than 0, or a signal killed it: SIGSEGV is a bad memory \
                 access, SIGABRT a failed assertion or an exception that nobody caught, SIGFPE a division by zero, SIGSYS \
                 a system call that the sandbox forbids.",
            ],
            causes: &[
                "An exception: an index out of range, an empty list, a line that is not a number.",
                "The bot reads a line as the wrong thing, because it has read one line too few or too many before.",
                "A stack overflow by a recursion that does not end.",
                "The bot filled its temporary folder.",
            ],
            find: &[REPLAY, ASK, PROTOCOL],
            fix: &[
                "Read the report from its first line: it names the exception and the place in your source.",
                "Compile C and C++ with `-g -fsanitize=address,undefined`, and ask the turn again: the sanitizer names the \
                 line.",
                "If a library cannot read its files, allow them: `--allow-read PATH`.",
            ],
            synonyms: &[
                "crashed",
                "exception",
                "signal",
                "segfault",
                "segmentation-fault",
                "sigsegv",
                "sigabrt",
                "error",
            ],
        },
        Termination::OutOfMemory => Text {
            summary: "The bot used more memory than allowed",
            meaning: &[
                "The contest gives a bot 768 MB, and so does Crownhead. The memory of all the bot's processes counts. \
                 The report says by how much the bot grew from turn to turn.",
            ],
            causes: &[
                "A transposition table or a tree that grows with every turn and is never emptied.",
                "A table that is allocated with more entries than 768 MB holds.",
                "A Java program without a limit on its heap.",
            ],
            find: &[
                REPLAY,
                (
                    "crownhead check ./my_bot",
                    "shows the most memory that the bot used in two short games",
                ),
            ],
            fix: &[
                "Give tables a fixed size, and overwrite old entries.",
                "Start Java with a limit, such as `java -Xmx512m`.",
            ],
            synonyms: &["memory", "oom", "memory-limit"],
        },
        Termination::Exit => Text {
            summary: "The bot ended by itself, with status 0, in the middle of the game",
            meaning: &[
                "The bot's process ended without an error although it was asked for a reply. A bot is asked turn after \
                 turn, until its input ends.",
            ],
            causes: &[
                "The bot plays one turn and ends: its loop is missing.",
                "The bot handles an error by leaving `main`, or by `exit(0)`.",
                "The bot takes an empty line, or a line it does not know, for the end of the input.",
                "A script starts the bot in the background and ends itself.",
            ],
            find: &[REPLAY, ASK, CHECK],
            fix: &[
                "Put reading, thinking and replying into a loop. Leave it only at the end of the input.",
                "Let errors end the program with a message and another status. Then the report can show them.",
            ],
            synonyms: &["left", "left-game", "quit", "ended"],
        },
        Termination::ClosedOutput => Text {
            summary: "The bot closed its output, and its process still runs",
            meaning: &[
                "No reply can come after that, so the bot has lost the game. Most bots do this by mistake.",
            ],
            causes: &[
                "The bot closes standard output, or an object that closes it, such as a writer in a `with` or `try` block.",
                "A script starts the bot with its output redirected.",
                "The main thread has ended, and another thread still runs.",
            ],
            find: &[REPLAY, ASK],
            fix: &["Flush standard output, and never close it."],
            synonyms: &["closed", "closed-stdout"],
        },
        Termination::CannotStart => Text {
            summary: "The bot could not be started",
            meaning: &[
                "The command names no program that can run on this machine, or the sandbox does not let it start. The \
                 report gives the reason.",
            ],
            causes: &[
                "A misspelt path, or a path from another folder.",
                "A script without its interpreter: `bot.py` instead of `python3 bot.py`.",
                "A file that is not executable, is empty, or was compiled for another system.",
                "A script with Windows line ends in its first line.",
                "A language that is not installed here.",
            ],
            find: &[
                CHECK,
                (
                    "crownhead doctor",
                    "lists the languages that are installed here and what the sandbox can do",
                ),
            ],
            fix: &[
                "Type the command in your shell first. If it waits for input, Crownhead can start it too.",
                "Put a command of several words in quotes: `crownhead match \"python3 bot.py\" greedy`.",
                "Make a program executable: `chmod +x ./my_bot`.",
            ],
            synonyms: &["start", "no-start", "not-started"],
        },
        Termination::RefereeFault => Text {
            summary: "The referee failed or was interrupted; the game does not count",
            meaning: &[
                "No bot is to blame, and nobody wins: the game is void. A ladder plays the pair again. The report says \
                 what failed.",
            ],
            causes: &[
                "Ctrl-C, or a signal, stopped Crownhead in the middle of the game.",
                "The machine ran out of processes, open files, memory or disk space.",
                "An external referee (`--referee`) crashed, timed out, or wrote something that Crownhead cannot read.",
            ],
            find: &[
                (
                    "crownhead referee check ./my_referee",
                    "plays many games against an external referee and lists its faults",
                ),
                (
                    "crownhead doctor",
                    "shows the free disk space and how many games this machine can play at once",
                ),
            ],
            fix: &[
                "Play fewer games at the same time: `--concurrency 1`.",
                "Run the command again. `--resume` continues a recorded match.",
            ],
            synonyms: &["referee", "void", "interrupted"],
        },
        Termination::Goal => Text {
            summary: "A side reached the goal of the game on the board",
            meaning: &["The rules of the game say what the goal is, such as mate in chess."],
            ..BY_RULES
        },
        Termination::NoMoves => Text {
            summary: "The side to move had no legal move",
            meaning: &[
                "In the contest's checkers that side has lost. In the classroom's checkers it is a draw if the side still has \
                 pieces.",
            ],
            synonyms: &["no-legal-move", "stuck"],
            ..BY_RULES
        },
        Termination::WithoutCapture => Text {
            summary: "A draw, because too many turns passed without a capture",
            meaning: &[
                "The rule book sets the number of turns: 50 in the classroom's checkers. The contest's checkers has no \
                 such rule.",
            ],
            ..BY_RULES
        },
        Termination::TurnLimit => Text {
            summary: "A draw, because the game reached its limit of turns",
            meaning: &[
                "The contest's limit is 200 turns, one side's move each. `--max-turns` sets another.",
            ],
            synonyms: &["max-turns"],
            ..BY_RULES
        },
        Termination::Scores => Text {
            summary: "An external referee ended the game and gave the scores",
            meaning: &[
                "The referee (`--referee`) knows the game. Its summary says why the game ended.",
            ],
            ..BY_RULES
        },
        Termination::Adjudicated => Text {
            summary: "Crownhead called a draw, because nothing moved forward any more",
            meaning: &[
                "`--adjudicate N` ends a game after N turns without a capture or a move of a man. It makes tests shorter. \
                 The contest has no such rule.",
            ],
            ..BY_RULES
        },
        Termination::Abandoned => Text {
            summary: "A person left the game",
            meaning: &["The game has no result, and it is not a fault."],
            ..BY_RULES
        },
        Termination::NotStated => Text {
            summary: "The file from which the game was read does not say how it ended",
            meaning: &["PDN files often give only the result."],
            ..BY_RULES
        },
    }
}
