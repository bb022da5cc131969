"""Fixes for explosions: they make stiffness, inertia, timestep and forces fit one another."""

from __future__ import annotations

from collections.abc import Iterable
from math import log10, sqrt

import numpy as np

from app.instruments.doctor.finding import Fix
from app.instruments.doctor.stiffness import Stiffness
from app.model.parameters import parameters_of
from app.run.commands import SetField, SetFlag
from app.run.fix import set_numbers
from app.run.linked_edits import set_parameter
from sim import Data, Model
from sim.analysis.force_sources import Source
from sim.enums import (
    DSBL_REFSAFE,
    ENBL_OVERRIDE,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICITFAST,
    INT_RK4,
    JNT_FREE,
    JNT_SLIDE,
    TRN_SO3,
)

# the ratio to the limit of the timestep at which a fix aims
CALM = 0.25
# time constant of soft contacts, s, and the least number of timesteps in it
SOFT, SOFT_STEPS = 0.02, 4.0
EARTH, USUAL_STEP = 9.81, 0.002
SOLVER_ITERATIONS, LS_ITERATIONS = 100, 50


def rounded(value: float) -> float:
    """Two digits."""
    return float(f"{value:.2g}")


# ---- actuators


def servo(model: Model, actuator: int, element: Stiffness) -> tuple[Fix, ...]:
    """Gains that suit the timestep, more inertia, or an integrator that takes the damping implicitly."""
    mostly_damping = 2 * element.damping > element.stiffness * float(model.opt.timestep)
    found = (*_gains(model, actuator, CALM / element.ratio, mostly_damping), *armature(model, element))
    implicit = integrators(model) if element.damping > 0 else ()
    return (*implicit, *found) if mostly_damping else (*found, *implicit, *discrete(model))


def _gains(model: Model, actuator: int, factor: float, damping: bool = False) -> tuple[Fix, ...]:
    """Gains times a factor: kv alone, or kp with kv as it is and with the same damping ratio."""
    known = {parameter.name: parameter for parameter in parameters_of(model, "actuator", actuator)}
    numbers = {name: known[name].number(model.read) for name in ("kp", "kv") if name in known}
    numbers = {name: number for name, number in numbers.items() if np.isfinite(number) and number}
    if not numbers:
        return _raw_gains(model, actuator, factor)
    if damping and "kv" in numbers:
        factors = [{"kv": factor}]
    else:
        factors = [{"kp": factor}, {"kp": factor, "kv": sqrt(factor)}] if "kv" in numbers else [{"kp": factor}]
    found = []
    for chosen in factors:
        scaled = {name: (numbers[name], rounded(numbers[name] * by)) for name, by in chosen.items() if name in numbers}
        words = " and ".join(f"{name} from {old:.3g} to {new:.2g}" for name, (old, new) in scaled.items())
        edits = tuple(set_parameter(known[name], new, model) for name, (_, new) in scaled.items())
        if edits:
            found.append(Fix(f"lower {words}", edits))
    return tuple(found)


def _raw_gains(model: Model, actuator: int, factor: float) -> tuple[Fix, ...]:
    """Gain and bias of an actuator without named gains."""
    gain, bias = np.asarray(model.actuator_gainprm[actuator]), np.asarray(model.actuator_biasprm[actuator])
    scaled = [("actuator_gainprm", k, gain[k]) for k in range(3)] + [("actuator_biasprm", k, bias[k]) for k in range(3)]
    edits = tuple(
        SetField(path, rounded(float(value) * factor), (actuator,), column) for path, column, value in scaled if value
    )
    return (Fix(f"divide gain and bias by {1 / factor:.3g}", edits),) if edits else ()


def reverse_feedback(model: Model, actuator: int, element: Stiffness) -> tuple[Fix, ...]:
    """Reversed feedback, or none."""
    found = []
    wrong = [
        column
        for column, number in ((1, element.stiffness), (2, element.damping))
        if number < 0 and model.actuator_biasprm[actuator, column] > 0
    ]
    for text, sign in (("reverse the sign of", -1.0), ("switch off", 0.0)):
        edits = tuple(
            SetField("actuator_biasprm", sign * float(model.actuator_biasprm[actuator, column]), (actuator,), column)
            for column in wrong
        )
        if edits:
            found.append(Fix(f"{text} its feedback (biasprm)", edits))
    return tuple(found)


