"""Mistakes in kernels: each is answered in one paragraph with file, line, mistake and cure."""

import re

import pytest

from sim.jit import build, diagnostics, kernel
from sim.jit.diagnostics import KernelVisitor
from sim.jit.kernel import CompileError, Kernel, parts
from sim.jit.loader import loader
from sim.jit.warmup import kernels
from tests.sim.jit import toy, wrong

# what is said of each
EXPECTED = {
    wrong.raises: r"cannot raise",
    wrong.asserts: r"cannot assert",
    wrong.catches: r"cannot catch",
    wrong.opens: r"no `with`",
    wrong.lists: r"no lists.*`d.userdata`",
    wrong.dicts: r"no dicts",
    wrong.comprehends: r"no comprehensions.*loop",
    wrong.formats: r"cannot make strings",
    wrong.prints: r"cannot print.*in Python",
    wrong.stops: r"`breakpoint\(\)` works where a kernel runs as Python: `sim.debug\(m, d, \"stops\"\)`",
    wrong.imports: r"cannot import",
    wrong.counts: r"cannot change global names",
    wrong.yields: r"no generators",
    wrong.nests: r"Move the function out.*`@sim.helper`",
    wrong.misspells: r"`d` has no field `qpso`. Did you mean `qpos`",
    wrong.misspells_group: r"`m.opt` has no field `timestp`. Did you mean `timestep`",
    wrong.misspells_math: r"`math` has no `sine`. Did you mean `sin`",
    wrong.misspells_name: r"`GAIM` is not defined. Did you mean `GAIN`",
    wrong.confuses: r"`d` has no field `nq`. Use `m.nq`",
    wrong.asks_by_name: r"`d.joint\(\)` is for Python",
    wrong.copies: r"is for Python",
    wrong.asks_shape: r"no `.shape`.*`len\(d.ctrl\)`",
    wrong.calls_python: r"`plain` is a Python function.*`@sim.helper`",
    wrong.calls_numpy: r"`np.linalg.norm` takes numbers.*loop",
    wrong.makes_array: r"`np.zeros` makes or takes arrays",
    wrong.sums: r"`sum` takes numbers, and `d.qpos` is a whole field",
    wrong.slices: r"no slices.*`d.ctrl\[i\]`",
    wrong.assigns_whole: r"`d.ctrl` is a whole field",
    wrong.adds_whole: r"`d.qfrc_applied` is a whole field",
    wrong.multiplies_whole: r"`d.xpos` is a whole field.*`d.xpos\[i, j\]`",
    wrong.goes_through: r"`d.qpos` is a whole field",
    wrong.tests_whole: r"`d.qpos` is a whole field",
    wrong.forgets_index: r"shape \(nbody, 3\): write `d.xpos\[i, j\]`",
    wrong.indexes_by_float: r"`m.nq / 2` is a float.*`//`",
    wrong.indexes_group: r"`d.contact` is a group",
    wrong.counts_from_end: r"Write `len\(d.qpos\) - 1`",
    wrong.counts_columns_from_end: r"Write `3 - 1`",
    wrong.writes_model: r"cannot change `m.body_mass`.*in Python",
    wrong.writes_option: r"cannot change `m.opt.timestep`",
    wrong.stores_text: r"`d.ctrl` holds numbers; `'full'` is not one",
    wrong.stores_fraction: r"`d.tree_asleep` holds integers.*`int",
    wrong.turns_by_float: r"`range` takes integers.*`//`",
    wrong.uses_array: r"`TABLE` can change.*tuple",
    wrong.uses_dict: r"`GAINS` is a Python object.*its own global name",
    wrong.uses_number_of_numpy: r"`COUNT` is a numpy number.*`COUNT = COUNT.item",
    wrong.uses_module: r"`sim` is a module",
    wrong.calls_itself: r"A helper cannot call itself",
    wrong.gives_too_few: r"`add\(a, b\)` takes 2 arguments; 1 are given",
    wrong.gives_names: r"`add` takes positional arguments only: leave out the names",
    wrong.clips: r"`np.clip` is for arrays.*`min\(max",
    wrong.unpacks_several: r"`\*rest` collects several.*its own name",
    wrong.turns_back: r"There is no native `reversed`",
    wrong.has_two_types: r"`x` is float on one path and tuple on another",
    wrong.misses_math: r"There is no native `math.prod`",
    wrong.returns_sometimes: r"Some paths through.*`return`",
    wrong.returns_after_break: r"Some paths through.*`return`",
    wrong.returns_text: r"`-> float` must return a number everywhere",
    wrong.returns_unannounced: r"`def returns_unannounced\(...\) -> float:`",
    wrong.returns_fraction: r"`-> int`, but this is a float",
    wrong.returns_bool: r"`-> float`, `-> int`, or no arrow",
    wrong.takes_anything: r"`k: float` or `k: int`",
    wrong.takes_array: r"`k: float` or `k: int`",
    wrong.takes_data: r"the Data as `d`",
    wrong.takes_default: r"no default values: give every argument",
    wrong.takes_more: r"by position",
}


