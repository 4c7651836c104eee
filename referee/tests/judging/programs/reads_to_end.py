"""Takes its input for a file."""
import sys

lines = sys.stdin.read().split()
count = int(lines[9])
print(lines[10], flush=True)