def motor(model: Model, data: Data, actuator: int, excess: float, element: Stiffness | None) -> tuple[Fix, ...]:
    """Lower gains if it is a servo, a smaller gear, a limit of its force."""
    factor = rounded(min(CALM / excess, 0.5)) if excess > 0 else 0.5
    first = int(model.actuator_outadr[actuator])
    outputs = tuple(range(first, first + int(model.actuator_outnum[actuator])))
    force = max(float(np.abs(data.actuator_force[list(outputs)]).max(initial=0.0)), 1e-9)
    turned = model.actuator_trntype[actuator] == TRN_SO3
    found = [*_gains(model, actuator, factor)] if element is not None or turned else []
    # a joint without a stop gets faster all the time
    for by in (factor, 0.1 * factor):
        gear = tuple(
            SetField("actuator_gear", rounded(float(model.actuator_gear[row, k]) * by), (row,), k)
            for row in outputs
            for k in range(6)
            if model.actuator_gear[row, k]
        )
        if gear and not turned:
            found.append(Fix(f"divide its gear by {rounded(1 / by):.3g}", gear))
    if len(outputs) == 1:
        most = rounded(0.1 * force * factor)
        ends = tuple(SetField("actuator_forcerange", end, (actuator,), k) for k, end in enumerate((-most, most)))
        limits = SetField("actuator_forcelimited", 1.0, (actuator,), None, ends)
        found.append(Fix(f"limit its force to ±{most:.2g}", (limits,)))
    return tuple(found)


def limit_control(model: Model, actuator: int) -> tuple[Fix, ...]:
    """Limit the control to its range, or to a usual one."""
    control = int(model.actuator_ctrladr[actuator])
    low, high = (float(end) for end in model.actuator_ctrlrange[control])
    text = f"limit its control to {low:g} .. {high:g}"
    edit = SetField("actuator_ctrllimited", 1.0, (control,))
    if high <= low or not np.isfinite(high - low):
        text = "limit its control to -1 .. 1"
        ends = (SetField("actuator_ctrlrange", -1.0, (control,), 0), SetField("actuator_ctrlrange", 1.0, (control,), 1))
        edit = SetField("actuator_ctrllimited", 1.0, (control,), None, ends)
    return (Fix(text, (edit,)),)


# ---- joints, tendons and bodies


def armature(model: Model, element: Stiffness) -> tuple[Fix, ...]:
    """Enough inertia in its joints for the timestep."""
    step = float(model.opt.timestep)
    # translations of free bodies have none
    dofs = tuple(int(dof) for dof in np.flatnonzero(element.arms) if not _free(model, int(dof)))
    if not dofs:
        return ()
    reach = float((element.arms**2).max())
    needed = reach * (max(element.stiffness, 0.0) * step**2 + 2 * max(element.damping, 0.0) * step) / (4 * CALM)
    return (_armature(model, dofs, needed),)


def _armature(model: Model, dofs: Iterable[int], value: float) -> Fix:
    dofs = tuple(dofs)
    value = rounded(max(value, float(np.asarray(model.dof_armature)[list(dofs)].max())))
    joints = dict.fromkeys(int(model.dof_jntid[dof]) for dof in dofs)
    unit = "kg" if all(model.jnt_type[joint] == JNT_SLIDE for joint in joints) else "kg·m²"
    where = "its joint" if len(joints) == 1 else f"its {len(joints)} joints"
    return Fix(f"give {where} an armature of {value:.2g} {unit}", (SetField("dof_armature", value, dofs),))


def _free(model: Model, dof: int) -> bool:
    return bool(model.jnt_type[model.dof_jntid[dof]] == JNT_FREE)


def passive(model: Model, source: Source, element: Stiffness) -> tuple[Fix, ...]:
    """A weaker spring or damper, or more inertia."""
    path, rows = _passive_field(model, source)
    number = element.stiffness if source.kind.endswith("spring") else element.damping
    factor = CALM / element.ratio if element.ratio > 1 else 0.1
    word = "stiffness" if source.kind.endswith("spring") else "damping"
    weaker = Fix(f"lower its {word} from {number:.3g} to {number * factor:.2g}", (
        SetField(path, rounded(number * factor), rows),
    ))  # fmt: skip
    implicit = integrators(model) if source.kind.endswith("damper") else ()
    off = Fix(f"set its {word} to 0", (SetField(path, 0.0, rows),))
    stiff = discrete(model) if source.kind.endswith("spring") else ()
    return (*implicit, weaker, *armature(model, element), *stiff, off)


