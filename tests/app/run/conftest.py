"""One simulation for all tests of a file, reset before each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.live import Hand


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """One simulation for all tests of a file."""
    hand = Hand(tmp_path_factory.mktemp("run"))
    yield hand
    hand.thread.close()
    assert hand.thread.latest.run.problem is None


@pytest.fixture
def hand(loaded: Hand) -> Hand:
    """The simulation at its start, as the file has it."""
    loaded.restart()
    return loaded
