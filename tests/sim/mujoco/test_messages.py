"""What MuJoCo reports about a file goes to where its messages go, and is no warning of Python's."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import sim
from sim.mujoco.logs import MjLogConfig
from sim.mujoco.model import MjModel

OLD = "<mujoco><compiler settotalmass='3'/><worldbody><body><geom size='1'/><freejoint/></body></worldbody></mujoco>"


def test_deprecated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.xml").write_text(OLD)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MjModel.from_xml_string(OLD)
        MjModel.from_xml_path("old.xml")
        MjModel.from_xml_path("old.xml", {"old.xml": OLD.encode()})
    shown = capsys.readouterr()
    assert shown.err.count("WARNING: ") == shown.err.count("settotalmass") == 3
    assert not shown.out
    logged = (tmp_path / "MUJOCO_LOG.TXT").read_text()
    assert logged.count("WARNING ") == logged.count("settotalmass") == 3


def test_quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    before = MjLogConfig.get()
    config = MjLogConfig.get()
    config.logto_console = config.logto_file = False
    config.set()
    try:
        MjModel.from_xml_string(OLD)
    finally:
        before.set()
    assert not any(capsys.readouterr())
    assert not list(tmp_path.iterdir())


def test_our_own_functions_warn() -> None:
    with pytest.warns(UserWarning, match="settotalmass"):
        sim.loads(OLD)
