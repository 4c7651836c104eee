#!/bin/sh
# Reads the first move of the list, and leaves the others.
read -r colour
while read -r row; do
    for place in 7 6 5 4 3 2 1; do read -r row; done
    read -r count
    read -r move
    echo "$move"
done
