"""One thread compiles a unit; others wait for that unit and for nothing else."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sim.jit import CompileError, abi, build, cache, kernel, units
from sim.jit.kernel import unit_key
from sim.jit.loader import UnitLoader, loader
from tests.sim.jit import toy

LONG = 300.0  # seconds after which a test that hangs fails


def fresh():
    """Kernels that nobody has loaded: one that calls itself nothing, one that calls it, and one that stands alone."""

    @kernel
    def inner(m: toy.MODEL, x: float) -> float:
        return x + 1.0

    @kernel
    def outer(m: toy.MODEL, x: float) -> float:
        return inner(m, x) * 2.0

    @kernel
    def alone(m: toy.MODEL, x: float) -> float:
        return x - 1.0

    return inner, outer, alone


class Compiler:
    """Stands in for build.compile_units: it compiles, in this process, when it is told to."""

    def __init__(self) -> None:
        self.asked = []
        self.started = {}
        self.allowed = {}
        self.original = build.compile_units

    def hold(self, unit):
        self.started[unit.name], self.allowed[unit.name] = threading.Event(), threading.Event()

    def __call__(self, missing, progress=None, finished=lambda unit: None):
        for unit, key in missing.items():
            self.asked.append(unit)
            if unit.name in self.started:
                self.started[unit.name].set()
                assert self.allowed[unit.name].wait(LONG)
            self.original({unit: key})
            finished(unit)


@pytest.fixture
def compiler(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    compiler = Compiler()
    monkeypatch.setattr(build, "compile_units", compiler)
    yield compiler
    assert units._claims == {}


@pytest.fixture
def pool():
    with ThreadPoolExecutor(4) as pool:
        yield pool


def test_a_thread_that_compiles_holds_up_no_other(compiler, pool):
    m, _ = toy.make()
    inner, _, alone = fresh()
    compiler.hold(inner)
    slow = pool.submit(inner, m, 1.0)
    assert compiler.started[inner.name].wait(LONG)
    # a loaded kernel, one that has to be compiled, another one in place of a kernel, and one found on disk
    assert pool.submit(alone, m, 1.0).result(LONG) == 0.0
    assert pool.submit(toy.quadruple, m, 1.0).result(LONG) == 4.0
    pool.submit(toy.answer.redirect, toy.other_answer).result(LONG)
    pool.submit(toy.answer.redirect, None).result(LONG)
    assert pool.submit(UnitLoader().fetch, [alone]).result(LONG)
    assert not slow.done()
    compiler.allowed[inner.name].set()
    assert slow.result(LONG) == 2.0


def test_two_threads_that_need_one_unit_compile_it_once(compiler, pool):
    m, _ = toy.make()
    inner, outer, _ = fresh()
    compiler.hold(inner)
    first = pool.submit(inner, m, 1.0)
    assert compiler.started[inner.name].wait(LONG)
    others = [pool.submit(outer, m, 1.0), pool.submit(inner, m, 2.0)]
    assert not any(other.done() for other in others)
    compiler.allowed[inner.name].set()
    assert first.result(LONG) == 2.0
    assert [other.result(LONG) for other in others] == [4.0, 3.0]
    assert sorted(unit.name for unit in compiler.asked) == sorted([inner.name, outer.name])


def test_a_thread_waits_for_the_unit_that_it_needs_and_not_for_the_rest(compiler, pool):
    m, _ = toy.make()
    inner, _, alone = fresh()
    compiler.hold(alone)
    # compiled in this order, because a root is taken from the end
    both = pool.submit(loader.load, [alone, inner])
    assert compiler.started[alone.name].wait(LONG)
    assert compiler.asked == [inner, alone]
    assert pool.submit(inner, m, 1.0).result(LONG) == 2.0
    assert not both.done()
    compiler.allowed[alone.name].set()
    both.result(LONG)


def test_a_kernel_bound_by_native_code_is_waited_for(compiler, pool, monkeypatch):
    """Two threads are inside native code when both need the same missing kernel."""
    m, _ = toy.make()
    inner, outer, _ = fresh()
    monkeypatch.setattr(inner, "when", lambda m: False)
    loader.load([outer], m)
    assert inner.entry is None
    compiler.hold(inner)
    calls = [pool.submit(outer, m, float(k)) for k in range(3)]
    assert compiler.started[inner.name].wait(LONG)
    assert pool.submit(toy.quadruple, m, 1.0).result(LONG) == 4.0
    compiler.allowed[inner.name].set()
    assert [call.result(LONG) for call in calls] == [2.0, 4.0, 6.0]
    assert compiler.asked.count(inner) == 1


@pytest.mark.parametrize("error", [CompileError("no"), KeyboardInterrupt()])
def test_a_unit_that_one_thread_gave_up_is_compiled_by_the_next(compiler, pool, monkeypatch, error):
    m, _ = toy.make()
    inner, _, _ = fresh()
    begun, go_on = threading.Event(), threading.Event()

    def give_up(*_):
        monkeypatch.setattr(build, "compile_units", compiler)
        begun.set()
        assert go_on.wait(LONG)
        raise error

    monkeypatch.setattr(build, "compile_units", give_up)
    first = pool.submit(inner, m, 1.0)
    assert begun.wait(LONG)
    second = pool.submit(inner, m, 1.0)
    go_on.set()
    with pytest.raises(type(error)):
        first.result(LONG)
    assert second.result(LONG) == 2.0


class InterruptedEvent(threading.Event):
    """As if the user pressed Ctrl+C while a thread waits."""

    def wait(self, timeout=None):
        raise KeyboardInterrupt


def test_an_interrupt_of_a_thread_that_waits_changes_nothing(compiler, pool, monkeypatch):
    m, _ = toy.make()
    inner, outer, _ = fresh()
    compiler.hold(inner)
    first = pool.submit(inner, m, 1.0)
    assert compiler.started[inner.name].wait(LONG)
    (claim,) = units._claims.values()
    (key,) = claim.waiting
    event, claim.waiting[key] = claim.waiting[key], InterruptedEvent()
    with pytest.raises(KeyboardInterrupt):
        outer(m, 1.0)
    assert list(units._claims) == [key]
    claim.waiting[key] = event
    compiler.allowed[inner.name].set()
    assert first.result(LONG) == 2.0
    assert outer(m, 1.0) == 4.0


def test_progress_may_need_what_is_being_compiled(compiler, monkeypatch):
    """A callback that runs a kernel of the same batch does not wait for itself."""
    m, _ = toy.make()
    inner, _, alone = fresh()
    found = []

    def compile_both(missing, progress=None, finished=None):
        if progress:
            progress(0, len(missing), "starting the compiler")
        compiler(missing)

    monkeypatch.setattr(build, "compile_units", compile_both)
    loader.load([inner, alone], progress=lambda *_: found.append(inner(m, 1.0)))
    assert found == [2.0] and alone(m, 1.0) == 0.0


def test_a_unit_that_cannot_be_read_back_is_an_error(compiler, monkeypatch):
    inner, _, _ = fresh()
    monkeypatch.setattr(build, "compile_units", lambda *_: None)
    with pytest.raises(OSError, match=r"inner was compiled but cannot be read back from .*"):
        units.object_code({inner: unit_key(inner, abi.platform())})
