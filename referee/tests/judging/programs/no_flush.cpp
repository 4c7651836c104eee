// Has read that this makes input faster.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::string colour, row;
    std::cin >> colour;
    while (std::cin >> row) {
        for (int i = 0; i < 7; ++i) std::cin >> row;
        int count;
        std::cin >> count;
        std::vector<std::string> moves(count);
        for (auto &move : moves) std::cin >> move;
        std::cout << moves[0] << "\n";
    }
}
