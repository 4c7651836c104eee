"""Waits for its files and fills its tables before it reads, and then finds no time to answer."""
import time


def fill(seconds):
    end = time.process_time() + seconds
    table = {}
    while time.process_time() < end:
        table[len(table) % 1000] = len(table)


# It is not asked before five seconds are over.
time.sleep(5)
fill(60)
colour = input()
