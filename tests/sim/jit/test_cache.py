"""Object code on disk: what makes a unit stale, and what becomes of files that cannot be trusted."""

import ast
import contextlib
import dataclasses
import functools
import importlib.util
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.jit import CompileError, abi, build, cache, pack
from sim.jit.compiler_process import explained
from sim.jit.kernel import Kernel, parts, unit_key
from sim.jit.layout import Layout
from sim.jit.machine import cores
from tests.sim.jit import toy
from tests.sim.jit.test_kernel import toy_environment

SOURCE = '''
from sim.jit import helper, kernel
from tests.sim.jit.toy import DATA, MODEL

SCALE = 3.0
UNUSED = 1.0

@helper
def shared(x):
    return x * SCALE

@helper
def other(x):
    return x + 1.0

@kernel
def uses_shared(m: MODEL, d: DATA):
    """Docstring."""
    d.time = shared(m.opt.step)

@kernel
def uses_other(m: MODEL, d: DATA):
    d.f[0, 0] = other(m.opt.step)

@kernel
def calls_unit(m: MODEL, d: DATA):
    uses_shared(m, d)
'''


def compiled_key(unit: Kernel) -> str:
    return unit_key(unit, "platform")


def shipped_key(unit: Kernel) -> str | None:
    return pack.key_of(unit, {})


def keys(tmp_path: Path, *edits: tuple[str, str], key=compiled_key) -> dict[str, str]:
    """Keys of the kernels of SOURCE after some edits."""
    text = SOURCE
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "edited.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("edited", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return {n: key(k) for n, k in vars(module).items() if isinstance(k, Kernel)}


def changed(tmp_path, *edits, key=compiled_key):
    before, after = keys(tmp_path / "before", key=key), keys(tmp_path / "after", *edits, key=key)
    assert None not in before.values()
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize(
    ("edit", "stale"),
    [
        (("x * SCALE", "x * SCALE * 2"), {"uses_shared"}),
        (("SCALE = 3.0", "SCALE = 4.0"), {"uses_shared"}),
        (("x + 1.0", "x + 2.0"), {"uses_other"}),
        (("UNUSED = 1.0", "UNUSED = 2.0"), set()),
        (("Docstring.", "Another one."), set()),
        (("SCALE = 3.0", "# a comment\n\nSCALE = 3.0"), set()),
        (("d.time = shared(m.opt.step)", "d.time = shared(m.opt.step)  # why"), set()),
        (("    uses_shared(m, d)", "    uses_shared(m, d)\n    uses_other(m, d)"), {"calls_unit"}),
        (("@helper\ndef other", "@helper(reduce=True)\ndef other"), {"uses_other"}),
        (("@kernel\ndef uses_other", "@kernel(exact=True)\ndef uses_other"), {"uses_other"}),
    ],
)
def test_an_edit_outdates_its_users_and_no_one_else(tmp_path, edit, stale):
    assert changed(tmp_path, edit) == stale
    assert changed(tmp_path / "shipped", edit, key=shipped_key) == stale


# modules that compilation imports but that leave no trace of their own in object code: what they say of a kernel or
# a field is in its key
TRACELESS = {"sim.jit.kernel", "sim.jit.cache", "sim.user_error"}
# modules that may be edited without compiling anything again
FREE = {
    "build",
    "cache",
    "compiler_process",
    "diagnostics",
    "loader",
    "machine",
    "pack",
    "source",
    "structs",
    "units",
    "warmup",
    "worker",
}


def imported_by(module: str) -> set[str]:
    """Modules of sim that a module imports, at its top or in a function; packages that only pass names on left out."""
    found = set()
    for node in ast.walk(ast.parse(Path(importlib.util.find_spec(module).origin).read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, module
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.startswith("sim.") and Path(f"{name.replace('.', '/')}.py").is_file()}


def test_what_compiles_outdates_everything(monkeypatch):
    """Whatever the compiler imports, directly or not, is part of every key, or has a reason not to be."""
    monkeypatch.chdir(Path(sim.__file__).parents[1])
    decides, todo = set(), ["sim.jit.compiler", "sim.jit.abi"]
    while todo:
        module = todo.pop()
        if module not in decides | TRACELESS:
            decides.add(module)
            todo += imported_by(module)
    assert decides == {f"sim.jit.{name.removesuffix('.py')}" for name in abi.CODEGEN}
    assert {Path(name).stem for name in abi.CODEGEN} & FREE == set()


@pytest.mark.parametrize("name", abi.CODEGEN)
def test_an_edit_of_the_compiler_outdates_everything(monkeypatch, name):
    read, before = Path.read_bytes, abi.codegen_digest()
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path.name == name))
    assert abi.codegen_digest.__wrapped__() != before


