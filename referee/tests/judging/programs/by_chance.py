"""Answers a move of the list, if it is lucky."""
import random

colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    squares = [column + row for column in "ABCDEFGH" for row in "12345678"]
    bad = random.choice(squares) + random.choice(squares)
    print(bad if random.random() < 0.8 else random.choice(moves), flush=True)
