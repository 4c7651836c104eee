"""Connect Four for Crownhead: discs fall into seven columns, and four in a line win.

Change `legal`, `drop`, `wins` and what `play` sends, and it is a game of your own. The
seed chooses the first discs: the same bots play other games with other seeds.
"""

import sys

WIDTH, HEIGHT, OPENING = 7, 6, 4


def say(*lines):
    print(*lines, sep="\n", flush=True)


def legal(board):
    return [str(column) for column in range(WIDTH) if board[0][column] == "."]


def drop(board, column, player):
    row = max(row for row in range(HEIGHT) if board[row][column] == ".")
    board[row] = board[row][:column] + str(player) + board[row][column + 1 :]


def wins(board, player):
    # In the rows as one text, the next square of a line is so many letters further.
    text, steps = "\n".join(board), (1, WIDTH, WIDTH + 1, WIDTH + 2)
    lines = (text[start::step] for start in range(len(text)) for step in steps)
    return any(line.startswith(str(player) * 4) for line in lines)


def play(board):
    """Asks the players in turn; gives the winner, None in a draw, and the reason."""
    for turn in range(OPENING, WIDTH * HEIGHT):
        player, moves = turn % 2, legal(board)
        say("###Show", *board, "0123456")
        say(f"###Input {player}", player, *board, " ".join(moves))
        say("###Legal", *moves, f"###Output {player} 1")
        answer = sys.stdin.readline().rstrip("\n")
        if answer not in moves:
            say(f"###Error {player} answered `{answer}`, which is no free column")
            return 1 - player, "an illegal answer"
        drop(board, int(answer), player)
        if wins(board, player):
            return player, "four in a line"
    return None, "the board is full"


seed = int(sys.stdin.readline().split()[1])
if sys.stdin.readline().split() != ["###Start", "2"]:
    sys.exit("Connect Four is a game for 2 players")
board = ["." * WIDTH] * HEIGHT
for turn in range(OPENING):
    drop(board, seed // WIDTH**turn % WIDTH, turn % 2)
winner, reason = play(board)
say("###Show", *board, "0123456", f"###Reason {reason}")
for player in (0, 1):
    say(f"###Score {player} {0.5 if winner is None else int(player == winner)}")
say("###End 01" if winner is None else f"###End {winner} {1 - winner}")
