#!/usr/bin/env python3
"""A small referee that speaks brutaltester's lines (`###Input 0`, `###Output 0 1`), for tests.

A race of dice for 2 to 4 players. Before it begins, each player is sent `INDEX PLAYERS`. In each of the ROUNDS every
player is sent `ROUND A B C`, three dice, before the first of them is asked; then each answers two lines: `TAKE I`, the die
that it takes (0 to 2), and any text, which nothing is done with. The points of the dice are its score, and who answers
anything else is out, with an `###Error` and a score of -1. At the end each player gains its index, so that those who take
the same dice have other scores; players with the same score are tied.

    lines.py [--rounds N] [--even] [--limit MS] [--show WHAT] [--legal] [--scores] [--reason TEXT] [--fault NAME]

--even:       nobody gains its index: who takes the same dice is tied.
--limit MS:   sets this limit for the answers of odd rounds.
--show WHAT:  shows the dice of each round, as `text` or `svg`, or as `hostile`: either, with what is to do no harm.
--legal:      lists the legal answers before each output, of two lines each.
--scores:     says the score of each player.
--reason TEXT: says why the game ended.
--fault NAME: in round 2, or at the end of the game where it says so:
    hang      says nothing more
    garbage   says a line that is no command
    exit      ends with status 3 and a word on standard error
    text      says a line for a player before any player is named
    endless   has lines for a player for ever
    player    asks a player that is not there
    missing   at the end, places all players but the last
    fickle    in round 2, refuses what it lists as legal
    contradiction  at the end, says scores that its places contradict
    unlisted  lists no answer after `###Legal`
    uneven    lists a line that is no whole answer
    shown     shows more than anybody looks at
    homeless  says a line after the end of what is shown
"""
import argparse
import random
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--even", action="store_true")
parser.add_argument("--limit", type=int)
parser.add_argument("--show", choices=["text", "svg", "hostile"])
parser.add_argument("--legal", action="store_true")
parser.add_argument("--scores", action="store_true")
parser.add_argument("--reason")
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
    elif fault == "unlisted":
        say("###Legal", "###Output 0 2")
    elif fault == "uneven":
        say("###Legal", "TAKE 0", "any", "TAKE 1", "###Output 0 2")
    elif fault == "shown":
        say("###Show", *["x" * 1000] * 200)
    elif fault == "homeless":
        say("###Show", "a board", "###Limit 50", "a stray line")


def show(turn, rolled):
    if options.show == "text":
        say("###Show", f"round {turn}", f"|{'|'.join(map(str, rolled))}|")
    elif options.show == "svg":
        dice = "".join(f'<text x="{20 * x + 5}" y="30">{die}</text>' for x, die in enumerate(rolled))
        say("###Show", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">', dice, "</svg>")
    elif options.show == "hostile" and turn == 1:
        say("###Show", "\x1b[2J</pre><img src=x onerror=\"document.title='taken'\">")
    elif options.show == "hostile":
        script = "top.document.title='taken';document.title='taken'"
        say(
            "###Show",
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40" onload="{script}">',
            f'<script>{script}</script><rect width="60" height="40" fill="red"/>',
            f'<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="{script}"/></foreignObject></svg>',
        )


def ask(player, turn):
    if options.limit and turn % 2 == 1:
        say(f"###Limit {options.limit}")
    if options.legal:
        say("###Legal", "TAKE 0", "the first", "TAKE 1", "the second", "TAKE 2", "the third")
    say(f"###Output {player} 2")
    return sys.stdin.readline().rstrip("\n"), sys.stdin.readline()


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
    show(turn, rolled)
    playing = [player for player in players if scores[player] >= 0]
    for player in playing:
        say(f"###Input {player}", f"{turn} {' '.join(map(str, rolled))}")
    for player in playing:
        take, _ = ask(player, turn)
        if options.fault == "fickle" and turn == 2:
            scores[player] = -1
            say(f"###Error {player} the dice have changed")
        elif take in ("TAKE 0", "TAKE 1", "TAKE 2"):
            scores[player] += rolled[int(take[-1])]
        else:
            scores[player] = -1
            say(f"###Error {player} expected TAKE and a die, found {take}")

gained = [score + (0 if options.even or score < 0 else player) for player, score in enumerate(scores)]
places = sorted(set(gained), reverse=True)
ranked = ["".join(str(player) for player in players if gained[player] == place) for place in places]
if options.fault == "missing":
    ranked = [place.replace(str(players[-1]), "") for place in ranked]
if options.scores or options.fault == "contradiction":
    for player in players:
        say(f"###Score {player} {gained[player] * (-1 if options.fault == 'contradiction' else 1)}")
if options.reason:
    say(f"###Reason {options.reason}")
say("###End " + " ".join(ranked))
