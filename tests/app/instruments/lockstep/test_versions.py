"""Which differences are MuJoCo's own: versions.py with the conditions of features.py; it needs no other version."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from app.instruments.lockstep import features
from app.instruments.lockstep.compare import Difference
from app.instruments.lockstep.elements import MODEL_ITSELF, Element
from app.instruments.lockstep.stages import STAGES
from app.instruments.lockstep.versions import CHANGES, DERIVED, explain, newer, numbers
from app.run.engine.installed import FOLLOWED
from sim.fields import MODEL_LAYOUT

SHAPES = """<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>
  <geom name='plane' type='plane' size='1 1 1'/><geom name='sphere' size='.1'/>
  <geom name='capsule' type='capsule' size='.1 .1'/><geom name='cylinder' type='cylinder' size='.1 .1' margin='.01'/>
  <geom name='box' type='box' size='.1 .1 .1'/><geom name='ellipsoid' type='ellipsoid' size='.1 .2 .1'/>
  <geom name='mesh' type='mesh' mesh='m'/></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def shapes() -> sim.Model:
    return sim.loads(SHAPES)


def touching(m: sim.Model, first: str, second: str) -> Element:
    marks = tuple(("geom", m.name2id("geom", name)) for name in (first, second))
    return Element("contact", 0, "", marks)


def differs(field: str, *elements: Element, error: float = 1.0) -> Difference:
    first = elements[0] if elements else MODEL_ITSELF
    return Difference(field, error, first, elements=elements, errors=(error,) * len(elements))


@pytest.mark.parametrize(
    ("first", "second", "version", "row"),
    [
        ("cylinder", "box", "3.12.0", "before 3.13"),
        ("cylinder", "box", "4.0.0", "from 3.13 on, before 4.0.1"),
        ("cylinder", "box", "4.0.1", None),
        ("cylinder", "sphere", "3.12.0", None),
        ("mesh", "plane", "3.12.0", "before 3.13"),
        ("mesh", "plane", "3.13.0", None),
        ("mesh", "mesh", "3.17.0", "before 4.0"),
        ("mesh", "mesh", "4.0.0", None),
        ("box", "plane", "3.12.0", None),
        ("box", "box", "3.12.0", None),
        ("capsule", "mesh", "3.14.0", "before 3.15"),
        ("capsule", "mesh", "4.0.0", None),
        ("capsule", "box", "3.12.0", None),
        ("capsule", "capsule", "3.16.0", "before 3.17"),
        ("capsule", "capsule", "3.17.0", None),
        ("ellipsoid", "box", "3.12.0", None),
        ("cylinder", "box", "99.0.0", None),
    ],
)
def test_contacts_that_appear_or_vanish(
    shapes: sim.Model, first: str, second: str, version: str, row: str | None
) -> None:
    found = explain(shapes, version, "contacts", [differs("contact", touching(shapes, first, second))])
    assert any(text.startswith(f"{row}: ") for text in found) if row else found == ()


def test_small_changes_of_convex_contacts_only(shapes: sim.Model) -> None:
    element = touching(shapes, "ellipsoid", "box")
    assert explain(shapes, "3.17.0", "contacts", [differs("contact.frame", element, error=1e-3)])
    assert not explain(shapes, "3.17.0", "contacts", [differs("contact.frame", element, error=0.5)])
    assert not explain(shapes, "4.0.0", "contacts", [differs("contact.frame", element, error=1e-3)])


def test_one_element_without_the_feature_leaves_all_unexplained(shapes: sim.Model) -> None:
    known, unknown = touching(shapes, "cylinder", "box"), touching(shapes, "sphere", "box")
    assert explain(shapes, "3.12.0", "contacts", [differs("contact", known)])
    assert not explain(shapes, "3.12.0", "contacts", [differs("contact", known, unknown)])
    assert not explain(shapes, "3.12.0", "contacts", [differs("contact", known), differs("contact.dist", unknown)])
    assert not explain(shapes, "3.12.0", "kinematics", [differs("xpos", known)])


BODY = "<worldbody><body>{}<geom size='.1' pos='.1 0 0'/></body></worldbody>"


SERVO = BODY.format("<joint name='b' type='ball'/>") + "<actuator><orientation joint='b' kp='2' {}/></actuator>"


