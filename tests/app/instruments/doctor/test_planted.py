"""The doctor names planted faults: a fixed slice of `tests/soak/planted_faults.py` on bundled scenes."""

from __future__ import annotations

import random
from functools import cache

import pytest

import sim
from app.files.resources import find_scene
from app.instruments.doctor.examine import examine
from app.instruments.doctor.finding import Finding, Severity
from app.model.selection import Selection
from tests.soak.faults.fault import Case, Fault
from tests.soak.faults.planting import Models, planted
from tests.soak.faults.table import FAULTS
from tests.soak.planted_faults import examined, names_it

# kind of fault -> scene
SLICE = {
    "mass-grams": "rovers", "mass-tiny": "friction_ramp", "inertia-tiny": "arch", "inertia-huge": "gripper",
    "com-far": "quadruped", "mesh-up": "car", "size-down": "gripper", "body-mm": "rovers",
    "all-mm": "double_pendulum", "range-degrees": "instruments", "range-off": "puppet", "key-degrees": "tendon_arm",
    "euler-degrees": "ragdolls", "armature-removed": "car", "damping-negative": "puppet",
    "stiffness-up": "muscle_arm", "springref-far": "muscle_arm", "axis-twice": "car", "kp-up": "gripper",
    "kp-down": "gripper", "kp-negative": "gripper", "ctrlrange-degrees": "car", "solref-direct": "quadruped",
    "solimp-soft": "quadruped", "filtered-object": "gripper", "into-floor": "drone", "margin-huge": "gripper",
    "timestep-x100": "gripper", "gravity-mm": "car", "weld-off": "puppet", "tendon-range": "puppet",
}  # fmt: skip


def case_of(kind: str) -> tuple[Fault, Case]:
    models = Models([find_scene(SLICE[kind])])
    case = planted(models, FAULTS[kind], random.Random(kind))
    models.close()
    assert case is not None
    return FAULTS[kind], case


@cache
def healthy(scene: str) -> list[Finding]:
    """What is said about a scene as it is, all its elements named as in a damaged copy."""
    models = Models([find_scene(scene)])
    subject = models.subject(find_scene(scene))
    models.close()
    assert subject is not None
    return examine(subject.model)


@pytest.mark.parametrize("kind", SLICE)
def test_fault_is_named(kind: str) -> None:
    """Within the first three findings of the damaged model, and nowhere in those of the healthy one."""
    fault, case = case_of(kind)
    outcome = examined(fault, case, kind)
    said = [f"{finding.check}: {finding.title}" for finding in outcome.findings]
    assert 1 <= outcome.rank <= 3, (outcome.note, said)
    assert not any(names_it(fault, case, finding) for finding in healthy(SLICE[kind]))


def finding(check: str, *elements: Selection, attribute: str = "") -> Finding:
    return Finding(check, Severity.ERROR, elements[0], "", "", others=elements[1:], attribute=attribute)


def test_wrong_element_does_not_count() -> None:
    """The check alone is not enough, nor is a finding that lists half of the model."""
    fault, case = case_of("kp-up")
    actuators = [Selection("actuator", k) for k in range(case.after.nactuator)]
    (right,) = (one for one in actuators if ("actuator", case.after.names["actuator"][one.index]) in case.draft.right)
    wrong = next(one for one in actuators if one != right)
    assert names_it(fault, case, finding("unstable", right))
    assert names_it(fault, case, finding("unstable", wrong, right))
    assert not names_it(fault, case, finding("unstable", wrong))
    assert not names_it(fault, case, finding("density", right))
    assert not names_it(fault, case, finding("unstable", wrong, *[wrong] * 8, right))
    assert names_it(fault, case, finding("twins", right, attribute="kp"))
    assert not names_it(fault, case, finding("twins", right, attribute="gear"))
    assert not names_it(fault, case, finding("twins", wrong, right, attribute="kp"))


def test_damage_that_does_not_matter_is_no_case() -> None:
    """The damaged model itself, taken for the healthy one, is not damaged."""
    fault, case = case_of("kp-up")
    assert fault.matters(case)
    assert not fault.matters(Case(case.draft, case.before))


def test_expanded_model_is_the_same() -> None:
    """Naming and expanding change nothing: the masses and inertias are those of the file."""
    models = Models([find_scene("bridge")])
    subject = models.subject(find_scene("bridge"))
    assert subject is not None
    original = sim.load(find_scene("bridge"))
    for name in ("body_mass", "body_inertia", "geom_size", "jnt_range", "dof_damping", "qpos0"):
        assert (subject.model.read(name) == original.read(name)).all(), name
    assert all(subject.model.names["geom"]) and all(subject.model.names["joint"])
    models.close()
