"""Drives Chromium without a screen by its debugging protocol, through a pipe: pages, real events, pictures."""

from __future__ import annotations

import base64
import fcntl
import io
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
    "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--remote-debugging-pipe", "--hide-scrollbars",
)  # fmt: skip
PATIENCE = 60.0
MODIFIERS = {"Alt": 1, "Ctrl": 2, "Meta": 4, "Shift": 8}
BUTTONS = {"left": 1, "right": 2, "middle": 4}
# Windows' codes of keys that are no letters or digits
CODES = {
    "Enter": 13, "Escape": 27, "Space": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37,
    "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Backspace": 8, "F1": 112, "F6": 117,
    "F7": 118, ";": 186, "=": 187, "-": 189, ".": 190, "/": 191, "[": 219, "]": 221,
}  # fmt: skip
# KeyboardEvent.code of keys that are neither letters nor digits, nor called by it
PLACES = {
    "/": "Slash", ";": "Semicolon", "[": "BracketLeft", "]": "BracketRight", "=": "Equal", "-": "Minus", ".": "Period",
    "?": "Slash",
}  # fmt: skip


class Chromium:
    """A browser of its own profile."""

    def __init__(self, folder: Path) -> None:
        found = next((path for name in NAMES if (path := shutil.which(name))), None)
        assert found, "no Chromium"
        # the browser reads from descriptor 3 and writes to 4; ours are moved out of the way first
        commands, answers = os.pipe(), os.pipe()
        ends = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (commands[0], answers[1])]
        run = ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "bash", found, *FLAGS, f"--user-data-dir={folder}"]
        self.process = subprocess.Popen([*run, "about:blank"], pass_fds=ends, stderr=subprocess.DEVNULL)
        for descriptor in (commands[0], answers[1], *ends):
            os.close(descriptor)
        self._write, self._read = os.fdopen(commands[1], "wb", buffering=0), os.fdopen(answers[0], "rb", buffering=0)
        self._buffer, self._number = b"", 0
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Send a command; returns its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._write.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == message["id"]:
                assert "error" not in answer, f"{method}: {answer['error']}"
                found: dict[str, Any] = answer["result"]
                return found
            self.events.append(answer)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = self._read.read(1 << 16)
            assert part, "the browser has gone"
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(text)
        return found

    def close(self) -> None:
        """End it."""
        self._write.close()
        self._read.close()
        self.process.terminate()
        self.process.wait()


