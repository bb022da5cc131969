"""A viewer in a browser, pressed from outside: requests that have no business there, and three pages that come and go.

    python -m tests.soak.web [--requests 10000] [--minutes 3] [--seed 0] [--model humanoid]

The viewer is a process of its own. First come requests without a cookie, with a wrong one, from other pages, by other
names, half of one, no requests at all; messages that do not keep to the protocol, too long ones, too many. Every few
hundred a page of the owner has to come in and see the model. Then three pages type, click, drag, drop files, ask for
control and hand it over, and vanish in the middle of it. It fails if the process ends, says a traceback, lets something
through, or needs ever more memory.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import socket
import string
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from websockets.exceptions import WebSocketException  # noqa: E402

from tests.app.web.live.page import Page, get, sign_in  # noqa: E402

# between two looks at whether all is well, requests
LOOK = 500
# more than at the beginning, MB
MOST_GROWTH = 150.0
PATHS = (
    "/",
    "/ws",
    "/client.js",
    "/asset/0123",
    "/download/a/b",
    "/enter",
    "/?key=x",
    "/../../etc/passwd",
    "/%00",
    "//",
)
CODES = [f"Key{letter}" for letter in string.ascii_uppercase if letter not in "QR"] + [
    "Tab", "Space", "Enter", "Escape", "ArrowLeft", "ArrowDown", "F1", "F2", "F3", "F4", "F8", "F9", "Home", "End",
    "Equal", "Minus", "BracketLeft", "BracketRight", "Backspace", "Delete", "PageUp", "Digit1", "Comma",
]  # fmt: skip
GONE = (OSError, WebSocketException, AssertionError, TimeoutError, EOFError)


class Viewer:
    """The process, and its address."""

    def __init__(self, model: str, folder: Path) -> None:
        environment = {
            **os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder), "PYTHONPATH": str(ROOT),
            "TMPDIR": str(folder),
        }  # fmt: skip
        environment.pop("DISPLAY", None)
        command = [sys.executable, "-m", "app", model, "--web", "--port", "0"]
        self.said = (folder / "said.txt").open("w+")
        self.process = subprocess.Popen(
            command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=self.said, text=True
        )
        assert self.process.stdout is not None
        found = re.search(r"open (http\S+)", self.process.stdout.readline())
        assert found, self.fault()
        self.address = found[1]
        self.cookie = sign_in(self.address)

    @property
    def megabytes(self) -> float:
        """Resident memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def fault(self) -> str:
        """What the process has said, if it is an error, or has ended."""
        said = Path(self.said.name).read_text()
        over = self.process.poll()
        return said if "Traceback" in said or over is not None else ""

    def look(self) -> None:
        """A page of the owner comes in."""
        with Page(self.address, self.cookie) as page:
            page.until(lambda: page.shown.header.get("batches"))
        if fault := self.fault():
            raise RuntimeError(fault)


