"""A short slice of the soak runs: seconds of what they do for minutes."""

import pytest

import sim
from app.files.resources import bundled_scenes
from tests.soak import fuzz_disk, random_scenes, scenes


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


def test_files_of_all_kinds(tmp_path):
    outcomes, failures = fuzz_disk.fuzz(400, 7, tmp_path)
    assert failures == {}
    assert {name for name, _ in outcomes} == {kind.name for kind in fuzz_disk.KINDS}
    assert {what for _, what in outcomes} == {fuzz_disk.TAKEN, fuzz_disk.REFUSED}


def test_a_file_that_does_harm_is_noticed(tmp_path, monkeypatch):
    def load_state(m, d, path):
        d.time += 1.0
        raise ValueError(f"{path}: too late")

    monkeypatch.setattr(sim, "load_state", load_state)
    _, failures = fuzz_disk.fuzz(20, 7, tmp_path, only="state")
    assert failures
    assert all("a refused file changed Data" in what for what in failures.values())
