"""Counts its moves in a list of its own, and forgets to look the chosen one up."""
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    values = {}
    for place, move in enumerate(moves):
        values[place] = len(move)
    print(max(values, key=values.get) + 2, flush=True)
