"""Kills the viewer at random moments while it is edited and saved: nothing is half written, nothing but a second lost.

    python -m tests.soak.kill [--kills 200] [--seed 0] [--lag 1.0]

Starts an X server without a screen (Xvfb) and one viewer after another, in processes forked from this one so that
nothing is imported again. In each, a thread sends edits and saves through the simulation's queue and writes down what
was done. After kill -9: every file in the model's folder is a version that was saved; the session is offered; its
journal has all edits but those of the last `lag` seconds, its state is from that time; restored, it gives that model,
or the file's number where that was saved after the session was.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import app.application  # noqa: E402
import sim  # noqa: E402
from app.run import commands as cmd  # noqa: E402
from app.run.commands import open_command, restore_command  # noqa: E402
from app.run.sim_thread import SimThread  # noqa: E402
from app.view.session.recovery import Recovery  # noqa: E402
from app.view.session.restart import Restart  # noqa: E402
from app.view.session.session import Session  # noqa: E402
from app.view.session.session_folder import CutShort, cut_short, take  # noqa: E402
from app.view.session.sessions import Sessions  # noqa: E402
from tests.app.window_driver import x_server  # noqa: E402
from tests.patience import PATIENCE  # noqa: E402

MODEL = """<mujoco>
  <!-- padding: {padding} -->
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction="0.5 0.005 0.0001"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".1" mass="1"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom name="arm" size=".05" mass="1"/></body>
  </worldbody>
</mujoco>
"""
# so that writing a file takes a while
PADDING = 200_000
FIRST, STEP = 0.5, 2.0**-20
SHORTEST, LONGEST = 0.0, 3.0


class Log:
    """What was done, in a file that outlives the process: words and the time."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def add(self, word: str, value: float) -> None:
        """One line, in one call."""
        os.write(self._file, f"{word} {value!r} {time.monotonic()!r}\n".encode())


