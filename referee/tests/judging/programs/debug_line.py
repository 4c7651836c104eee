"""Tells what it thinks, where it should answer."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print("moves:", len(moves))
    print(moves[0], flush=True)