@pytest.fixture(autouse=True)
def compiled_here(monkeypatch):
    """Compile in this process, which starts the compiler once."""
    monkeypatch.setattr(build, "_is_local", lambda unit: True)


def test_every_wrong_kernel_is_in_the_table():
    assert {value for value in vars(wrong).values() if isinstance(value, Kernel)} == set(EXPECTED)


@pytest.mark.parametrize("unit", EXPECTED, ids=lambda unit: unit.pyfunc.__name__)
def test_mistakes_are_explained(unit):
    with pytest.raises(CompileError) as raised:
        loader.load([unit])
    said = str(raised.value)
    file, line, text = re.fullmatch(r"(.+?):(\d+): (.+)", said).groups()
    assert file == wrong.__file__
    with open(file) as source:
        blamed = source.readlines()[int(line) - 1]
    assert "# here" in blamed or blamed.startswith("@sim.")
    assert unit.name in text or "helper" in text
    assert re.search(EXPECTED[unit], text), text
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_another_process_explains_them_too(monkeypatch):
    monkeypatch.undo()
    with pytest.raises(CompileError, match=r"wrong.py:\d+: in kernel .*wrong.misspells: `d` has no field `qpso`"):
        loader.load([wrong.misspells])


def test_the_engine_makes_none():
    functions = {part for unit in kernels("sim") for part in parts(unit)}
    assert {f: found for f in functions if (found := KernelVisitor(f).read())} == {}


def test_what_is_right_is_left_alone():
    @kernel
    def right(m, d, x: float, i: int) -> float:
        x, i = 2 * i, 3
        d.tree_asleep[0] = x
        for k in [0, 1, 2]:
            if k in [1, 2] and i > -1:
                d.qpos[i - 1] += k / 2
        return d.qpos[int(0.5 * m.nq)]

    @kernel
    def returns_at_last(m, d) -> float:
        for i in range(m.nq):
            for _ in range(2):
                break
            if d.qpos[i] > 0:
                return d.qpos[i]
        else:
            return 0.0

    @kernel
    def returns_in_time(m, d) -> int:
        n = 0
        while True:
            for i in range(m.nq):
                if i > 1:
                    break
            n += 1
            if n > 3:
                return n

    for unit in (right, returns_at_last, returns_in_time, toy.extremes, toy.joined, toy.turns, toy.chosen):
        assert KernelVisitor(unit).read() == []
        loader.load([unit])


def test_without_source_the_compiler_speaks_for_itself(monkeypatch):
    monkeypatch.setattr(diagnostics, "_source", lambda function: None)
    with pytest.raises(CompileError) as raised:
        loader.load([wrong.misspells])
    assert re.fullmatch(r".+wrong.py:\d+: `d` has no `qpso`. \(in kernel .+wrong.misspells\)", str(raised.value))
    assert "typing of get attribute" in raised.value.__notes__[0]


def test_calls_say_how_many_arguments_they_take():
    m, d = toy.make()
    for arguments in ((m, d), (m, d, 1, 2)):
        with pytest.raises(TypeError, match=r"`count\(m: .*n: int\) -> int` takes 3 arguments, not "):
            toy.count(*arguments)