class Hostile:
    """Requests that have to be refused."""

    def __init__(self, viewer: Viewer, seed: int) -> None:
        self._viewer, self._dice = viewer, random.Random(seed)
        self.counts: Counter[str] = Counter()
        parts = urlsplit(viewer.address)
        self._place = parts.hostname or "", parts.port or 0
        self._open: list[socket.socket] = []

    def send(self) -> None:
        """One."""
        ways: tuple[Callable[[], str], ...] = (
            self._noise, self._half, self._plain, self._plain, self._foreign, self._other_page, self._wrong_cookie,
            self._malformed, self._malformed, self._large, self._upload, self._guess,
        )  # fmt: skip
        way = self._dice.choice(ways)
        try:
            came = way()
        except GONE as error:
            came = type(error).__name__
        self.counts[f"{way.__name__[1:]}: {came}"] += 1

    def _raw(self, data: bytes, keep: bool = False) -> str:
        held = socket.create_connection(self._place, 20)
        held.sendall(data)
        if keep:
            self._open.append(held)
            while len(self._open) > 30:
                self._open.pop(0).close()
            return "held"
        with held:
            held.settimeout(0.5)
            with contextlib.suppress(TimeoutError):
                return held.recv(60)[9:12].decode("latin-1") or "closed"
            return "silent"

    def _noise(self) -> str:
        return self._raw(self._dice.randbytes(self._dice.randrange(1, 3000)) + b"\r\n\r\n")

    def _half(self) -> str:
        return self._raw(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", keep=True)

    def _plain(self) -> str:
        return str(self._status(self._dice.choice(PATHS)))

    def _foreign(self) -> str:
        return str(self._status("/", Host=self._dice.choice(("evil.example", "127.0.0.1.evil", "", "[", "a" * 5000))))

    def _other_page(self) -> str:
        status = self._status("/", self._viewer.cookie, Origin="https://evil.example")
        assert status == 403
        Page(self._viewer.address, self._viewer.cookie, origin="https://evil.example", hello=False).close()
        raise RuntimeError("another page has come in")

    def _wrong_cookie(self) -> str:
        page = Page(self._viewer.address, self._viewer.cookie + self._dice.choice("xyz"), hello=False)
        page.hear()
        raise RuntimeError("a wrong cookie has come in")

    def _status(self, path: str, cookie: str = "", **headers: str) -> int:
        status = get(self._viewer.address, path, cookie, **headers)[0].status
        if not cookie and status < 400:
            raise RuntimeError(f"{path} was answered without a cookie")
        return status

    def _malformed(self) -> str:
        good = [
            {"t": "hello", "w": 800, "h": 600, "dpr": 1, "protocol": 1}, {"t": "ack", "n": 1}, {"t": "give", "to": 1},
            {"t": "in", "n": 1, "e": [["b", 0, 1, 5, 5, 0], ["k", "KeyA", "a", 1, 0]]}, {"t": "up", "files": [{}]},
        ]  # fmt: skip
        page = Page(self._viewer.address, self._viewer.cookie, hello=self._dice.random() < 0.7)
        for _ in range(self._dice.randrange(1, 5)):
            text = [*json.dumps(self._dice.choice(good))]
            for _ in range(self._dice.randrange(1, 8)):
                text[self._dice.randrange(len(text))] = self._dice.choice('{}[]",:0-9aeN\x00é\ud7ff')
            page.socket.send("".join(text))
        page.socket.send("[]")
        while True:
            page.hear(20)

    def _large(self) -> str:
        page = Page(self._viewer.address, self._viewer.cookie)
        page.socket.send("x" * 100_000 if self._dice.random() < 0.5 else b"x" * 300_000)
        while True:
            page.hear(20)

    def _upload(self) -> str:
        page = Page(self._viewer.address, self._viewer.cookie)
        name = self._dice.choice(("../a.xml", "a.xml", "/etc/x", "a/../../b", "a" * 300, "\x00"))
        page.send(t="up", files=[{"name": name, "size": self._dice.choice((0, 5, 1 << 40, -1))}])
        page.socket.send(b"more than was said")
        page.socket.send("[]")
        while True:
            page.hear(20)

    def _guess(self) -> str:
        return str(self._status("/enter", X_Kinetoscope_Key=str(self._dice.random())))


class Visitor(threading.Thread):
    """A page that comes and goes, and does whatever it can."""

    def __init__(self, viewer: Viewer, seed: int, end: float) -> None:
        super().__init__()
        self._viewer, self._dice, self._end = viewer, random.Random(seed), end
        self.counts: Counter[str] = Counter()
        self.frames = self.bytes = 0
        self.fault = ""

    def run(self) -> None:
        """Until the end."""
        try:
            while time.monotonic() < self._end and not self.fault:
                self._visit()
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"

    def _visit(self) -> None:
        try:
            page = Page(self._viewer.address, self._viewer.cookie)
        except (OSError, WebSocketException) as error:
            self.counts[f"not let in: {error}"] += 1
            time.sleep(0.5)
            return
        self.counts["visits"] += 1
        for _ in range(self._dice.randrange(3, 120)):
            try:
                self._act(page)
                with contextlib.suppress(TimeoutError):
                    for _ in range(self._dice.randrange(1, 6)):
                        page.hear(0.05)
            except (OSError, WebSocketException) as error:
                self.counts[f"lost: {error}"] += 1
                break
        self.frames, self.bytes = self.frames + page.shown.serial, self.bytes + page.shown.bytes
        if self._dice.random() < 0.4:
            # as if the browser had been killed
            page.socket.socket.close()
        else:
            page.close()

    def _act(self, page: Page) -> None:
        dice = self._dice
        x, y = dice.randrange(1400), dice.randrange(900)
        match dice.randrange(12):
            case 0:
                page.send(t="size", w=dice.randrange(300, 2000), h=dice.randrange(200, 1400), dpr=dice.choice((1, 2)))
            case 1:
                page.send(t="drive")
            case 2:
                page.send(t="give", to=dice.randrange(6))
            case 3:
                page.send(t="name", s=dice.choice(("Ada", "", "é", "x" * 40)))
            case 4:
                content = b"<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"[: dice.choice((60, 60, 20))]
                page.send(t="up", files=[{"name": "drop.xml", "size": len(content)}])
                page.socket.send(content[: dice.choice((100, 5))])
            case 5 | 6:
                code, mods = dice.choice(CODES), dice.choice((0, 0, 0, 1, 2))
                # files belong to the user, and nothing is started
                mods = 0 if code in ("KeyE", "KeyF", "KeyP", "KeyS", "KeyO", "KeyL") else mods
                page.do(["k", code, "", 1, mods], ["t", dice.choice(("a", "1", "é"))], ["k", code, "", 0, mods])
            case 7:
                page.do(["w", 0, dice.uniform(-3, 3), x, y], ["p", x, y, 0.1, 0.0, 0.05], ["f", dice.random() < 0.8])
            case _:
                button = dice.randrange(3)
                moves = [["m", x + 10 * k, y + 5 * k] for k in range(dice.randrange(6))]
                page.do(["b", button, 1, x, y, 0], *moves, ["b", button, 0, x, y, 0])


def soak(model: str, requests: int, minutes: float, seed: int) -> list[str]:
    """Both parts; what went wrong."""
    faults: list[str] = []
    with TemporaryDirectory(prefix="kinetoscope-soak-") as name:
        viewer = Viewer(model, Path(name))
        try:
            viewer.look()
            began = viewer.megabytes
            hostile = Hostile(viewer, seed)
            for number in range(1, requests + 1):
                hostile.send()
                if number % LOOK == 0:
                    viewer.look()
                    print(f"{number} requests, {viewer.megabytes:.0f} MB", flush=True)
            for what, count in sorted(hostile.counts.items()):
                print(f"{count:7} {what}")
            faults += _visits(viewer, minutes, seed)
            viewer.look()
            grown = viewer.megabytes - began
            print(f"{began:.0f} MB at first, {grown:+.0f} MB in the end")
            if grown > MOST_GROWTH:
                faults.append(f"{grown:.0f} MB more than at the beginning")
        except Exception as error:
            faults.append(f"{type(error).__name__}: {error}\n{viewer.fault()}")
        viewer.process.terminate()
        try:
            viewer.process.wait(60)
        except subprocess.TimeoutExpired:
            faults.append("it did not end when it was asked to")
            viewer.process.kill()
        if said := viewer.fault().strip():
            print(said)
            faults += [said] if "Traceback" in said else []
        left = [path.name for path in Path(name).glob("kinetoscope-drop-*")]
        faults += [f"dropped files are left: {left}"] if left else []
    return faults


def _visits(viewer: Viewer, minutes: float, seed: int) -> list[str]:
    """Three pages at a time."""
    end = time.monotonic() + 60 * minutes
    visitors = [Visitor(viewer, 1000 * seed + k, end) for k in range(3)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    for visitor in visitors:
        print(f"{visitor.frames} frames, {visitor.bytes / 1e6:.1f} MB: {dict(visitor.counts)}")
    return [visitor.fault for visitor in visitors if visitor.fault]


def main(arguments: Iterable[str] | None = None) -> int:
    """From the command line; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default="humanoid")
    # of the machine
    os.environ["no_proxy"] = "127.0.0.1"
    options = parser.parse_args(None if arguments is None else [*arguments])
    faults = soak(options.model, options.requests, options.minutes, options.seed)
    print("\n".join(faults) or "all is well")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
