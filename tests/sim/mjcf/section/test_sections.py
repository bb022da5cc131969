"""Contacts, equalities, tendons, actuators, sensors and custom fields against MuJoCo, and mistakes in them."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import mujoco
import pytest

from sim import enums
from sim.mjcf import MjcfError, compile_file, compile_text
from sim.mjcf.schema import element, words
from tests.sim.mjcf.compare import differences
from tests.sim.mjcf.pip_models import LARGE, pip_models, short_name
from tests.sim.mjcf.section_models import SECTIONS, WORLD


@pytest.mark.parametrize("name", SECTIONS)
def test_section(name: str) -> None:
    compiled = compile_text(SECTIONS[name])
    assert differences(compiled, mujoco.MjModel.from_xml_string(SECTIONS[name])) == []


# attributes that many elements share: each is used on some of them
SHARED = {
    "actuator": words("""name class group nsample interp delay user ctrllimited ctrlrange forcelimited forcerange
        actlimited lengthrange gear damping armature cranklength joint jointinparent tendon slidersite cranksite
        site refsite"""),
    "sensor": words("name user nsample interp delay interval cutoff noise"),
    "equality": words("name class active solref solimp"),
    "tendon": words("""actuatorfrclimited solimplimit solreffriction solimpfriction frictionloss margin damping
        springlength"""),
}
# an equality of our own
ELSEWHERE = ("equality/distance",)


def test_every_attribute_is_compared() -> None:
    """The models above use each element and attribute that MuJoCo has."""
    elements = re.findall(r"<(\w+)\s([^<>]*)", "".join(SECTIONS.values()))
    used = {(tag, key) for tag, inside in elements for key in re.findall(r'(\w+)="', inside)}
    for section in ("contact", "equality", "tendon", "spatial", "fixed", "actuator", "sensor", "custom", "tuple"):
        for tag, name in element(section).children.items():
            missing = {key for key in element(name).attributes if (tag, key) not in used}
            assert name in ELSEWHERE or missing <= set(SHARED.get(section, ())), name


def test_distance() -> None:
    """An equality of our own: MuJoCo has its number, but no longer reads it."""
    compiled = compile_text(
        f"""<mujoco><worldbody>{WORLD}</worldbody><equality>
        <distance name="x" geom1="ga" geom2="gd" distance="2" solref=".1"/></equality></mujoco>"""
    )
    assert compiled.names["equality"] == ["x"]
    assert compiled.values["eq_type"].tolist() == [enums.EQ_DISTANCE] == [mujoco.mjtEq.mjEQ_DISTANCE]
    assert compiled.values["eq_objtype"].tolist() == [enums.OBJ_GEOM]
    assert (compiled.values["eq_obj1id"][0], compiled.values["eq_obj2id"][0]) == (2, 5)
    assert compiled.values["eq_data"].tolist() == [[2.0] + [0.0] * 11]
    assert compiled.values["eq_solref"].tolist() == [[0.1, 1.0]]
    assert compiled.values["nemax"] == 1


def test_inputs_of_later_constants() -> None:
    compiled = compile_text(SECTIONS["springdamper"])
    assert compiled.inputs.springdamper.tolist() == [[1, 2], [0, 0], [0.1, 0.2]]
    compiled = compile_text(SECTIONS["length ranges"])
    assert compiled.inputs.lengthrange.mode == 0
    assert compiled.inputs.lengthrange.accel == 1.0


def test_constants_are_mujocos() -> None:
    for family in vars(mujoco).values():
        for name, value in getattr(family, "__members__", {}).items():
            if name.startswith("mj") and hasattr(enums, name[2:]):
                assert getattr(enums, name[2:]) == int(value), name


# ---- models that people have

# what tells that a model needs a mesh, a height field or a picture from a file
# qhull merges flat facets in an order of its own: hull graphs agree as sets, trees over flat triangles not at all
FREE = ("mesh_graph", "mesh_extrema", "bvh_")


@pytest.mark.parametrize("path", [p for p in pip_models() if not LARGE.search(str(p))], ids=short_name)
def test_pip_model(path: Path) -> None:
    """Real models compile to the same values; what MuJoCo refuses is a model or an MjcfError here."""
    try:
        reference = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        with contextlib.suppress(MjcfError):
            compile_file(path)
        return
    compiled = compile_file(path)
    assert [line for line in differences(compiled, reference) if not line.startswith(FREE)] == []
