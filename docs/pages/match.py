#!/usr/bin/env python3
"""Draws match.svg: a real match of a bot with one hidden mistake, as a terminal of 80 columns shows it.

usage: docs/pages/match.py [CROWNHEAD]     (the program; `crownhead` on the path, if none is named)

The bot is bots/starters/starter.py with a mistake: it flushes its output except after a move of three jumps.
"""

import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLUMNS = 80
TYPED = 'crownhead match "python3 my_bot.py" greedy --seed 1'
MISTAKE = [
    # Reading lines by `input()` would flush the output.
    ("import random\n", "import random\nimport sys\n\nrandom.seed(1)\n"),
    ("rows = [input() for", "rows = [next(sys.stdin) for"),
    ("[input().strip() for _ in range(int(input()))]", "[next(sys.stdin).strip() for _ in range(int(next(sys.stdin)))]"),
    ("        print(max(", "        move = max("),
    ("move)), flush=True)\n", "move))\n        print(move, flush=len(move) < 8)\n"),
    ("except EOFError:", "except (EOFError, StopIteration):"),
]
BACKGROUND, TEXT, PROMPT = "#16191d", "#d7dce2", "#7ee787"
COLOURS = {31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#56d4dd"}
# Sizes in pixels; a line is stretched to its columns, whatever font the reader has.
ADVANCE, LINE, SIZE, MARGIN, BAR = 8.4, 19, 14, 16, 30


def printed(program):
    """What the match prints on a terminal, with its colours."""
    bot = (HERE / "../../bots/starters/starter.py").read_text()
    for right, wrong in MISTAKE:
        assert right in bot, right
        bot = bot.replace(right, wrong)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "my_bot.py").write_text(bot)
        terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        arguments = ["match", "python3 my_bot.py", "greedy", "--seed", "1", "--quiet"]
        match = subprocess.Popen([program, *arguments], cwd=folder, stdout=inner, stderr=inner)
        os.close(inner)
        text = b""
        try:
            while piece := os.read(terminal, 4096):
                text += piece
        except OSError:
            pass  # The match has ended.
        assert match.wait() == 0, text.decode()
    return text.decode().replace("\r", "").rstrip().split("\n")


def spans(line):
    """The pieces of a line, each with its style."""
    style, pieces = {}, []
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not piece.startswith("\x1b"):
            pieces.append((piece, dict(style)))
            continue
        for code in (int(code or 0) for code in piece[2:-1].split(";")):
            if code == 0:
                style = {}
            elif code == 1:
                style["font-weight"] = "bold"
            elif code == 2:
                style["opacity"] = "0.65"
            elif code % 60 in COLOURS:
                style["fill"] = COLOURS[code % 60]
    return [(text, style) for text, style in pieces if text]


def drawn(lines):
    height = BAR + 2 * MARGIN + LINE * len(lines)
    width = 2 * MARGIN + COLUMNS * ADVANCE
    font = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" '
        f'height="{height}" font-family="{font}" font-size="{SIZE}" role="img">'
    )
    yield f"<title>{html.escape(TYPED)}</title>"
    yield f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    for place, colour in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
        yield f'<circle cx="{MARGIN + 5 + 18 * place}" cy="18" r="5.5" fill="{colour}"/>'
    for number, pieces in enumerate(lines):
        column = 0
        for text, style in pieces:
            begin = column + len(text) - len(text.lstrip(" "))
            column += len(text)
            text = text.strip(" ")
            if not text:
                continue
            x, y = MARGIN + begin * ADVANCE, BAR + MARGIN + LINE * number + SIZE
            attributes = "".join(f' {name}="{value}"' for name, value in ({"fill": TEXT} | style).items())
            yield (
                f'<text x="{x:.1f}" y="{y}" textLength="{len(text) * ADVANCE:.1f}" '
                f'lengthAdjust="spacingAndGlyphs" xml:space="preserve"{attributes}>{html.escape(text)}</text>'
            )
    yield "</svg>\n"


def main():
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        print(__doc__.strip())
        return
    lines = printed(*sys.argv[1:] or ["crownhead"])
    typed = [("$ ", {"fill": PROMPT}), (TYPED, {"font-weight": "bold"})]
    picture = "\n".join(drawn([typed, *map(spans, lines)]))
    (HERE / "match.svg").write_text(picture)


main()
