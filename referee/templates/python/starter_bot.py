"""A bot for the referee beside it: takes a win, prevents the opponent's, else the middle."""


def drop(board, column, player):
    row = max(row for row in range(6) if board[row][column] == ".")
    changed = board[row][:column] + player + board[row][column + 1 :]
    return board[:row] + [changed] + board[row + 1 :]


def wins(board, player):
    # In the rows as one text, the next square of a line is so many letters further.
    text, steps = "\n".join(board), (1, 7, 8, 9)
    lines = (text[start::step] for start in range(len(text)) for step in steps)
    return any(line.startswith(player * 4) for line in lines)


def worth(column):
    """What is better in the first of these is the better move."""
    takes, prevents = (wins(drop(board, column, disc), disc) for disc in (me, opponent))
    return takes, prevents, -abs(column - 3)


while True:
    try:
        me = input()  # "0" or "1": which discs are this bot's
    except EOFError:
        break  # the game is over
    opponent = "1" if me == "0" else "0"
    board = [input() for _ in range(6)]  # the top row first; "." is an empty square
    columns = [int(column) for column in input().split()]
    print(max(columns, key=worth), flush=True)