def test_names_that_object_code_and_loader_agree_on_are_the_compilers():
    """No other file than abi.py makes symbols: an edit of another one leaves object code that can be linked."""
    folder = Path(abi.__file__).parent
    assert [path.name for path in sorted(folder.glob("*.py")) if '"kinetoscope.' in path.read_text()] == ["abi.py"]


# what lowering reads of a field: each decides code
@pytest.mark.parametrize(
    ("change", "stale"),
    [
        ({"dtype": "f4"}, True),
        ({"shape": ("n", 4)}, True),
        ({"shape": ("n", "n")}, True),
        ({"shape": ("n",)}, True),
        ({"shape": (7, 3)}, False),  # the first extent is read from the block
        ({"default": 1.0}, False),
        ({"doc": "another", "unit": "m", "owner": "other"}, False),
    ],
)
def test_a_changed_field_outdates_its_users(monkeypatch, tmp_path, change, stale):
    before = keys(tmp_path)
    fields = (p.field for p in toy.DATA.places.values())
    changed = (dataclasses.replace(f, **change) if f.name == "f" else f for f in fields)
    monkeypatch.setattr(toy, "DATA", with_fields(toy.DATA, *changed))
    after = keys(tmp_path)
    assert {n for n in before if before[n] != after[n]} == ({"uses_other"} if stale else set())


def test_a_layout_that_becomes_constant_outdates_its_users(monkeypatch, tmp_path):
    before = keys(tmp_path)
    fields = tuple(p.field for p in toy.DATA.places.values())
    monkeypatch.setattr(toy, "DATA", Layout(toy.DATA.name, fields, const=True))
    after = keys(tmp_path)
    assert {n for n in before if before[n] != after[n]} == {"uses_shared", "uses_other"}


def test_another_version_of_numpy_outdates_what_mentions_it(monkeypatch):
    before = [unit_key(unit, "platform") for unit in (toy.root, toy.count)]
    monkeypatch.setattr(np, "__version__", "99.0")
    for part in {*parts(toy.root), *parts(toy.count)}:
        monkeypatch.delitem(part.__dict__, "kept_bytecode")
    after = [unit_key(unit, "platform") for unit in (toy.root, toy.count)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True]


# settings of numba that would change code, if it asked for them
HOSTILE_SETTINGS = {
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "1",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_ENABLE_AVX": "0",
    "NUMBA_BOUNDSCHECK": "1",
    "NUMBA_DEBUGINFO": "1",
    "NUMBA_EXTEND_VARIABLE_LIFETIMES": "1",
}


def test_settings_of_numba_do_not_decide_code(tmp_path):
    """Neither those of the environment nor those in the working directory, even in a process that compiles itself."""
    code = (
        "import hashlib\n"
        "from sim.jit.compiler import compile_unit\n"
        "from tests.sim.jit import toy\n"
        "units = (toy.copy_all, toy.turns, toy.total, toy.rest_of_square)\n"
        "print([hashlib.sha256(compile_unit(unit).code).hexdigest() for unit in units])\n"
    )
    plain, hostile = tmp_path / "plain", tmp_path / "hostile"
    plain.mkdir()
    hostile.mkdir()
    lines = (f"{name.removeprefix('NUMBA_').lower()}: {value!r}\n" for name, value in HOSTILE_SETTINGS.items())
    (hostile / ".numba_config.yaml").write_text("".join(lines))

    def hashes(cwd, **settings):
        command, environment = [sys.executable, "-c", code], toy_environment(**settings)
        return subprocess.run(command, check=True, env=environment, cwd=cwd, capture_output=True, text=True).stdout

    assert hashes(plain) == hashes(plain, **HOSTILE_SETTINGS) == hashes(hostile)


def test_touching_a_file_outdates_nothing(tmp_path):
    before = keys(tmp_path)
    os.utime(tmp_path / "edited.py", (1, 1))
    assert keys(tmp_path) == before


def with_fields(layout: Layout, *fields) -> Layout:
    return Layout(layout.name, fields, const=layout.const)