def positive(model: Model, source: Source, element: Stiffness) -> tuple[Fix, ...]:
    """A stiffness or damping with the sign that takes energy, or none."""
    path, rows = _passive_field(model, source)
    number = element.stiffness if source.kind.endswith("spring") else element.damping
    word = "stiffness" if source.kind.endswith("spring") else "damping"
    return (
        Fix(f"make its {word} positive: {-number:.3g}", (SetField(path, -number, rows),)),
        Fix(f"set its {word} to 0", (SetField(path, 0.0, rows),)),
    )


def _passive_field(model: Model, source: Source) -> tuple[str, tuple[int, ...]]:
    """The field of a spring or damper, and its rows."""
    if source.element == "tendon":
        return f"tendon_{'stiffness' if source.kind.endswith('spring') else 'damping'}", (source.id,)
    if source.kind == "joint spring":
        return "jnt_stiffness", (source.id,)
    return "dof_damping", tuple(int(dof) for dof in np.flatnonzero(np.asarray(model.dof_jntid) == source.id))


def heavier(model: Model, body: int, dofs: tuple[int, ...], elements: Iterable[Stiffness]) -> tuple[Fix, ...]:
    """Inertia for what acts on a light body, or the mass that other bodies have."""
    masses = np.asarray(model.body_mass)
    typical = rounded(float(np.median(masses[masses > 0])))
    mass = Fix(f"set its mass to {typical:.2g} kg", (SetField("body_mass", typical, (body,)),))
    turning = tuple(dof for dof in dofs if not _free(model, dof))
    if not turning:
        return (mass,)
    acting = [e for e in elements if e.ratio > 1 and np.abs(e.arms[list(turning)]).any()]
    step = float(model.opt.timestep)
    needed = max(
        (float((e.arms**2).max()) * (e.stiffness * step**2 + 2 * e.damping * step) / (4 * CALM) for e in acting),
        default=float(np.median(np.asarray(model.dof_M0))),
    )
    return (_armature(model, turning, needed), Fix(mass.text, (*mass.edits, *_armature(model, turning, needed).edits)))


# ---- constraints


def soft_time(model: Model) -> float:
    """A time constant that is soft for this timestep, s."""
    return rounded(max(SOFT, SOFT_STEPS * float(model.opt.timestep)))


def contact(model: Model, geoms: list[int]) -> tuple[Fix, ...]:
    """A softer solref for a contact, and refsafe."""
    return (*_refsafe(model), _solref(model, geoms, soft_time(model)), _solref(model, geoms, 5 * soft_time(model)))


def _refsafe(model: Model) -> tuple[Fix, ...]:
    off = model.opt.disableflags & DSBL_REFSAFE
    return (Fix("switch refsafe on", (SetFlag("opt.disableflags", DSBL_REFSAFE, False),)),) if off else ()


def _solref(model: Model, geoms: list[int], time: float) -> Fix:
    text = f"soften the contact: solref {time:.2g} 1"
    if model.opt.enableflags & ENBL_OVERRIDE:
        return Fix(text, (SetField("opt.o_solref", time, (0,), None, (SetField("opt.o_solref", 1.0, (1,)),)),))
    return Fix(text, (set_numbers("geom_solref", geoms, (time, 1.0)), *_pairs(model, geoms, time)))


def _pairs(model: Model, geoms: list[int], time: float) -> tuple[SetField, ...]:
    """A pair of these geoms has a solref of its own."""
    rows = [pair for pair in range(int(model.npair)) if {model.pair_geom1[pair], model.pair_geom2[pair]} == {*geoms}]
    return (set_numbers("pair_solref", rows, (time, 1.0)),) if rows else ()


SOLREFS = {
    "equality": "eq_solref", "joint limit": "jnt_solref", "tendon limit": "tendon_solref_lim",
}  # fmt: skip

SWITCHES = {
    "equality": ("switch it off", "eq_active0"),
    "joint limit": ("do not limit the joint", "jnt_limited"),
    "tendon limit": ("do not limit the tendon", "tendon_limited"),
}


def soften(model: Model, source: Source) -> tuple[Fix, ...]:
    """A softer solref for a limit or an equality, or none of it."""
    path = SOLREFS[source.kind]
    softer = tuple(
        Fix(f"soften it: solref {time:.2g} 1", (set_numbers(path, (source.id,), (time, 1.0)),))
        for time in (soft_time(model), 5 * soft_time(model))
    )
    text, field = SWITCHES[source.kind]
    return (*_refsafe(model), *softer, Fix(text, (SetField(field, 0.0, (source.id,)),)))


