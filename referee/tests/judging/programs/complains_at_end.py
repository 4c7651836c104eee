"""Answers what no one may, and then does not expect the end."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print("A1A1", flush=True)
