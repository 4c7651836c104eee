#!/usr/bin/env python3
"""Takes the screenshots of this folder: plays a ladder called `night` and opens its pages in Chromium.

usage: docs/pages/pages.py [CROWNHEAD]     (the program; `crownhead` on the path, if none is named)

Needs `chromedriver` on the path. Takes a few minutes. game.png is cropped by hand.
"""

import base64
import contextlib
import json
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
CHOOSE = """
    document.querySelector('.setup .primary').click();
    setTimeout(() => document.querySelector('[data-square=C3]').dispatchEvent(new MouseEvent('click', { bubbles: true })), 3000);
"""
# The picture, the place within the site, the window, and what is done there first.
PAGES = [
    ("live", "live", WIDE, ""),
    ("standings", "standings", WIDE, ""),
    ("standings-390", "standings", PHONE, ""),
    ("bot", f"bot={list(BOTS).index('depth-3')}", WIDE, ""),
    ("games", "games", WIDE, ""),
    ("manage", "steering", WIDE, ""),
    ("game-dark-390", "game=5&turn=5", PHONE, ""),
    ("analysis", "analysis", WIDE, "document.querySelector('main .primary').click()"),
    ("play", "play", WIDE, CHOOSE),
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

    def take(self, link, place, size, script):
        device = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
        self.ask("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": device})
        self.ask("/url", {"url": link})
        time.sleep(2)
        self.run(f"location.hash = '#{place}'")
        time.sleep(5)
        self.run(script)
        time.sleep(8)
        return base64.b64decode(self.ask("/screenshot"))

    def run(self, script):
        self.ask("/execute/sync", {"script": script, "args": []})

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

        ladder("new")
        for name, command in BOTS.items():
            ladder("add", name, command)
        ladder("pairs", "5")
        ladder("run")
        ladder("add", "full", "alphabeta")
        ladder("pairs", "20")
        server = subprocess.Popen([program, "serve", night], stdout=subprocess.PIPE, text=True)
        run = subprocess.Popen([program, "ladder", "run", night, "--quiet"])
        link = server.stdout.readline().strip()
        try:
            for name, place, size, script in PAGES:
                with contextlib.closing(Browser("dark" in name)) as browser:
                    (HERE / f"{name}.png").write_bytes(browser.take(link, place, size, script))
        finally:
            for process in run, server:
                process.terminate()
                process.wait()


main()
