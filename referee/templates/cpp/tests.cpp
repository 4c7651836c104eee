// Tests of the referee: it is given all answers of a game, and what it says is looked at.

#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <iostream>
#include <string>

// What the referee says. 66 = 3 + 2 * 7 + 1 * 7 * 7: the first discs fall into 3, 2, 1 and 0.
std::string play(const std::string& answers) {
    FILE* referee = popen(
        ("printf '%s\\n' '###Seed 66' '###Start 2' " + answers + " | ./referee").c_str(), "r");
    std::string said;
    for (int letter; (letter = std::fgetc(referee)) != EOF;) said += static_cast<char>(letter);
    pclose(referee);
    return said;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

int main() {
    // The seed chooses the first discs.
    assert(contains(play(""), "###Show\n.......\n.......\n.......\n.......\n.......\n1010...\n"));
    // Four in a column win, and four in a row.
    assert(ends_with(play("3 4 3 4 3"), "###End 0 1\n"));
    assert(ends_with(play("4 0 5 1 4 2 5 3"), "###End 1 0\n"));
    // An illegal answer loses and is told.
    const std::string said = play("3 seven");
    assert(contains(said, "answered `seven`, which is no free column\n"));
    assert(ends_with(said, "###End 0 1\n"));
    std::cout << "all tests passed\n";
}
