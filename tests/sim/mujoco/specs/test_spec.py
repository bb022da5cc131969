"""MjSpec of `sim.mujoco` against MuJoCo's: the same program, and all constants of what it compiles to."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from sim import mujoco as ours
from tests.sim.mujoco.specs.random_edits import EDITS, edited
from tests.sim.spec.built_models import differences, walker


def test_a_scene_with_everything() -> None:
    assert differences(walker(ours).compile(), walker(mujoco).compile()) == []


def test_the_saved_scene_compiles_to_the_same() -> None:
    """Without the texture whose pixels are in no file."""
    spec = walker(ours)
    spec.delete(spec.texture("pixels"))
    model = spec.compile()
    again = mujoco.MjSpec.from_string(spec.to_xml(), assets={"cube.obj": spec.assets["cube.obj"]}).compile()
    assert differences(model, again, 1e-6) == []


def test_a_copy_is_the_same_and_independent() -> None:
    spec = walker(ours)
    copy = spec.copy()
    spec.body("box").pos[0] = 9
    spec.delete(spec.body("torso"))
    assert differences(copy.compile(), walker(mujoco).compile()) == []


def test_a_shortcut_takes_what_only_a_general_actuator_has() -> None:
    hinge = "<worldbody><body><joint name='hinge'/><geom size='.1'/></body></worldbody>"
    models = []
    for mj in (ours, mujoco):
        spec = mj.MjSpec.from_string(f"<mujoco>{hinge}<actuator><cylinder joint='hinge'/></actuator></mujoco>")
        spec.actuators[0].actlimited, spec.actuators[0].actrange = 1, (-2, 3)
        models.append(spec.compile())
    assert models[0].actuator_actrange.tolist() == [[-2, 3]]
    assert differences(*models) == []


@pytest.mark.parametrize("seed", range(12))
def test_random_edits(seed: int) -> None:
    """Adding, deleting, attaching and changing, with a compilation after every few edits."""
    for count, (here, there) in enumerate(zip(edited(ours, seed), edited(mujoco, seed), strict=True)):
        assert differences(here, there) == [], f"after part {count}"


@pytest.mark.parametrize("seed", range(12, 20))
def test_the_saved_text_of_random_edits(seed: int) -> None:
    """It compiles to the same, in MuJoCo; but a fixed tendon has no width there."""
    specs: list[Any] = []
    *_, model = edited(ours, seed, specs=specs)
    again = mujoco.MjModel.from_xml_string(specs[0].to_xml())
    assert [line for line in differences(model, again, 1e-6) if not line.startswith("tendon_width")] == []


def test_every_edit_is_made() -> None:
    chosen: set[str] = set()
    for seed in range(12):
        for _ in edited(ours, seed, chosen):
            pass
    assert chosen == set(EDITS)


def test_state_is_kept_by_recompile() -> None:
    found = []
    for mj in (ours, mujoco):
        spec = walker(mj)
        m = spec.compile()
        d = mj.MjData(m)
        rng = np.random.default_rng(1)
        for name in ("qvel", "act", "ctrl", "mocap_pos", "qfrc_applied", "xfrc_applied", "qacc_warmstart"):
            getattr(d, name)[...] = rng.normal(size=getattr(d, name).shape)
        d.qpos[-5:] = rng.normal(size=5)
        d.eq_active[0], d.time = 1, 3.0
        extra = spec.body("left_thigh").add_body(name="extra")
        extra.add_joint(name="new", type=mj.mjtJoint.mjJNT_SLIDE)
        extra.add_geom(size=[0.1, 0, 0])
        spec.delete(spec.body("right_thigh"))
        m, d = spec.recompile(m, d)
        names = ("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "eq_active", "qfrc_applied", "xfrc_applied")
        found.append({name: np.array(getattr(d, name)) for name in (*names, "qacc_warmstart")})
    for name, value in found[0].items():
        np.testing.assert_allclose(value, found[1][name], atol=1e-12, err_msg=name)
