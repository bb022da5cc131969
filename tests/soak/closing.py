"""Passive viewers opened and closed again and again beside busy processes, and one whose window is stuck for long.

    python -m tests.soak.closing [--count 200] [--busy 3] [--each 20] [--seed 0]
    python -m tests.soak.closing --stuck 30 [--then close]

Under an X server without a screen (Xvfb), in processes that open `each` viewers, one after another, each closed by
another thread at a random moment while the script steps, plots and syncs as fast as it can. Fails if a process does
not end, if one viewer takes more than some seconds to close, or if memory or descriptors grow from viewer to viewer.

With --stuck, the X server is stopped (SIGSTOP) for so many minutes while the script goes on: memory stays flat. Then
the server goes on and the viewer is closed, or, with `--then close`, it is closed while its window is stuck.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.app.window_driver import x_server  # noqa: E402
from tests.soak.viewer import memory_in_use  # noqa: E402

MODEL = """<mujoco><worldbody><light pos='0 0 3'/>
<body name='ball'><freejoint/><geom size='.2'/></body></worldbody></mujoco>"""
# how long a viewer may take to close beside busy processes, and a process to end, s
CLOSE_SECONDS, END_SECONDS = 10.0, 120.0
# fonts and native code come with the first viewers of a process; a bare window of pyglet with a GL context in it
# leaves 0.6 MB behind each time
SETTLED, GROWTH_BYTES = 5, 1.5e6
# of a stuck window, as a share of the time: the history has a budget of memory first, and then an index of its files
STUCK_SETTLED, STUCK_GROWTH_BYTES, LOOK = 0.3, 150e6, 10.0


def status(pid: int) -> tuple[int, int]:
    """Resident bytes and open descriptors of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(f"/proc/{pid}/fd"))


# ---- in the script's process


def script(count: int, seed: int, wait: bool, disk: float, memory: float) -> None:
    """Open and close viewers; with `wait`, one, until standard input says to close it."""
    import sim
    from app import viewer
    from app.run import live_run
    from app.run.history.history import History
    from app.run.history.row_store import RowStore

    live_run.History = lambda engine, _: History(engine, int(2e6 * memory / 3), int(1e6 * memory / 3))  # type: ignore
    RowStore.__init__.__defaults__ = (int(1e6 * disk),)
    pick = random.Random(seed)
    m = sim.loads(MODEL)
    sim.prepare(m)
    for number in range(count):
        # frames drawn; when closing began and ended
        d, frames, closing = sim.Data(m), [0], list[float]()
        v = viewer.launch_passive(m, d)
        v.trail("ball")

        def panel(frames: list[int] = frames) -> None:
            frames[0] += 1

        def close(v: viewer.Handle = v, frames: list[int] = frames, closing: list[float] = closing) -> None:
            while frames[0] < (6 if wait else pick.randrange(7)):
                time.sleep(0.01)
            if wait:
                print("drawn", flush=True)
                sys.stdin.readline()
            else:
                time.sleep(pick.uniform(0.0, 0.5))
            closing.append(time.monotonic())
            v.close()
            closing.append(time.monotonic())

        v.panels["p"] = panel
        thread = threading.Thread(target=close)
        thread.start()
        steps = 0
        while v.is_running():
            sim.step(m, d)
            v.plot("t", d.time)
            v.sync()
            steps += 1
        ended = time.monotonic()
        thread.join()
        times = f"{ended - closing[0]:.3f} {closing[1] - closing[0]:.3f}"
        size = memory_in_use()
        print("viewer", number, steps, times, size, status(os.getpid())[1], flush=True)


# ---- the soak's own process


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Processes that do nothing but compute."""
    command = [sys.executable, "-c", "while True: sum(range(1000000))"]
    workers = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def start(display: str, home: str, *arguments: str) -> subprocess.Popen[str]:
    """The script in a process of its own; its threads' frames are printed if it is aborted."""
    environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home}
    # with an arena for every thread, what the C library keeps of freed memory looks like a leak
    environment["MALLOC_ARENA_MAX"] = "1"
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.soak.closing", "--script", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)


def batch(display: str, count: int, seed: int) -> tuple[list[float], str]:
    """How long each viewer of one process took to close, and what went wrong, or nothing."""
    with TemporaryDirectory() as home:
        process = start(display, home, "--count", str(count), "--seed", str(seed))
        try:
            out, _ = process.communicate(timeout=END_SECONDS + 10 * count)
        except subprocess.TimeoutExpired:
            size = status(process.pid)[0]
            process.send_signal(signal.SIGABRT)
            out, _ = process.communicate()
            return [], f"did not end, {size / 1e6:.0f} MB, after {out!r}"
    rows = [[float(word) for word in line.split()[3:]] for line in out.splitlines() if line.startswith("viewer")]
    closes = [max(loop, window) for loop, window, *_ in rows]
    if process.returncode or len(rows) != count:
        return closes, f"ended with {process.returncode} after {len(rows)} viewers"
    if max(closes) > CLOSE_SECONDS:
        return closes, f"a viewer took {max(closes):.1f} s to close"
    if count <= SETTLED:
        return closes, ""
    (size, descriptors), (last_size, last_descriptors) = rows[SETTLED][2:], rows[-1][2:]
    if last_descriptors > descriptors:
        return closes, f"descriptors grew from {descriptors:.0f} to {last_descriptors:.0f}"
    if last_size - size > GROWTH_BYTES * (count - SETTLED):
        return closes, f"memory grew by {(last_size - size) / 1e6:.0f} MB"
    return closes, ""


