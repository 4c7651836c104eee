"""Takes as many rows as come, and looks behind the last of them."""
colour = input()
while True:
    rows = []
    line = input()
    while not line.isdigit():
        rows.append(line)
        line = input()
    moves = [input() for _ in range(int(line))]
    for y, row in enumerate(rows):
        if y > 6 and "b" in row:
            behind = rows[y + 1]
    print(moves[0], flush=True)
