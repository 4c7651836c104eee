// Reads the number with >> and the moves with getline.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string colour, row;
    std::cin >> colour;
    while (std::cin >> row) {
        for (int i = 1; i < 8; ++i) std::cin >> row;
        int count;
        std::cin >> count;
        std::vector<std::string> moves(count);
        for (auto &move : moves) std::getline(std::cin, move);
        std::cout << moves[0] << std::endl;
    }
}
