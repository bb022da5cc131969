"""What the viewer can do to a model that is prepared loads no native code: every edit, flag, pull, wake and sensor.

Files: sim/script/prepare.py, app/run/live_edits.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from app.model.editable import BY_PATH, FLAG_PATHS, OPTIONS
from sim.mjcf.set_const.dependents import DEPENDENTS
from sim.script.prepare import editable_fields
from tests.app.window_driver import ROOT

# all element types and actuators; meshes; a height field; trees that start asleep; sensors
MODELS = ("rich", "small", "bin", "rovers", "sleepers", "instruments")


def child(*arguments: str) -> Any:
    """What a process of its own found."""
    command = [sys.executable, "-m", "tests.app.prepared_child", *arguments]
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)


@pytest.fixture(scope="module")
def edited() -> dict[str, Any]:
    """What was loaded by edits of each model, and which fields were edited."""
    return {name: child(name) for name in MODELS}


@pytest.mark.release
@pytest.mark.parametrize("name", MODELS)
def test_no_edit_loads_native_code(edited: dict[str, Any], name: str) -> None:
    assert edited[name]["late"] == []


@pytest.mark.release
def test_every_row_of_the_table_was_edited(edited: dict[str, Any]) -> None:
    assert {path for found in edited.values() for path in found["rows"]} == {*BY_PATH}
    assert all({*found["rows"]} >= {row.path for row in OPTIONS} for found in edited.values())


@pytest.mark.parametrize("name", ("rich", "bin", "sleepers"))
def test_a_model_as_it_is_loads_no_native_code(name: str) -> None:
    """Steps, pulls, resets, sleep and the profiler need no more than the first step waits for."""
    assert child(name, "as-it-is")["late"] == []


def test_the_engine_knows_what_can_be_edited() -> None:
    following = {field for _, fields in DEPENDENTS.values() for field in fields}
    assert {*BY_PATH, *FLAG_PATHS} | following <= editable_fields()