@pytest.mark.parametrize(
    ("xml", "stage", "version", "known"),
    [
        (f"<option integrator='RK4'/>{BODY.format('<freejoint/>')}", "step", "3.17.0", True),
        (f"<option integrator='RK4'/>{BODY.format('<freejoint/>')}", "step", "4.0.0", False),
        (f"<option integrator='RK4'/>{BODY.format('<joint/>')}", "step", "3.12.0", False),
        (f"<option integrator='Euler'/>{BODY.format('<freejoint/>')}", "step", "3.12.0", False),
        (f"<option solver='PGS'/>{BODY.format('<joint/>')}", "solver", "3.16.0", True),
        (f"<option solver='PGS'/>{BODY.format('<joint/>')}", "solver", "3.17.0", False),
        (f"<option noslip_iterations='3'/>{BODY.format('<joint/>')}", "solver", "3.16.0", True),
        (f"<option jacobian='sparse'/>{BODY.format('<joint/>')}", "solver", "3.17.0", False),
        (f"<option jacobian='sparse'/>{BODY.format('<joint/>')}", "solver", "4.0.0", True),
        (f"<option jacobian='sparse'/>{BODY.format('<joint/>')}", "solver", "4.0.1", False),
        (BODY.format("<joint/>"), "solver", "3.12.0", False),
        (
            "<option integrator='implicitfast'/>"
            + BODY.format("<joint actuatorfrclimited='true' actuatorfrcrange='-1 1'/>"),
            "step", "3.17.0", True,
        ),
        (
            "<option integrator='implicit' density='1'/>"
            + BODY.format("<joint/>").replace("size='.1'", "size='.1' fluidshape='ellipsoid'"),
            "step", "3.13.0", True,
        ),
        ("<option integrator='discrete'/>" + SERVO.format("forcerange='0 .4'"), "acceleration", "4.0.0", True),
        ("<option integrator='discrete'/>" + SERVO.format(""), "acceleration", "4.0.0", False),
        (SERVO.format("forcerange='0 .4'"), "acceleration", "4.0.0", False),
    ],
)  # fmt: skip
def test_options(xml: str, stage: str, version: str, known: bool) -> None:
    m = sim.loads(f"<mujoco>{xml}</mujoco>")
    assert bool(explain(m, version, stage, [differs("qvel")])) is known


WRAPPED = """<mujoco><worldbody><site name='a' pos='-1 0 0'/><site name='side' pos='0 0 .5'/>
  <geom name='g' type='cylinder' size='.1 .5' euler='90 0 0'/>
  <body pos='1 0 0'><joint name='j'/><geom size='.1'/><site name='b'/><site name='s'/></body></worldbody>
<tendon><spatial><site site='a'/><geom geom='g'{}/><site site='b'/></spatial>
  <fixed actuatorfrcrange='-1 1'><joint joint='j' coef='1'/></fixed></tendon>
<sensor><accelerometer site='a'/><accelerometer site='s'/><force site='s'/></sensor></mujoco>"""


def test_tendons_and_sensors() -> None:
    sided, plain = (sim.loads(WRAPPED.format(side)) for side in (" sidesite='side'", ""))
    rope, fixed = Element("tendon", 0), Element("tendon", 1)
    for m, words in ((sided, "sidesite"), (plain, "numerically")):
        found = explain(m, "3.17.0", "tendons", [differs("ten_length", rope, error=1e-7)])
        assert any(words in text for text in found)
    assert not explain(plain, "3.17.0", "tendons", [differs("ten_length", rope, error=0.1)])
    assert explain(sided, "3.17.0", "tendons", [differs("ten_length", rope, error=0.1)])
    assert not explain(sided, "3.17.0", "tendons", [differs("ten_length", fixed, error=1e-7)])
    assert explain(sided, "3.13.0", "constants", [differs("tendon_actfrclimited", fixed)])
    assert not explain(sided, "3.13.0", "constants", [differs("tendon_actfrclimited", rope)])
    static, moving, force = (Element("sensor", index) for index in range(3))
    assert explain(sided, "3.17.0", "sensors", [differs("sensordata", static)])
    assert not explain(sided, "3.17.0", "sensors", [differs("sensordata", moving)])
    assert explain(sided, "3.13.0", "sensors", [differs("sensordata", force)])


