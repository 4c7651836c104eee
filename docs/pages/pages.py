#!/usr/bin/env python3
"""Takes the screenshots of this folder: plays a ladder called `night` and opens its pages in Chromium.

usage: docs/pages/pages.py [CROWNHEAD]     (the program; `crownhead` on the path, if none is named)

Needs `chromedriver` on the path. Takes a few minutes. game.png is cropped by hand.
"""

import base64
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOTS = {
    "random": "random",
    "greedy": "greedy",
    "depth-1": "alphabeta --depth 1",
    "depth-3": "alphabeta --depth 3",
    "nodes-20000": "alphabeta --nodes 20000",
}
WIDE, PHONE = (1280, 1000), (390, 844)
# The picture, the place within the site, the window, and what is clicked there first.
PAGES = [
    ("live", "live", WIDE, []),
    ("standings", "standings", WIDE, []),
    ("standings-390", "standings", PHONE, []),
    ("bot", f"bot={list(BOTS).index('depth-3')}", WIDE, []),
    ("games", "games", WIDE, []),
    ("game-dark-390", "game=5&turn=5", PHONE, []),
    ("analysis", "analysis", WIDE, ["main .primary"]),
    ("play", "play", WIDE, [".setup .primary", "[data-square=C3]"]),
]


class Browser:
    """A session of chromedriver."""

    def __init__(self, dark):
        self.driver = subprocess.Popen(["chromedriver", "--port=9517"], stdout=subprocess.DEVNULL)
        arguments = ["--headless=new", "--no-sandbox", "--hide-scrollbars"]
        if dark:
            arguments.append("--force-dark-mode")
        options = {"goog:chromeOptions": {"args": arguments}}
        self.session = ""
        for _ in range(100):
            try:
                self.session = "/" + self.ask("", {"capabilities": {"alwaysMatch": options}})["sessionId"]
                return
            except OSError:
                time.sleep(0.1)
        sys.exit("chromedriver does not start")

    def ask(self, command, body=None):
        address = f"http://127.0.0.1:9517/session{self.session}{command}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request))["value"]

    def take(self, link, place, size, clicks):
        device = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
        self.ask("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": device})
        self.ask("/url", {"url": link})
        time.sleep(2)
        self.ask("/execute/sync", {"script": f"location.hash = '#{place}'", "args": []})
        time.sleep(5)
        for selector in clicks:
            element = self.ask("/element", {"using": "css selector", "value": selector})
            self.ask(f"/element/{next(iter(element.values()))}/click", {})
            time.sleep(5)
        return base64.b64decode(self.ask("/screenshot"))

    def close(self):
        self.driver.terminate()
        self.driver.wait()


def main():
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        print(__doc__.strip())
        return
    program = sys.argv[1] if sys.argv[1:] else "crownhead"
    with tempfile.TemporaryDirectory() as folder:
        night = str(Path(folder) / "night")

        def ladder(*arguments):
            subprocess.run([program, "ladder", arguments[0], night, *arguments[1:], "--quiet"], check=True)

        def pairs(number):
            settings = Path(night) / "ladder.toml"
            settings.write_text(re.sub(r"(?m)^#? *pairs *=.*", f"pairs = {number}", settings.read_text(), count=1))

        ladder("new")
        for name, command in BOTS.items():
            ladder("add", name, command)
        pairs(5)
        ladder("run")
        ladder("add", "full", "alphabeta")
        pairs(20)
        server = subprocess.Popen([program, "serve", night], stdout=subprocess.PIPE, text=True)
        run = subprocess.Popen([program, "ladder", "run", night, "--quiet"])
        link = server.stdout.readline().strip()
        try:
            for name, place, size, clicks in PAGES:
                with contextlib.closing(Browser("dark" in name)) as browser:
                    (HERE / f"{name}.png").write_bytes(browser.take(link, place, size, clicks))
        finally:
            for process in run, server:
                process.terminate()
                process.wait()


main()
