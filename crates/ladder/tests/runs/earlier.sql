-- A ladder that an earlier version has played: one pair of two bots.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        began INTEGER NOT NULL DEFAULT (unixepoch())
    , beat INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO run VALUES(1,1795888491,0);
CREATE TABLE pair (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        first_version TEXT NOT NULL,
        second_version TEXT NOT NULL,
        round INTEGER NOT NULL CHECK (round >= 0),
        fence INTEGER NOT NULL DEFAULT 0,
        finished INTEGER UNIQUE CHECK (finished > 0),
        void TEXT,
        run INTEGER,
        finished_at INTEGER,
        CHECK ((finished_at IS NULL) = (finished IS NULL)),
        CHECK (finished IS NOT NULL OR void IS NULL),
        UNIQUE (first, second, first_version, second_version, round),
        CHECK (first < second)
    ) STRICT;
INSERT INTO pair VALUES(1,'first','greedy','7ea9ca02c319','e912060b8aaa',0,1,1,NULL,1,1795888492);
CREATE TABLE game (
        pair INTEGER NOT NULL REFERENCES pair,
        place INTEGER NOT NULL CHECK (place IN (0, 1)),
        record TEXT NOT NULL,
        black TEXT NOT NULL,
        white TEXT NOT NULL,
        result TEXT NOT NULL,
        termination TEXT NOT NULL,
        black_us INTEGER NOT NULL CHECK (black_us >= 0),
        white_us INTEGER NOT NULL CHECK (white_us >= 0),
        turns INTEGER NOT NULL,
        opening TEXT NOT NULL,
        PRIMARY KEY (pair, place)
    ) STRICT;
INSERT INTO game VALUES(1,0,'{"version":3,"game":"checkers","rules":"contest","number":1,"seed":1,"players":[{"side":"black","name":"first","command":"/usr/bin/sh /night/bot.sh","version":"7ea9ca02c319","start_up_us":12534,"colour_line":"b"},{"side":"red","name":"greedy","command":"/usr/bin/crownhead bot greedy --game checkers --seed 15561040439118220242","version":"e912060b8aaa","start_up_us":7295,"colour_line":"r"}],"limits":{"first_turn_us":60000000,"turn_us":60000000},"profile":"strict","clock":"wall","max_turns":10,"opening":["G3H4","F6E5","F2G3","H6G5"],"turns":[{"player":0,"reply":"H4F6","us":3507,"work_us":107,"waited_us":111},{"player":1,"reply":"E7G5","us":4594,"work_us":99,"waited_us":3715},{"player":0,"reply":"C3B4","us":169,"work_us":142,"waited_us":15},{"player":1,"reply":"G5H4","us":2797,"work_us":90,"waited_us":2669},{"player":0,"reply":"B4A5","us":143,"work_us":122,"waited_us":12},{"player":1,"reply":"H4F2","us":73,"work_us":58,"waited_us":0}],"scores":[0.5,0.5],"termination":"turn-limit","reason":"10 turns were played: a draw"}','first','greedy','draw','turn-limit',3819,7464,6,'G3H4 F6E5 F2G3 H6G5');
INSERT INTO game VALUES(1,1,'{"version":3,"game":"checkers","rules":"contest","number":2,"seed":1,"players":[{"side":"black","name":"greedy","command":"/usr/bin/crownhead bot greedy --game checkers --seed 1750031817029177726","version":"e912060b8aaa","start_up_us":35699,"colour_line":"b"},{"side":"red","name":"first","command":"/usr/bin/sh /night/bot.sh","version":"7ea9ca02c319","start_up_us":433,"colour_line":"r"}],"limits":{"first_turn_us":60000000,"turn_us":60000000},"profile":"strict","clock":"wall","max_turns":10,"opening":["G3H4","F6E5","F2G3","H6G5"],"turns":[{"player":0,"reply":"H4F6","us":15217,"work_us":114,"waited_us":3182},{"player":1,"reply":"E7G5","us":11704,"work_us":116,"waited_us":3627},{"player":0,"reply":"G3F4","us":9822,"work_us":96,"waited_us":3629},{"player":1,"reply":"E5G3","us":204,"work_us":174,"waited_us":0},{"player":0,"reply":"H2F4H6","us":111,"work_us":89,"waited_us":0},{"player":1,"reply":"G7F6","us":135,"work_us":113,"waited_us":0}],"scores":[0.5,0.5],"termination":"turn-limit","reason":"10 turns were played: a draw"}','greedy','first','draw','turn-limit',25150,12043,6,'G3H4 F6E5 F2G3 H6G5');
CREATE TABLE void_game (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL DEFAULT (unixepoch()),
        record TEXT NOT NULL
    ) STRICT;
CREATE TABLE disabled (
        bot TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        since INTEGER NOT NULL DEFAULT (unixepoch())
    ) STRICT;
CREATE TABLE enabled (
        bot TEXT PRIMARY KEY,
        after INTEGER NOT NULL
    ) STRICT;
CREATE TABLE version (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        bot TEXT NOT NULL,
        version TEXT NOT NULL,
        description TEXT NOT NULL,
        interpreter TEXT,
        since INTEGER NOT NULL DEFAULT (unixepoch()),
        accepted INTEGER NOT NULL,
        UNIQUE (bot, version)
    ) STRICT;
INSERT INTO version VALUES(1,'first','7ea9ca02c319','{"command":"sh bot.sh","files":{"bot.sh":{"sha256":"728e4d25f275600c291b3668eaa740363a8f5537b1c40d8404b72b244a5b2a75"}}}','/usr/bin/dash (sha256 f5adb8bf0100)',1795888491,1);
INSERT INTO version VALUES(2,'greedy','e912060b8aaa','{"command":"greedy","signature":42095}',NULL,1795888491,2);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('run',1);
INSERT INTO sqlite_sequence VALUES('version',2);
INSERT INTO sqlite_sequence VALUES('pair',1);
CREATE INDEX pair_open ON pair (id) WHERE finished IS NULL;
CREATE INDEX game_summary ON game (
        pair, place, black, white, result, termination, black_us, white_us, turns, opening
    );
COMMIT;
PRAGMA application_id = 1131563108;
PRAGMA user_version = 6;
