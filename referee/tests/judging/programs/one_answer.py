"""Answers once."""
colour = input()
rows = [input() for _ in range(8)]
moves = [input() for _ in range(int(input()))]
print(moves[0])
