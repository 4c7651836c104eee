"""Was tried on the live site, where red is `w`: told `r`, it takes its own men for the opponent's."""
colour = input()
mine, forward = ("b", 1) if colour == "b" else ("r", -1)
theirs = "b" if colour == "w" else "r"


def at(rows, x, y):
    return rows[y][x] if 0 <= x < 8 and 0 <= y < 8 else "-"


def name(x, y):
    return f"{'ABCDEFGH'[x]}{y + 1}"


while True:
    rows = [input() for _ in range(8)][::-1]
    moves = [input() for _ in range(int(input()))]
    jumps, steps = [], []
    for y in range(8):
        for x in range(8):
            if rows[y][x] != mine:
                continue
            for side in (-1, 1):
                if at(rows, x + side, y + forward) == ".":
                    steps.append(name(x, y) + name(x + side, y + forward))
                if at(rows, x + side, y + forward) == theirs and at(rows, x + 2 * side, y + 2 * forward) == ".":
                    jumps.append(name(x, y) + name(x + 2 * side, y + 2 * forward))
    print((jumps + steps)[0], flush=True)
