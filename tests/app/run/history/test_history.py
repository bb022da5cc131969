"""The history: every moment of every branch to the bit, from the tape, from checkpoints and from the scratch file."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import sim
from app.run.history.checkpoints import CHECKPOINT_STEPS
from app.run.history.events import Events
from app.run.history.excerpt import excerpt
from app.run.history.history import History
from app.run.history.markers import MarkerType
from app.run.history.row_store import RowStore
from app.run.history.tape import MIN_ROWS, TapedSegment
from sim.edits import NO_EDITS
from sim.recording.replay import Replayer

PENDULUM = """<mujoco><option timestep='.005'/><worldbody>
<body><joint name='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.05'/></body></worldbody>
<actuator><motor joint='hinge'/></actuator></mujoco>"""
FALLING = """<mujoco><option timestep='.005'><flag sleep='enable'/></option><worldbody>
<geom name='floor' type='plane' size='5 5 .1'/>
<body name='low' pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
<body name='high' pos='0 0 2'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"""


class Rig:
    """A model, its state and its history, with a tape of few rows; and what the state was at each moment."""

    def __init__(self, xml: str, kept: int = 1 << 20, dense: bool = False) -> None:
        self.m = sim.loads(xml)
        self.d = sim.Data(self.m)
        self.sig = sim.record_signature(self.m)
        self.history = History(sim, 1, kept)
        self.history.show_version(0, self.m, self.d)
        self.history.begin("run 1", "start", NO_EDITS, None, dense)
        self.seen: dict[tuple[int, int], bytes] = {}
        self.see()

    def see(self) -> None:
        """Remember the state of the present."""
        row = sim.get_state(self.m, self.d, self.sig)
        self.seen[self.history.branch, self.history.now] = row.tobytes()

    def step(self, count: int) -> None:
        """Steps, one by one."""
        for _ in range(count):
            if self.history.go_on(NO_EDITS, None):
                self.see()
            sim.step(self.m, self.d)
            self.history.stepped(0.0)
            self.see()

    def push(self, value: float) -> None:
        """The user sets the control."""
        self.d.ctrl[0] = value
        self.history.change(NO_EDITS, None, f"ctrl {value}")
        self.see()

    def show(self, branch: int, step: int) -> None:
        """Make a moment the present."""
        sim.set_state(self.m, self.d, self.history.row(branch, step), self.sig, check=False)
        self.history.present(branch, step)

    def check(self) -> None:
        """Every moment is what it was."""
        for (branch, step), row in self.seen.items():
            assert self.history.row(branch, step).tobytes() == row, (branch, step)


@pytest.mark.parametrize("kept", [1 << 20, 4096], ids=["memory", "file"])
def test_every_moment_of_every_branch(kept: int) -> None:
    rig, rng = Rig(PENDULUM, kept), random.Random(0)
    rig.history.set_step_seconds(1.0)
    for _ in range(12):
        rig.step(rng.randint(1, 80))
        if rng.random() < 0.7:
            rig.push(rng.uniform(-1, 1))
        if rng.random() < 0.5:
            branch = rng.choice([*rig.history.run.branches.values()])
            rig.show(branch.id, rng.randint(0, branch.last))
    assert len(rig.history.run.branches) > 2
    assert rig.history._tape.count > 2 * MIN_ROWS
    assert (rig.history._checkpoints.store.disk > 0) == (kept == 4096)
    rig.check()


def test_the_old_future_stays() -> None:
    rig = Rig(PENDULUM)
    rig.step(20)
    rig.show(0, 10)
    assert not rig.history.at_head
    rig.push(0.5)
    assert rig.history.branch == 1 and rig.history.at_head
    rig.step(5)
    timeline = rig.history.timeline()
    assert [(b.id, b.parent, b.fork, b.last, b.name) for b in timeline.branches] == [
        (0, -1, 0, 20, "run 1"),
        (1, 0, 10, 15, "ctrl 0.5"),
    ]
    # going on at the head of the other one is no branch
    rig.show(0, 20)
    rig.step(3)
    assert len(rig.history.run.branches) == 2
    rig.check()


def test_a_start_without_steps_is_not_kept() -> None:
    rig = Rig(PENDULUM)
    rig.history.begin("run 2", "reset", NO_EDITS, None)
    assert [branch.name for branch in rig.history.run.branches.values()] == ["run 1"]
    rig.step(1)
    rig.history.begin("run 2", "reset", NO_EDITS, None)
    assert [branch.name for branch in rig.history.run.branches.values()] == ["run 1", "run 2"]


def test_a_branch_that_is_removed_takes_its_own_with_it() -> None:
    rig = Rig(PENDULUM)
    rig.step(10)
    for fork in (5, 7):
        rig.show(rig.history.branch, fork)
        rig.push(float(fork))
        rig.step(5)
    rig.history.remove(0)
    assert set(rig.history.run.branches) == {0, 1, 2}
    rig.show(0, 10)
    rig.history.ghost = 2
    rig.history.remove(1)
    assert set(rig.history.run.branches) == {0}
    assert rig.history.ghost == -1
    assert rig.history.row(0, 10).tobytes() == rig.seen[0, 10]


def test_the_run_of_a_script_keeps_all_rows() -> None:
    rig = Rig(PENDULUM, dense=True)
    for k in range(3 * MIN_ROWS + 400):
        rig.d.ctrl[0] = np.sin(k)
        rig.step(1)
    rig.check()


def test_the_end_of_a_branch_of_a_script_is_kept() -> None:
    rig = Rig(PENDULUM, dense=True)
    rig.step(70)
    rig.show(0, 30)
    rig.step(5)
    rig.show(0, 70)
    rig.step(10)
    rig.show(1, 35)
    # the tape goes round
    rig.step(3 * MIN_ROWS)
    rig.check()


def test_steps_with_a_callback_are_all_kept() -> None:
    rig, rng = Rig(PENDULUM), random.Random(0)

    def control(_: Any, d: Any) -> None:
        d.ctrl[0] = rng.uniform(-1, 1)

    rig.step(20)
    sim.callbacks.control = control
    try:
        rig.step(4 * MIN_ROWS)
    finally:
        sim.callbacks.control = None
    rig.step(20)
    assert [segment.dense for segment in rig.history.newest.segments] == [False, True, False]
    rig.check()


def test_a_script_that_makes_too_many_steps_at_once() -> None:
    rig = Rig(PENDULUM, dense=True)
    rig.step(10)
    rig.history.go_on(NO_EDITS, None)
    sim.step(rig.m, rig.d, 3 * MIN_ROWS)
    rig.history.stepped(0.0)
    rig.see()
    rig.step(2 * MIN_ROWS)
    for step in (0, 10 + 3 * MIN_ROWS, 10 + 5 * MIN_ROWS):
        assert rig.history.row(0, step).tobytes() == rig.seen[0, step]
    with pytest.raises(ValueError, match="not recorded"):
        rig.history.row(0, 50)


def test_memory_is_bounded_without_a_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    rig = Rig(PENDULUM, kept=8192)
    # a checkpoint every 16 steps
    rig.history.set_step_seconds(1.0)
    rig.step(4000)
    assert "No space" in rig.history.limit
    assert rig.history._checkpoints.store.memory <= 2 * 8192
    rig.check()


def test_of_a_script_without_end_the_newest_rows_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, disk = 1 << 14, 1 << 17
    monkeypatch.setattr(RowStore.__init__, "__defaults__", (disk,))
    rig = Rig(PENDULUM, kept, dense=True)
    store = rig.history._checkpoints.store
    for _ in range(30):
        rig.step(100)
        assert store.memory <= kept + 8 * rig.history._tape.width * MIN_ROWS and store.disk <= disk
    assert "have reached their limit" in rig.history.limit
    with pytest.raises(ValueError, match="not recorded"):
        rig.history.row(0, 10)
    # without a gap, most of what there is room for
    rows = (kept + disk) // (8 * rig.history._tape.width)
    assert rows < 2000
    for step in range(3000 - rows // 2, 3001):
        assert rig.history.row(0, step).tobytes() == rig.seen[0, step]


def test_what_happens_by_itself_is_marked() -> None:
    rig = Rig(FALLING)
    while not any(tree >= 0 for tree in rig.d.tree_asleep):
        rig.step(1)
    rig.step(200)
    found = [m for m in rig.history.timeline().markers if m.type in (MarkerType.CONTACT, MarkerType.WAKE)]
    texts = [marker.text for marker in found]
    assert "contact: low and high" in texts
    assert "wakes: low" in texts
    # the contact of the box that lies on the floor is not new
    assert "contact: world and low" not in texts
    hit = next(marker for marker in found if marker.text == "contact: low and high")
    # contacts after a step are those of the state before it: there the boxes overlap, and one step before they do not
    heights = [np.frombuffer(rig.seen[0, hit.moment - k])[1 + 9] - 0.2 for k in (2, 1)]
    assert heights[0] > 0.1 - 1e-4 > heights[1]


def test_events_forget_when_another_moment_is_shown() -> None:
    rig, events = Rig(FALLING), Events()
    rig.step(2)
    assert not events.find(rig.m, rig.d, 2)
    events.forget()
    assert not events.find(rig.m, rig.d, 2)


def test_rows_for_other_threads() -> None:
    rig: Any = Rig(PENDULUM)
    rig.step(3 * CHECKPOINT_STEPS)
    taken = rig.history.take(0, (0, 5, 1500, 3 * CHECKPOINT_STEPS))
    steps = [int(step) for part in taken for step in part.steps]
    # the nearest before, where a step is not in memory
    assert steps == [0, 1000, 3000]
    for part in taken:
        for step, row in zip(part.steps.tolist(), part.rows, strict=True):
            assert row.tobytes() == rig.seen[0, step]
    assert isinstance(rig.history.run.find(0, 0), TapedSegment)
    # or what one needs to compute it
    wanted = (5, 1500, 2999, 3 * CHECKPOINT_STEPS)
    *rows, part = rig.history.take(0, wanted, exact=True)
    assert sorted([*part.steps, *(step for some in rows for step in some.steps.tolist())]) == sorted(wanted)
    rig.step(50)
    replayer = Replayer(part.run, lambda version: part.models[version])
    for step in part.steps:
        assert replayer.row(0, step).tobytes() == rig.seen[0, step]


def test_an_excerpt_of_a_line_with_changes() -> None:
    rig, rng = Rig(PENDULUM), random.Random(3)
    for _ in range(8):
        rig.step(90)
        rig.push(rng.uniform(-1, 1))
        rig.show(rig.history.branch, rig.history.now - 40)
    line = rig.history.branch
    steps = range(0, rig.history.timeline().last + 1, 7)
    part = excerpt(rig.history.run, rig.history.versions, line, steps)
    replayer = Replayer(part.run, lambda version: part.models[version])
    for step in steps:
        owner = rig.history.run.owner(line, step).id
        assert replayer.row(line, step).tobytes() == rig.seen[owner, step], step