def test_words_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(
        "<mujoco><default><position kp='3'/></default><!-- euler='1 2 3' in a default? no -->"
        + BODY.format("<joint name='j'/>")
        + "<actuator><position joint='j' dampratio='1'/></actuator></mujoco>"
    )
    m = sim.load(path)
    servo = Element("actuator", 0)
    dampratio = [differs("actuator_biasprm", servo)]
    assert any("dampratio" in text for text in explain(m, "3.14.0", "constants", dampratio))
    assert not any("dampratio" in text for text in explain(m, "3.15.0", "constants", dampratio))
    assert explain(m, "3.15.0", "constants", [differs("actuator_gainprm", servo)])
    assert not explain(m, "3.16.0", "constants", [differs("actuator_gainprm", servo)])
    assert not features.default_orientation(m, servo)
    assert not features.written("euler")(m, servo)


def test_constants_that_follow_from_explained_ones(shapes: sim.Model) -> None:
    """Another inertia means other weights; those alone say nothing."""
    inertia = differs("body_inertia", Element("body", 0), error=1e-6)
    weight = differs("dof_invweight0", Element("joint", 0), error=1e-6)
    assert explain(shapes, "3.13.0", "constants", [weight, inertia])
    assert not explain(shapes, "3.13.0", "constants", [weight])
    assert not explain(shapes, "3.13.0", "constants", [differs("geom_size", MODEL_ITSELF), inertia])


def test_large_errors_are_only_explained_for_small_inertias() -> None:
    m = sim.loads(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body>"
        "<body><freejoint/><geom type='box' size='.001 .002 .003'/></body></worldbody></mujoco>"
    )
    large, small = Element("body", 1), Element("body", 2)
    found = Difference("body_iquat", 0.5, small, elements=(small, large), errors=(0.5, 1e-7))
    assert explain(m, "3.13.0", "constants", [found])
    assert not explain(m, "3.13.0", "constants", [differs("body_iquat", large, error=0.5)])


WATCHED = """<mujoco><option><flag sleep="{}"/></option>
<worldbody><camera name="world" mode="trackcom"/><camera name="still"/><light name="world" mode="trackcom"/>
  <body><freejoint/><geom size=".1"/><camera name="own" mode="trackcom"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("kind", "name", "sleep", "known"),
    [
        ("camera", "world", "enable", True), ("light", "world", "enable", True), ("camera", "own", "enable", False),
        ("camera", "still", "enable", False), ("camera", "world", "disable", False),
    ],
)  # fmt: skip
def test_cameras_that_follow_the_world_while_trees_sleep(kind: str, name: str, sleep: str, known: bool) -> None:
    m = sim.loads(WATCHED.format(sleep))
    index = (m.cam if kind == "camera" else m.light)(name).id
    field = "cam_xpos" if kind == "camera" else "light_xpos"
    assert bool(explain(m, "4.0.0", "cameras", [differs(field, Element(kind, index))])) is known


@pytest.mark.parametrize(("touches", "known"), [("0", True), ("1", False)])
def test_rays_of_cameras(touches: str, known: bool) -> None:
    m = sim.loads(
        f"<mujoco><worldbody><camera name='c' resolution='2 2'/><site name='s'/><geom size='.1' contype='{touches}' "
        f"conaffinity='{touches}' pos='0 0 -1'/></worldbody><sensor><rangefinder camera='c'/><rangefinder site='s'/>"
        "</sensor></mujoco>"
    )
    assert bool(explain(m, "4.0.0", "sensors", [differs("sensordata", Element("sensor", 0))])) is known
    assert not explain(m, "4.0.0", "sensors", [differs("sensordata", Element("sensor", 1))])


def test_the_table_is_about_known_versions_stages_and_fields() -> None:
    stages = {stage.name: {field.name for field in stage.fields} for stage in STAGES}
    followed = numbers(FOLLOWED)
    for change in CHANGES:
        # what all versions since the oldest have done is no difference; what comes after the one followed is unknown
        assert numbers("3.12") < numbers(change.before) <= (*followed[:2], followed[2] + 1), change
        assert numbers(change.since) < numbers(change.before), change
        # of the version that is followed there are only defects, with a version that mends them
        assert numbers(change.before) <= followed or change.since, change
        assert set(change.stages) <= set(stages), change
        known = set().union(*(stages[name] for name in change.stages))
        assert set(change.fields) <= known, change
        assert f"before {change.before}: " in change.text
    for names in DERIVED.values():
        assert set(names) <= set(MODEL_LAYOUT.places)


def test_versions_after_the_one_followed() -> None:
    assert "99.1.0 is newer than" in newer("99.1.0")
    assert newer(FOLLOWED) == newer("3.12.0") == ""


def test_numbers_of_versions() -> None:
    assert numbers("4.0.0") == (4, 0, 0) and numbers("3.13") < numbers("3.13.1") < numbers("4.0.0rc1")
