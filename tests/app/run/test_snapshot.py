"""Snapshots of the real engine's Model and Data."""

from __future__ import annotations

import numpy as np
import pytest

from app.model.views import MODEL_FIELDS, STATE_FIELDS
from app.run.snapshot import view_model, view_state
from tests.app.conftest import Views

BODY = """
<worldbody>
  <light name="sun"/> <camera name="eye"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom name="skin" size="0.1"/><site name="mark"/></body>
</worldbody>
"""


def test_every_field_is_carried(views: Views) -> None:
    model, state = views(BODY)
    for view, names in (
        (model, MODEL_FIELDS),
        (state, STATE_FIELDS),
    ):
        for name in names:
            value = view
            for part in name.split("."):
                value = getattr(value, part)


def test_arrays_are_read_only_copies() -> None:
    import sim

    model = sim.loads(f"<mujoco>{BODY}</mujoco>")
    data = sim.Data(model)
    constants, state = view_model(model), view_state(data)
    data.qpos[2] = 5.0
    assert state.qpos[2] == 1.0
    for view, names in ((constants, ("geom_rgba", "body_mass")), (state, ("qpos", "geom_xpos", "xmat"))):
        for name in names:
            with pytest.raises(ValueError, match="read-only"):
                getattr(view, name)[...] = 0


def test_poses_are_there_before_any_step(views: Views) -> None:
    _, state = views(BODY)
    assert np.allclose(state.geom_xpos[0], (0, 0, 1))
    assert np.allclose(state.geom_xmat[0].reshape(3, 3), np.eye(3))


def test_names(views: Views) -> None:
    model, _ = views(BODY)
    assert [model.id2name("body", b) for b in range(2)] == ["world", "ball"]
    assert model.id2name("camera", 0) == "eye"
    assert model.id2name("site", 0) == "mark"


def test_missing_field_says_so(views: Views) -> None:
    model, _ = views(BODY)
    with pytest.raises(AttributeError, match="has no field 'nonsense'"):
        _ = model.nonsense


def test_the_convention_of_euler_angles_is_that_of_the_file() -> None:
    import sim

    model = sim.loads('<mujoco><compiler eulerseq="ZYX" angle="radian"/><worldbody/></mujoco>')
    for read in (model, model.copy()):
        assert (view_model(read).eulerseq, view_model(read).degree) == ("ZYX", False)
    # of a model that comes from no file, MJCF's own
    bare = sim.Model(model.values(), model.names)
    assert (view_model(bare).eulerseq, view_model(bare).degree) == ("xyz", True)
