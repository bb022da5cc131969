"""MjvOption and rendering flags as VisualOptions, and back."""

from __future__ import annotations

import mujoco
import pytest

from app.scene import mujoco_options
from app.scene.visual_options import FRAMES, LABELS, VisualOptions

# drawn otherwise, or not at all
WITHOUT = {"mjVIS_SELECT", "mjVIS_SDFITER"}


def made() -> tuple[mujoco.MjvOption, mujoco.MjvScene]:
    """Options and a scene as scripts get them."""
    return mujoco.MjvOption(), mujoco.MjvScene(mujoco.MjModel.from_xml_string("<mujoco/>"), 10)


def test_every_flag_of_mujoco_has_an_option() -> None:
    where = mujoco_options.places(mujoco)
    assert len(where.vis) == len(mujoco_options.VIS)
    assert len(where.rnd) == len(mujoco_options.RND)
    assert (len(where.frames), len(where.labels)) == (len(FRAMES), len(LABELS))
    flags = {name for name in mujoco.mjtVisFlag.__members__ if name.startswith("mjVIS_")}
    assert {f"mjVIS_{name}" for name in mujoco_options.VIS.values()} == flags - WITHOUT


def test_defaults_are_the_same() -> None:
    assert mujoco_options.read(*made()) == mujoco_options.read_own(VisualOptions(), mujoco)
    assert mujoco_options.visual_options(mujoco.MjvOption()) == VisualOptions()


@pytest.mark.parametrize("option", [*mujoco_options.VIS, *mujoco_options.RND])
def test_a_flag_there_and_back(option: str) -> None:
    opt, scene = made()
    before = mujoco_options.read(opt, scene)
    mujoco_options.write({option: not before[option]}, opt, scene)
    after = mujoco_options.read(opt, scene)
    assert {name for name in after if after[name] != before[name]} == {option}
    own = VisualOptions()
    mujoco_options.write_own(after, own)
    assert mujoco_options.read_own(own, mujoco) == after


def test_flags_are_those_of_the_name() -> None:
    opt, scene = made()
    opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
    opt.flags[mujoco.mjtVisFlag.mjVIS_TRANSPARENT] = True
    opt.geomgroup[3], opt.sitegroup[:] = 1, 0
    opt.frame, opt.label = mujoco.mjtFrame.mjFRAME_WORLD, mujoco.mjtLabel.mjLABEL_CONTACTFORCE
    scene.flags[mujoco.mjtRndFlag.mjRND_WIREFRAME] = 1
    own = VisualOptions()
    mujoco_options.write_own(mujoco_options.read(opt, scene), own)
    assert own.contact_force and own.transparent and own.wireframe
    assert own.geom_group == [True, True, True, True, False, False]
    assert own.site_group == [False] * 6
    assert (own.frame, own.label) == ("world", "contact force")
    # what only MuJoCo has is nothing here
    opt.label = mujoco.mjtLabel.mjLABEL_SELPNT
    assert mujoco_options.read(opt)["label"] == "none"


@pytest.mark.parametrize(("option", "choices"), [("frame", FRAMES), ("label", LABELS)])
def test_choices_there_and_back(option: str, choices: tuple[str, ...]) -> None:
    opt, scene = made()
    for choice in choices:
        mujoco_options.write({option: choice}, opt, scene)
        assert mujoco_options.read(opt)[option] == choice
