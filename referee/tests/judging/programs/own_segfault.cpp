// Reads as it should, and looks for a rule that is not there.
#include <iostream>
#include <map>
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
        for (auto &move : moves) std::cin >> move;
        std::cerr << "depth 3" << std::endl;
        std::map<std::string, int *> values;
        *values[moves[0]] = 1;
        std::cout << moves[0] << std::endl;
    }
}
