"""CSV and npz of plots: reading gives the numbers that were written, bit for bit, and a file is whole or not there."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.background.plot_file import Block, write_plot_file

TEXT = 'd.body("torso").xpos[2], or so'
RANDOM = np.random.default_rng(3)
TIMES = np.cumsum(RANDOM.uniform(1e-4, 1e-2, 5000))
VALUES = RANDOM.normal(size=5000) * 10.0 ** RANDOM.integers(-300, 300, 5000)
VALUES[:4] = np.nan, np.inf, -np.inf, -0.0
LINES = (
    Block("opened", TIMES, {"a/b": VALUES, TEXT: -VALUES}, np.arange(5000)),
    Block("opened", TIMES[:10], {"a/b": VALUES[:10], TEXT: VALUES[:10]}, np.arange(10)),
)
SCRIPT = Block("reward", np.array([0.5, 1.5]), {"reward": np.array([1.0, 2.0])})


def same(left: Any, right: Any) -> bool:
    """Equal, bit for bit but for the bits of NaN."""
    one, other = (np.where(np.isnan(x), 0.0, x) for x in (np.array(left), right))
    return np.array_equal(left, right, equal_nan=True) and one.tobytes() == other.tobytes()


def test_npz_of_one_line(tmp_path: Path) -> None:
    path = tmp_path / "plots.npz"
    write_plot_file(path, LINES[:1])
    with np.load(path) as read:
        assert sorted(read) == sorted(["time", "step", "a/b", TEXT])
        assert same(read["time"], TIMES) and same(read["a/b"], VALUES) and same(read[TEXT], -VALUES)
        assert read["step"].tolist() == list(range(5000))


def test_npz_of_several_lines_has_their_names(tmp_path: Path) -> None:
    path = tmp_path / "plots.npz"
    write_plot_file(path, [*LINES, SCRIPT])
    with np.load(path) as read:
        assert same(read["opened/a/b"], VALUES) and same(read["opened 2/a/b"], VALUES[:10])
        assert read["reward/reward"].tolist() == [1.0, 2.0]
        assert "reward/step" not in read


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "plots.csv"
    write_plot_file(path, [*LINES, SCRIPT])
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["line", "step", "time", "a/b", TEXT, "reward"]
    assert len(rows) == 5012
    first = [row for row in rows if row[0] == "opened"]
    assert same([float(row[2]) for row in first], TIMES)
    assert same([float(row[3]) for row in first], VALUES) and same([float(row[4]) for row in first], -VALUES)
    assert [int(row[1]) for row in first] == list(range(5000))
    assert {row[5] for row in first} == {""}
    assert rows[-1] == ["reward", "", "1.5", "", "", "2.0"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "plots.csv"
    path.write_text("old")
    monkeypatch.setattr("app.background.plot_file.lines", lambda _: _failing())
    with pytest.raises(OSError):
        write_plot_file(path, LINES)
    assert path.read_text() == "old" and [*tmp_path.iterdir()] == [path]


def _failing() -> Any:
    yield "half of it"
    raise OSError(28, "no space left on device")
