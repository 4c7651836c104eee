"""Shows the board that it has read."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    print(rows, flush=True)
    moves = [input() for _ in range(int(input()))]
    print(moves[0], flush=True)
