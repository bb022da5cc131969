"""Faults of options, equalities, tendons and assets."""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import etree

import sim
from sim.enums import EQ_JOINT, EQ_WELD, JNT_HINGE
from tests.soak.faults.fault import Case, Draft, Fault, NoElementError, always, outside

LARGE_STEP = 0.015  # s
OPTION = ("option", "")
SHOWN = 0.1  # share of the constraint forces that is wrong


# ---- options


def _option(**values: str) -> Any:
    def plant(draft: Draft) -> None:
        draft.write(draft.section("option"), **values)
        draft.right.add(OPTION)

    return plant


def _timestep(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        draft.write(draft.section("option"), timestep=factor * draft.m.opt.timestep)
        draft.right.add(OPTION)

    return plant


def _large_step(case: Case) -> bool:
    return case.before.nv > 0 and case.before.opt.timestep < LARGE_STEP <= case.after.opt.timestep


def _gravity(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        draft.write(draft.section("option"), gravity=factor * np.asarray(draft.m.opt.gravity))
        draft.right.add(OPTION)

    return plant


def _heavy(case: Case) -> bool:
    downwards = case.before.opt.gravity[2] < -1
    return case.before.nv > 0 and bool(downwards)


def _unsolved(case: Case) -> bool:
    """Somewhere in a second the forces are wrong by a tenth, against what the healthy settings give there."""
    m, rows = case.after, case.before
    data, exact = sim.Data(m), sim.Data(rows)
    for _ in range(20):
        sim.step(m, data, max(1, round(0.05 / m.opt.timestep)))
        for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
            exact.write(name, data.read(name))
        sim.forward(m, data)
        sim.forward(rows, exact)
        scale = np.abs(exact.qfrc_constraint).max(initial=0)
        if scale and np.abs(exact.qfrc_constraint - data.qfrc_constraint).max() > SHOWN * scale:
            return True
    return False


# ---- equalities and tendons


def _equality(draft: Draft, kind: int) -> int:
    m = draft.m
    equality = draft.pick(m.neq, lambda e: m.eq_type[e] == kind and m.eq_active0[e])
    draft.blame("equality", equality)
    draft.facts["equality"] = equality
    return equality


def _weld(draft: Draft) -> None:
    m = draft.m
    equality = _equality(draft, EQ_WELD)
    element = draft.element("equality", equality)
    if element.get("site1"):
        raise NoElementError
    pose = m.eq_data[equality, 3:10].copy()
    pose[:3] = 1000 * pose[:3] if np.linalg.norm(pose[:3]) > 1e-3 else [0, 0, 2 * draft.subject.extent]
    draft.write(element, relpose=pose)
    draft.blame("body", int(m.eq_obj1id[equality]), int(m.eq_obj2id[equality]))


def _joint_equality(draft: Draft) -> None:
    m = draft.m
    equality = _equality(draft, EQ_JOINT)
    joint, other = int(m.eq_obj1id[equality]), int(m.eq_obj2id[equality])
    if m.jnt_type[joint] != JNT_HINGE:
        raise NoElementError
    coefficients = m.eq_data[equality, :5].copy()
    coefficients[0] += draft.rng.choice([15, 30, 45, 90])
    draft.write(draft.element("equality", equality), polycoef=coefficients)
    draft.blame("joint", *(j for j in (joint, other) if j >= 0))


def _violated(case: Case) -> bool:
    """At the start by much of the size of the model, or by a radian."""
    m, equality = case.after, case.draft.facts["equality"]
    rows = case.data.efc_id[: case.data.nefc] == equality
    rows &= case.data.efc_type[: case.data.nefc] == 0
    worst = np.abs(case.data.efc_pos[: case.data.nefc][rows]).max(initial=0)
    return bool(worst > (1.0 if m.eq_type[equality] == EQ_JOINT else 0.3 * case.draft.subject.extent))


def _tendon_range(draft: Draft) -> None:
    m = draft.m
    tendon = draft.pick(m.ntendon, lambda t: m.tendon_limited[t])
    factor = draft.rng.choice([1e3, 1e-3])
    draft.set("tendon", tendon, range=factor * m.tendon_range[tendon])
    draft.blame("tendon", tendon)
    draft.facts["tendon"] = tendon


def _out_of_reach(case: Case) -> bool:
    tendon = case.draft.facts["tendon"]
    length = float(case.before.tendon_length0[tendon])
    before, after = (outside(length, *m.tendon_range[tendon]) for m in (case.before, case.after))
    return before < 0.1 * abs(length) and after > 0.5 * max(abs(length), 1e-3)


# ---- limits and assets


def _limit(draft: Draft) -> None:
    """A limit far too stiff for the timestep."""
    m = draft.m
    joint = draft.pick(m.njnt, lambda j: m.jnt_limited[j])
    stiffness = 1e3 / m.opt.timestep**2
    draft.set("joint", joint, solreflimit=f"{-stiffness:.6g} -10")
    draft.blame("joint", joint)


def _unused(draft: Draft) -> None:
    asset = draft.section("asset")
    kind = draft.rng.choice(["mesh", "texture", "material"])
    values = {
        "mesh": {"vertex": "0 0 0 1 0 0 0 1 0 0 0 1"},
        "texture": {"type": "2d", "builtin": "flat", "width": "64", "height": "64"},
        "material": {"rgba": "1 0 0 1"},
    }[kind]
    etree.SubElement(asset, kind, name="left_over", **values)
    draft.right.add((kind, "left_over"))
    draft.note = f"{kind} left_over"


VIOLATED = ("equality-violated",)
FAULTS = (
    Fault("timestep-x10", "timestep x 10", ("timestep",), _timestep(10), _large_step),
    Fault("timestep-x100", "timestep x 100", ("timestep",), _timestep(100), _large_step),
    Fault("gravity-mm", "gravity in mm/s^2", ("gravity-unit",), _gravity(1000), _heavy),
    Fault("gravity-up", "gravity upwards", ("gravity-direction",), _gravity(-1), _heavy),
    Fault("solver-budget", "one iteration, tolerance 0.1", ("solver-budget",),
          _option(iterations="1", tolerance="0.1"), _unsolved),
    Fault("weld-off", "relpose of a weld in mm", VIOLATED, _weld, _violated),
    Fault("joint-equality-off", "polycoef of a joint equality in degrees", VIOLATED, _joint_equality, _violated),
    Fault("tendon-range", "range of a tendon x or / 1000", ("tendon-range",), _tendon_range, _out_of_reach),
    Fault("limit-direct", "solreflimit of a joint far too stiff", ("limit-unstable",), _limit, always),
    Fault("unused-asset", "an asset that nobody uses", ("unused-asset",), _unused, always),
)  # fmt: skip
