"""Threads that use the engine at once: load, edit, step, roll out, save, set callbacks that raise, prepare.

    python -m tests.soak.threads [--minutes 10] [--threads 8] [--seed 1] [--cold]

Callbacks belong to the process, so those set here change no result; each may raise, but only in the thread that asks
for it. Three things are watched. Results: the same steps give the same bits as on one quiet thread. Progress: if a
thread makes none for a while, all stacks are printed, and the run ends with 1. Leaks: now and then all threads stop
between two actions, where every Model, Data, thread and open file that is left over would be one, and allocated memory
must not have grown. (Resident memory grows for a while: free memory stays in the arenas of the threads that had it.)
`--cold` begins with an empty cache of native code, so that the threads compile too. The tests run a slice of it.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import hashlib
import os
import pickle
import random
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import sim
from sim.enums import (
    DSBL_CONTACT,
    DSBL_GRAVITY,
    DSBL_ISLAND,
    DSBL_WARMSTART,
    ENBL_ENERGY,
    ENBL_FWDINV,
    ENBL_SLEEP,
    STATE_INTEGRATION,
)
from tests.sim.models import SCENES

STEPS = 20
# seconds without progress after which a thread is stuck; a cold cache takes up to a minute
STUCK = 180.0
# megabytes of allocated memory, and share of all Python objects, by which they may grow after the first third
GROWTH, SHARE = 10.0, 0.02
BROKEN = (
    "<mujoco><worldbody><body><geom size='a'/></body></worldbody></mujoco>",
    "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
    "<mujoco><worldbody><geom type='mesh' mesh='none'/></worldbody></mujoco>",
    "<mujoco><include file='nowhere.xml'/></mujoco>",
    "<mujoco",
)
FIELDS = ("body_mass", "dof_damping", "dof_armature", "geom_friction", "geom_solref", "jnt_stiffness", "actuator_gear")
FLAGS = {
    "opt.disableflags": (DSBL_CONTACT, DSBL_GRAVITY, DSBL_ISLAND, DSBL_WARMSTART),
    "opt.enableflags": (ENBL_ENERGY, ENBL_FWDINV, ENBL_SLEEP),
}


class Raised(Exception):
    """A callback was asked to raise."""


# ---- callbacks that change nothing

_this = threading.local()


def _obey() -> None:
    """Raise if this thread asked for it."""
    if getattr(_this, "raises", False):
        raise Raised


def _python(m: Any, d: Any) -> None:
    _obey()


@sim.kernel
def _native(m, d):
    """Does nothing."""


@sim.kernel
def _native_too(m, d):
    """Reads."""
    if d.time < -1.0:
        d.time = 0.0


def _filter(m: Any, d: Any, geom1: int, geom2: int) -> bool:
    _obey()
    ours = m.geom_contype[geom1] & m.geom_conaffinity[geom2]
    return not (ours | (m.geom_contype[geom2] & m.geom_conaffinity[geom1]))


def _collide(m: Any, d: Any, geom1: int, geom2: int, margin: float) -> int:
    _obey()
    # the engine's own function
    return -1


# ---- what a thread does


def digest(m: sim.Model, steps: int = STEPS) -> str:
    """Of the state and forces after some steps from the start."""
    d = sim.Data(m)
    sim.step(m, d, steps)
    parts = sim.get_state(m, d, STATE_INTEGRATION), d.qacc, d.qfrc_constraint, d.sensordata, d.xpos
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


class Worker:
    """One thread: it knows what is expected, and makes actions at random."""

    def __init__(self, soak: Soak, index: int) -> None:
        self.soak = soak
        self.rng = random.Random(1000 * soak.seed + index)
        self.done, self.since = 0, time.monotonic()
        self.doing = ""
        self.thread = threading.Thread(target=self._run, name=f"soak {index}", daemon=True)

    def _run(self) -> None:
        while not self.soak.pause():
            action = self.rng.choice(ACTIONS)
            self.doing = action.__name__
            try:
                action(self)
            except Exception as error:
                self.soak.fail(f"{self.doing}: {type(error).__name__}: {error}")
            self.done, self.since = self.done + 1, time.monotonic()
            self.soak.count(self.doing)

    def _name(self) -> str:
        return self.rng.choice(list(self.soak.expected))

    def _loaded(self) -> tuple[str, sim.Model]:
        name = self._name()
        return name, sim.load(SCENES / f"{name}.xml")

    def _expect(self, name: str, found: str) -> None:
        if found != self.soak.expected[name]:
            self.soak.fail(f"{self.doing}: {name} has other results than on a quiet thread")

    def load(self) -> None:
        """A scene of its own."""
        name, m = self._loaded()
        self._expect(name, digest(m))

    def load_broken(self) -> None:
        """A text that is refused."""
        try:
            sim.loads(self.rng.choice(BROKEN))
        except sim.MjcfError:
            return
        self.soak.fail("load_broken: it was loaded")

    def share(self) -> None:
        """A model that other threads step too."""
        name = self._name()
        self._expect(name, digest(self.soak.shared[name]))

    def edit(self) -> None:
        """Options, flags and fields, and the constants that follow; twice, with the same results."""
        _, m = self._loaded()
        state = self.rng.getstate()
        found = set()
        for _ in range(2):
            self.rng.setstate(state)
            edited = m.copy()
            self._edit(edited)
            sim.prepare(edited)
            if not sim.prepared(edited):
                self.soak.fail("edit: it is not prepared after prepare")
            found.add(digest(edited))
        if len(found) > 1:
            self.soak.fail("edit: the same edits have two results")

    def _edit(self, m: sim.Model) -> None:
        rng = self.rng
        m.opt.integrator, m.opt.solver = rng.randrange(4), rng.randrange(3)
        m.opt.cone, m.opt.jacobian = rng.randrange(2), rng.randrange(3)
        for path, bits in FLAGS.items():
            m.write(path, m.read(path) ^ rng.choice(bits))
        if m.opt.integrator == 1:
            m.opt.enableflags &= ~ENBL_SLEEP
        for name in rng.sample(FIELDS, 3):
            m.read(name)[...] *= rng.uniform(0.9, 1.1)
        sim.set_const(m)

    def constants(self) -> None:
        """Constants of a model that others step and that has not changed: they see no difference."""
        sim.set_const(self.soak.shared[self._name()])

    def forward(self) -> None:
        """Forward, inverse, linearization, single stages."""
        m = self.soak.shared[self._name()]
        d = sim.Data(m)
        sim.forward(m, d)
        sim.inverse(m, d)
        if m.nv <= 20:
            sim.transition_fd(m, d, nthread=2)
        sim.jac_body(m, d, m.nbody - 1)
        sim.stage_times(m, d)

    def roll_out(self) -> None:
        """On threads of its own."""
        name = self._name()
        m = self.soak.shared[name]
        found = sim.rollout(m, [sim.get_state(m, sim.Data(m))] * 6, nstep=5, nthread=2, progress=False)
        if not (found.state == found.state[0]).all():
            self.soak.fail(f"roll_out: {name} has several results")

    def copy(self) -> None:
        """Copies and pickles of Model and Data."""
        name = self._name()
        m = self.soak.shared[name]
        d = sim.Data(m)
        sim.copy_data(d.copy(), m, d)
        self._expect(name, digest(pickle.loads(pickle.dumps(m)) if self.rng.random() < 0.5 else m.copy()))

    def save(self) -> None:
        """As XML, and read again."""
        name, m = self._loaded()
        path = self.soak.folder / f"{threading.get_ident()}.xml"
        m.save_xml(path)
        if digest(sim.load(path)) != digest(m):
            self.soak.fail(f"save: {name} has other results when it is read again")

    def set_callback(self) -> None:
        """One that changes nothing, and a while later none."""
        name, function = self.rng.choice(CALLBACKS)
        setattr(sim.callbacks, name, function)
        self._expect("gripper", digest(self.soak.shared["gripper"]))
        setattr(sim.callbacks, name, None)

    def set_collision(self) -> None:
        """The same for a pair of geom types."""
        types = self.rng.choice((("box", "box"), ("plane", "box"), ("sphere", "capsule")))
        sim.callbacks.collision[types] = _collide
        self._expect("gripper", digest(self.soak.shared["gripper"]))
        sim.callbacks.collision.pop(types, None)

    def raise_in_callback(self) -> None:
        """The error comes out of this thread's step, if the callback is still there, and no other."""
        m = self.soak.shared["gripper"]
        d = sim.Data(m)
        before = sim.get_state(m, d, STATE_INTEGRATION)
        sim.callbacks.control = _python
        _this.raises = True
        try:
            sim.step(m, d)
        except Raised:
            if not np.array_equal(before, sim.get_state(m, d, STATE_INTEGRATION)):
                self.soak.fail("raise_in_callback: the step was not rolled back")
        finally:
            _this.raises = False

    def prepare(self) -> None:
        """What is prepared for one is prepared for all."""
        m = self.soak.shared[self._name()]
        sim.prepare(m)
        if not sim.prepared(m):
            self.soak.fail("prepare: it is not prepared after prepare")