def overlap(model: Model, geoms: list[int], depth: float) -> tuple[Fix, ...]:
    """A margin that allows the overlap, or a contact that pushes slowly."""
    share = rounded(depth * 1.02 / 2)
    let = Fix(f"let them overlap by {2e3 * share:.3g} mm (margin {-share:.2g} each)", (
        SetField("geom_margin", -share, tuple(geoms)),
    ))  # fmt: skip
    return (let, *(_solref(model, geoms, times * soft_time(model)) for times in (5, 20)))


# ---- the model as a whole


def shorter(model: Model, parts: int) -> Fix:
    """A part of the timestep."""
    step = float(f"{float(model.opt.timestep) / parts:.3g}")
    return Fix(f"timestep / {parts}: {1e3 * step:.3g} ms", (SetField("opt.timestep", step),))


def shorter_steps(model: Model) -> tuple[Fix, ...]:
    """Parts of the timestep, and the usual one if that is far longer."""
    parts = tuple(shorter(model, count) for count in (2, 5, 10))
    if float(model.opt.timestep) <= 2 * USUAL_STEP:
        return parts
    return (Fix(f"the usual timestep: {1e3 * USUAL_STEP:g} ms", (SetField("opt.timestep", USUAL_STEP),)), *parts)


def integrators(model: Model) -> tuple[Fix, ...]:
    """An integrator that takes damping implicitly, unless it has one."""
    explicit = int(model.opt.integrator) in (INT_EULER, INT_RK4)
    return (Fix("integrator implicitfast", (SetField("opt.integrator", INT_IMPLICITFAST),)),) if explicit else ()


def discrete(model: Model) -> tuple[Fix, ...]:
    """The integrator that takes stiffness implicitly too, unless it has it; MuJoCo before 3.13 has none."""
    name, _, version = str(model.engine.ENGINE).partition(" ")
    old = name == "MuJoCo" and tuple(int(part) for part in version.split(".")[:2]) < (3, 13)
    if old or int(model.opt.integrator) == INT_DISCRETE:
        return ()
    return (Fix("integrator discrete", (SetField("opt.integrator", INT_DISCRETE),)),)


def earth_gravity(model: Model) -> tuple[Fix, ...]:
    """Gravity as on the Earth, in the same direction."""
    gravity = np.asarray(model.opt.gravity)
    down = gravity * EARTH / np.linalg.norm(gravity)
    return (Fix(f"gravity {EARTH} m/s²", tuple(
        SetField("opt.gravity", float(value), (axis,)) for axis, value in enumerate(down)
    )),)  # fmt: skip


def generic(model: Model) -> tuple[Fix, ...]:
    """Fixes that help many models, whatever the cause."""
    found = [*integrators(model), *shorter_steps(model)]
    if model.ngeom:
        every = tuple(range(int(model.ngeom)))
        edits: list[SetField | SetFlag] = [set_numbers("geom_solref", every, (soft_time(model), 1.0))]
        edits += [edit for fix in _refsafe(model) for edit in fix.edits]
        if model.npair:
            edits.append(set_numbers("pair_solref", range(int(model.npair)), (soft_time(model), 1.0)))
        found.append(Fix(f"soften all contacts: solref {soft_time(model):.2g} 1", tuple(edits)))
    dofs = [dof for dof in range(int(model.nv)) if not _free(model, dof)]
    if dofs:
        typical = float(np.median(np.asarray(model.dof_M0)[dofs]))
        found.append(_all_armature(model, dofs, typical))
    few = int(model.opt.iterations) < SOLVER_ITERATIONS or int(model.opt.ls_iterations) < LS_ITERATIONS
    if few:
        found.append(Fix(f"solver iterations {SOLVER_ITERATIONS}", (
            SetField("opt.iterations", max(SOLVER_ITERATIONS, int(model.opt.iterations))),
            SetField("opt.ls_iterations", max(LS_ITERATIONS, int(model.opt.ls_iterations))),
        )))  # fmt: skip
    return tuple(found)


def _all_armature(model: Model, dofs: list[int], typical: float) -> Fix:
    """An armature for the joints that have little inertia."""
    value = rounded(0.1 * typical) if typical > 0 else 10.0 ** round(log10(1e-3))
    little = tuple(dof for dof in dofs if model.dof_armature[dof] < value)
    edit = SetField("dof_armature", value, little or tuple(dofs))
    return Fix(f"armature of at least {value:.2g} in all joints", (edit,))
