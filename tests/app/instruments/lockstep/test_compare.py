"""Comparisons: stages.py, compare.py, align.py, match.py, elements.py; what is wrong on purpose is found there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from app.instruments.lockstep.align import WAYS, Aligner
from app.instruments.lockstep.compare import Scales, compare_forward, compare_models, culprit, difference
from app.instruments.lockstep.judge import Verdict, compare_at
from app.instruments.lockstep.match import match_contacts
from app.instruments.lockstep.pair import Pair
from app.instruments.lockstep.stages import CONSTANTS, DATA_STAGES, MODEL_STAGE, STAGES, StageField
from sim.fields import DATA_LAYOUT, MODEL_LAYOUT
from sim.mjcf import records
from sim.stages.smooth import passive
from tests.app.instruments.lockstep.pairs import ARM, load, make_pair, moving_row

MESH = """<mujoco><asset><mesh name='wedge' vertex='0 0 0 .3 0 0 0 .2 0 0 0 .1'/></asset><worldbody>
  <geom type='plane' size='1 1 1'/>
  <body pos='0 0 .05'><freejoint/><geom name='wedge' type='mesh' mesh='wedge' euler='10 20 30' pos='.1 .2 .3'/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return make_pair(tmp_path_factory.mktemp("pair"))


def test_table_names_fields_and_ways_that_exist() -> None:
    names = {stage.name for stage in STAGES}
    assert len(names) == len(STAGES)
    for place, stage in enumerate(STAGES):
        before = {known.name for known in STAGES[:place]}
        assert set(stage.uses) <= before, stage.name
        for field in stage.fields:
            assert field.way in WAYS
            assert field.way == "set" or field.name in {**MODEL_LAYOUT.places, **DATA_LAYOUT.places}
    assert DATA_STAGES[-1].name == "step"


def test_engines_agree(pair: Pair) -> None:
    row = moving_row(pair)
    results = [pair.constants, *pair.compare(row)]
    assert culprit(results) is None
    assert [result.stage for result in results] == [*STAGES]
    # both were computed: something is compared, and rounding is seen
    assert 0 < max(result.error for result in results) < 1e-9
    assert pair.ours.data.ncon == pair.theirs.data.ncon > 2


def test_wrong_sign_in_a_kernel_is_found_at_its_stage_and_joint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The damper of the second joint pushes instead of braking; kernels run as plain Python, one of them changed."""
    right = passive.dampers
    # Python sees no contacts: only native code grows their arrays
    pair = make_pair(tmp_path, ARM.replace("<mujoco>", "<mujoco><option><flag constraint='disable'/></option>"))

    def wrong(m: sim.Model, d: sim.Data) -> None:
        right(m, d)
        d.qfrc_damper[1] *= -1.0

    row = moving_row(pair)
    monkeypatch.setattr(passive, "dampers", wrong)
    with sim.interpreted():
        found = compare_at(pair, row)
    blamed = found.culprit
    assert blamed is not None and blamed.difference is not None
    assert (blamed.result.stage.name, blamed.verdict) == ("passive", Verdict.DIFFERS)
    first = blamed.difference
    assert (first.field, first.element.kind, first.element.index) == ("qfrc_damper", "joint", 1)
    assert first.element.name == "joint elbow"
    assert first.ours == pytest.approx(-first.theirs) and first.theirs != 0.0
    # what uses it follows from it, what does not is the same
    verdicts = {judged.result.stage.name: judged.verdict for judged in found.stages}
    assert verdicts["acceleration"] is verdicts["solver"] is verdicts["step"] is Verdict.FOLLOWS
    assert verdicts["rows"] is verdicts["bias"] is verdicts["actuation"] is Verdict.SAME


def test_wrong_default_of_the_compiler_is_found_at_its_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Geoms have another friction where the file says nothing."""
    default = records.Geom.defaults["friction"]
    monkeypatch.setitem(records.Geom.defaults, "friction", (0.9, *default[1:]))
    ours, theirs = load(tmp_path)
    result = compare_models(ours, theirs)
    (found,) = result.differences
    assert (result.stage.name, found.field, found.component) == (CONSTANTS, "geom_friction", "[0]")
    assert (found.element.kind, found.ours, found.theirs) == ("geom", 0.9, 1.0)
    assert len(found.elements) == ours.ngeom
    assert found.elements[1].name == "geom upper / upper"
    # the stages are compared with the same constants: nothing else differs
    pair = Pair(ours, theirs)
    assert culprit(pair.compare(moving_row(pair))) is None


def test_sizes_that_differ_come_first(tmp_path: Path) -> None:
    ours, _ = load(tmp_path)
    _, theirs = load(
        tmp_path, "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>", "b.xml"
    )
    result = compare_models(ours, theirs)
    assert result.differences[0].field == "nq" and result.differences[0].element.kind == ""
    assert any(found.component == "length" and found.error == np.inf for found in result.differences)


