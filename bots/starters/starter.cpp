// A first checkers bot in C++17, for Crownhead and for the contest on CodinGame.
//
// It takes as many pieces as one move can; otherwise it prefers a move after which fewer of its own pieces
// are in danger; equals are decided at random. The place to make it stronger is `worth`.

#include <array>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <tuple>
#include <utility>

using Board = std::array<std::string, 8>;  // as it is read: row 8 first

// The piece on a square; a '#' outside the board.
char at(const Board& board, int row, int column) {
    return row >= 0 && row < 8 && column >= 0 && column < 8 ? board[row][column] : '#';
}

// The board after a move: the piece is on the last square, and what it jumped over is gone.
Board play(Board board, const std::string& move) {
    for (std::size_t i = 0; i + 3 < move.size(); i += 2) {  // "A3C5" is column A, row 3, then C, 5
        const int column = move[i] - 'A', row = '8' - move[i + 1];
        const int next_column = move[i + 2] - 'A', next_row = '8' - move[i + 3];
        std::swap(board[row][column], board[next_row][next_column]);
        if (std::abs(next_row - row) == 2) {
            board[(row + next_row) / 2][(column + next_column) / 2] = '.';
        }
    }
    return board;
}

// In how many ways the opponent could jump over a piece of mine.
int dangers(const Board& board, const std::string& mine) {
    const auto is_mine = [&](char piece) { return mine.find(piece) != std::string::npos; };
    int count = 0;
    for (int row = 0; row < 8; ++row) {
        for (int column = 0; column < 8; ++column) {
            const char piece = at(board, row, column);
            if (piece == '.' || is_mine(piece)) continue;
            for (int down : {1, -1}) {
                // Red's men go down the board, away from row 8, black's men go up, kings both ways.
                if (piece == (down == 1 ? 'b' : 'r')) continue;
                for (int right : {1, -1}) {
                    const char over = at(board, row + down, column + right);
                    const char behind = at(board, row + 2 * down, column + 2 * right);
                    if (is_mine(over) && behind == '.') ++count;
                }
            }
        }
    }
    return count;
}

// What is greater in the first of these that differs is the better move. When one listed move is a jump,
// all are; so the longest name takes the most pieces.
std::tuple<std::size_t, int, unsigned> worth(const Board& board, const std::string& mine,
                                             const std::string& move) {
    static std::mt19937 rng{std::random_device{}()};
    return {move.size(), -dangers(play(board, move), mine), rng()};
}

int main() {
    std::string colour;
    std::cin >> colour;
    const std::string mine = colour == "b" ? "bB" : "rR";  // red is told "r" or "w"
    while (true) {
        Board board;
        for (std::string& row : board) std::cin >> row;
        int count = 0;
        std::cin >> count;
        if (!std::cin) return 0;  // the input has ended: the game is over
        std::string best;
        auto best_worth = std::tuple<std::size_t, int, unsigned>{};  // less than any move's
        for (std::string move; count > 0 && std::cin >> move; --count) {
            const auto move_worth = worth(board, mine, move);
            if (move_worth > best_worth) {
                best = move;
                best_worth = move_worth;
            }
        }
        std::cout << best << std::endl;  // endl flushes
    }
}
