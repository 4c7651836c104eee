"""Tests of the referee: it is given all answers of a game, and what it says is looked at."""

import subprocess
import sys
import unittest

# 66 = 3 + 2 * 7 + 1 * 7**2 + 0 * 7**3: the first discs fall into the columns 3, 2, 1 and 0.
SEED = 66


def play(answers):
    told = "\n".join([f"###Seed {SEED}", "###Start 2", *answers.split()]) + "\n"
    command = [sys.executable, "referee.py"]
    ran = subprocess.run(command, input=told, capture_output=True, text=True)
    return ran.stdout


class Referee(unittest.TestCase):
    def test_the_seed_chooses_the_first_discs(self):
        self.assertIn("###Show\n" + ".......\n" * 5 + "1010...\n", play(""))

    def test_four_in_a_column_win(self):
        self.assertTrue(play("3 4 3 4 3").endswith("###End 0 1\n"))

    def test_four_in_a_row_win(self):
        self.assertTrue(play("4 0 5 1 4 2 5 3").endswith("###End 1 0\n"))

    def test_an_illegal_answer_loses_and_is_told(self):
        said = play("3 seven")
        self.assertIn("answered `seven`, which is no free column\n", said)
        self.assertTrue(said.endswith("###End 0 1\n"))


if __name__ == "__main__":
    unittest.main()
