"""`kinetoscope cache` (app/cli/cache.py): ten lines about what is compiled, all of it on request."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.__main__ import main
from app.cli import cache as command
from sim.jit import cache

WANTED = {"sim.a.fresh": "k1", "sim.a.changed": "k2", "sim.a.missing": "k3"}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache with a unit of each sort."""
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(command, "_wanted", lambda: WANTED)
    monkeypatch.setattr(command, "_installed", set)
    for name, key, seconds in (("sim.a.fresh", "k1", 2.0), ("sim.a.changed", "old", 3.0), ("mine.control", "k", 4.0)):
        cache.write(name, key, cache.Unit(b"code" * 1000, seconds))
    (tmp_path / "sim.a.broken-k4.unit").write_bytes(b"nothing")
    return tmp_path


def test_summary(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 10
    found = {line.split()[0]: line for line in lines}
    assert str(store) in found["folder"]
    assert "4 units, 0.0 MB, 9 s" in found["all"]
    assert "1 unit, 0.0 MB, 2 s" in found["engine"] and "2 of 3 kernels are not compiled" in found["engine"]
    assert "1 unit, 0.0 MB, 4 s" in found["scripts"]
    assert "2 units, 0.0 MB, 3 s" in found["stale"]
    assert "--clear" in found["clear"] and "--list" in found["list"]


def test_all_units_on_request(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines] == sorted(path.name for path in store.iterdir())


def test_clear(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--clear"]) == 0
    assert capsys.readouterr().out == f"deleted 4 units in {store}\n"
    assert not list(store.iterdir())
    assert main(["cache"]) == 0
    assert "3 of 3 kernels are not compiled" in capsys.readouterr().out


def test_what_came_with_the_installation_is_not_missing(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_installed", lambda: {"sim.a.missing", "sim.a.fresh"})
    assert main(["cache"]) == 0
    said = capsys.readouterr().out
    assert "2 of 3 kernels came precompiled" in said and "1 of 3 kernels are not compiled" in said


def test_the_keys_are_those_of_the_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.jit import kernel, loader, warmup

    @kernel
    def nothing(count: int) -> int:
        return count

    monkeypatch.setattr(warmup, "kernels", lambda _: [nothing])
    assert command._wanted() == {nothing.name: loader.key_of(nothing)}
