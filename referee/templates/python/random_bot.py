"""A bot for the referee beside it: drops its disc into any column that has room."""

import random

while True:
    try:
        me = input()  # "0" or "1": which discs are this bot's
    except EOFError:
        break  # the game is over
    board = [input() for _ in range(6)]  # the top row first; "." is an empty square
    columns = input().split()
    print(random.choice(columns), flush=True)
