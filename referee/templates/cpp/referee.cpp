// Connect Four for Crownhead: discs fall into seven columns, and four in a line win.
// Change `legal`, `drop`, `wins` and what `play` sends, and it is a game of your own. The
// seed chooses the first discs: the same bots play other games with other seeds.

#include <iostream>
#include <string>
#include <utility>

const int WIDTH = 7, HEIGHT = 6, OPENING = 4;
std::string board;  // the rows, the top one first, each with its line end

// The columns with room, with this letter between them.
std::string legal(char between) {
    std::string columns;
    for (int column = 0; column < WIDTH; ++column)
        if (board[column] == '.') columns += std::to_string(column) + between;
    columns.pop_back();
    return columns;
}

void drop(int column, int player) {
    int square = (HEIGHT - 1) * (WIDTH + 1) + column;
    while (board[square] != '.') square -= WIDTH + 1;
    board[square] = "01"[player];
}

bool wins(int player) {
    // In the text, the next square of a line is so many letters further.
    for (std::size_t step : {1, WIDTH, WIDTH + 1, WIDTH + 2})
        for (std::size_t start = 0; start < board.size(); ++start) {
            std::size_t end = start;
            while (end < board.size() && board[end] == "01"[player]) end += step;
            if (end - start >= 4 * step) return true;
        }
    return false;
}

// Asks the players in turn; gives the winner, -1 in a draw, and the reason.
std::pair<int, std::string> play() {
    for (int turn = OPENING; turn < WIDTH * HEIGHT; ++turn) {
        const int player = turn % 2;
        std::cout << "###Show\n" << board << "0123456\n###Input " << player << '\n';
        std::cout << player << '\n' << board << legal(' ') << '\n';
        std::cout << "###Legal\n"
                  << legal('\n') << "\n###Output " << player << " 1\n"
                  << std::flush;
        std::string answer;
        std::getline(std::cin, answer);
        // A column is one letter, and so it is one of the list if it is found there.
        if (answer.size() != 1 || legal('\n').find(answer) == std::string::npos) {
            std::cout << "###Error " << player << " answered `" << answer
                      << "`, which is no free column\n";
            return {1 - player, "an illegal answer"};
        }
        drop(std::stoi(answer), player);
        if (wins(player)) return {player, "four in a line"};
    }
    return {-1, "the board is full"};
}

int main() {
    std::string word;
    long seed = 0, players = 0;
    std::cin >> word >> seed >> word >> players;
    std::cin.ignore();  // the end of the line
    if (players != 2) return std::cerr << "Connect Four is a game for 2 players\n", 1;
    for (int row = 0; row < HEIGHT; ++row) board += std::string(WIDTH, '.') + '\n';
    for (int turn = 0; turn < OPENING; ++turn, seed /= WIDTH) drop(seed % WIDTH, turn % 2);
    const auto [winner, reason] = play();
    std::cout << "###Show\n" << board << "0123456\n###Reason " << reason << '\n';
    for (int player : {0, 1})
        std::cout << "###Score " << player << ' ' << (winner < 0 ? 0.5 : player == winner) << '\n';
    std::cout << "###End " << (winner < 0 ? "01" : winner == 0 ? "0 1" : "1 0") << '\n';
}