def test_a_new_field_outdates_nothing_and_a_changed_one_its_users(monkeypatch, tmp_path):
    before = keys(tmp_path)
    fields = tuple(p.field for p in toy.DATA.places.values())
    # in front of all others: every offset moves
    monkeypatch.setattr(toy, "DATA", with_fields(toy.DATA, toy.field("extra", "f8", ("n",)), *fields))
    assert keys(tmp_path) == before
    retyped = (toy.field("f", "f4", ("n", 3)) if f.name == "f" else f for f in fields)
    monkeypatch.setattr(toy, "DATA", with_fields(toy.DATA, *retyped))
    after = keys(tmp_path)
    assert {n for n in before if before[n] != after[n]} == {"uses_other"}


def test_a_moved_field_is_found_by_code_compiled_before(tmp_path):
    """The same object code runs against two layouts: offsets are filled in when it is loaded."""
    script = textwrap.dedent("""
        import sys
        from tests.sim.jit import toy
        from sim.jit import Layout
        if sys.argv[1] == "moved":
            fields = [p.field for p in toy.MODEL.places.values()]
            fields = [toy.field("extra", "f8", ("n",)), *reversed(fields)]
            toy.MODEL.__init__(toy.MODEL.name, tuple(fields), const=True)
        from sim.jit import build
        if sys.argv[1] == "moved":
            build.compile_units = None
        m, d = toy.make()
        m.f = 7.0
        m.opt.step = 0.125
        toy.copy_all(m, d)
        assert d.f.tolist() == m.f.tolist() and d.time == 0.125, d.f
    """)
    environment = toy_environment(KINETOSCOPE_CACHE=str(tmp_path))
    for layout in ("plain", "moved"):
        subprocess.run([sys.executable, "-c", script, layout], check=True, env=environment)


# ---------------------------------------------------------------- files that cannot be trusted


@pytest.fixture
def store(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    return tmp_path


def test_a_unit_comes_back_as_it_was_stored(store):
    cache.write("a.b", "k1", cache.Unit(b"\x00code\nmore", 1.5))
    assert cache.read("a.b", "k1") == cache.Unit(b"\x00code\nmore", 1.5)
    assert cache.read("a.b", "k2") is None
    assert [p.name for p in store.iterdir()] == ["a.b-k1.unit"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data[:-3] + b"\xff" + data[-2:],
        lambda data: data.replace(b"unit 1", b"unit 0"),
        lambda data: data.replace(b"k1", b"k0"),
        lambda data: data.replace(b"{", b"["),
        lambda data: os.urandom(len(data)),
    ],
)
def test_a_damaged_file_is_not_trusted(store, damage):
    cache.write("a.b", "k1", cache.Unit(b"code" * 100, 1.5))
    path = store / "a.b-k1.unit"
    path.write_bytes(damage(path.read_bytes()))
    assert cache.read("a.b", "k1") is None


def test_old_versions_are_dropped(store):
    for k in range(10):
        cache.write("a.b", f"k{k}", cache.Unit(b"code", 0.0))
        os.utime(store / f"a.b-k{k}.unit", (k, k))
    assert sorted(p.name for p in store.iterdir()) == [f"a.b-k{k}.unit" for k in range(4, 10)]
    assert cache.clear() == 6 and not list(store.iterdir())


RUN = """
from tests.sim.jit import toy
m, d = toy.make()
assert toy.quadruple(m, 1.5) == 6.0
assert toy.count(m, d, 2) == 2
"""


@pytest.mark.release
def test_a_broken_cache_is_rebuilt(tmp_path):
    environment = toy_environment(KINETOSCOPE_CACHE=str(tmp_path))
    subprocess.run([sys.executable, "-c", RUN], check=True, env=environment)
    good = {p.name: p.read_bytes() for p in tmp_path.glob("*.unit")}
    assert good
    for path in tmp_path.glob("*.unit"):
        path.write_bytes(path.read_bytes()[:-100])
    subprocess.run([sys.executable, "-c", RUN], check=True, env=environment)
    for name in good:
        unit, key = name.removesuffix(".unit").rsplit("-", 1)
        assert cache_read(tmp_path, unit, key) is not None


def cache_read(folder, name, key):
    before, cache.folder = cache.folder, lambda: folder
    try:
        return cache.read(name, key)
    finally:
        cache.folder = before


