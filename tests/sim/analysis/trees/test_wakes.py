"""wakes.py: a chain of wakes whose order is known, from recorded rows; through contacts, tendons and equalities."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import sim
from sim import enums
from sim.analysis.trees.wakes import Wake, joined, sleep_rows, touching_trees, wake_chain, wakes

COUNT = 5
BALLS = "".join(
    f"<body name='b{k}' pos='{0.4 * k} 0 0' sleep='init'><freejoint/><geom name='g{k}' size='.1' mass='1'/>"
    f"<site name='s{k}'/></body>"
    for k in range(COUNT)
)
HEAD = "<option gravity='0 0 0' timestep='.005'><flag sleep='enable'/></option>"
ROW = f"<mujoco>{HEAD}<worldbody>{BALLS}</worldbody></mujoco>"


class Tape:
    """A run, row by row; `woke` and `slept` are the steps at which trees did, as Data says."""

    def __init__(self, xml: str) -> None:
        self.m = sim.loads(xml)
        self.d = sim.Data(self.m)
        self.rows: list[np.ndarray] = []
        self.woke: list[tuple[int, int]] = []
        self.keep()

    def keep(self) -> None:
        """The row of this step, after what the user did to it."""
        self.rows.append(sim.get_state(self.m, self.d, sim.record_signature(self.m)))

    def run(self, steps: int) -> None:
        for _ in range(steps):
            before = np.array(self.d.tree_asleep) >= 0
            self.rows[-1] = sim.get_state(self.m, self.d, sim.record_signature(self.m))
            sim.step(self.m, self.d)
            self.keep()
            woken = np.flatnonzero(before & (np.array(self.d.tree_asleep) < 0))
            self.woke += [(int(tree), len(self.rows) - 1) for tree in woken]

    def wakes(self) -> list[Wake]:
        scratch = sim.Data(self.m)

        def touched(step: int, geom: int) -> set[int]:
            sim.set_state(self.m, scratch, self.rows[step], sim.record_signature(self.m))
            sim.forward(self.m, scratch)
            return touching_trees(self.m, scratch, geom)

        signature = sim.record_signature(self.m)
        half = len(self.rows) // 2
        parts = [
            sleep_rows(self.m, signature, np.arange(first, last), np.array(self.rows[first:last]))
            for first, last in ((0, half), (half, len(self.rows)))
        ]
        return wakes(self.m, joined(parts), touched)

    def chain(self, tree: int, step: int | None = None) -> list[Wake]:
        return wake_chain(last_of(self.wakes()), tree, len(self.rows) - 1 if step is None else step)


def last_of(found: list[Wake]) -> Callable[[int, int], Wake | None]:
    def last(tree: int, step: int) -> Wake | None:
        return next((wake for wake in reversed(found) if wake.tree == tree and wake.step <= step), None)

    return last


def pushed_row() -> Tape:
    """Balls in a row, asleep; the first one is pushed at step 10, for a step, and hits the next, and so on."""
    tape = Tape(ROW)
    tape.run(10)
    tape.d.xfrc_applied[1, 0] = 400.0
    tape.run(1)
    tape.d.xfrc_applied[1, 0] = 0.0
    tape.run(700)
    return tape


def test_a_chain_of_wakes_whose_order_is_known() -> None:
    tape = pushed_row()
    chain = tape.chain(COUNT - 1)
    # from the last ball to the first cause
    assert [wake.tree for wake in chain] == [4, 3, 2, 1, 0]
    contacts = [(enums.WAKE_CONTACT, k) for k in (3, 2, 1, 0)]
    assert [(wake.cause, wake.id) for wake in chain] == [*contacts, (enums.WAKE_XFRC, 1)]
    assert [wake.source for wake in chain] == [3, 2, 1, 0, -1]
    assert all(wake.via == wake.tree for wake in chain)
    # the steps are those at which they woke, and times are those of the steps
    assert [(wake.tree, wake.step) for wake in reversed(chain)] == tape.woke
    assert [wake.time for wake in chain] == pytest.approx([wake.step * 0.005 for wake in chain])
    # the first at once; 400 N for 5 ms are 2 m/s, for a gap of 0.2 m
    assert chain[-1].step == 11
    assert chain[-2].time - chain[-1].time == pytest.approx(0.1, abs=0.0051)


def test_the_chain_is_that_of_its_time_though_a_link_slept_and_woke_again() -> None:
    tape = pushed_row()
    before = tape.chain(COUNT - 1)
    for tree in (0, 1, 2):
        sim.put_to_sleep(tape.m, tape.d, tree)
    tape.run(20)
    assert (tape.d.tree_asleep[:3] >= 0).all()
    # another cause, which overwrites that in the state
    tape.d.qvel[1] = 0.5
    sim.wake(tape.m, tape.d, 1)
    tape.run(5)
    assert tape.d.tree_wakecause[:2, 0].tolist() == [enums.WAKE_QVEL, enums.WAKE_CALL]
    assert tape.chain(COUNT - 1) == before
    # of the tree itself, the last counts; at a step of the past, the one before
    assert [(wake.tree, wake.cause) for wake in tape.chain(1)] == [(1, enums.WAKE_CALL)]
    assert [wake.tree for wake in tape.chain(1, before[0].step)] == [1, 0]


def test_a_tree_may_wake_the_one_that_woke_it() -> None:
    tape = Tape(ROW)
    tape.d.qvel[0] = 2.0
    tape.run(60)
    sim.put_to_sleep(tape.m, tape.d, 0)
    tape.run(5)
    assert tape.d.tree_asleep[0] >= 0 and tape.d.tree_asleep[1] < 0
    # back
    tape.d.qvel[6] = -3.0
    tape.run(80)
    chain = tape.chain(0)
    assert [(wake.tree, wake.cause, wake.id) for wake in chain] == [
        (0, enums.WAKE_CONTACT, 1), (1, enums.WAKE_CONTACT, 0), (0, enums.WAKE_QVEL, 0),
    ]  # fmt: skip


def test_those_that_slept_together_wake_through_the_one_that_was_touched() -> None:
    # two boxes that touch the third one between them sleep as one island; the ball hits the last
    boxes = "".join(
        f"<body pos='{0.199 * k} 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" for k in range(3)
    )
    tape = Tape(
        f"<mujoco><option timestep='.002'><flag sleep='enable'/></option><worldbody>"
        f"<geom type='plane' size='9 9 .1'/>{boxes}<body name='ball' pos='1.5 0 .1' sleep='init'>"
        f"<freejoint/><geom name='ball' size='.1' mass='3'/></body></worldbody></mujoco>"
    )
    tape.run(800)
    assert (tape.d.tree_asleep >= 0).all() and tape.d.tree_asleep[0] == 1
    tape.d.qvel[18] = -2.0
    tape.run(500)
    chain = tape.chain(0)
    assert [(wake.tree, wake.via, wake.cause, wake.id) for wake in chain] == [
        (0, 2, enums.WAKE_CONTACT, 4), (3, 3, enums.WAKE_QVEL, 18),
    ]  # fmt: skip
    assert tape.chain(2)[0].via == 2


def test_a_chain_through_a_tendon_and_an_equality() -> None:
    extra = """<tendon><spatial range='0 .5' limited='true'><site site='s0'/><site site='s1'/></spatial></tendon>
      <equality><connect name='pin' body1='b1' body2='b2' anchor='.2 0 0' active='false'/></equality>"""
    tape = Tape(ROW.replace("</mujoco>", f"{extra}</mujoco>"))
    # spans two trees, which never sleep by default
    assert tape.m.tree_sleep_policy.tolist() == [enums.SLEEP_INIT] * COUNT
    tape.d.qvel[0] = -2.0
    tape.run(30)
    # slack by 0.1 m at 2 m/s
    assert [wake[0] for wake in tape.woke] == [0, 1]
    tape.d.eq_active[0] = 1
    tape.run(1)
    chain = tape.chain(2)
    assert [(wake.tree, wake.cause, wake.id, wake.source) for wake in chain] == [
        (2, enums.WAKE_EQUALITY, 0, 1), (1, enums.WAKE_TENDON, 0, 0), (0, enums.WAKE_QVEL, 0, -1),
    ]  # fmt: skip
    assert chain[1].time == pytest.approx(0.05, abs=0.0101) and chain[0].step == 31


def test_an_equality_between_two_that_sleep_apart_is_the_first_cause() -> None:
    extra = "<equality><connect name='pin' body1='b1' body2='b2' anchor='.2 0 0' active='false'/></equality>"
    tape = Tape(ROW.replace("</mujoco>", f"{extra}</mujoco>"))
    tape.run(3)
    tape.d.eq_active[0] = 1
    tape.run(2)
    for tree in (1, 2):
        assert [(wake.tree, wake.cause, wake.source) for wake in tape.chain(tree)] == [(tree, enums.WAKE_EQUALITY, -1)]


def test_the_mouse_and_the_flag() -> None:
    tape = Tape(ROW)
    d = tape.d
    d.perturb.select, d.perturb.active = 2, 1
    d.perturb.refselpos = (0.4, 0.3, 0.0)
    tape.run(3)
    assert [(w.tree, w.cause, w.id, w.mouse) for w in tape.chain(1)] == [(1, enums.WAKE_XFRC, 2, True)]
    # without the sleep state of a row everything is awake
    narrow = sleep_rows(tape.m, enums.STATE_RECORD, np.array([4]), sim.get_state(tape.m, d, enums.STATE_RECORD)[None])
    wide = sleep_rows(tape.m, sim.record_signature(tape.m), np.array([3]), np.array(tape.rows[-1:]))
    found = wakes(tape.m, joined([wide, narrow]), lambda step, geom: set())
    assert [(wake.tree, wake.cause) for wake in found] == [(k, enums.WAKE_FLAG) for k in (0, 2, 3, 4)]


def test_a_tree_that_never_woke_has_no_chain() -> None:
    tape = Tape(ROW)
    tape.run(3)
    assert tape.chain(0) == [] and tape.wakes() == []
