"""Counts the moves from 0 to their number, and reads one too many."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    count = int(input())
    moves = []
    for _ in range(0, count + 1):
        moves.append(input())
    print(moves[0], flush=True)
