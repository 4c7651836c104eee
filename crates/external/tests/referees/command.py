#!/usr/bin/env python3
"""A small referee that starts the bots itself, as forks of contests' referees for brutaltester do, for tests.

A race of dice: each bot is sent `INDEX PLAYERS`, then ROUNDS times `ROUND A B C`, three dice, and answers two lines: `TAKE
I`, the die that it takes (0 to 2), and any text. The points of the dice and the player's index are its score; who answers
anything else or nothing has -1. It prints `League level`, a score a line and the seed.

    command.py -p1 COMMAND -p2 COMMAND ... [-d seed=N | -seed N] [-l FILE] [-rounds N] [-reverse] [-fault NAME]

-l FILE:     writes what is known of the game as JSON: scores, uinput, summaries, views, tooltips, metadata.
-reverse:    asks the last player first.
-fault NAME:
    hang      prints nothing and does not end
    exit      ends with status 1 and a word on standard error
    seed      plays a seed of its own, and tells it
    scores    prints no scores and writes no file
    file      writes a file that is no JSON
    fail      writes that the game failed
"""
import argparse
import json
import random
import subprocess
import sys
import time

parser = argparse.ArgumentParser(allow_abbrev=False)
for player in range(1, 9):
    parser.add_argument(f"-p{player}")
seeds = parser.add_mutually_exclusive_group()
seeds.add_argument("-d", default="seed=0")
seeds.add_argument("-seed", type=int)
parser.add_argument("-l")
parser.add_argument("-rounds", type=int, default=3)
parser.add_argument("-fault", default="")
parser.add_argument("-reverse", action="store_true")
options = parser.parse_args()

seed = options.seed if options.seed is not None else int(options.d.removeprefix("seed="))
if options.fault == "hang":
    time.sleep(3600)
elif options.fault == "exit":
    print("no dice left", file=sys.stderr)
    sys.exit(1)
elif options.fault == "seed":
    seed += 1

commands = [getattr(options, f"p{player}") for player in range(1, 9) if getattr(options, f"p{player}")]
bots = [
    subprocess.Popen(command.split(" "), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for command in commands
]
dice = random.Random(seed)
scores = list(range(len(bots)))
summaries, views = [], []


def send(bot, line):
    try:
        print(line, file=bot.stdin, flush=True)
    except BrokenPipeError:
        pass


for index, bot in enumerate(bots):
    send(bot, f"{index} {len(bots)}")
for turn in range(1, options.rounds + 1):
    rolled = [dice.randint(1, 6) for _ in range(3)]
    said = []
    for index, bot in sorted(enumerate(bots), reverse=options.reverse, key=lambda numbered: numbered[0]):
        if scores[index] < 0:
            continue
        send(bot, f"{turn} {' '.join(map(str, rolled))}")
        take, text = bot.stdout.readline().rstrip("\n"), bot.stdout.readline().rstrip("\n")
        if take in ("TAKE 0", "TAKE 1", "TAKE 2"):
            scores[index] += rolled[int(take[-1])]
            said.append(f"${index} takes {rolled[int(take[-1])]}: {text}")
        else:
            scores[index] = -1
            said.append(f"${index} is out: {take}")
    summaries.append("\n".join(said))
    views.append(f"KEY_FRAME {turn - 1}")
for bot in bots:
    bot.kill()

if options.fault == "scores":
    sys.exit()
print("League level: 4.", *scores, f"seed={seed}", sep="\n")
if options.l:
    result = {
        "scores": {str(index): score for index, score in enumerate(scores)},
        "uinput": [f"seed={seed}\n"],
        "summaries": summaries,
        "views": views,
        "tooltips": [{"text": "the last round", "event": 0, "turn": options.rounds - 1}],
        "metadata": "{}",
    }
    if options.fault == "fail":
        result["failCause"] = "no dice"
    with open(options.l, "w") as file:
        file.write("{" if options.fault == "file" else json.dumps(result))
