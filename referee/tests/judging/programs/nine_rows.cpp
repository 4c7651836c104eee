// Counts the rows from 0 to 8.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string colour;
    std::cin >> colour;
    while (std::cin) {
        std::vector<std::string> rows(10), moves;
        for (int y = 0; y <= 8; ++y) std::cin >> rows[y];
        int count;
        std::cin >> count;
        for (int i = 0; i < count; ++i) {
            moves.emplace_back();
            std::cin >> moves.back();
        }
        std::cout << moves[0] << std::endl;
    }
}
