"""Our front end and numba's stock pipeline (stock.py) compile kernels to the same bits."""

import subprocess
import sys
from pathlib import Path

import pytest

import sim
from sim.jit import abi
from tests.sim.jit.test_kernel import toy_environment

SCENES = [
    str(Path(sim.__file__).parents[1] / "scenes" / f"{name}.xml") for name in ("double_pendulum", "friction_ramp")
]


def results(*what: str, **environment: str) -> list[str]:
    command = [sys.executable, "-m", "tests.sim.jit.bits_child", *what]
    run = subprocess.run(command, check=True, env=toy_environment(**environment), capture_output=True, text=True)
    return run.stdout.splitlines()


@pytest.mark.release
@pytest.mark.parametrize("checked", ["", "1"])
def test_toys(tmp_path, checked):
    ours = results("toy", KINETOSCOPE_JIT="", KINETOSCOPE_CHECK=checked)
    stock = results("toy", KINETOSCOPE_JIT="stock", KINETOSCOPE_CHECK=checked, KINETOSCOPE_CACHE=str(tmp_path))
    assert len(ours) >= 100 and stock == ours
    assert any("nth_prime: an exception in native code" in line for line in ours)
    assert any("toy_d.f: index 9 on axis 0 of extent 7" in line for line in ours) == bool(checked)
    assert list(tmp_path.glob("*.unit"))


@pytest.mark.release
def test_scenes(tmp_path):
    ours = results(*SCENES, KINETOSCOPE_JIT="")
    stock = results(*SCENES, KINETOSCOPE_JIT="stock", KINETOSCOPE_CACHE=str(tmp_path))
    assert len(ours) == 4 and stock == ours
    assert "ncon 0 " not in ours[2]  # the second one has contacts
    assert len(list(tmp_path.glob("sim.*.unit"))) > 50


def test_the_pipeline_is_part_of_every_key(monkeypatch):
    before = abi.platform()
    monkeypatch.setattr(abi, "STOCK", not abi.STOCK)
    assert abi.platform.__wrapped__() != before