CALLBACKS: tuple[tuple[str, Any], ...] = (
    ("control", _python),
    ("control", _native),
    ("control", _native_too),
    ("passive", _python),
    ("passive", _native),
    ("contactfilter", _filter),
)
ACTIONS: list[Callable[[Worker], None]] = [
    Worker.load, Worker.load_broken, Worker.share, Worker.edit, Worker.constants, Worker.forward, Worker.roll_out,
    Worker.copy, Worker.save, Worker.set_callback, Worker.set_collision, Worker.raise_in_callback, Worker.prepare,
]  # fmt: skip


# ---- all threads


MALLOC_FIELDS = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"
)  # fmt: skip


class MallocInfo(ctypes.Structure):
    """`struct mallinfo2` of glibc: `uordblks` bytes are allocated in arenas, `hblkhd` outside them."""

    _fields_ = [(name, ctypes.c_size_t) for name in MALLOC_FIELDS]


LIBC: Any = ctypes.CDLL(None)
LIBC.mallinfo2.restype = MallocInfo


class Usage(NamedTuple):
    """What is in use while all threads stand still."""

    models: int
    data: int
    threads: int
    files: int
    objects: int
    allocated: float
    resident: float


def usage() -> Usage:
    """Counted after a full collection; memory is in MB, and free pages are given back first."""
    gc.collect()
    LIBC.malloc_trim(0)
    objects = gc.get_objects()
    models = sum(type(x) is sim.Model for x in objects)
    # those that a model keeps for its next rollout do not refer to it
    data = sum(type(x) is sim.Data and "model" in x.__dict__ for x in objects)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    files = len(os.listdir("/proc/self/fd"))
    info = LIBC.mallinfo2()
    allocated, resident = info.uordblks + info.hblkhd, pages * os.sysconf("SC_PAGESIZE")
    return Usage(models, data, threading.active_count(), files, len(objects), allocated / 2**20, resident / 2**20)


