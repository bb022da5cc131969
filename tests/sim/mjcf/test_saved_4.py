"""Files that MuJoCo 4.0.0 saved: they open, and compile to what we compile from the originals.

`saved_4` has what `mujoco.MjSpec.from_file(scene).to_xml()` of MuJoCo 4.0.0 made of some of the bundled scenes. It
writes six digits, actuators as <general> with the attribute `input`, and poses in canonical form.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from app.files.resources import find_scene

SAVED = sorted((Path(__file__).parent / "saved_4").glob("*.xml"))
# what it writes in other words: where a fromto gives the pose, the third
# number of the size is free, and the sign of a quaternion too; and what follows from the last digits
OTHER = ("site_size", "_quat", "_iquat", "_sameframe", "bvh_", "invweight0", "acc0", "_mat0")


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_saved_by_mujoco_4(path: Path) -> None:
    ours, theirs = sim.load(find_scene(path.stem)), sim.load(path)
    assert ours.names == theirs.names
    for name in ours.layout.places:
        if not name.endswith("pathadr") and not any(part in name for part in OTHER):
            wanted, found = (np.asarray(m.read(name), float) for m in (ours, theirs))
            assert wanted.shape == found.shape, name
            scale = np.abs(wanted).max(initial=1e-3)
            assert np.allclose(found, wanted, rtol=1e-4, atol=2e-5 * scale), name
