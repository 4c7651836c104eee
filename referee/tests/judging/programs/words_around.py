"""Answers as in another contest."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print("MOVE", moves[0], flush=True)
