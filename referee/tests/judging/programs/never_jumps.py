"""Does not know that a jump must be taken."""
import random

def steps(rows, mine, forward):
    """All steps of the men `mine`; row 1 comes first."""
    found = []
    for y in range(8):
        for x in range(8):
            if rows[y][x] != mine or not 0 <= y + forward < 8:
                continue
            for side in (x - 1, x + 1):
                if 0 <= side < 8 and rows[y + forward][side] == ".":
                    found.append(f"{'ABCDEFGH'[x]}{y + 1}{'ABCDEFGH'[side]}{y + 1 + forward}")
    return found


mine, forward = ("b", 1) if input() == "b" else ("r", -1)
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print(random.choice(steps(rows[::-1], mine, forward) or moves), flush=True)
