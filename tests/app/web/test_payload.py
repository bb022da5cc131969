"""The container: what is packed comes back, by a decoder that shares nothing with it."""

from __future__ import annotations

import numpy as np
import pytest

from app.web.payload import LARGEST, Container, quantise
from tests.app.web.decoder import Replay


@pytest.mark.parametrize("delta", [0, 1, 2])
def test_whole_numbers_come_back(delta: int) -> None:
    """Of all sizes, to the largest, in one or two axes, none at all too."""
    random = np.random.default_rng(delta)
    shapes = ((300,), (40, 3), (0, 3), (0,), (1, 1), (5, 0))
    sizes = 2 ** random.integers(0, 29, 300)
    for shape in shapes:
        box = Container()
        values = random.integers(-LARGEST + 1, LARGEST, shape) // np.resize(sizes, shape)
        entry = box.whole(values, delta)
        box.whole([1, 2, 3])
        assert Replay(box.header_and_blobs({})).array(entry) == values.tolist()


def test_numbers_come_back_within_half_a_quantum() -> None:
    """Each column has its own; one that would need more than 28 bits gets a coarser one."""
    random = np.random.default_rng(1)
    values = np.cumsum(random.normal(size=(200, 4)), axis=0) * (1, 1e-3, 1e6, 0)
    quantum = np.array([1e-3, 1e-7, 1e-4, 1.0])
    box = Container()
    rounded = quantise(values, quantum, 5.0)
    entry = box.quantised(rounded)
    found = np.array(Replay(box.header_and_blobs({})).array(entry))
    assert (np.abs(found - values) <= rounded.quantum / 2 * (1 + 1e-9)).all()
    assert (rounded.quantum[[0, 1, 3]] == quantum[[0, 1, 3]]).all()
    assert rounded.quantum[2] == np.abs(values[:, 2] - 5).max() / (LARGEST - 1)


def test_raw_numbers_and_texts() -> None:
    """Types and alignment; a text with a lone surrogate, which UTF-8 cannot hold, is no obstacle."""
    box = Container()
    arrays = {type_: np.arange(5).reshape(5, 1).astype(type_) for type_ in ("i1", "u1", "i2", "u2", "i4", "u4", "f8")}
    entries = {type_: box.raw(values, type_) for type_, values in arrays.items()}
    replay = Replay(box.header_and_blobs({"title": "\udcff</script>", "arrays": entries}))
    assert replay.header["title"] == "\udcff</script>"
    for type_, entry in entries.items():
        assert replay.array(entry) == arrays[type_].tolist()
