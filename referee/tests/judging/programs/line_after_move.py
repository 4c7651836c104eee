"""Tells what it has thought, where it should answer."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print(moves[0], flush=True)
    print("depth", 3, flush=True)
