"""LiveEdits of every number: what runs is what is saved, and what is saved loads to what ran."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from app.model.editable import BY_PATH, ELEMENTS, OPTIONS, VISUALS, rows_of
from app.model.number_drag import moved
from app.model.parameters import VECTORS, parameters_of
from app.run import commands as cmd
from app.run.linked_edits import set_alone, set_number, set_parameter
from app.run.live_edits import LiveEdits
from sim.enums import EQ_WELD
from tests.app.live import SMALL as SIMPLE
from tests.app.model.test_number_drag import dragged, places

# elements of bodies that are compiled as simple stay where they are
SMALL = SIMPLE.replace("<body", "<body simple='false'")
MUJOCO_SMALL = SMALL.replace("<distance geom1='a' geom2='c' distance='.8'/>", "")


class Ready:
    """The engine, which compiles what it needs when it needs it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sim, name)

    def prepared(self, model: Any, edits: bool = True) -> bool:
        """Nothing is waited for."""
        return True


def edits_of(model: Any) -> LiveEdits:
    """LiveEdits that wait for nothing."""
    return LiveEdits(Ready(), model, lambda message: None)


def saved(model: Any, path: Path) -> Any:
    """The model that is loaded from what a model is saved as; nothing is left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.save_xml(path)
        return sim.load(path)


def differing(model: Any, other: Any) -> list[str]:
    """Fields that can be edited in which two models differ."""
    rows = (*OPTIONS, *VISUALS, *ELEMENTS)
    return [r.path for r in rows if not np.allclose(model.read(r.path), other.read(r.path), rtol=1e-9, atol=1e-12)]


def edit_everything(model: Any, edits: LiveEdits, pixels: int) -> None:
    """Drag every number and every parameter."""
    for row, rows, vector, part in list(places(model.copy())):
        if row.path not in VECTORS:
            new = dragged(row, vector, part, pixels)
            edits.apply(set_number(row, rows, model, part.at, new, tuple(row.vector(model, rows).tolist())))
    for kind, count in (("actuator", model.nactuator), ("joint", model.njnt)):
        for index in range(count):
            for parameter in parameters_of(model, kind, index):
                number = moved(parameter.number(model.read), pixels, parameter.rule)
                edits.apply(set_parameter(parameter, number, model))


@pytest.mark.parametrize("pixels", [7, -7])
def test_every_number_dragged_is_saved(pixels: int, tmp_path: Path) -> None:
    model = sim.loads(SMALL)
    before, edits = model.copy(), edits_of(model)
    edit_everything(model, edits, pixels)
    assert len(differing(model, before)) > 90
    assert differing(model, saved(model, tmp_path / "saved.xml")) == []
    # and back to what the file says
    edits.apply(cmd.ResetEdits())
    assert differing(model, before) == []
    assert not edits.file_values


def test_mujoco_reads_the_same_numbers(tmp_path: Path) -> None:
    model = sim.loads(MUJOCO_SMALL)
    edit_everything(model, edits_of(model), 7)
    saved(model, tmp_path / "saved.xml")
    reference = mujoco.MjModel.from_xml_path(str(tmp_path / "saved.xml"))
    for row in ELEMENTS:
        theirs = getattr(reference, row.path, None)
        if theirs is not None and row.path != "tree_sleep_policy":
            np.testing.assert_allclose(model.read(row.path), theirs, rtol=1e-6, atol=1e-9, err_msg=row.path)


# the same with milder numbers, and a ball on the floor that nothing holds
LIVELY = (
    SMALL.replace("solref='-2250000 -10' solimp='.9 1 0 .5 6' friction='0 2 1e-9'", "")
    .replace("o_solref='-500 -20' wind='1e-7 0 3e5'", "")
    .replace("damping='1e9'", "damping='1'")
    .replace("mass='1e-6'", "mass='1'")
    .replace("lengthrange='0 2'", "lengthrange='0 1'")
    .replace("pos='0 0 1' gravcomp", "pos='0 0 .099' gravcomp")
    .replace("</worldbody>", "<body pos='0 3 .099'><freejoint/><geom size='.1' conaffinity='0'/></body></worldbody>")
)
# fields that were added to the table: element, place, value
LIVE = [
    ("body_gravcomp", 1, 0, 1.5), ("body_gravcomp", 5, 0, 1.0), ("geom_contype", 5, 0, 6.0),
    ("geom_conaffinity", 0, 0, 0.0), ("qpos_spring", 1, 0, 0.3), ("pair_dim", 0, 0, 1.0), ("pair_dim", 0, 0, 4.0),
    ("actuator_cranklength", 8, 0, 0.7), ("actuator_delay", 0, 0, 0.006), ("actuator_actrange", 3, 1, 0.5),
    ("actuator_gainprm", 6, 6, 3.0), ("actuator_gainprm", 6, 7, 2.0), ("actuator_gainprm", 6, 8, 2.0),
    ("actuator_dynprm", 6, 1, 0.2), ("sensor_delay", 0, 0, 0.004), ("eq_data", 0, 0, 0.3), ("eq_data", 2, 4, 0.3),
    ("eq_data", 2, 7, 0.3), ("eq_data", 2, 10, 3.0), ("eq_data", 3, 10, 3.0), ("eq_data", 4, 1, 2.0),
    ("geom_size", 2, 0, 0.12), ("geom_pos", 2, 1, 0.05), ("body_pos", 2, 0, 0.15),
    ("jnt_pos", 1, 0, 0.04), ("jnt_axis", 1, 0, 0.2), ("body_ipos", 2, 2, 0.03),
    ("eq_data", 5, 0, 0.1), ("eq_data", 6, 0, 1.5), ("geom_solref", 5, 0, -300.0),
]  # fmt: skip


def run(model: Any, steps: int = 6) -> Any:
    """The state after some steps that drive all actuators."""
    data = sim.Data(model)
    data.ctrl[:], data.act[:], data.qvel[:] = 0.5, 0.8, 0.1
    sim.step(model, data, steps)
    return np.concatenate([data.qpos, data.qvel, data.act, data.sensordata, data.efc_force])


@pytest.mark.parametrize(("path", "index", "at", "value"), LIVE)
def test_what_runs_is_what_is_saved(path: str, index: int, at: int, value: float, tmp_path: Path) -> None:
    model = sim.loads(LIVELY)
    before = run(model)
    row = BY_PATH[path]
    rows = rows_of(row, model, index)
    edits = edits_of(model)
    if path in VECTORS:
        found = (
            p for p in parameters_of(model, "actuator", index) if (path, at) in {(c.path, c.column) for c in p.terms}
        )
        edits.apply(set_parameter(next(found), value, model))
    elif row.widget == "real":
        edits.apply(set_number(row, rows, model, at, value, tuple(row.vector(model, rows).tolist())))
    else:
        edits.apply(set_alone(row, rows, at, value))
    after = run(model)
    assert len(after) != len(before) or not np.allclose(after, before, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(after, run(saved(model, tmp_path / "saved.xml")), rtol=1e-7, atol=1e-9)
    edits.apply(cmd.ResetField(path, rows))
    if edits.file_values:
        edits.apply(cmd.ResetEdits())
    np.testing.assert_allclose(run(model), before, rtol=1e-9, atol=1e-12)


def test_constants_carry_anchors_as_mujoco_does() -> None:
    model, reference = sim.loads(MUJOCO_SMALL), mujoco.MjModel.from_xml_string(MUJOCO_SMALL)
    for m in (model, reference):
        m.eq_data[0, 0] = 0.25
        m.eq_data[2, 6:10] = [2, 0, 1, 0]
    sim.set_const(model)
    mujoco.mj_setConst(reference, mujoco.MjData(reference))
    assert reference.eq_type[2] == EQ_WELD
    np.testing.assert_allclose(model.eq_data, reference.eq_data, rtol=1e-12, atol=1e-14)


GEOMS = "".join(f"<geom size='.05' pos='{0.2 * (k % 3 - 1)} {0.2 * (k // 3 - 1)} 0'/>" for k in range(9))
NEWLY_TOUCHING = {
    # one of many geoms, which the trees of the middle phase do not know
    "many": "<body pos='0 0 -.15'>"
    + "".join(f"<geom type='box' size='.1 .1 .1' pos='{x} {y} 0'/>" for x, y in ((0, 0), (1, 1), (1, -1), (-1, 1)))
    + "</body><body pos='0 0 -.01'><freejoint/>"
    + GEOMS.replace("pos='0.0 0.0 0'", "pos='0 0 0' name='new' contype='0' conaffinity='0'")
    + "</body>",
    # a mesh that was only to be seen
    "mesh": "<geom type='plane' size='1 1 1'/><body pos='0 0 -.001'><freejoint/>"
    "<geom name='new' type='mesh' mesh='m' contype='0' conaffinity='0'/></body>",
}


@pytest.mark.parametrize("name", NEWLY_TOUCHING)
def test_a_geom_that_touched_nothing_touches(name: str, tmp_path: Path) -> None:
    mesh = "<asset><mesh name='m' vertex='0 0 0 .1 0 0 0 .1 0 0 0 .1 .1 .1 0 .1 0 .1 0 .1 .1 .1 .1 .1'/></asset>"
    model = sim.loads(f"<mujoco>{mesh}<worldbody>{NEWLY_TOUCHING[name]}</worldbody></mujoco>")
    geom, edits, before = model.name2id("geom", "new"), edits_of(model), model.copy()
    for path in ("geom_contype", "geom_conaffinity"):
        edits.apply(cmd.SetField(path, 1, (geom,)))
    data, again = sim.Data(model), saved(model, tmp_path / "saved.xml")
    sim.forward(model, data)
    assert data.ncon > 0
    np.testing.assert_allclose(run(model), run(again), rtol=1e-7, atol=1e-9)
    edits.apply(cmd.ResetEdits())
    assert np.array_equal(model.body_bvhadr, before.body_bvhadr)
    assert np.array_equal(model.body_contype, before.body_contype)


def test_headlight_is_chosen_by_word(tmp_path: Path) -> None:
    row = BY_PATH["vis.headlight.active"]
    assert dict(row.choices) == {"false": 0, "true": 1, "auto": 2}
    model = sim.loads(SMALL)
    assert model.vis.headlight.active == mujoco.MjModel.from_xml_string(MUJOCO_SMALL).vis.headlight.active == 2
    edits = edits_of(model)
    for value in (0, 1):
        edits.apply(cmd.SetField(row.path, value))
        path = tmp_path / f"{value}.xml"
        assert saved(model, path).vis.headlight.active == value


def test_a_range_of_magnitudes_begins_at_zero() -> None:
    ball, hinge = "<joint type='ball' range='0 90'/>", "<joint range='-90 90'/>"
    bodies = "".join(f"<body>{joint}<geom size='.1'/></body>" for joint in (ball, hinge))
    model = sim.loads(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    low, high = BY_PATH["jnt_range"].numbers(model, (0,))
    assert (low.rule.low, low.rule.high, high.rule.low) == (0, 0, 0)
    # that of a hinge goes to both sides
    assert all(number.rule.low < 0 < number.rule.high for number in BY_PATH["jnt_range"].numbers(model, (1,)))
