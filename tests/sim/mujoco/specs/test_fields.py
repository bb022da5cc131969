"""Every field of every element of specs that were read from files, against MuJoCo's MjSpec."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from sim import mujoco as ours
from sim.mujoco.specs.base import KINDS, MjsOrientation
from sim.mujoco.specs.spec import PLURALS
from tests.sim.spec.built_models import differences, walker

# those with a distance equality are not MuJoCo's
SCENES = [
    path
    for path in sorted((Path(__file__).resolve().parents[4] / "scenes").glob("*.xml"))
    if "<distance" not in path.read_text(encoding="utf-8")
]
# what is computed at other times: lines of XML, and what a compiled sensor is
NOT_COMPARED = {"info", "intrinsic"}


def same(first: Any, second: Any) -> bool:
    """Whether two values of a field are equal; texts of numbers in single precision may differ by rounding."""
    if isinstance(first, MjsOrientation):
        names = ("axisangle", "xyaxes", "zaxis", "euler")
        active = int(first.type) == int(second.type)
        return active and all(np.allclose(getattr(first, name), getattr(second, name)) for name in names)
    if isinstance(first, str | bytes):
        return bool(first == second)
    if isinstance(first, list) and first and isinstance(first[0], list):
        return all(same(a, b) for a, b in zip(first, second, strict=True))
    values = [
        np.array(list(v) if hasattr(v, "__len__") and not isinstance(v, np.ndarray) else v) for v in (first, second)
    ]
    if values[0].dtype.kind in "fiub" and values[1].dtype.kind in "fiub":
        return values[0].shape == values[1].shape and np.allclose(*values, rtol=1e-6, atol=1e-12, equal_nan=True)
    return values[0].tolist() == values[1].tolist()


def elements(spec: Any, plural: str) -> list[Any]:
    """All elements of a type; without frames that do nothing, as <attach> makes one here."""
    found: list[Any] = getattr(spec, plural)
    return [f for f in found if f.name or any(f.pos) or int(f.alt.type)] if plural == "frames" else found


def faults(spec: Any, reference: Any) -> list[str]:
    found = []
    for kind, plural in PLURALS.items():
        here, there = elements(spec, plural), elements(reference, plural)
        if len(here) != len(there):
            found.append(f"{len(here)} {plural} instead of {len(there)}")
            continue
        for first, second in zip(here, there, strict=True):
            for field in ("name", *KINDS[kind].fields):
                if field not in NOT_COMPARED and not same(getattr(first, field), getattr(second, field)):
                    values = [getattr(x, field) for x in (first, second)]
                    texts = [str(list(v) if hasattr(v, "__len__") and not isinstance(v, str) else v) for v in values]
                    found.append(f"{kind} '{first.name}' {field}: {texts[0][:80]} instead of {texts[1][:80]}")
    return found


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_fields_of_a_file(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec, reference = (mj.MjSpec.from_file(str(path)) for mj in (ours, mujoco))
        assert faults(spec, reference) == []


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_a_file_compiles_to_the_same(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec, reference = (mj.MjSpec.from_file(str(path)) for mj in (ours, mujoco))
        assert differences(spec.compile(), reference.compile(), 1e-7) == []


@pytest.mark.parametrize("path", [None, *SCENES], ids=lambda path: path.stem if path else "walker")
def test_every_field_can_be_written(path: Path | None) -> None:
    """Assigning to each field what it is changes nothing, though all of it is then written to the tree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec, reference = (mj.MjSpec.from_file(str(path)) if path else walker(mj) for mj in (ours, mujoco))
        for kind, plural in PLURALS.items():
            for item in getattr(spec, plural):
                for field in KINDS[kind].fields:
                    value = getattr(item, field)
                    if field in ("alt", "ialt") or (field == "quat" and int(item.alt.type)):
                        continue
                    item._kept.pop(field, None)
                    setattr(item, field, value)
        assert differences(spec.compile(), reference.compile(), 1e-7) == []
