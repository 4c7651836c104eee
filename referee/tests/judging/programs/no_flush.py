"""Answers, and keeps the answer in a buffer."""
import sys

colour = sys.stdin.readline()
while True:
    rows = [sys.stdin.readline() for _ in range(8)]
    if not rows[7]:
        break
    moves = [sys.stdin.readline().strip() for _ in range(int(sys.stdin.readline()))]
    sys.stdout.write(moves[0] + "\n")
