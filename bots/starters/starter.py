"""A first checkers bot in Python, for Crownhead and for the contest on CodinGame.

It takes as many pieces as one move can; otherwise it prefers a move after which fewer of its own pieces
are in danger; equals are decided at random. The place to make it stronger is `worth`.
"""

import random


def squares(move):
    """The squares a move visits, as (row, column) counted from 0: "A3C5" is [(2, 0), (4, 2)]."""
    pairs = (move[i : i + 2] for i in range(0, len(move), 2))
    return [(int(row) - 1, ord(column) - ord("A")) for column, row in pairs]


def play(board, move):
    """The board after a move: the piece is on the last square, and what it jumped over is gone."""
    after = dict(board)
    path = squares(move)
    after[path[-1]] = after.pop(path[0])
    for (row, column), (next_row, next_column) in zip(path, path[1:]):
        if abs(next_row - row) == 2:
            del after[(row + next_row) // 2, (column + next_column) // 2]
    return after


def dangers(board, mine):
    """In how many ways the opponent could jump over a piece of mine."""
    count = 0
    for (row, column), piece in board.items():
        if piece in mine:
            continue
        # Kings, in capital letters, go both ways; black's men go up and red's men down.
        for up in (1, -1) if piece.isupper() else (1,) if piece == "b" else (-1,):
            for right in (1, -1):
                over = (row + up, column + right)
                behind = (row + 2 * up, column + 2 * right)
                on_board = 0 <= behind[0] < 8 and 0 <= behind[1] < 8
                if board.get(over, ".") in mine and on_board and behind not in board:
                    count += 1
    return count


def worth(board, mine, move):
    """What is better in the first of these is the better move."""
    # When one listed move is a jump, all are; so the longest name takes the most pieces.
    return len(move), -dangers(play(board, move), mine), random.random()


def main():
    mine = "bB" if input().strip() == "b" else "rR"  # red is told "r" or "w"
    while True:
        rows = [input() for _ in range(8)]
        moves = [input().strip() for _ in range(int(input()))]
        board = {}  # the pieces alone, by square
        for row, line in zip(range(7, -1, -1), rows):  # row 8 comes first
            for column, piece in enumerate(line.strip()):
                if piece != ".":
                    board[row, column] = piece
        print(max(moves, key=lambda move: worth(board, mine, move)), flush=True)


try:
    main()
except EOFError:
    pass  # the input has ended: the game is over
