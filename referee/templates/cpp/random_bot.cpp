// A bot for the referee beside it: drops its disc into any column that has room.

#include <iostream>
#include <random>
#include <string>

int main() {
    std::mt19937 random(std::random_device{}());
    std::string line, columns;
    // A turn is which player this bot is, "0" or "1", and six rows, then the columns with room.
    while (std::cin) {
        for (int i = 0; i < 7; ++i) std::getline(std::cin, line);
        if (!std::getline(std::cin, columns)) break;
        std::uniform_int_distribution<std::size_t> any(0, columns.size() / 2);
        std::cout << columns[2 * any(random)] << std::endl;
    }
}