class Soak:
    """The threads, what they share, and what went wrong."""

    def __init__(self, threads: int, seed: int, folder: Path, scenes: list[str]) -> None:
        self.seed, self.folder = seed, folder
        self.shared = {name: sim.load(SCENES / f"{name}.xml") for name in scenes}
        # on one quiet thread
        self.expected = {name: digest(m) for name, m in self.shared.items()}
        self.failures: Counter[str] = Counter()
        self.actions: Counter[str] = Counter()
        self._lock = threading.Condition()
        self._hold = self._end = False
        self._standing = 0
        self.workers = [Worker(self, k) for k in range(threads)]

    def start(self) -> None:
        for worker in self.workers:
            worker.thread.start()

    def fail(self, what: str) -> None:
        with self._lock:
            self.failures[what] += 1

    def count(self, action: str) -> None:
        with self._lock:
            self.actions[action] += 1

    def pause(self) -> bool:
        """Called by a thread between two actions: stands still while asked to; returns whether to end."""
        with self._lock:
            self._standing += 1
            self._lock.notify_all()
            self._lock.wait_for(lambda: not self._hold or self._end)
            self._standing -= 1
            return self._end

    def stand(self, stuck: float) -> Usage | None:
        """Let all threads stand still and count what is in use; None if one is stuck."""
        with self._lock:
            self._hold = True
            all_stand = self._lock.wait_for(lambda: self._standing == len(self.workers), stuck)
            if not all_stand:
                return None
            for name in dir(sim.callbacks):
                setattr(sim.callbacks, name, None)
            found = usage()
            self._hold = False
            self._lock.notify_all()
        for worker in self.workers:
            worker.since = time.monotonic()
        return found

    def stuck(self, limit: float) -> list[str]:
        """Threads that have made no progress for a while, with what they do."""
        now = time.monotonic()
        return [f"{w.thread.name}: {w.doing}" for w in self.workers if now - w.since > limit]

    def end(self, limit: float) -> bool:
        """Let all threads end; returns whether they did."""
        with self._lock:
            self._end, self._hold = True, False
            self._lock.notify_all()
        for worker in self.workers:
            worker.thread.join(limit)
        return not any(worker.thread.is_alive() for worker in self.workers)