@pytest.mark.release
def test_processes_that_start_at_once_and_are_killed_leave_a_good_cache(tmp_path):
    environment = toy_environment(KINETOSCOPE_CACHE=str(tmp_path))
    rng = random.Random(1)

    def start():
        return subprocess.Popen([sys.executable, "-c", RUN], env=environment, start_new_session=True)

    for _ in range(4):
        pair = [start(), start()]
        time.sleep(rng.uniform(0.2, 1.5))
        for process in pair:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    survivors = [start(), start()]
    assert [p.wait() for p in survivors] == [0, 0]
    for path in tmp_path.glob("*.unit"):
        name, key = path.name.removesuffix(".unit").rsplit("-", 1)
        assert cache_read(tmp_path, name, key) is not None, path.name


def chosen_folder(environment, cwd) -> tuple[Path, str]:
    """The cache folder that a process chooses, and what it says about that."""
    code = "from sim.jit import cache; print(cache.folder())"
    command = [sys.executable, "-P", "-c", code]
    run = subprocess.run(command, check=True, env=environment, cwd=cwd, capture_output=True, text=True)
    return Path(run.stdout.strip()), run.stderr


def test_a_read_only_install_uses_the_users_cache(tmp_path):
    install = tmp_path / "install"
    shutil.copytree(Path(sim.__file__).parent, install / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    (install / "sim" / "__pycache__").write_text("a file: no folder can be made here, not even by root")
    home = tmp_path / "home"
    environment = {k: v for k, v in toy_environment().items() if k != "KINETOSCOPE_CACHE"}
    environment |= {"PYTHONPATH": str(install), "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    place = home / "cache" / "kinetoscope" / "units"
    assert chosen_folder(environment, install) == (place, "")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    # one of an earlier version, for which the user's group could write
    place.chmod(0o775)
    assert chosen_folder(environment, install) == (place, "")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def refused(path: Path, tmp_path: Path, why: str) -> None:
    """The named folder is not used but the user's temporary one, or one that is gone afterwards; and that is said."""
    spare = tmp_path / "spare"
    spare.mkdir()
    own = spare / f"kinetoscope-{os.geteuid()}"
    environment = toy_environment(KINETOSCOPE_CACHE=str(path), TMPDIR=str(spare))
    for _ in range(2):
        folder, said = chosen_folder(environment, tmp_path)
        assert folder == own
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert str(path) in said and why in said
    own.rmdir()
    # somebody else was faster
    own.write_text("")
    folder, _ = chosen_folder(environment, tmp_path)
    assert folder.parent == spare and re.fullmatch(r"kinetoscope-\w{8}", folder.name)
    assert list(spare.iterdir()) == [own]


def test_a_cache_that_cannot_be_made_is_replaced_by_a_temporary_one(tmp_path):
    full = tmp_path / "full"
    full.write_text("not a folder")
    refused(full, tmp_path, "File exists")


def test_a_cache_that_others_may_write_to_is_not_used(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    refused(shared, tmp_path, "chmod go-w")
    # it is the user's: it stays as it is
    assert stat.S_IMODE(shared.stat().st_mode) == 0o777


def test_a_cache_of_another_user_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert cache._fault(tmp_path, tighten=True) == "it belongs to another user"
    monkeypatch.undo()
    assert cache._fault(tmp_path, tighten=True) == ""


def test_a_relative_cache_is_meant_from_where_one_stands(tmp_path):
    assert chosen_folder(toy_environment(KINETOSCOPE_CACHE="here"), tmp_path) == (tmp_path / "here", "")


def test_a_file_that_another_user_could_have_written_is_not_trusted(store, monkeypatch):
    cache.write("a.b", "k1", cache.Unit(b"code", 1.5))
    path = store / "a.b-k1.unit"
    for mode, trusted in ((0o620, False), (0o602, False), (0o644, True)):
        path.chmod(mode)
        assert (cache.read("a.b", "k1") is not None) is trusted
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert cache.read("a.b", "k1") is None


# ---------------------------------------------------------------- compiler processes


HOSTILE = ("json", "numpy", "numba", "queue", "traceback", "llvmlite", "sim", "yaml")


def test_nothing_is_taken_from_the_folder_one_stands_in(tmp_path):
    here = tmp_path / "here"
    here.mkdir()
    for name in HOSTILE:
        (here / f"{name}.py").write_text("open('PWNED', 'w')")
    (here / ".numba_config.yaml").write_text("disable_jit: 1")
    units = tmp_path / "units"
    # the path of the process itself is what the user made it: a folder of his own, not the one he stands in
    script = tmp_path / "script.py"
    script.write_text("from tests.sim.jit import toy\nassert toy.quadruple(toy.make()[0], 1.5) == 6.0\n")
    environment = toy_environment(KINETOSCOPE_CACHE=str(units))
    subprocess.run([sys.executable, str(script)], check=True, env=environment, cwd=here)
    assert list(units.glob("*quadruple*.unit"))
    assert not list(tmp_path.rglob("PWNED"))


def test_kernels_of_the_folder_one_stands_in_are_found(tmp_path):
    (tmp_path / "mine.py").write_text(SOURCE)
    (tmp_path / "queue.py").write_text("open('PWNED', 'w')")
    code = "import sys; here = sys.path.pop(0); import sim.jit.build; sys.path.insert(0, here); import mine; from "
    code += "tests.sim.jit import toy; m, d = toy.make(); mine.uses_shared(m, d); assert d.time == 1.5, d.time"
    environment = toy_environment(KINETOSCOPE_CACHE=str(tmp_path / "units"))
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=tmp_path)
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize("stage", ["start", "compile", "explain", "take", "end"])
def test_a_worker_that_fails_in_any_way_is_no_endless_wait(stage, monkeypatch):
    """Two workers and three units; every failure is an error and not silence."""

    def fail(*_):
        raise KeyError("something nobody thought of")

    class Process:
        def __init__(self, units):
            if stage == "start":
                fail()

        def __enter__(self):
            return self

        def __exit__(self, *_):
            if stage == "end":
                fail()

        def compile(self, unit, key):
            if stage == "compile":
                fail()
            return (
                explained(unit, "it does not compile") if stage == "explain" else CompileError("nobody thought of it")
            )

    monkeypatch.setattr(build, "cores", lambda: 2)
    monkeypatch.setattr(build, "CompilerProcess", Process)
    if stage == "explain":
        monkeypatch.setattr(build.diagnostics, "explain", fail)
    if stage == "take":
        monkeypatch.setattr(build.UnitQueue, "take", fail)
    with pytest.raises(CompileError, match="nobody thought of"):
        build.compile_units({toy.count: "k", toy.quadruple: "k", toy.copy_all: "k"})


def test_rollouts_and_differences_use_the_cores_that_may_be_used():
    for name in ("sim.script.rollout", "sim.linearization.transition"):
        assert sys.modules[name].cores is cores


def test_two_threads_choose_one_folder(monkeypatch, tmp_path):
    """Without a usual folder each would make a temporary one."""
    full = tmp_path / "full"
    full.write_text("not a folder")
    monkeypatch.setenv("KINETOSCOPE_CACHE", str(full))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    both, original = threading.Barrier(2), cache._fault

    def slow(*args, **kwargs):
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.2)
        return original(*args, **kwargs)

    monkeypatch.setattr(cache, "_fault", slow)
    monkeypatch.setattr(cache, "_folder", functools.cache(cache._folder.__wrapped__))
    with warnings.catch_warnings(), ThreadPoolExecutor(2) as pool:
        warnings.simplefilter("ignore")
        found = [pool.submit(cache.folder) for _ in range(2)]
        assert found[0].result() == found[1].result()


def test_what_is_called_off_at_once_starts_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def call_off(*_: object) -> None:
        raise KeyboardInterrupt

    started: list[object] = []
    monkeypatch.setattr(build, "_feed_worker", lambda *what: started.append(what))
    with pytest.raises(KeyboardInterrupt):
        build.compile_units({toy.count: "key"}, call_off)
    assert started == []


def test_progress_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def feed(todo: build.UnitQueue, done: build.Done, units: dict[Kernel, str]) -> None:
        while unit := todo.take(set()):
            done.put(build.Begun(unit))
            done.put((unit, None))

    monkeypatch.setattr(build, "_feed_worker", feed)
    told: list[tuple[int, int, str]] = []
    build.compile_units({toy.count: "key"}, lambda *what: told.append(what))
    name = toy.count.name
    assert told == [(0, 1, "starting the compiler"), (0, 1, f"compiling {name}"), (1, 1, f"compiled {name}")]
