// Plays the first move of the list, and in its third turn commits the fault that its argument names, or `stay`s when its
// input ends.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
#include <windows.h>
int main(int, char **arguments) {
    std::string fault = arguments[1] ? arguments[1] : "", line, colour;
    if (fault == "linger") Sleep(60000);
    std::getline(std::cin, colour);
    for (int turn = 1;; turn++) {
        for (int row = 0; row < 8; row++)
            if (!std::getline(std::cin, line)) {
                if (fault == "stay") Sleep(60000);
                return 0;
            }
        int count;
        std::cin >> count;
        std::getline(std::cin, line);
        std::vector<std::string> moves(count);
        for (auto &move : moves) std::getline(std::cin, move);
        if (turn == 3) {
            if (fault == "sleep") Sleep(60000);
            if (fault == "crash") *(volatile int *)8 = 1;
            if (fault == "divide") { volatile int zero = 0; exit(7 / zero); }
            if (fault == "eat") for (;;) memset(new char[32 << 20], 1, 32 << 20);
            if (fault == "exit") exit(3);
            if (fault == "illegal") { std::cout << "Z9Z9" << std::endl; continue; }
            if (fault == "flood") for (;;) std::cout << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
            if (fault == "child") {
                STARTUPINFOA start = {};
                start.cb = sizeof start;
                PROCESS_INFORMATION made;
                std::string command = std::string(arguments[0]) + " linger";
                CreateProcessA(0, &command[0], 0, 0, TRUE, 0, 0, 0, &start, &made);
                exit(4);
            }
        }
        std::cout << moves[0] << std::endl;
    }
}
