// Counts the moves from 1, and forgets the last.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string colour, row;
    std::cin >> colour;
    while (true) {
        for (int i = 0; i < 8; ++i)
            if (!(std::cin >> row)) return 0;
        int count;
        std::cin >> count;
        std::vector<std::string> moves;
        for (int i = 1; i < count; ++i) {
            std::cin >> row;
            moves.push_back(row);
        }
        std::cout << moves[0] << std::endl;
    }
}