def test_quaternions_have_a_free_sign_and_axes_a_free_order(tmp_path: Path) -> None:
    ours, theirs = load(tmp_path)
    ours.body_quat[1] *= -1.0
    # a quarter turn about x exchanges y and z
    body, turn = 4, np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
    ours.body_iquat[body] = sim.mul_quat(ours.body_iquat[body], turn)
    ours.body_inertia[body] = ours.body_inertia[body][[0, 2, 1]]
    assert compare_models(ours, theirs).same
    ours.body_iquat[body] = sim.mul_quat(ours.body_iquat[body], (np.cos(0.01), np.sin(0.01), 0.0, 0.0))
    (found,) = compare_models(ours, theirs).differences
    assert (found.field, found.element.index) == ("body_iquat", body)


def test_frames_of_meshes_are_those_of_their_files(tmp_path: Path) -> None:
    """Another choice of a mesh's axes is no difference; another place of the geom is."""
    ours, theirs = load(tmp_path, MESH)
    assert compare_models(ours, theirs).same
    geom, turn, shift = 1, np.array([0.6, 0.0, 0.8, 0.0]), np.array([0.01, 0.02, 0.03])
    turned, moved = np.zeros(9), np.zeros(3)
    turned = np.asarray(sim.quat_to_mat(ours.geom_quat[geom])).reshape(3, 3)
    moved = turned @ np.asarray(sim.quat_to_mat(sim.neg_quat(ours.mesh_quat[0]))).reshape(3, 3) @ shift
    ours.geom_pos[geom] += moved
    ours.mesh_pos[0] += shift
    ours.geom_quat[geom] = sim.mul_quat(ours.geom_quat[geom], turn)
    ours.mesh_quat[0] = sim.mul_quat(ours.mesh_quat[0], turn)
    assert [found.field for found in compare_models(ours, theirs).differences] == []
    ours.geom_pos[geom, 2] += 1e-4
    assert [found.field for found in compare_models(ours, theirs).differences] == ["geom_pos"]


def test_places_of_meshes_are_measured_before_their_offset_is_taken_away(tmp_path: Path) -> None:
    """What is left may be zero: then any rounding error would be a large one."""
    ours, theirs = load(tmp_path, MESH.replace("pos='.1 .2 .3'", "").replace("euler='10 20 30'", ""))
    ours.geom_pos[1] += 1e-16
    assert compare_models(ours, theirs).same
    ours.geom_pos[1] += 1e-9
    assert [found.field for found in compare_models(ours, theirs).differences] == ["geom_pos"]


def forwarded(pair: Pair) -> Aligner:
    row = moving_row(pair)
    for run in (pair.ours, pair.theirs):
        run.start(row)
        run.forward()
    return Aligner(pair.ours.side, pair.theirs.side)


def test_contacts_and_rows_are_matched_in_any_order(pair: Pair) -> None:
    forwarded(pair)
    d = pair.ours.data
    order = np.random.default_rng(3).permutation(d.ncon)
    for name in (name for name in DATA_LAYOUT.places if name.startswith("contact.")):
        d.write(name, np.array(d.read(name))[order])
    d.efc_id[:] = [np.flatnonzero(order == contact)[0] for contact in d.efc_id.tolist()]
    results = compare_forward(Aligner(pair.ours.side, pair.theirs.side), Scales())
    assert culprit(results) is None


@pytest.mark.parametrize(("dist", "borderline"), [(-0.001, False), (0.0, True)])
def test_contact_of_one_engine_alone(pair: Pair, dist: float, borderline: bool) -> None:
    """A missing contact is named by its geoms; one that just begins is forgiven."""
    forwarded(pair)
    theirs, d = pair.theirs.data, pair.ours.data
    box = pair.model.name2id("geom", "box")
    gone = int(np.flatnonzero((theirs.contact.geom == box).any(axis=1))[0])
    theirs.read("contact.dist")[gone] = dist
    kept = [contact for contact in range(d.ncon) if contact != gone]
    for name in (name for name in DATA_LAYOUT.places if name.startswith("contact.")):
        values = np.array(d.read(name))
        d.read(name)[: len(kept)] = values[kept]
    d.write("ncon", len(kept))
    matched = match_contacts(pair.ours.side, pair.theirs.side)
    assert (len(matched.ours), bool(matched.borderline)) == (len(kept), borderline)
    assert matched.only_theirs == ([] if borderline else [gone])
    found = difference(Aligner(pair.ours.side, pair.theirs.side), StageField("contact", "set"), 1e-6, Scales())
    assert found.error == (0.0 if borderline else 1.0)
    if not borderline:
        assert (found.ours, found.theirs, found.element.kind) == (0.0, 1.0, "contact")
        assert ("geom", box) in found.element.marks and len(found.element.point) == 3
        assert found.place == "contact world / floor – box / box, only in MuJoCo"


