#!/usr/bin/env python3
"""A small referee that speaks brutaltester's lines (`###Input 0`, `###Output 0 1`), for tests.

A race of dice for 2 to 4 players. Before it begins, each player is sent `INDEX PLAYERS`. In each of the ROUNDS every
player is sent `ROUND A B C`, three dice, before the first of them is asked; then each answers two lines: `TAKE I`, the die
that it takes (0 to 2), and any text, which nothing is done with. The points of the dice are its score, and who answers
anything else is out, with an `###Error` and a score of -1. At the end each player gains its index, so that those who take
the same dice have other scores; players with the same score are tied.

    lines.py [--rounds N] [--even] [--fault NAME]

--even:       nobody gains its index: who takes the same dice is tied.
--fault NAME: in round 2, or at the end of the game where it says so:
    hang      says nothing more
    garbage   says a line that is no command
    exit      ends with status 3 and a word on standard error
    text      says a line for a player before any player is named
    endless   has lines for a player for ever
    player    asks a player that is not there
    missing   at the end, places all players but the last
"""
import argparse
import random
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--even", action="store_true")
parser.add_argument("--fault", default="")
options = parser.parse_args()


def say(*lines):
    print(*lines, sep="\n", flush=True)


def begin_fault(players):
    fault = options.fault
    if fault == "hang":
        time.sleep(3600)
    elif fault == "garbage":
        say("###News of today")
    elif fault == "exit":
        print("no dice left", file=sys.stderr)
        sys.exit(3)
    elif fault == "text":
        say("a stray line")
    elif fault == "endless":
        say("###Input 0")
        while True:
            say("x" * 1000)
    elif fault == "player":
        say(f"###Output {players} 2")


seed = 0
while not (line := sys.stdin.readline()).startswith("###Start "):
    if not line.startswith("###Seed "):
        sys.exit(f"expected ###Seed or ###Start, found {line.rstrip()}")
    seed = int(line.split()[1])
players = range(int(line.split()[1]))
dice = random.Random(seed)
scores = [0 for _ in players]

for player in players:
    say(f"###Input {player}", f"{player} {len(players)}")
for turn in range(1, options.rounds + 1):
    rolled = [dice.randint(1, 6) for _ in range(3)]
    if turn == 2:
        begin_fault(len(players))
    playing = [player for player in players if scores[player] >= 0]
    for player in playing:
        say(f"###Input {player}", f"{turn} {' '.join(map(str, rolled))}")
    for player in playing:
        say(f"###Output {player} 2")
        take, _ = sys.stdin.readline().rstrip("\n"), sys.stdin.readline()
        if take in ("TAKE 0", "TAKE 1", "TAKE 2"):
            scores[player] += rolled[int(take[-1])]
        else:
            scores[player] = -1
            say(f"###Error {player} expected TAKE and a die, found {take}")

gained = [score + (0 if options.even or score < 0 else player) for player, score in enumerate(scores)]
places = sorted(set(gained), reverse=True)
ranked = ["".join(str(player) for player in players if gained[player] == place) for place in places]
if options.fault == "missing":
    ranked = [place.replace(str(players[-1]), "") for place in ranked]
say("###End " + " ".join(ranked))
