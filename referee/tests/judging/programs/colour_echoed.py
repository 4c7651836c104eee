"""Tells the colour that it has read."""
colour = input()
print("I am", colour, flush=True)
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    print(moves[0], flush=True)