def soak(count: int, each: int, busy_count: int, seed: int) -> list[str]:
    """Open and close so many viewers; what went wrong."""
    closes: list[float] = []
    failures: list[str] = []
    import sim

    # compiled here, not while a process is waited for
    sim.prepare(sim.loads(MODEL))
    with x_server() as display, busy(busy_count):
        for number, first in enumerate(range(0, count, each)):
            took, wrong = batch(display, min(each, count - first), seed + number)
            closes += took
            if wrong:
                failures.append(f"seed {seed + number}: {wrong}")
                print(failures[-1], flush=True)
            if number % 5 == 4:
                print(f"{len(closes)} viewers, longest {max(closes):.2f} s", flush=True)
    middle = sorted(closes)[len(closes) // 2]
    print(f"{len(closes)} viewers closed, {middle:.2f} s in the middle, longest {max(closes):.2f} s; {failures}")
    return failures


def stuck(minutes: float, close: bool, disk: float, memory: float) -> list[str]:
    """Stop the X server while a script goes on; what went wrong."""
    sizes: list[tuple[float, int, int]] = []
    with TemporaryDirectory() as home, x_server() as display:
        process = start(display, home, "--count", "1", "--wait", "--disk", str(disk), "--memory", str(memory))
        server = own_server()
        assert process.stdin is not None and process.stdout is not None
        try:
            assert process.stdout.readline() == "drawn\n"
            os.kill(server, signal.SIGSTOP)
            began = said = time.monotonic()
            while (at := time.monotonic() - began) < 60 * minutes:
                if process.poll() is not None:
                    return [f"ended with {process.returncode} after {at:.0f} s"]
                sizes.append((at, *status(process.pid)))
                if time.monotonic() > said + 60:
                    said = time.monotonic()
                    print(f"{at:6.0f} s  {sizes[-1][1] / 1e6:.0f} MB  {sizes[-1][2]} descriptors", flush=True)
                time.sleep(LOOK)
            if not close:
                os.kill(server, signal.SIGCONT)
            closed = time.monotonic()
            try:
                out, _ = process.communicate("close\n", timeout=END_SECONDS)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGABRT)
                return [f"did not end within {END_SECONDS:g} s of close"]
            print(f"ended {time.monotonic() - closed:.1f} s after close: {process.returncode} {out!r}", flush=True)
        finally:
            os.kill(server, signal.SIGCONT)
            process.kill()
            process.wait()
    settled = [size for at, size, _ in sizes if at >= STUCK_SETTLED * 60 * minutes]
    grown = max(settled) - settled[0]
    print(f"stuck for {minutes:g} minutes: {settled[0] / 1e6:.0f} MB, then at most {grown / 1e6:.0f} MB more")
    wrong = [f"memory grew by {grown / 1e6:.0f} MB"] if grown > STUCK_GROWTH_BYTES else []
    return wrong + ([f"ended with {process.returncode}"] if process.returncode else [])


def own_server() -> int:
    """The X server that this process started."""
    children = (Path("/proc/self/task") / str(os.getpid()) / "children").read_text().split()
    return next(int(pid) for pid in children if b"Xvfb" in Path(f"/proc/{pid}/cmdline").read_bytes())


def main() -> int:
    """From the command line; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--each", type=int, default=20, help="viewers of one process")
    parser.add_argument("--busy", type=int, default=3, help="processes that compute meanwhile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stuck", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--then", choices=("close", "go on"), default="go on")
    parser.add_argument("--disk", type=float, default=8590.0, help="limit of the history's scratch file, MB")
    parser.add_argument("--memory", type=float, default=403.0, help="budget of the history's memory, MB")
    parser.add_argument("--script", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--wait", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.script:
        warnings.filterwarnings("default", message="the viewer's window did not close")
        script(options.count, options.seed, options.wait, options.disk, options.memory)
        return 0
    if options.stuck:
        failures = stuck(options.stuck, options.then == "close", options.disk, options.memory)
        print(failures or "flat")
        return bool(failures)
    return bool(soak(options.count, options.each, options.busy, options.seed))


if __name__ == "__main__":
    sys.exit(main())