def read_log(path: Path) -> list[tuple[str, float, float]]:
    """Words, values and times."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [(word, float(value), float(at)) for word, value, at in (line.split() for line in lines)]


# ---- in the viewer's process


def friction(thread: SimThread) -> float:
    """The number that is edited, in the newest snapshot."""
    model = thread.latest.model
    return float(model.geom_friction[0, 0]) if model is not None else 0.0


def answered(thread: SimThread, request: int) -> bool:
    """Whether a request about a save was answered."""
    report = thread.latest.run.save
    return report is not None and report.request == request


def drive(thread: SimThread, log: Log, rng: random.Random) -> None:
    """Edit and save for ever; what is written down has happened."""

    def until(condition: Callable[[], object]) -> None:
        while not condition():
            time.sleep(0.001)

    until(lambda: thread.latest.run.ready)
    log.add("begin", friction(thread))
    request = 0
    while True:
        value = friction(thread) + STEP
        thread.send(cmd.SetField("geom_friction", value, (0,), 0))
        until(lambda value=value: friction(thread) == value)  # type: ignore[misc]
        log.add("edit", value)
        log.add("time", thread.latest.run.time)
        time.sleep(rng.uniform(0.0, 0.04))
        if rng.random() < 0.15:
            request += 1
            thread.send(cmd.PlanSave(request))
            until(partial(answered, thread, request))
            plan = thread.latest.run.save.plan  # type: ignore[union-attr]
            assert plan is not None, thread.latest.run.save
            log.add("saving", value)
            request += 1
            thread.send(cmd.WriteSave(request, plan, overwrite=True))
            until(partial(answered, thread, request))


def view(path: Path, log_path: Path, seed: int) -> None:
    """The viewer, as its program starts it, with someone at work."""
    log = Log(log_path)
    write = Recovery.write

    def kept(self: Recovery, path: Path | None = None) -> Path | None:
        before = friction(thread)
        done = write(self, path)
        if done is not None:
            log.add("kept", before)
        return done

    Recovery.write = kept  # type: ignore[method-assign]
    thread = SimThread(sim)
    thread.start()
    thread.send(open_command(path))
    application = app.application.Application(thread, sessions=Sessions(thread, Restart()))

    def work() -> None:
        try:
            drive(thread, log, random.Random(seed))
        except BaseException:
            traceback.print_exc()
            log.add("failed", 0.0)

    threading.Thread(target=work, daemon=True).start()
    application.run()


# ---- after the kill


def number(path: Path) -> float:
    """The number that is edited, as a file has it; the file is whole."""
    text = path.read_text()
    assert text.rstrip().endswith("</mujoco>"), f"{path} is cut off"
    assert "x" * PADDING in text, f"{path} lost its comment"
    return float(sim.loads(text).geom_friction[0, 0])


def check_files(folder: Path, versions: set[float]) -> None:
    """Every file there is whole, and a version that was saved."""
    names = {path.name for path in folder.iterdir()}
    strange = {name for name in names - {"model.xml", "model.xml~"} if not name.startswith(".model.xml")}
    assert not strange, strange
    for path in folder.iterdir():
        assert number(path) in versions, f"{path.name} has {number(path)!r}"


def check_session(session: Session, path: Path, log: list[tuple[str, float, float]], end: float, lag: float) -> float:
    """Nothing but the last moments is lost; returns how many seconds of edits are."""
    entries = session.run.journal.journal.entries
    last = max((write.after for entry in entries for write in entry.writes), default=0.0)
    done = [(value, at) for word, value, at in log if word == "edit"]
    lost = [at for value, at in done if value > last]
    kept = max((value for word, value, _ in log if word == "kept"), default=0.0)
    # what was written stays written
    known = {value for value, _ in done}
    assert not done or last >= kept or kept not in known, f"{kept!r} was kept, {last!r} is there"
    seconds = end - min(lost, default=end)
    assert seconds <= lag, f"{len(lost)} edits of the last {seconds:.2f} s are lost"
    model = sim.load(path)
    state = sim.unpack_state(model, session.run.state)["state"][0]
    times = [value for word, value, at in log if word == "time" and at < end - lag]
    assert state >= max(times, default=0.0), f"the state is of {state}, {max(times)} is more than {lag} s ago"
    return seconds


def restore(offer: CutShort) -> None:
    """The next viewer goes on with the journal."""
    thread = SimThread(sim, paused=True)
    thread.start()
    thread.send(restore_command(offer.session.run))
    end = time.monotonic() + PATIENCE
    while thread.restored is None and time.monotonic() < end:
        assert thread.latest.run.problem is None, thread.latest.run.problem
        time.sleep(0.005)
    saved, journal = offer.session.run.journal.journal, thread.live.edits.journal
    assert [entry.text for entry in journal.entries] == [entry.text for entry in saved.entries]
    here, there = thread.live.model.geom_friction[0, 0], number(Path(offer.session.run.path))
    for value in saved.values().values():
        # numbers count up: a larger one in the file was saved later
        assert here == (there if journal.clashes else value)
        assert here >= value


# ---- processes


def fork(work: Callable[[], None]) -> int:
    """Do something in a copy of this process; returns its number."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def kill_once(folder: Path, rng: random.Random, lag: float, versions: set[float]) -> tuple[str, float]:
    """One viewer, killed; returns what was found and how many seconds of edits were lost."""
    model, log_path = folder / "model" / "model.xml", folder / f"log {rng.random()}"
    viewer = fork(lambda: view(model, log_path, rng.randrange(1 << 30)))
    if rng.random() < 0.9:
        deadline = time.monotonic() + PATIENCE
        while not any(word == "begin" for word, _, _ in read_log(log_path)) and time.monotonic() < deadline:
            time.sleep(0.01)
    time.sleep(rng.uniform(SHORTEST, LONGEST))
    end = time.monotonic()
    os.kill(viewer, signal.SIGKILL)
    os.waitpid(viewer, 0)
    log = read_log(log_path)
    assert not any(word == "failed" for word, _, _ in log), "the driver failed"
    versions |= {value for word, value, _ in log if word == "saving"}
    check_files(model.parent, versions)
    offers = cut_short()
    old = [at for word, _, at in log if word == "edit" and at < end - lag]
    assert len(offers) <= 1
    assert offers or not old, "nothing is offered"
    seconds = 0.0
    for offer in offers:
        seconds = check_session(offer.session, model, log, end, lag)
        restorer = fork(lambda offer=offer: restore(offer))  # type: ignore[misc]
        assert os.waitpid(restorer, 0)[1] == 0, "it could not be restored"
        taken = take(offer.path)
        assert taken is not None
        taken.remove()
    edits = sum(word == "edit" for word, _, _ in log)
    saves = sum(word == "saving" for word, _, _ in log)
    return f"{edits} edits, {saves} saves, {'a session' if offers else 'no session'}", seconds


def main(arguments: list[str]) -> int:
    """Kill, check, again."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lag", type=float, default=1.0, help="seconds of edits that may be lost")
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    with TemporaryDirectory() as name, x_server() as display:
        folder = Path(name)
        (folder / "model").mkdir()
        (folder / "model" / "model.xml").write_text(MODEL.format(padding="x" * PADDING))
        os.environ |= {"DISPLAY": display, "XDG_STATE_HOME": name, "XDG_CONFIG_HOME": name}
        _compile(folder / "model" / "model.xml")
        worst, versions = 0.0, {FIRST}
        for k in range(options.kills):
            found, seconds = kill_once(folder, rng, options.lag, versions)
            worst = max(worst, seconds)
            print(f"{k + 1}: {found}, {seconds:.2f} s lost", flush=True)
    print(f"{options.kills} kills, at most {worst:.2f} s lost")
    return 0


def _compile(path: Path) -> None:
    """Compile the kernels, with those that edits need, before anyone waits for them."""
    compiler = fork(lambda: sim.prepare(sim.load(path)))
    assert os.waitpid(compiler, 0)[1] == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
