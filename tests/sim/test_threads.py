"""Threads that use the engine at once, and what is freed when nobody refers to it any more.

Files: sim/callback.py, sim/model.py.
"""

from __future__ import annotations

import gc
import hashlib
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.callback import SLOTS, hooks, some_hooks
from tests.sim.models import SCENES

BALL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
THREADS = 6


def at_once(work: Callable[[int], Any], count: int = THREADS) -> list[Any]:
    """The results of `work(k)`, one thread for each k; all begin together."""
    barrier, results = threading.Barrier(count), [None] * count

    def run(k: int) -> None:
        barrier.wait()
        try:
            results[k] = work(k)
        except BaseException as error:
            results[k] = error

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def steps(m: sim.Model, count: int = 50) -> str:
    """A digest of all results of some steps."""
    d = sim.Data(m)
    sim.step(m, d, count)
    sim.inverse(m, d)
    return hashlib.sha256(b"".join(map(bytes, (d.qpos, d.qacc, d.qfrc_inverse, d.sensordata, d.xpos)))).hexdigest()


# ---- at once ----


def test_data_of_one_model() -> None:
    m = sim.load(SCENES / "gripper.xml")
    alone = steps(sim.load(SCENES / "gripper.xml"))
    assert at_once(lambda _: steps(m)) == [alone] * THREADS


@pytest.mark.parametrize("compute", [sim.step, sim.forward, sim.inverse])
def test_two_threads_in_one_data(compute: Callable[[sim.Model, sim.Data], None]) -> None:
    m = sim.loads(BALL)
    d = sim.Data(m)
    inside, go_on = threading.Event(), threading.Event()

    def wait(*_: object) -> None:
        # a callback of the same thread may call on
        sim.subtree_vel(m, d)
        inside.set()
        go_on.wait(30.0)

    sim.callbacks.control = wait
    first = threading.Thread(target=lambda: sim.step(m, d))
    first.start()
    inside.wait(30.0)
    try:
        with pytest.raises(RuntimeError, match="another thread is computing with this Data"):
            compute(m, d)
        sim.callbacks.control = None
        sim.step(m, sim.Data(m))
    finally:
        go_on.set()
        first.join()
    compute(m, d)


def test_loading_and_saving(tmp_path: Path) -> None:
    m = sim.load(SCENES / "car.xml")
    m.body_mass[1:] *= 1.5

    def save(k: int) -> str:
        m.save_xml(tmp_path / f"{k}.xml")
        return (tmp_path / f"{k}.xml").read_text() + steps(sim.load(tmp_path / f"{k}.xml"), 5)

    alone = save(THREADS)
    assert at_once(save) == [alone] * THREADS


def test_options_of_one_thread_are_not_those_of_another() -> None:
    """Constants are computed with sleep disabled: who makes Data or steps meanwhile does not notice."""
    text = BALL.replace("<worldbody>", '<option><flag sleep="enable"/></option><worldbody>')
    m = sim.loads(text)
    alone = steps(sim.loads(text))

    def work(k: int) -> str:
        if k % 2:
            for _ in range(20):
                sim.set_const(m)
            return alone
        return "".join({steps(m) for _ in range(5)})

    assert at_once(work) == [alone] * THREADS


def test_two_threads_set_and_remove_hooks_of_collision(monkeypatch: pytest.MonkeyPatch) -> None:
    """One removes its callback and is about to switch the hooks off, while the other sets one."""
    m = sim.loads(BALL)
    d = sim.Data(m)
    sim.callbacks.collision["plane", "sphere"] = None
    removing, go_on = threading.Event(), threading.Event()
    redirect = hooks.redirect

    def late(function: Any) -> None:
        removing.set()
        go_on.wait()
        redirect(function)

    monkeypatch.setattr(hooks, "redirect", late)
    first = threading.Thread(target=lambda: setattr(sim.callbacks, "collision", None))
    second = threading.Thread(target=lambda: setattr(sim.callbacks, "contactfilter", lambda *_: 1))
    first.start()
    removing.wait()
    second.start()
    # it would be through by now if it did not wait for the first
    second.join(0.2)
    go_on.set()
    first.join()
    second.join()
    assert hooks.stand_in is some_hooks
    sim.forward(m, d)
    assert d.ncon == 0


