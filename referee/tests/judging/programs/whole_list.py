"""Shows what it might play."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print(*moves, flush=True)
