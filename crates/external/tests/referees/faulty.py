#!/usr/bin/env python3
"""A referee with a fault that is chosen, for tests of what finds faults.

A heap of 21 to 40 matches, by the seed. Each of two players in turn takes one to three of them; who takes the last wins.

    faulty.py [FAULT]

unseeded:  what is told has a number by chance, which is another one each time
alike:     the heap is the same by every seed
dies:      an answer that is no number ends it with an exception
sixth:     the sixth answer ends it with status 3
takes:     an answer that is not listed counts as 1
again:     an answer that is not listed is asked for again
mute:      an answer that is not listed is refused without a word
blames:    an answer that is not listed is the fault of the other player
refuses:   3 is listed and refused
twice:     the end names one player twice
floods:    a player is sent 200 KiB
bare:      no legal answers and no board
mumbles:   says what is no line of the protocol
"""
import random
import sys

fault = sys.argv[1] if len(sys.argv) > 1 else ""


def say(*lines):
    print(*lines, sep="\n", flush=True)


def end(winner):
    if fault != "bare":
        say("###Show", f"{heap} matches")
    say("###End 0 0" if fault == "twice" else f"###End {winner} {1 - winner}")
    sys.exit()


if fault == "mumbles":
    say("Welcome!")
seed = int(sys.stdin.readline().split()[1])
sys.stdin.readline()
heap = random.Random(1 if fault == "alike" else seed).randint(21, 40)
# So many numbers that no two games have the same.
chance = f" in game {random.getrandbits(64)}" if fault == "unseeded" else ""
player = turn = 0
while True:
    legal = [str(count) for count in (1, 2, 3) if count <= heap]
    say(f"###Input {player}", f"{heap}{chance}")
    if fault == "floods":
        say("x" * 200_000)
    if fault != "bare":
        say("###Show", f"{heap} matches", "###Legal", *legal)
    say(f"###Output {player} 1")
    answer = sys.stdin.readline().rstrip("\n")
    turn += 1
    if fault == "sixth" and turn == 6:
        print("no sixth turn", file=sys.stderr)
        sys.exit(3)
    if fault == "dies":
        int(answer)
    if answer not in legal or fault == "refuses" and answer == "3":
        if fault == "again":
            continue
        if fault == "takes":
            answer = "1"
        else:
            blamed = 1 - player if fault == "blames" else player
            say(f"###Error {blamed}" + ("" if fault == "mute" else f" answered {answer}; expected 1 to 3"))
            end(1 - player)
    heap -= int(answer)
    if heap == 0:
        end(player)
    player = 1 - player
