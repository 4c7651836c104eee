// Makes sure of what it believes.
#undef NDEBUG
#include <cassert>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string colour, row;
    std::cin >> colour;
    while (std::cin >> row) {
        for (int i = 0; i < 7; ++i) std::cin >> row;
        int count;
        std::cin >> count;
        std::vector<std::string> moves(count);
        for (auto &move : moves) std::cin >> move;
        assert(count == 7);
        std::cout << moves[0] << std::endl;
    }
}
