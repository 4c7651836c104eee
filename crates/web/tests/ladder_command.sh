#!/usr/bin/env -S --default-signal=INT sh
# Stands for `crownhead ladder` in the tests of what a page may have done to a ladder: prints how it was called, fails at
# removing, and runs until it is interrupted.
trap 'echo "pairs given back"; exit 0' INT
echo "$@"
case "$2" in
remove)
    echo 'there is no such bot' >&2
    exit 1
    ;;
run)
    while :; do sleep 0.02; done
    ;;
esac
