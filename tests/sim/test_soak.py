"""A short slice of the soak runs: seconds of what they do for minutes."""

import pytest

from app.resources import bundled_scenes
from tests.soak import random_scenes, scenes


@pytest.mark.parametrize("scene", bundled_scenes(), ids=lambda scene: scene.name)
def test_scene(scene):
    assert scenes.soak(scene.path, 1.0) == ""


@pytest.mark.parametrize("seed", range(6))
def test_random_scene(seed):
    assert random_scenes.compare(seed) == ""


def test_a_scene_that_explodes_is_noticed(tmp_path):
    path = tmp_path / "explodes.xml"
    body = "<body><joint axis='0 1 0' stiffness='-1e6'/><geom size='.1' pos='.1 0 0'/></body>"
    path.write_text(f"<mujoco><option timestep='.1'/><worldbody>{body}</worldbody></mujoco>")
    wrong, kinds = scenes.run_ours(path, 10.0)
    assert wrong
    assert set(kinds) <= scenes.mujoco_warns(path, 10.0)
