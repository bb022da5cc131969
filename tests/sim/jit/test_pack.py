"""CPU levels, and object code that comes with the installation: chosen by processor, refused if damaged or outdated."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from sim.jit import CompileError, abi, build, level, loader, pack, source, units
from sim.jit.kernel import Kernel, reachable
from tests.sim.jit import toy
from tests.sim.jit.test_kernel import toy_environment

INTEL = level.LEVELS["x86_64"]


@pytest.mark.parametrize(
    ("has", "name"),
    [
        (level.V3 | {"avx512f"}, "x86-64-v3"),
        (level.V3, "x86-64-v3"),
        # a hypervisor may mask a single one
        (level.V3 - {"fma"}, "x86-64-v2"),
        (level.V2, "x86-64-v2"),
        (level.V2 - {"popcnt"}, "x86-64"),
        (frozenset(), "x86-64"),
    ],
)
def test_a_processor_gets_the_best_level_that_it_has(has: frozenset[str], name: str) -> None:
    assert level.choose(INTEL, has).name == name


def test_a_named_level_is_used_if_there_is_one() -> None:
    assert level.choose(INTEL, level.V3, "x86-64-v2").name == "x86-64-v2"
    with pytest.raises(level.LevelError, match="x86-64-v9, which is none of x86-64-v3, x86-64-v2, x86-64"):
        level.choose(INTEL, level.V3, "x86-64-v9")


def test_code_that_this_processor_cannot_run_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level, "current", lambda: level.Level("v9", "v9", needs=frozenset({"warp drive"})))
    level.check.cache_clear()
    with pytest.raises(level.LevelError, match="v9: it lacks warp drive"):
        loader.loader._link({toy.no_turns: b""} if toy.no_turns.entry is None else {unloaded(): b""})


def unloaded() -> Kernel:
    """A kernel that no test loads."""
    return Kernel(toy.no_turns.pyfunc, when=None)


# ---------------------------------------------------------------- packs


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the packs of this installation."""
    monkeypatch.setattr(pack, "FOLDER", tmp_path)
    monkeypatch.setattr(abi, "CHECKED", False)
    return tmp_path


def test_a_pack_gives_what_it_was_written_from(folder: Path) -> None:
    code = {toy.quadruple: b"one\ntwo", toy.count: b"", toy.total: b"three"}
    assert pack.object_code(code) == {}
    pack.read.cache_clear()
    pack.write(pack.place(folder), code)
    assert pack.object_code([*code, toy.turns]) == code
    assert pack.object_code([toy.total]) == {toy.total: b"three"}


@pytest.mark.parametrize(
    ("damage", "says", "left"),
    [
        (lambda data: data[:-1] + b"!", r"damaged at tests\.sim\.jit\.toy\.total:", 1),
        (lambda data: data[:-6], "damaged at .* and 1 more", 0),
        (lambda data: data.replace(b"pack 1", b"pack 0"), "cannot be read .it is of another version", 0),
        (lambda data: data.replace(b'{"units"', b'["units"'), "cannot be read", 0),
    ],
)
def test_a_damaged_pack_is_refused_in_a_sentence(folder: Path, damage, says: str, left: int) -> None:
    path = pack.place(folder)
    pack.write(path, {toy.quadruple: b"one", toy.total: b"three"})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(RuntimeWarning, match=f"{says}.*compiled instead.*install kinetoscope again"):
        assert len(pack.object_code([toy.quadruple, toy.total])) == left


def test_what_compiles_another_way_uses_no_pack(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack.write(pack.place(folder), {toy.total: b"code"})
    monkeypatch.setattr(abi, "codegen_digest", lambda: "edited")
    assert pack.object_code([toy.total]) == {}
    monkeypatch.undo()
    monkeypatch.setattr(pack, "FOLDER", folder)
    monkeypatch.setattr(abi, "CHECKED", True)
    assert pack.object_code([toy.total]) == {}


def test_a_key_outlives_upgrades(monkeypatch: pytest.MonkeyPatch) -> None:
    """toy.root mentions numpy."""
    before = pack.key_of(toy.root, {}), loader.key_of(toy.root)
    monkeypatch.setattr("importlib.metadata.version", lambda name: version(name) + ".1")
    monkeypatch.setattr("llvmlite.__version__", "99.0")
    monkeypatch.setattr("numpy.__version__", "99.0")
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    monkeypatch.setattr(abi, "platform", abi.platform.__wrapped__)
    for part in reachable([toy.root]):
        monkeypatch.delitem(part.__dict__, "kept__function_lines", raising=False)
    after = pack.key_of(toy.root, {}), loader.key_of(toy.root)
    assert after[0] == before[0] is not None and after[1] != before[1]


def test_a_digest_is_the_same_in_every_python() -> None:
    text = b"""
@kernel(exact=True)
def f(m, d: Data, x: float = 1.5) -> int:
    \"\"\"Docstring.\"\"\"
    for i in range(len(m.f)):  # comment
        if not x < i <= 3 and m.f[i, -1] != (0.1, True, 7)[2] or x is None:
            d.f[i] += x ** 2 if x else g(-x)
    return 1
"""
    assert source.function_digests(text) == {"f": "481153983a0058a29ce3422d518ffc79"}
    as_before = text.replace(b"  # comment", b"").replace(b"Docstring", b"Another one").replace(b"1.5", b"1.50")
    assert source.function_digests(as_before) == source.function_digests(text)
    assert source.function_digests(text.replace(b"True", b"1")) != source.function_digests(text)
    assert source.function_digests(text + text) == {}


def test_a_file_edited_since_its_import_has_no_key(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    path.write_text("from sim.jit import kernel\n\n@kernel\ndef one(x: int) -> int:\n    return x\n")
    spec = importlib.util.spec_from_file_location("edited", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    os.utime(path, (1, 1))
    assert pack.key_of(module.one, {}) is None


def test_a_pack_is_loaded_without_numba_and_cache(tmp_path: Path) -> None:
    code = units.object_code({unit: loader.key_of(unit) for unit in reachable([toy.count])})
    pack.write(pack.place(tmp_path), code)
    run = (
        "import sys; from pathlib import Path; from sim.jit import build, pack; pack.FOLDER = Path(sys.argv[1])\n"
        "from tests.sim.jit import toy; m, d = toy.make(); assert toy.count(m, d, 2) == 2\n"
        "build.find_spec = lambda name: None\n"
        "try:\n    toy.no_turns(m, 7)\n"
        "except build.CompileError as error:\n    print(error)\n"
        "print('numba' in sys.modules)"
    )
    command = [sys.executable, "-c", run, str(tmp_path)]
    environment = toy_environment(KINETOSCOPE_CACHE=str(tmp_path / "cache"))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == build.NEEDS_NUMBA.format(toy.no_turns.name) + "\nFalse\n"
    assert not list((tmp_path / "cache").glob("*.unit"))


def test_without_numba_a_sentence_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "find_spec", lambda name: None)
    with pytest.raises(CompileError, match=r"toy\.count \(with 1 more\) is not compiled.*'kinetoscope\[numba\]'"):
        build.compile_units({toy.count: "key", toy.total: "key"})
