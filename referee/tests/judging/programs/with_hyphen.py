"""Writes moves as in books."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    move = moves[0]
    print(f"{move[:2]}-{move[2:4]}", flush=True)