class Page:
    """A page in a browser; `messages` are those of the console, exceptions among them."""

    def __init__(self, browser: Chromium, size: tuple[int, int], scheme: str = "dark", touch: bool = False) -> None:
        self.browser, self.size = browser, size
        target = browser.send("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        self._session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._target = target
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        self.resize(size)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.send("Emulation.setEmulatedMedia", features=[feature])
        if touch:
            self.send("Emulation.setTouchEmulationEnabled", enabled=True)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """A command to this page."""
        return self.browser.send(method, self._session, **params)

    def resize(self, size: tuple[int, int]) -> None:
        """The size of the window."""
        self.size = size
        self.send(
            "Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False
        )

    @property
    def messages(self) -> list[str]:
        """All that the console has shown."""
        self.evaluate("0")
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        mine = [e for e in self.browser.events if e.get("sessionId") == self._session and e["method"] in kinds]
        return [json.dumps(e["params"])[:2000] for e in mine]

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, or of its promise."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, address: str) -> None:
        """Open a replay, and wait for its first picture."""
        self.send("Page.navigate", url=address)
        self.wait(
            "document.getElementById('message') && document.getElementById('message').textContent !== 'Loading …'"
        )

    def open_live(self, address: str, condition: str = "kinetoscope.pictures && kinetoscope.people.you") -> None:
        """Open the page of a live viewer, and wait for its first picture."""
        self.send("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE
        while True:
            # the address with the secret leads to another one
            with suppress(AssertionError):
                if self.evaluate(f"Boolean({condition})"):
                    return
            assert time.monotonic() < end, f"not within {PATIENCE} s: {condition}"
            time.sleep(0.02)

    def wait(self, condition: str, patience: float = PATIENCE) -> None:
        """Until a condition holds."""
        end = time.monotonic() + patience
        while not self.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < end, f"not within {patience} s: {condition}"
            time.sleep(0.02)

    def close(self) -> None:
        """Close the page."""
        self.browser.send("Target.closeTarget", targetId=self._target)

    def settle(self) -> None:
        """Until what was asked for has been drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self) -> np.ndarray[Any, Any]:
        """What the window shows, RGB."""
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))

    # events

    def mouse(self, kind: str, x: float, y: float, button: str = "none", buttons: int = 0, **more: Any) -> None:
        """One event of the mouse."""
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, **more)

    def click(self, x: float, y: float, button: str = "left", count: int = 1, modifiers: str = "") -> None:
        """Press and release, as often as `count` says."""
        held = MODIFIERS.get(modifiers, 0)
        self.mouse("mouseMoved", x, y)
        # as quick as a person, on any machine
        now = time.time()
        for k in range(count):
            for kind, buttons in (("mousePressed", BUTTONS[button]), ("mouseReleased", 0)):
                more = {"clickCount": k + 1, "modifiers": held, "timestamp": now + 0.1 * k}
                self.mouse(kind, x, y, button, buttons, **more)
        self.settle()

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], button: str = "left", modifiers: str = ""
    ) -> None:
        """Press, move in steps, release."""
        held = MODIFIERS.get(modifiers, 0)
        self.mouse("mousePressed", *start, button, BUTTONS[button], clickCount=1, modifiers=held)
        for k in range(1, 6):
            x, y = (a + (b - a) * k / 5 for a, b in zip(start, end, strict=True))
            self.mouse("mouseMoved", x, y, button, BUTTONS[button], modifiers=held)
        self.mouse("mouseReleased", *end, button, 0, clickCount=1, modifiers=held)
        self.settle()

    def wheel(self, x: float, y: float, delta: float) -> None:
        """Turn the wheel; positive is towards the user."""
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=delta)
        self.settle()

    def touch(self, *moments: list[tuple[float, float]]) -> None:
        """Fingers at points, moment by moment; then they are lifted."""
        for k, points in enumerate(moments):
            fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
            self.send("Input.dispatchTouchEvent", type="touchMove" if k else "touchStart", touchPoints=fingers)
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def key(self, name: str) -> None:
        """Press and release a key such as "Space", "c", "Ctrl+Shift+ArrowLeft"."""
        *held, key = name.split("+") if name != "+" else [name]
        modifiers = sum(MODIFIERS[h] for h in held)
        code = CODES.get(key) or ord(key.upper())
        text = {"Space": " ", "Enter": "\r"}.get(key, key if len(key) == 1 else "")
        shown = " " if key == "Space" else key
        place = f"Key{key.upper()}" if len(key) == 1 and key.isalpha() else f"Digit{key}" if key.isdigit() else key
        event = {
            "key": shown, "code": PLACES.get(key, place), "windowsVirtualKeyCode": code, "modifiers": modifiers,
        }  # fmt: skip
        typed = {"text": text} if text and "Ctrl" not in held else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **event, **typed)
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)
        self.settle()

    def middle(self, selector: str) -> tuple[float, float]:
        """Where an element is, scrolled into view."""
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({selector!r}); e.scrollIntoView({{block: 'nearest'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        return box[0], box[1]

    def press(self, selector: str) -> None:
        """Click an element."""
        self.click(*self.middle(selector))

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self.evaluate(
            f"(() => {{ const e = document.querySelector({selector!r}); e.value = {value!r};"
            " e.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )
        self.settle()


@contextmanager
def chromium() -> Iterator[Callable[..., Page]]:
    """A browser; gives a function that makes pages."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Chromium(Path(folder))
        try:
            yield lambda size=(1280, 720), **options: Page(browser, size, **options)
        finally:
            browser.close()