def leaks(first: Usage, last: Usage) -> list[str]:
    """What is in use at the end and was not after the first third."""
    found = [
        f"{name}: {before} after the first third, {after} at the end"
        for name, before, after in zip(Usage._fields[:4], first, last, strict=False)
        if after > before
    ]
    if last.objects > first.objects * (1 + SHARE):
        found.append(f"objects: {first.objects} after the first third, {last.objects} at the end")
    if last.allocated > first.allocated + GROWTH:
        found.append(f"memory: {first.allocated:.0f} MB after the first third, {last.allocated:.0f} MB at the end")
    return found


def run(soak: Soak, seconds: float, stuck: float = STUCK, report: Callable[[str], None] = print) -> list[str]:
    """Let the threads run for a while; returns what went wrong."""
    began = time.monotonic()
    soak.start()
    first = last = None
    for minute in range(1, max(3, round(seconds / 60)) + 1):
        until = began + seconds * minute / max(3, round(seconds / 60))
        while (left := until - time.monotonic()) > 0:
            if waiting := soak.stuck(stuck):
                faulthandler.dump_traceback(all_threads=True)
                return [f"no progress for {stuck:.0f} s: {', '.join(waiting)}"]
            time.sleep(min(left, 1.0))
        last = soak.stand(stuck)
        if last is None:
            faulthandler.dump_traceback(all_threads=True)
            return [f"no progress for {stuck:.0f} s: {', '.join(soak.stuck(0.0))}"]
        if first is None and time.monotonic() - began >= seconds / 3:
            first = last
        counts = ", ".join(f"{value:.0f} {name}" for name, value in last._asdict().items())
        done, wrong = soak.actions.total(), soak.failures.total()
        report(f"{time.monotonic() - began:5.0f} s  {done} actions, {wrong} failures; {counts}")
    if not soak.end(stuck):
        return ["the threads did not end"]
    assert first is not None and last is not None
    return [*(f"{count} x {what}" for what, count in soak.failures.items()), *leaks(first, last)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cold", action="store_true", help="begin with an empty cache of native code")
    arguments = parser.parse_args()
    # RK4 with sleep, and what a random edit makes of a scene
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        if arguments.cold:
            os.environ["KINETOSCOPE_CACHE"] = str(Path(folder, "cache"))
        scenes = [path.stem for path in sorted(SCENES.glob("*.xml"))]
        soak = Soak(arguments.threads, arguments.seed, Path(folder), scenes)
        wrong = run(soak, 60 * arguments.minutes)
    for action, count in sorted(soak.actions.items()):
        print(f"{count:8} {action}")
    print("\n".join(wrong) or "nothing went wrong", flush=True)
    # a thread that is stuck cannot be joined
    os._exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
