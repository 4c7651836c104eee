#!/usr/bin/env python3
"""A small referee that speaks as CodinGame's contest engine does, for tests.

A race of dice for 2 to 4 players. Before it begins, each player is sent `INDEX PLAYERS` and answers nothing. In each of
the ROUNDS every player, in order, is sent `ROUND A B C`, three dice, and answers two lines: `TAKE I`, the die that it
takes (0 to 2), and any text, which is the summary of the round. The points of the dice are its score. Who times out or
answers anything else is out with a score of -1, and a tooltip tells why; the others play on. At the end each player gains its index, so that those
who take the same dice have other scores.

    engine.py [CLASS] [--rounds N] [--limit MS] [--monitoring] [--fault NAME] [--mark FILE]

CLASS:        com.codingame.gameengine.core.RefereeMain, by which a command line is known as one of the engine.

--monitoring: as the engine from 4.7 on, wants to be told how long answers took, adds 50 ms to the limits that it tells,
              and takes the third answer above the limit without these for a timeout.
--fault NAME: in round 2, or at the end of the game where it says so:
    hang      makes FILE and says nothing more
    fail      says FAIL, as the engine does for an exception, and ends as if all was well
    garbage   says a line that is no message
    exit      ends with status 3 and a word on standard error
    cut       ends within a message
    count     says a message whose count is no number
    oversize  has a line of 200,000 letters for a player
    endless   says empty messages for ever
    player    asks a player that is not there
    seed      at the end, tells another seed than it was given
    silent-seed  at the end, tells no seed: no fault, some contests do
    scores    at the end, tells the score of one player only
    no-scores at the end, tells none
    chance    rolls by chance from the beginning, whatever the seed
"""
import argparse
import random
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("class", nargs="?")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--limit", type=int, default=100)
parser.add_argument("--monitoring", action="store_true")
parser.add_argument("--fault", default="")
parser.add_argument("--mark")
options = parser.parse_args()
monitoring_is_due = options.monitoring


def say(name, lines=()):
    print(f"[[{name}] {len(lines)}]", *lines, sep="\n", flush=True)


def read():
    """A message: its name and its lines."""
    header = sys.stdin.readline().rstrip("\n")
    name, count = header.removeprefix("[[").removesuffix("]").split("] ")
    return name, [sys.stdin.readline().rstrip("\n") for _ in range(int(count))]


class Player:
    def __init__(self, index):
        self.index, self.score, self.is_in, self.overruns, self.has_answered = index, 0, True, 0, False

    def ask(self, lines, wanted, summary=()):
        """What it answers to these lines; None where it timed out."""
        global monitoring_is_due
        assert read() == ("GET_GAME_INFO", [])
        say("VIEW", ["KEY_FRAME" if summary else "INTERMEDIATE_FRAME", f'{{"asked":{self.index}}}'])
        if monitoring_is_due:
            say("MONITORING")
            monitoring_is_due = False
        say("INFOS")
        if summary:
            say("SUMMARY", summary)
            say("TOOLTIP", ["a new round", str(self.index), *remarks])
        limit = options.limit if self.has_answered else max(1000, options.limit)
        say("NEXT_PLAYER_INPUT", lines)
        say("NEXT_PLAYER_INFO", [str(self.index), str(wanted), str(limit + 50 * options.monitoring)])
        name, answer = read()
        if name != "SET_PLAYER_OUTPUT":
            return None
        if options.monitoring:
            self.overruns += int(answer.pop(0)) > limit
        self.has_answered |= wanted > 0
        return None if self.overruns > 2 else answer


def begin_fault():
    fault = options.fault
    if fault == "hang":
        open(options.mark, "w").close()
        time.sleep(3600)
    elif fault == "fail":
        say("FAIL", ["java.lang.RuntimeException: no dice", "\tat Referee.gameTurn(Referee.java:1)", "Caused by: rain"])
        sys.exit()
    elif fault == "garbage":
        print("Exception in thread main", flush=True)
    elif fault == "exit":
        print("no dice left", file=sys.stderr)
        sys.exit(3)
    elif fault == "cut":
        print("[[VIEW] 3]\nKEY_FRAME", flush=True)
        sys.exit()
    elif fault == "count":
        print("[[VIEW] many]", flush=True)
    elif fault == "endless":
        while True:
            sys.stdout.write("[[INFOS] 0]\n" * 100_000)


name, (count, *properties) = read()
assert name == "INIT"
properties = dict(line.split("=", 1) for line in properties)
dice = random.Random(None if options.fault == "chance" else int(properties["seed"]))
players = [Player(index) for index in range(int(count))]

for player in players:
    player.ask([f"{player.index} {count}"], 0)
summary, remarks = ["the race begins"], []
for turn in range(1, options.rounds + 1):
    rolled = [str(dice.randint(1, 6)) for _ in range(3)]
    said, remarked = [], []
    for player in filter(lambda player: player.is_in, players):
        lines = [f"{turn} {' '.join(rolled)}"]
        if turn == 2:
            begin_fault()
            if options.fault == "oversize":
                lines.append("x" * 200_000)
            elif options.fault == "player":
                player.index = int(count)
        answer = player.ask(lines, 2, summary)
        summary = []
        match answer:
            case [take, text] if take in ("TAKE 0", "TAKE 1", "TAKE 2"):
                player.score += int(rolled[int(take[-1])])
                said.append(f"${player.index} takes {rolled[int(take[-1])]}: {text}")
            case _:
                player.is_in, player.score = False, -1
                why = "timeout" if answer is None else f"expected TAKE 0, 1 or 2 and a text, got {answer}"
                said.append(f"${player.index} is out: {why}")
                remarked += [f"out: {why}", str(player.index)]
    summary, remarks = said, remarked

for player in players:
    player.score += player.index if player.is_in else 0
say("VIEW", [f"KEY_FRAME {options.rounds}", "{}"])
say("INFOS")
say("SUMMARY", summary)
say("TOOLTIP", remarks)
if options.fault == "seed":
    properties["seed"] = "7"
elif options.fault == "silent-seed":
    del properties["seed"]
say("UINPUT", [f"{key}={value}" for key, value in properties.items()])
say("METADATA", ['{"rounds":"%d"}' % options.rounds])
if options.fault != "no-scores":
    shown = players[:1] if options.fault == "scores" else players
    say("SCORES", [f"{player.index} {player.score}" for player in shown])
