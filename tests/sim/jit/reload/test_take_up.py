"""Changed kernels are taken up in the running process: all of a change, or nothing of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.jit import cache, sources
from sim.jit.kernel import unit_key
from sim.jit.loader import loader
from sim.jit.reload import NotTakenUp, RestartNeeded
from sim.jit.reload import take_up as module
from tests.sim.jit import toy
from tests.sim.jit.reload.package import Package, package

pytestmark = pytest.mark.release


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    store = tmp_path / "cache"
    store.mkdir(mode=0o700)
    monkeypatch.setattr(cache, "folder", lambda: store)
    with package(tmp_path) as made:
        yield made


def answers(edited: Package) -> tuple[float, float]:
    m, _ = toy.make()
    return edited.units.left(m, 3.0), edited.units.right(m, 3.0)


def refused(edited: Package, kind: type[NotTakenUp] = NotTakenUp) -> str:
    """Why a change is not taken up; nothing has changed then."""
    before, generation, names = answers(edited), sources.InUse.version, dict(vars(edited.units))
    with pytest.raises(NotTakenUp) as error:
        edited.reload.take_up()
    assert type(error.value) is kind
    assert answers(edited) == before
    assert sources.InUse.version == generation
    assert vars(edited.units) == names
    text = str(error.value)
    assert text.startswith(str(edited.folder))
    return text.replace(f"{edited.folder}/", "").replace(f"{edited.name}.", "")


def test_a_constant_and_back(edited: Package) -> None:
    assert answers(edited) == (7.0, 7.0)
    edited.edit("constants", "2.0", "3.0")
    change = edited.reload.take_up()
    assert answers(edited) == (10.0, 10.0)
    assert change.functions == [f"{edited.name}.helpers.scaled"]
    # all units that contain the helper and are in use
    assert (change.units, change.compiled) == (2, 2)
    assert edited.constants.SCALE == edited.helpers.SCALE == 3.0
    taken_up = sources.InUse.version
    assert taken_up
    # the text of before: its units are on disk
    edited.edit("constants", "3.0", "2.0")
    change = edited.reload.take_up()
    assert (change.units, change.compiled) == (2, 0)
    assert answers(edited) == (7.0, 7.0)
    assert sources.InUse.version == ""
    # undone, though the file stays; then the file again
    edited.edit("helpers", "+ 1.0", "+ 2.0")
    edited.reload.take_up()
    assert answers(edited) == (8.0, 8.0)
    assert edited.reload.go_back().compiled == 0
    assert answers(edited) == (7.0, 7.0)
    # a unit that is loaded only now is compiled from the text in use, not from the file
    assert edited.units.late(toy.make()[0], 3.0) == 70.0
    change = edited.reload.take_up()
    assert change.units == 3
    assert edited.units.late(toy.make()[0], 3.0) == 80.0
    # nothing left to do
    assert edited.reload.take_up().files == []


def test_a_unit_that_is_loaded_later_has_the_new_code(edited: Package) -> None:
    answers(edited)
    edited.edit("helpers", "+ 1.0", "+ 5.0")
    before = unit_key(edited.units.late, "platform")
    prepared = edited.reload.prepare(edited.reload.changed())
    m, _ = toy.make()
    # loaded between the compilation of the change and the exchange: by the old code
    assert edited.units.late(m, 3.0) == 70.0
    prepared.apply()
    assert edited.units.late(m, 3.0) == 110.0
    assert unit_key(edited.units.late, "platform") != before


def test_what_cannot_be_taken_up(edited: Package) -> None:
    answers(edited)
    edited.edit("helpers", "+ 1.0", "+ ")
    assert refused(edited) == "helpers.py:15: Invalid syntax. Correct it and save again."
    edited.edit("helpers", "+ \n", "+ unheard_of\n")
    assert refused(edited) == "helpers.py:15: in helper helpers.more: `unheard_of` is not defined."
    edited.edit("helpers", "+ unheard_of\n", "+ 1.0\n")
    edited.edit("units", "def left(m: MODEL, x: float)", "def left(m: MODEL, x: float, y: float)")
    said = refused(edited, RestartNeeded)
    assert said.startswith("units.py:9: the kernel `left` has other parameters, or returns something else")
    edited.edit("units", "x: float, y: float", "x: float")
    edited.edit("helpers", "def plain(x):\n    return x", "def plain(x):\n    return -x")
    assert "the function `plain` has changed, and is neither a kernel nor a number" in refused(edited, RestartNeeded)
    edited.edit("helpers", "return -x", "return x")
    edited.edit("constants", "[1, 2]", "[1, 2, 3]")
    assert refused(edited, RestartNeeded).startswith("constants.py:2: `TABLE = [1, 2, 3]` has changed")
    edited.edit("constants", "[1, 2, 3]", "[1, 2]")
    # a file that was read while it was being written: its end is not there
    text = (edited.folder / "helpers.py").read_text()
    (edited.folder / "helpers.py").write_text(text[: text.index("@helper\ndef more")])
    assert "Restart" in refused(edited, RestartNeeded)
    (edited.folder / "helpers.py").write_text(text)
    edited.edit("helpers", "def more", "def renamed")
    assert "`more` is imported here, but" in refused(edited)
    edited.edit("helpers", "def renamed", "def more")
    (edited.folder / "helpers.py").unlink()
    assert refused(edited).startswith("helpers.py:1: The file is gone")
    (edited.folder / "helpers.py").write_text(text)
    assert edited.reload.take_up().files == []


def test_new_functions_and_lines(edited: Package) -> None:
    answers(edited)
    # comments, docstrings and lines: nothing to compile, but lines are right
    edited.edit("units", "@kernel\ndef left", "# a comment\n\n\n@kernel\ndef left")
    edited.edit("helpers", '"""Doc."""', '"""Another."""')
    change = edited.reload.take_up()
    assert (change.functions, change.units) == ([], 0)
    assert edited.units.left.pyfunc.__code__.co_firstlineno == 11
    assert edited.helpers.scaled.__doc__ == "Another."
    assert sources.InUse.version == ""
    # a new helper, a new kernel, and a constant that is made in two steps
    edited.edit("helpers", "@helper\ndef more", "@helper\ndef less(x):\n    return x - 0.5\n\n\n@helper\ndef more")
    edited.edit(
        "units",
        "import more\n",
        "import less, more\nfrom {name}.constants import FIRST\n".replace("{name}", edited.name),
    )
    edited.edit(
        "units",
        "@kernel\ndef right",
        "@kernel\ndef fresh(m: MODEL, x: float) -> float:\n    return less(x)\n\n\n@kernel\ndef right",
    )
    edited.edit(
        "units",
        "x: float) -> float:\n    return more(x)\n\n\n@kernel\ndef fresh",
        "x: float) -> float:\n    return fresh(m, more(x)) + FIRST[1]\n\n\n@kernel\ndef fresh",
    )
    edited.edit("constants", "(1.0,)", "(4.0,)")
    edited.reload.take_up()
    assert answers(edited) == (8.5, 7.0)
    assert edited.constants.FIRST == (4.0, 2.0)
    # the new kernel is one like others
    edited.edit("helpers", "x - 0.5", "x - 1.5")
    edited.reload.take_up()
    assert answers(edited) == (7.5, 7.0)


def test_threads_see_the_old_or_the_new_and_never_both(edited: Package) -> None:
    m, _ = toy.make()
    answers(edited)
    loader.load([edited.units.apart])
    edited.edit("helpers", "+ 1.0", "+ 2.0")
    changes = [edited.reload.prepare(edited.reload.changed())]
    changes[0].apply()
    found: list[float] = []
    single: set[float] = set()
    stop = threading.Event()
    counts = [0, 0]

    def call(k: int) -> None:
        while not stop.is_set():
            found.append(edited.units.apart(m, 3.0))
            single.add(edited.units.left(m, 3.0))
            counts[k] += 1

    threads = [threading.Thread(target=call, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for k in range(30):
        (edited.reload.go_back if k % 2 == 0 else edited.reload.take_up)()
        most = [count + 3 for count in counts]
        while any(count < wanted for count, wanted in zip(counts, most, strict=True)):
            pass
    stop.set()
    for thread in threads:
        thread.join()
    assert set(found) == {0.0}
    assert single == {7.0, 8.0}


def test_not_from_within_native_code(edited: Package) -> None:
    answers(edited)
    edited.edit("helpers", "+ 1.0", "+ 2.0")
    change = edited.reload.prepare(edited.reload.changed())
    m, _ = toy.make()
    edited.units.left.redirect(lambda m, x: (change.apply(), 0.0)[1])
    try:
        with pytest.raises(RuntimeError, match="from a function that native code calls"):
            edited.units.apart(m, 3.0)
    finally:
        edited.units.left.redirect(None)
    assert answers(edited) == (7.0, 7.0)


def test_parts_of_the_compiler_need_a_restart(tmp_path: Path) -> None:
    reload: Any = module.Reload()
    file = Path(module.__file__)
    text = file.read_text()
    assert reload.prepare({file: text + "\n# a comment\n"}).functions == []
    with pytest.raises(RestartNeeded, match="part of the compiler"):
        reload.prepare({file: text + "\nX = 1\n"})
