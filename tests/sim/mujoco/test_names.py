"""Every name of MuJoCo's module works here, or raises with what to use instead.

Enums and constants, member by member; the stand-in for `import mujoco`; docstrings.
"""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import types
from importlib.util import find_spec
from pathlib import Path

import mujoco
import pytest

from sim import mujoco as ours
from sim.mujoco import binding, enums, missing
from sim.mujoco.constants import CONSTANTS
from sim.mujoco.stand_in import PRIVATE

ROOT = Path(__file__).resolve().parents[3]

# what the module of the wheel has only because its source uses it
INCIDENTAL = {
    "IO", "Any", "Sequence", "TypeAlias", "Union", "MjStruct", "_EXPECTED_VERSION", "_SYSTEM", "_bind_data",
    "_bind_getattr", "_bind_model", "_core_version", "_load_all_bundled_plugins",
}  # fmt: skip


def names() -> list[str]:
    found = []
    for name in dir(mujoco):
        if name.startswith("__") or name in INCIDENTAL:
            continue
        value = getattr(mujoco, name)
        if isinstance(value, types.ModuleType) and name not in PRIVATE:
            continue
        found.append(name)
    return found


def test_nothing_is_silently_absent() -> None:
    """Each name is there, or its AttributeError gives a reason; and a reason is given for no name that is there."""
    assert len(names()) > 450
    for name in names():
        try:
            getattr(ours, name)
        except AttributeError as error:
            assert str(error).startswith(f"sim.mujoco has no {name}: "), f"{name} is absent without a reason"
    for name in missing.MISSING:
        assert hasattr(mujoco, name), f"MuJoCo has no {name}"
        assert not hasattr(ours, name), f"{name} is there"
    with pytest.raises(AttributeError, match="has no attribute 'mj_nothing'"):
        ours.mj_nothing  # noqa: B018


def test_modules() -> None:
    """Each module of MuJoCo's package is there, or its absence has a reason."""
    folder = Path(mujoco.__file__).parent
    files = {path.stem for path in folder.glob("[a-z]*.py") if not path.stem.endswith("_test")}
    folders = {path.parent.name for path in folder.glob("[a-z]*/__init__.py")} - {"cgl", "egl", "glfw", "osmesa"}
    for name in files | folders:
        assert name in missing.MODULES or find_spec(f"sim.mujoco.{name}"), name
    for name in missing.MODULES:
        assert not find_spec(f"sim.mujoco.{name}"), name


def test_counts() -> None:
    """Nearly all functions of the engine work: what is missing belongs to flexes, plugins, drawing and caches."""
    functions = [n for n in names() if n.startswith(("mj_", "mju_", "mjd_", "set_mj", "get_mj"))]
    absent = [n for n in functions if not hasattr(ours, n)]
    assert len(functions) > 260
    assert all(n in missing.MISSING for n in absent)
    assert len(absent) <= 16, absent


@pytest.mark.parametrize("name", [n for n in names() if n.startswith(("mj_", "mju_", "mjd_")) and hasattr(ours, n)])
def test_parameters(name: str) -> None:
    """Parameters have MuJoCo's names, in its order, and as many defaults."""

    def head(text: str) -> list[str]:
        inside, depth, parts = text[text.index("(") + 1 :], 0, [""]
        for letter in inside:
            if letter == ")" and depth == 0:
                break
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and depth == 0:
                parts.append("")
            else:
                parts[-1] += letter
        return [f"{p.split(':')[0].strip()}{' =' if ' = ' in p else ''}" for p in parts if p.strip()]

    mine, theirs = head(getattr(ours, name).__doc__), head(getattr(mujoco, name).__doc__)
    # MuJoCo takes no default for the segment of a distance
    assert [p.removesuffix(" =") for p in mine] == [p.removesuffix(" =") for p in theirs]
    if name != "mj_geomDistance":
        assert mine == theirs


@pytest.mark.parametrize("name", [n for n in dir(mujoco) if hasattr(getattr(mujoco, n), "__members__")])
def test_enums(name: str) -> None:
    """The same members with the same values, which are found by value and pickled as themselves."""
    mine, theirs = getattr(ours, name), getattr(mujoco, name)
    assert {k: int(v) for k, v in mine.__members__.items()} == {k: int(v) for k, v in theirs.__members__.items()}
    for key, member in mine.__members__.items():
        other = theirs.__members__[key]
        assert (repr(member), str(member), member.name, member.value) == (
            repr(other),
            str(other),
            other.name,
            other.value,
        )
        assert getattr(mine, key) is member and pickle.loads(pickle.dumps(member)) is member
        assert mine(member.value) == member and hash(member) == hash(other)
    with pytest.raises(ValueError, match=f"Invalid int value for {name}: 12345"):
        mine(12345)
    with pytest.raises(TypeError):
        mine("word")


def test_enums_are_all_there() -> None:
    assert {*enums.CLASSES} == {n for n in dir(mujoco) if hasattr(getattr(mujoco, n), "__members__")}


def test_constants() -> None:
    """Numbers and strings."""
    for name, value in CONSTANTS.items():
        assert getattr(mujoco, name) == value, name
    for name in dir(mujoco):
        if name.startswith("mj") and isinstance(getattr(mujoco, name), (int, float, tuple)):
            assert getattr(ours, name) == getattr(mujoco, name), name
    assert ours.__version__ == mujoco.__version__ and ours.MJTNUM_DTYPE is mujoco.MJTNUM_DTYPE


def test_functions_say_what_they_take() -> None:
    """A docstring starts with the signature, as the bindings' do."""
    for name, function in binding.FUNCTIONS.items():
        assert function.__doc__, name
        if name in binding.SIGNATURES:
            assert function.__doc__.startswith(f"{name}("), name
    assert inspect.signature(ours.mj_step).parameters.keys() == {"m", "d", "nstep"}


SCRIPT = """
from sim.mujoco import stand_in
import sim.mujoco
held = stand_in()
import mujoco
import mujoco.rollout
from mujoco import minimize, _structs
from mujoco._structs import MjModel
assert mujoco is sim.mujoco and mujoco.rollout is sim.mujoco.rollout and minimize is sim.mujoco.minimize
assert MjModel is mujoco.MjModel and _structs.MjData is mujoco.MjData
assert sim.mujoco.__name__ == "sim.mujoco" and sim.mujoco.__spec__.name == "sim.mujoco"
try:
    import mujoco.nothing
except ModuleNotFoundError:
    pass
else:
    raise SystemExit("mujoco.nothing was imported")
try:
    import mujoco.batch
except ModuleNotFoundError as error:
    assert "rollout.rollout" in str(error)
else:
    raise SystemExit("mujoco.batch was imported")
held.undo()
import mujoco as real
assert real is not sim.mujoco and real.__file__.endswith("site-packages/mujoco/__init__.py"), real
with stand_in():
    import mujoco as again
    assert again is sim.mujoco
import mujoco as last
assert last is real
"""


def test_stand_in() -> None:
    """`import mujoco` and its submodules give ours, until that is undone."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
