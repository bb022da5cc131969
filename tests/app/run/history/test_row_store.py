"""Rows that are kept: in memory, in the scratch file, and what happens when that cannot be written."""

from __future__ import annotations

import tempfile

import numpy as np
import pytest

from app.run.history.row_store import RowStore


def rows(k: int, count: int = 4) -> np.ndarray:
    """Rows that differ from all others."""
    return np.arange(count * 8, dtype=float).reshape(count, 8) + 1000 * k


def test_the_oldest_go_to_the_file() -> None:
    store = RowStore(budget=1024)
    kept = [store.keep(rows(k)) for k in range(40)]
    assert store.memory <= 1024 < store.disk
    assert store.memory + store.disk == 40 * 256
    for k, one in enumerate(kept):
        assert np.array_equal(one.read(), rows(k))
    assert not store.fault


def test_a_copy_is_kept() -> None:
    store, mine = RowStore(1 << 20), rows(0)
    kept = store.keep(mine)
    mine[:] = 0
    assert np.array_equal(kept.read(), rows(0))


def test_a_disk_that_is_full_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    store = RowStore(budget=1024)
    kept = [store.keep(rows(k)) for k in range(12)]
    assert "No space left on device" in store.fault
    # nothing is lost by that, until somebody forgets it
    assert all(np.array_equal(one.read(), rows(k)) for k, one in enumerate(kept))
    assert store.full
    for one in kept[:8]:
        store.forget(one)
    assert not store.full
    assert store.memory == 4 * 256


def test_the_file_does_not_grow_for_ever() -> None:
    store = RowStore(budget=1024, disk=4096)
    for k in range(100):
        store.keep(rows(k))
    assert store.disk <= 4096
    assert "have reached their limit" in store.fault


def test_rows_that_somebody_reads_stay_though_they_are_forgotten() -> None:
    store = RowStore(budget=1024, disk=64 << 10)
    mine = [store.keep(rows(k)) for k in range(20)]
    assert store.disk > 2048
    for one in mine[:16]:
        store.forget(one)
    for k in range(20, 400):
        store.keep(rows(k))
    assert all(np.array_equal(one.read(), rows(k)) for k, one in enumerate(mine))
