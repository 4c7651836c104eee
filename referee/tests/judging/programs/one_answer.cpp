// Answers once, and takes 1 for success.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string colour, row;
    std::cin >> colour;
    for (int i = 0; i < 8; ++i) std::cin >> row;
    int count;
    std::cin >> count;
    std::vector<std::string> moves(count);
    for (auto &move : moves) std::cin >> move;
    std::cout << moves[0] << std::endl;
    return 1;
}
