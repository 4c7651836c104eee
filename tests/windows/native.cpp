// Under Wine, which neither waits for a program of Linux nor gives it pipes: runs the one of its own name, with these
// arguments, and prints what it has written into files of the folder in NATIVE_FOLDER.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <io.h>
#include <iostream>
#include <string>
#include <windows.h>
int main(int, char **arguments) {
    std::string files = std::string(getenv("NATIVE_FOLDER")) + "/" + std::to_string(GetCurrentProcessId());
    std::string line = arguments[0];
    line = line.substr(line.find_last_of("/\\") + 1);
    line = line.substr(0, line.find(".exe"));
    while (*++arguments) {
        std::string word = *arguments;
        if (word.find(":\\") == 1) {
            word.replace(0, 2, word[0] == 'C' ? std::string(getenv("WINEPREFIX")) + "/drive_c" : "");
            for (char &letter : word)
                if (letter == '\\') letter = '/';
        }
        line += " '" + word + "'";
    }
    line = "Z:\\bin\\sh -c \"unset CARGO RUSTC; " + line + " >" + files + ".out 2>" + files + ".err; echo $? >" + files + ".tmp; mv " + files +
           ".tmp " + files + ".end\"";
    STARTUPINFOA start = {};
    start.cb = sizeof start;
    PROCESS_INFORMATION made;
    if (!CreateProcessA(0, &line[0], 0, 0, FALSE, 0, 0, 0, &start, &made)) return 99;
    int status = 98;
    while (!(std::ifstream(files + ".end") >> status)) Sleep(20);
    _setmode(1, _O_BINARY);
    std::ifstream out(files + ".out", std::ios::binary), error(files + ".err", std::ios::binary);
    if (out.peek() != EOF) std::cout << out.rdbuf();
    if (error.peek() != EOF) std::cerr << error.rdbuf();
    return status;
}
