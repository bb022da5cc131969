"""The live viewer in Chromium: from an event to the picture that it changes, pictures per second, size of the client.

    python tests/bench/bench_web.py [SCENE] [--events N] [--seconds S]

With each line between page and host: none, and one that is slow on purpose (`slow_line.py`). `panel`: the pointer goes
from one button to another until the page has drawn what the host answers. `camera`: the view is dragged, until the page
has drawn it from there; it does so before the host answers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from app.web.page import live_files  # noqa: E402
from tests.app.web.chromium import Page, chromium  # noqa: E402
from tests.bench.slow_line import slow_line  # noqa: E402

# name, delay of each way, s, bits/s
LINES = (("none", 0.0, 0.0), ("30 ms", 0.015, 0.0), ("30 ms, 1 Mbit/s", 0.015, 1e6))
# notes when an event came, with which message it went, and when its answer was drawn
WATCH = """
(() => {
  const k = kinetoscope, { flush, draw } = k, take = k.camera.take.bind(k.camera);
  let open = null;
  globalThis.times = [];
  k.canvas.addEventListener('pointermove', (event) => { open = { at: event.timeStamp, n: Infinity }; }, true);
  k.flush = () => {
    flush.call(k);
    if (open?.n === Infinity && k.sent) open.n = k.sent;
  };
  k.camera.take = (header) => {
    take(header);
    if (open && header.n >= open.n && header.ui?.new.length) open.seen = true;
  };
  k.draw = (preset) => {
    const drew = draw.call(k, preset);
    if (open && (globalThis.kind === 'camera' ? drew : open.seen)) {
      times.push(performance.now() - open.at);
      open = null;
    }
    return drew;
  };
})()
"""
READY = "kinetoscope.stage.whole && kinetoscope.people.drives"


@contextmanager
def host(scene: str) -> Iterator[str]:
    """A viewer in a process of its own; the address of its page."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "XDG_CONFIG_HOME": folder, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "app", scene, "--web", "--port", "0"]
        with subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = next(found for line in process.stdout if (found := re.search(r"open (http\S+)", line)))
                yield found[1]
            finally:
                process.terminate()


def measured(page: Page, kind: str, events: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Times from events to pictures, ms."""
    page.evaluate(f"(globalThis.kind = {kind!r}, times.length = 0)")
    x, y, w, h = page.evaluate("kinetoscope.camera.rect")
    if kind == "camera":
        page.mouse("mousePressed", x + w / 2, y + h / 2, "left", 1, clickCount=1)
    for k in range(events):
        if kind == "camera":
            page.mouse("mouseMoved", x + w / 2 + 3 * (k % 20), y + h / 2, "left", 1)
        else:
            # the buttons that step back and forward
            page.mouse("mouseMoved", (139, 171)[k % 2], 18)
        page.wait(f"times.length > {k}")
        time.sleep(0.02)
    if kind == "camera":
        page.mouse("mouseReleased", x + w / 2, y + h / 2, "left", 0, clickCount=1)
    return np.array(page.evaluate("times"))


def rates(page: Page, seconds: float) -> tuple[float, float, float]:
    """Frames and pictures per second, and kB of each frame, while the simulation runs."""
    counts = "[performance.now() / 1e3, kinetoscope.serial, kinetoscope.pictures, kinetoscope.link.bytes]"
    page.key("Space")
    time.sleep(1.0)
    before = np.array(page.evaluate(counts))
    time.sleep(seconds)
    passed, frames, pictures, sent = np.array(page.evaluate(counts)) - before
    page.key("Space")
    return frames / passed, pictures / passed, sent / 1e3 / max(frames, 1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene", nargs="?", default="humanoid")
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    sizes = {name or "page": len(content) for name, (_, content) in live_files().items()}
    print("client:", json.dumps(sizes), f"{sum(sizes.values()) / 1e3:.0f} kB")
    print(f"{'line':18}{'panel, ms':>22}{'camera, ms':>22}{'frames/s':>10}{'pictures/s':>12}{'kB/frame':>10}")
    with host(options.scene) as address, chromium() as make:
        port = urlsplit(address).port
        assert port is not None
        for name, delay, rate in LINES:
            with slow_line(port, delay, rate) as line:
                page = make((1280, 720))
                page.open_live(address.replace(f":{port}/", f":{line.port}/"), READY)
                page.evaluate("kinetoscope.canvas.focus()")
                frames, pictures, size = rates(page, options.seconds)
                page.evaluate(WATCH)
                times = [measured(page, kind, options.events) for kind in ("panel", "camera")]
                panel, camera = (f"{np.median(t):.0f}, 99 %: {np.percentile(t, 99):.0f}" for t in times)
                print(f"{name:18}{panel:>22}{camera:>22}{frames:10.1f}{pictures:12.1f}{size:10.2f}", flush=True)
                page.close()


if __name__ == "__main__":
    main()
