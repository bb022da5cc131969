"""Edited actuators are saved as the shortcuts that they are, and load to the edited model here and in MuJoCo."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim.model import Model

MODEL = """<mujoco>
  <default><default class="c">%s</default></default>
  <worldbody><body name="w">
    <joint name="h" axis="0 1 0" range="-60 60"/><geom size=".1" pos=".3 0 0"/>
    <body pos="0 0 1"><joint name="b" type="ball"/><geom size=".1"/></body>
  </body></worldbody>
  <actuator>
    %s
  </actuator>
</mujoco>"""

Edits = dict[tuple[str, int], float]
KP: Edits = {("gainprm", 0): 20.5, ("biasprm", 1): -20.5}
KV: Edits = {("biasprm", 2): -1.7}
MUSCLE = 'joint="h" lengthrange="0 1"'
MOTOR = 'joint="h" motorconst="0.05" resistance="2"'

# element in the file, edited numbers, element in the saved file; then its default class
CASES: dict[str, tuple[Any, ...]] = {
    "position kp": ('<position joint="h" kp="3"/>', KP, '<position joint="h" kp="20.5"/>'),
    "position kv": ('<position joint="h" kp="3"/>', KV, '<position joint="h" kp="3" kv="1.7"/>'),
    "position kv back to 0": (
        '<position joint="h" kp="3" kv="1"/>', {("biasprm", 2): -0.0}, '<position joint="h" kp="3" kv="0"/>'),
    "position timeconst": (
        '<position joint="h" timeconst="1e-1"/>', {("dynprm", 0): 0.2}, '<position joint="h" timeconst="0.2"/>'),
    "position half a servo": (
        '<position joint="h" kp="3"/>', {("gainprm", 0): 7.0},
        '<general joint="h" biastype="affine" gainprm="7" biasprm="0 -3" input="pos"/>'),
    "position of a class": (
        '<position joint="h" class="c"/>', KP, '<position joint="h" class="c" kp="20.5"/>',
        '<position kp="4" kv="2" timeconst="0.3"/>'),
    "position of a class, both": (
        '<position joint="h" class="c" kv="3e0"/>', KP | KV, '<position joint="h" class="c" kv="1.7" kp="20.5"/>',
        '<position kp="4" kv="2"/>'),
    "dampratio, kv edited": (
        '<position joint="h" kp="3" dampratio="1"/>', KV, '<position joint="h" kp="3" kv="1.7"/>'),
    "velocity": (
        '<velocity joint="h"/>', {("gainprm", 0): 5.0, ("biasprm", 2): -5.0}, '<velocity joint="h" kv="5"/>'),
    "intvelocity": (
        '<intvelocity joint="h" actrange="-1 1"/>', KP, '<intvelocity joint="h" actrange="-1 1" kp="20.5"/>'),
    "orientation": ('<orientation joint="b" kp="3"/>', KP | KV, '<orientation joint="b" kp="20.5" kv="1.7"/>'),
    "pid": (
        '<pid joint="h" kp="3" ki="1" imax="2"/>', KV | {("biasprm", 1): -4.0, ("gainprm", 0): 1.5, ("dynprm", 0): 2.5},
        '<pid joint="h" kp="4" ki="1.5" imax="2.5" kv="1.7"/>'),
    "pid slewmax": (
        '<pid joint="h" kp="3" slewmax="4"/>', {("dynprm", 1): 4.5}, '<pid joint="h" kp="3" slewmax="4.5"/>'),
    "damper": (
        '<damper joint="h" kv="1" ctrlrange="0 1"/>', {("gainprm", 2): -2.0},
        '<damper joint="h" kv="2" ctrlrange="0 1"/>'),
    "cylinder area": (
        '<cylinder joint="h" area="1" bias="1 2 3"/>', {("gainprm", 0): 2.5, ("biasprm", 1): 2.25},
        '<cylinder joint="h" area="2.5" bias="1 2.25 3"/>'),
    "cylinder diameter": (
        '<cylinder joint="h" diameter="0.5" timeconst="1"/>', {("gainprm", 0): np.pi / 4 * 0.3 * 0.3},
        '<cylinder joint="h" diameter="0.3" timeconst="1"/>'),
    "cylinder area for diameter": (
        '<cylinder joint="h" diameter="0.5"/>', {("gainprm", 0): 0.0, ("dynprm", 0): 0.5},
        '<cylinder joint="h" diameter="0" timeconst="0.5"/>'),
    "muscle force": (
        f"<muscle {MUSCLE}/>", {("gainprm", 2): 900.0, ("biasprm", 2): 900.0}, f'<muscle {MUSCLE} force="900"/>'),
    "muscle timeconst": (
        f"<muscle {MUSCLE}/>", {("dynprm", 1): 0.5, ("dynprm", 2): 0.25},
        f'<muscle {MUSCLE} timeconst="0.01 0.5" tausmooth="0.25"/>'),
    "muscle range": (
        f'<muscle {MUSCLE} range="0.5 1" lmin="0.2"/>', {("gainprm", 1): 1.25, ("biasprm", 1): 1.25},
        f'<muscle {MUSCLE} range="0.5 1.25" lmin="0.2"/>'),
    "adhesion": (
        '<adhesion body="w" ctrlrange="0 1"/>', {("gainprm", 0): 6.0},
        '<adhesion body="w" ctrlrange="0 1" gain="6"/>'),
    "dcmotor": (
        f"<dcmotor {MOTOR}/>", {("gainprm", 0): 3.0}, '<dcmotor joint="h" motorconst="0.05" resistance="3"/>'),
    "dcmotor controller": (
        f'<dcmotor {MOTOR} input="pos" controller="1 2 3 4"/>', {("gainprm", 4): 9.0},
        f'<dcmotor {MOTOR} input="pos" controller="9 2 3 4 0 0"/>'),
    "dcmotor nominal": (
        '<dcmotor joint="h" nominal="12 2 30"/>', {("gainprm", 1): 0.5},
        '<dcmotor joint="h" resistance="2.4000000000000004" motorconst="0.5"/>'),
    "dcmotor friction": (
        f'<dcmotor {MOTOR} lugre="1 2 3 4 5" cogging="1 2 3"/>', {("biasprm", 3): 7.0},
        f'<dcmotor {MOTOR} lugre="1 2 7 4 5" cogging="1 2 3"/>'),
    "dcmotor saturation": (
        f'<dcmotor {MOTOR} saturation="2"/>', {("forcerange", 0): -3.0, ("forcerange", 1): 3.0},
        f'<dcmotor {MOTOR} saturation="3 0 0"/>'),
    "motor": (
        '<motor joint="h"/>', {("gainprm", 0): 2.0},
        '<general joint="h" gainprm="2"/>'),
    "motor of a class": (
        '<motor joint="h" class="c"/>', {("gainprm", 0): 2.0},
        '<general joint="h" class="c" dyntype="none" biastype="none" dynprm="1" gainprm="2" biasprm="0 0"/>',
        '<position kp="4" timeconst="0.5"/>'),
    "a damper that pushes": (
        '<damper joint="h" kv="1" ctrlrange="0 1"/>', {("ctrlrange", 0): -1.0},
        '<general joint="h" ctrlrange="-1 1" gaintype="affine" gainprm="0 0 -1" ctrllimited="true"/>'),
}  # fmt: skip
FIELDS = (
    "dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm", "forcerange", "forcelimited", "ctrlrange",
    "ctrllimited", "actlimited", "actnum",
)  # fmt: skip


def loaded(folder: Path, element: str, default: str = "") -> Model:
    path = folder / "model.xml"
    path.write_text(MODEL % (default, element), encoding="utf-8")
    return sim.load(path)


def saved(m: Model, folder: Path) -> tuple[Path, str]:
    """The saved file and its actuator; nothing is lost."""
    path = folder / "saved.xml"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.save_xml(path)
    found = re.search(r"<actuator>\s*(.*?)\s*</actuator>", path.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return path, found[1]


def check(m: Model, path: Path, tolerance: float = 0.0) -> None:
    """The file loads to the model."""
    again, theirs = sim.load(path), mujoco.MjModel.from_xml_path(str(path))
    for field in FIELDS:
        mine = m.read(f"actuator_{field}")
        np.testing.assert_array_equal(again.read(f"actuator_{field}"), mine, field)
        other = getattr(theirs, f"actuator_{field}")
        np.testing.assert_allclose(np.reshape(other, mine.shape), mine, tolerance, 0, err_msg=field)


@pytest.mark.parametrize("name", CASES)
def test_edit(name: str, tmp_path: Path) -> None:
    """Only the attributes that were edited change."""
    element, edits, wanted, *default = CASES[name]
    m = loaded(tmp_path, element, *default)
    for (field, at), value in edits.items():
        m.read(f"actuator_{field}")[0, at] = value
    path, text = saved(m, tmp_path)
    assert text == wanted
    check(m, path)


RATIO = '<position joint="h" kp="3" dampratio="1"/>'
GENERAL_RATIO = '<general joint="h" biastype="affine" gainprm="3" biasprm="0 -3 1"/>'


def damping(m: Model, ratio: float, kp: float) -> float:
    return 2 * ratio * float(np.sqrt(kp / m.dof_invweight0[0]))


@pytest.mark.parametrize(
    ("element", "default", "wanted"),
    [
        (RATIO, "", '<position joint="h" kp="3" dampratio="0.7"/>'),
        (
            '<position joint="h" class="c"/>',
            '<position kp="3" dampratio="1"/>',
            '<position joint="h" class="c" dampratio="0.7"/>',
        ),
    ],
)
def test_damping_ratio_stays_one(element: str, default: str, wanted: str, tmp_path: Path) -> None:
    """The damping of a short ratio is written as that ratio."""
    m = loaded(tmp_path, element, default)
    m.actuator_biasprm[0, 2] = -damping(m, 0.7, 3.0)
    path, text = saved(m, tmp_path)
    assert text == wanted
    check(m, path, 1e-15)


@pytest.mark.parametrize("element", [RATIO, GENERAL_RATIO])
def test_kp_and_inertia_leave_the_damping(element: str, tmp_path: Path) -> None:
    """A damping ratio would give another damping after loading: it is replaced by kv."""
    m = loaded(tmp_path, element)
    kv = -float(m.actuator_biasprm[0, 2])
    assert saved(m, tmp_path)[1] == element
    m.dof_armature[0] = 0.25
    path, text = saved(m, tmp_path)
    if element == RATIO:
        assert text == f'<position joint="h" kp="3" kv="{kv!r}"/>'
    check(m, path)
    m.actuator_gainprm[0, 0], m.actuator_biasprm[0, 1] = 5.0, -5.0
    path, text = saved(m, tmp_path)
    check(m, path)
    # and what keeps the ratio keeps the attribute
    m = loaded(tmp_path, RATIO)
    m.actuator_gainprm[0, 0], m.actuator_biasprm[0, 1:3] = 5.0, (-5.0, -damping(m, 1.0, 5.0))
    path, text = saved(m, tmp_path)
    assert text == '<position joint="h" kp="5" dampratio="1"/>'
    check(m, path, 1e-15)


@pytest.mark.parametrize("element", [RATIO, RATIO.replace("dampratio", "kv"), GENERAL_RATIO])
def test_a_scaled_servo(element: str, tmp_path: Path) -> None:
    """The damping that a ratio was replaced by is written as it was before the frame scaled it."""
    path = tmp_path / "scaled.xml"
    text = (MODEL % ("", element)).replace("<worldbody>", '<worldbody><frame scale="1.3">')
    path.write_text(text.replace("</worldbody>", "</frame></worldbody>"), encoding="utf-8")
    m = sim.load(path)
    assert saved(m, tmp_path)[1] == element
    m.actuator_gainprm[0, 0], m.actuator_biasprm[0, 1:3] = 7.0, (-7.0, -2.0)
    np.testing.assert_allclose(sim.load(saved(m, tmp_path)[0]).actuator_biasprm, m.actuator_biasprm, 1e-12)