def test_threads_fill_and_clear_the_table_of_collision() -> None:
    m = sim.loads(BALL)

    def work(k: int) -> int:
        d = sim.Data(m)
        types = (("plane", "sphere"), ("box", "box"), ("sphere", "box"))[k % 3]
        for _ in range(50):
            sim.callbacks.collision[types] = None
            sim.forward(m, d)
            list(sim.callbacks.collision.items())
            sim.callbacks.collision.pop(types, 0)
        return 0

    assert at_once(work) == [0] * THREADS
    assert len(sim.callbacks.collision) == 0 and SLOTS["collision"].stand_in is None
    d = sim.Data(m)
    sim.forward(m, d)
    assert d.ncon == 1


# ---- freed ----


class Held:
    """Something that a callback holds."""

    called = False


def _control(held: Held) -> None:
    def control(m: Any, d: Any) -> None:
        held.called = True

    sim.callbacks.control = control


def _raise(held: Held) -> None:
    def control(m: Any, d: Any) -> None:
        held.called = True
        raise ArithmeticError

    sim.callbacks.control = control


def _filter(held: Held) -> None:
    def contactfilter(m: Any, d: Any, geom1: int, geom2: int) -> int:
        held.called = True
        return 1

    sim.callbacks.contactfilter = contactfilter


def _collide(held: Held) -> None:
    def routine(m: Any, d: Any, geom1: int, geom2: int, margin: float) -> list[Any]:
        held.called = True
        raise ArithmeticError

    sim.callbacks.collision["plane", "sphere"] = routine


def use(held: Held) -> list[weakref.ref[Any]]:
    """Step with the callback that holds `held`; returns what is to be freed."""
    m = sim.loads(BALL)
    d = sim.Data(m)
    with suppress(ArithmeticError):
        sim.step(m, d)
    assert held.called
    return [weakref.ref(x) for x in (held, m, d)]


@pytest.mark.parametrize("set_callback", [_control, _raise, _filter, _collide])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_a_callback_held_is_freed_with_it(set_callback: Callable[[Held], None], elsewhere: bool) -> None:
    """At once, also after an error in it, and with the model and the Data of the step."""
    held = Held()
    set_callback(held)
    gc.collect()
    gc.disable()
    try:
        gone = at_once(lambda _: use(held), 1)[0] if elsewhere else use(held)
        for name in dir(sim.callbacks):
            setattr(sim.callbacks, name, None)
        held = None
        assert [alive() for alive in gone if alive() is not None] == []
    finally:
        gc.enable()


def test_a_kernel_is_freed_when_it_is_no_callback_any_more() -> None:
    """Its native code stays: another thread may be running it."""
    m = sim.loads(BALL)
    d = sim.Data(m)

    def use() -> weakref.ref[Any]:
        @sim.kernel
        def control(m, d):
            d.qfrc_applied[2] = 1.0

        sim.callbacks.control = control
        sim.step(m, d)
        assert d.qfrc_applied[2] == 1.0
        return weakref.ref(control)

    gone = use()
    sim.callbacks.control = None
    gc.collect()
    assert gone() is None
    d.qfrc_applied[:] = 0.0
    sim.step(m, d)
    assert d.qfrc_applied[2] == 0.0


def test_data_does_not_keep_a_model_that_fits() -> None:
    m, other = sim.loads(BALL), sim.loads(BALL)
    d = sim.Data(m)
    gone = weakref.ref(other)
    sim.step(other, d)
    del other
    assert gone() is None
    # another model in its place is checked again
    with pytest.raises(ValueError, match="another model"):
        sim.step(sim.loads(BALL.replace("<freejoint/>", "<joint/>")), d)
