"""Believes that there are always seven moves."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    best = moves[6]
    print(best, flush=True)
