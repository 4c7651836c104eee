// A bot for the referee beside it: takes a win, prevents the opponent's, else the middle.

#include <cstdlib>
#include <iostream>
#include <string>
#include <tuple>

std::string drop(std::string board, int column, char player) {
    int square = 5 * 8 + column;
    while (board[square] != '.') square -= 8;
    board[square] = player;
    return board;
}

bool wins(const std::string& board, char player) {
    // In the text, the next square of a line is 1, 7, 8 or 9 letters further.
    for (std::size_t step : {1, 7, 8, 9})
        for (std::size_t start = 0; start < board.size(); ++start) {
            std::size_t end = start;
            while (end < board.size() && board[end] == player) end += step;
            if (end - start >= 4 * step) return true;
        }
    return false;
}

// What is greater in the first of these is the better move.
std::tuple<bool, bool, int> worth(const std::string& board, int column, char me) {
    const char opponent = me == '0' ? '1' : '0';
    const bool takes = wins(drop(board, column, me), me);
    const bool prevents = wins(drop(board, column, opponent), opponent);
    return {takes, prevents, -std::abs(column - 3)};
}

int main() {
    std::string me, row, columns;
    while (std::getline(std::cin, me)) {  // "0" or "1": which discs are this bot's
        std::string board;                // the rows, the top one first; "." is an empty square
        for (int i = 0; i < 6 && std::getline(std::cin, row); ++i) board += row + '\n';
        std::getline(std::cin, columns);
        int best = columns[0] - '0';
        for (std::size_t i = 2; i < columns.size(); i += 2) {
            const int column = columns[i] - '0';
            if (worth(board, column, me[0]) > worth(board, best, me[0])) best = column;
        }
        std::cout << best << std::endl;
    }
}
