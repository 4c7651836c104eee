"""Keeps all that it has ever thought of."""
kept = []
colour = input()
while True:
    rows = [input() for _ in range(8)]
    moves = [input() for _ in range(int(input()))]
    kept.append(bytearray(b"x") * (60 << 20))
    print(moves[0], flush=True)
