"""Kernels compute what their Python source says, without numba at run time."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sim.jit import CompileError, interpreted, kernel
from sim.jit.kernel import _globals, parts, reachable
from sim.jit.loader import loader
from sim.jit.warmup import kernels
from tests.sim.jit import toy


def filled(n=4):
    m, d = toy.make(n)
    rng = np.random.default_rng(0)
    for name in ("f", "deep", "wide", "single"):
        setattr(m, name, rng.normal(size=m.read(name).shape))
    m.index = rng.integers(-9, 9, n)
    m.long = rng.integers(-(1 << 40), 1 << 40, n)
    m.byte = rng.integers(0, 255, n)
    m.flag = rng.integers(0, 2, n)
    return m, d


@pytest.mark.parametrize("native", [True, False])
def test_every_kind_of_field(native):
    m, d = filled()
    if native:
        toy.copy_all(m, d)
    else:
        with interpreted():
            toy.copy_all(m, d)
    for name in ("f", "deep", "wide", "single", "index", "long", "byte", "flag"):
        assert np.array_equal(d.read(name), m.read(name)), name
    assert d.time == 0.5 and d.on is True


def test_kernels_call_kernels_and_return_values():
    m, _ = toy.make()
    assert toy.quadruple(m, 1.5) == 6.0
    assert toy.scaled(3.0) == 6.0
    assert toy.chosen(m, 1) == 1.0 and toy.chosen(m, 0) == -1.0


def test_numbers_of_numpy_are_numbers():
    m, _ = toy.make()
    assert toy.quadruple(m, np.float32(1.5)) == 6.0
    assert toy.chosen(m, np.int32(1)) == 1.0 and toy.chosen(m, np.uint8(0)) == -1.0
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        toy.chosen(m, 1.0)


def test_an_exact_kernel_rounds_products():
    """Fused with the subtraction, the product would be precise and leave its rounding error."""
    m, _ = toy.make()
    for x in np.random.default_rng(0).uniform(1, 2, 100):
        assert toy.rest_of_square(m, x, x * x) == 0.0


def both(unit, *args):
    """What a kernel answers, natively and as Python."""
    with interpreted():
        python = unit(*args)
    return unit(*args), python


@pytest.mark.parametrize("step", [1, 2, 3, -1, -3])
def test_loops(step):
    m, _ = toy.make()
    for start in (-3, 0, 4):
        for stop in (-2, 0, 1, 5, 6):
            native, python = both(toy.turns, m, start, stop, step)
            assert native == python, (start, stop)


def test_a_loop_without_a_step_ends():
    """Python would raise; native code makes no turn."""
    m, _ = toy.make()
    assert toy.turns(m, 0, 3, 0) == toy.turns(m, 0, 3, -1)
    assert toy.turns(m, 3, 0, 0) == toy.turns(m, 3, 0, 1)


@pytest.mark.parametrize("x", [0.0, -0.0, 1.5, -1.5, float("nan"), float("inf")])
@pytest.mark.parametrize("y", [0.0, -0.0, 2.5, -2.5])
def test_functions_of_numbers(x, y):
    m, _ = toy.make()
    for i in (-2, 0, 3, 4):
        native, python = both(toy.extremes, m, x, y, i)
        assert repr(native) == repr(python), i


def test_variables_of_branches_and_loops():
    m, _ = toy.make()
    for n in range(12):
        native, python = both(toy.joined, m, n)
        assert native == python, n


def test_kernels_of_a_user_have_all_of_numba():
    native, python = both(toy.root, toy.make()[0], 6.25)
    assert native == python == 22.75
    assert toy.unsigned(toy.make()[0], 0.0) == 1.0


def test_kernels_of_equal_names_are_not_taken_for_each_other():
    m, _ = toy.make()
    twice, fivefold = toy.times(2.0), toy.times(5.0)
    assert (twice(m, 3.0), fivefold(m, 3.0)) == (6.0, 15.0)


def test_kernels_of_equal_names_call_their_own():
    m, _ = toy.make()
    twice, fivefold = toy.one_more_than_times(2.0), toy.one_more_than_times(5.0)
    loader.load([twice, fivefold])
    assert (twice(m, 3.0), fivefold(m, 3.0), twice(m, 1.0)) == (7.0, 16.0, 3.0)


def test_names_need_not_be_ascii():
    assert toy.größe(toy.make()[0], 3.0) == 27.0


def test_a_helper_of_exact_and_other_kernels_is_compiled_for_both():
    """In one process, so that neither takes the other's."""
    code = (
        "from sim.jit.compiler import compile_unit\n"
        "from sim.jit.kernel import kernel\n"
        "from tests.sim.jit import toy\n"
        "def body(m: toy.MODEL, x: float, y: float) -> float:\n"
        "    return toy_square(x, y)\n"
        "toy_square = toy.square_less\n"
        "fused, exact = kernel(body), kernel(exact=True)(body)\n"
        "m, values = toy.make()[0], [1.0 + k / 97 for k in range(97)]\n"
        "assert any(fused(m, x, x * x) != 0.0 for x in values)\n"
        "assert all(exact(m, x, x * x) == 0.0 for x in values)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=toy_environment())


def test_a_step_of_zero_makes_no_turn():
    assert toy.no_turns(toy.make()[0], 7) == 7


def test_the_engine_mentions_only_what_is_loaded_at_once():
    """Another builtin would do, but each process that compiles it would import a good part of numpy and scipy."""
    known = {"abs", "float", "int", "len", "max", "min", "range"}
    for unit in kernels("sim"):
        for part in parts(unit):
            code = part.pyfunc.__code__
            mentioned = {name for name in _globals(code) if name not in part.pyfunc.__globals__}
            assert mentioned <= known, part


def test_numpy_is_not_compiled_for_kernels_that_do_not_mention_it():
    code = (
        "import sys\nfrom sim.jit import compiler\nfrom tests.sim.jit import toy\n"
        "for unit in (toy.copy_all, toy.turns, toy.extremes, toy.joined):\n"
        "    compiler.compile_unit(unit)\n"
        "assert 'numba.np.linalg' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=toy_environment())


def test_a_scene_loads_only_what_it_needs(monkeypatch):
    m, _ = toy.make()
    monkeypatch.setattr(toy.lonely, "when", lambda m: bool(m.flag[0]))
    assert toy.lonely not in reachable([toy.count], m)
    assert reachable([toy.lonely], m) == [toy.lonely]  # asked for is asked for
    m.flag[0] = True
    assert toy.lonely in reachable([toy.count], m)


def test_a_kernel_left_out_is_bound_on_first_use(monkeypatch):
    m, d = toy.make()
    monkeypatch.setattr(toy.lonely, "when", lambda m: False)
    loader.load([toy.count], m)
    assert toy.lonely.entry is None
    assert toy.count(m, d, 5) == 5
    m.flag[0] = True
    assert toy.count(m, d, 5) == 6
    assert toy.lonely.entry is not None


def test_compile_errors_name_the_kernel():
    m, d = toy.make()
    with pytest.raises(CompileError, match=r"(?s)toy\.does_not_compile.*no_such_field"):
        toy.does_not_compile(m, d)
    with pytest.raises(CompileError, match=r"toy\.writes_model"):
        toy.writes_model(m, d)


def test_steps_that_find_no_room_are_undone_and_repeated():
    m, d = toy.make(room=2)
    done, calls = 0, 0
    while done < 100:
        done += toy.run(m, d, 100 - done)
        calls += 1
        assert done == 100 or d.grow_required()
    assert d.x == 100.0
    assert d.ncon == 101 and np.allclose(d.contact.dist, 100.0 + 0.001 * np.arange(101))
    assert d.contact.pos[:, 2].tolist() == list(range(101))
    assert calls == 7  # room doubles: 2 4 8 16 32 64 128


def test_numba_is_not_imported_to_run():
    toy.quadruple(toy.make()[0], 1.0)
    code = (
        "import sys\nfrom tests.sim.jit import toy\n"
        "assert toy.quadruple(toy.make()[0], 1.5) == 6.0\n"
        "assert not [n for n in sys.modules if n.split('.')[0] == 'numba']\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=toy_environment())


def test_wrong_indices_are_errors_in_a_checked_build():
    code = (
        "from tests.sim.jit import toy\n"
        "m, d = toy.make()\n"
        "assert toy.read_at(m, d, 3, 2) == 0.0\n"
        "for i, j, axis in ((4, 0, 0), (-1, 0, 0), (0, 3, 1), (0, -1, 1), (1 << 40, 0, 0)):\n"
        "    try:\n"
        "        toy.read_at(m, d, i, j)\n"
        "    except IndexError as e:\n"
        "        assert f'toy_d.f: index {(i, j)[axis]} on axis {axis} of extent {(4, 3)[axis]}' in str(e), e\n"
        "        assert 'toy.read_at' in str(e), e\n"
        "    else:\n"
        "        raise AssertionError((i, j))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=toy_environment(KINETOSCOPE_CHECK="1"))


def test_wrong_indices_of_two_threads_are_told_apart():
    """Both calls have failed before the first error is made of what they left behind."""
    code = (
        "import threading\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from sim.jit.loader import UnitLoader\n"
        "from tests.sim.jit import toy\n"
        "(m, d), (_, e) = toy.make(), toy.make()\n"
        "toy.read_at(m, d, 0, 0), toy.read_at(m, e, 0, 0), toy.chosen(m, 1)\n"
        "both, original = threading.Barrier(2, timeout=60), UnitLoader._raise\n"
        "def late(*args):\n"
        "    both.wait()\n"
        "    original(*args)\n"
        "UnitLoader._raise = late\n"
        "with ThreadPoolExecutor(2) as pool:\n"
        "    calls = [pool.submit(toy.read_at, m, data, *index) for data, index in ((d, (7, 0)), (e, (0, 9)))]\n"
        "found = [str(call.exception()) for call in calls]\n"
        "assert 'index 7 on axis 0 of extent 4' in found[0], found\n"
        "assert 'index 9 on axis 1 of extent 3' in found[1], found\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=toy_environment(KINETOSCOPE_CHECK="1"))


def test_a_wrong_index_of_a_nested_call_reaches_the_outer_one():
    code = (
        "from tests.sim.jit import toy\n"
        "m, d = toy.make()\n"
        "toy.answer.redirect(lambda m, d, i, x: toy.read_at(m, d, i, 0))\n"
        "try:\n"
        "    toy.asks(m, d, 6)\n"
        "except IndexError as e:\n"
        "    assert 'index 6 on axis 0 of extent 4' in str(e), e\n"
        "else:\n"
        "    raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=toy_environment(KINETOSCOPE_CHECK="1"))


def test_what_numba_raises_is_no_wrong_index_of_a_field():
    m, _ = toy.make()
    assert toy.nth_prime(m, 3) == 7
    with pytest.raises(RuntimeError, match=r"nth_prime: an exception in native code, such as a tuple index"):
        toy.nth_prime(m, 4)


def test_other_threads_run_natively_while_one_interprets(monkeypatch):
    m, _ = toy.make()
    toy.quadruple(m, 1.0)
    ran = []
    monkeypatch.setattr(toy.quadruple, "pyfunc", lambda m, x: ran.append(threading.get_ident()))
    with interpreted(), ThreadPoolExecutor(1) as pool:
        assert pool.submit(toy.quadruple, m, 1.0).result() == 4.0
        toy.quadruple(m, 1.0)
    assert ran == [threading.get_ident()]


def toy_environment(**more):
    import os
    from pathlib import Path

    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), **more}


@pytest.fixture
def answers_in_python():
    toy.answer.redirect(toy.python_answer)
    yield
    toy.answer.redirect(None)


def test_a_kernel_stands_in_for_another():
    m, d = filled()
    assert toy.asks(m, d, 2) == 1.5
    toy.answer.redirect(toy.other_answer)
    assert toy.asks(m, d, 2) == 8.0
    with interpreted():
        assert toy.asks(m, d, 2) == 8.0

    @kernel
    def local(m: toy.MODEL, d: toy.DATA, i: int, x: float) -> float:
        return x * x

    toy.answer.redirect(local)
    assert toy.asks(m, d, 2) == 1.25
    with pytest.raises(TypeError, match="parameters differ"):
        toy.answer.redirect(toy.asks)
    toy.answer.redirect(None)
    assert toy.asks(m, d, 2) == 1.5


def test_native_code_calls_python(answers_in_python):
    m, d = filled()
    assert toy.asks(m, d, 2) == pytest.approx(d.f.sum() + 1.0)
    assert np.array_equal(d.f[2], m.f[2] + 0.5)
    # another pair of structs is not mistaken for the first
    other_m, other_d = filled()
    other_m.opt.step = 4.0
    toy.asks(other_m, other_d, 1)
    assert np.array_equal(other_d.f[1], other_m.f[1] + 4.0)
    assert not d.f[1].any()


def test_what_python_raises_passes_through_native_code(answers_in_python):
    m, d = filled()
    with pytest.raises(KeyError, match="-1"):
        toy.asks(m, d, -1)
    assert toy.asks(m, d, 0) == pytest.approx(d.f.sum() + 1.0)