CROSSED = """<mujoco><worldbody>
  <geom type='{}' size='.1 .1 .1' pos='0 0 1' euler='0 30 0'/>
  <body pos='0 0 1'><joint axis='0 1 0'/><geom type='capsule' size='.05' fromto='{} 0 0 .3 0 0'/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("first", "start", "free"), [("sphere", 0.0, True), ("sphere", 0.01, False), ("box", 0.0, False)]
)
def test_a_contact_without_a_normal_has_any(tmp_path: Path, first: str, start: float, free: bool) -> None:
    """The end of a capsule is at the centre of a sphere: no normal is better than another."""
    pair = make_pair(tmp_path, CROSSED.format(first, start))
    forwarded(pair)
    d = pair.ours.data
    assert d.ncon >= 1
    d.contact.frame[0, :6] = 0, 0, 1, 1, 0, 0
    aligned = Aligner(pair.ours.side, pair.theirs.side)
    results = compare_forward(aligned, Scales())
    contacts = next(result for result in results if result.stage.name == "contacts")
    assert (contacts.same, contacts.borderline, aligned.contacts.borderline == [0]) == (free, free, free)


class Older:
    """An MjModel without a field."""

    def __init__(self, mj: Any, lacking: str) -> None:
        self.mj, self.lacking = mj, lacking

    def __getattr__(self, name: str) -> Any:
        if name == self.lacking:
            raise AttributeError(name)
        return getattr(self.mj, name)


def test_what_an_older_mujoco_does_not_have_is_not_compared(tmp_path: Path) -> None:
    weld = "<equality><weld body1='ball' body2='box'/></equality></mujoco>"
    ours, theirs = load(tmp_path, ARM.replace("</mujoco>", weld))
    ours.eq_data[0, -1] += 1.0
    ours.tendon_type[0] += 1
    names = [found.field for found in compare_models(ours, theirs).differences]
    assert sorted(names) == ["eq_data", "tendon_type"]
    theirs.partial["eq_data"] = ours.eq_data.shape[1] - 1
    theirs.__dict__["mj"] = Older(theirs.mj, "tendon_type")
    assert compare_models(ours, theirs).same


def test_matrices_are_compared_entry_by_entry(pair: Pair) -> None:
    aligner = forwarded(pair)
    d = pair.ours.data
    d.M[1] += 1e-3
    found = difference(aligner, StageField("M", "matrix"), 1e-10, Scales())
    assert found.element.name in ("joint shoulder", "joint elbow")
    assert found.ours - found.theirs == pytest.approx(1e-3)
    # the constraint Jacobian of MuJoCo is dense here, ours is sparse
    assert difference(aligner, StageField("efc_J", "row"), 1e-6, Scales()).error < 1e-12
    d.efc_J[0] += 0.5
    assert difference(aligner, StageField("efc_J", "row"), 1e-6, Scales()).error > 0.1


@pytest.mark.parametrize(
    ("field", "place", "kind", "index"),
    [
        ("xpos", (3, 2), "body", 3), ("geom_xpos", (4, 0), "geom", 4), ("qacc_smooth", 5, "joint", 2),
        ("actuator_force", 1, "actuator", 1), ("ten_length", 0, "tendon", 0), ("sensordata", 4, "sensor", 1),
    ],
)  # fmt: skip
def test_elements_behind_fields(pair: Pair, field: str, place: Any, kind: str, index: int) -> None:
    aligner = forwarded(pair)
    pair.ours.data.read(field)[place] += 1.0
    found = difference(aligner, StageField(field), 1e-9, Scales())
    assert (found.element.kind, found.element.index) == (kind, index)
    assert found.element in found.elements and found.error > 0.01


def test_a_number_that_is_not_finite_on_one_side_differs(pair: Pair) -> None:
    aligner = forwarded(pair)
    pair.ours.data.qacc[0] = np.nan
    assert difference(aligner, StageField("qacc"), 1e-5, Scales()).error == np.inf


def test_forces_that_cancel_are_measured_by_what_they_are_made_of(pair: Pair) -> None:
    """The acceleration of a box at rest is rounding."""
    scales = Scales()
    theirs = pair.theirs.data
    assert scales.of("qacc", np.full((3, 1), 1e-9), theirs) == pytest.approx(0.01 * np.abs(theirs.qacc_smooth).max())
    assert scales.of("xpos", np.full((3, 1), 5.0), theirs) == 5.0
    assert scales.of("xpos", np.full((3, 1), 1e-3), theirs) == pytest.approx(0.05)


def test_constants_have_all_that_mjcf_sets() -> None:
    names = {field.name for field in MODEL_STAGE.fields}
    assert {"opt.timestep", "geom_friction", "jnt_range", "actuator_gainprm", "key_qpos", "nv", "cam_pos"} <= names
    assert not names & {"mesh_vert", "tex_data", "bvh_aabb", "vis.map.force"}
