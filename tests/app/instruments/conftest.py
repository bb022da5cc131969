"""A simulation for the tests of an instrument's thread."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.live import Hand


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """A running simulation, one for each file."""
    made = Hand(tmp_path_factory.mktemp("instrument"))
    yield made
    made.thread.close()


@pytest.fixture
def fresh(hand: Hand) -> Hand:
    """It begins again from its start."""
    hand.restart()
    return hand
