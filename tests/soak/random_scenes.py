"""Random models in both engines: from each state of MuJoCo's, every field and the next state have to agree.

    python -m tests.soak.random_scenes [--count 200] [--start 0] [--speculative 0.2]

Models are compiled by both and compared, then MuJoCo walks, and at every step both engines start from its state, so
that errors do not add up. On the way there are pushes, resets and edits of the Model; halves of steps, several steps,
skipped stages and the inverse are tried as well. Contacts are discontinuous and solvers stop early, so a difference
counts only if it is larger than what MuJoCo itself makes of the same state, moved by 1e-13, with rows in either layout.
MuJoCo 4.0.0 finds contacts with wrong normals where the side of a cylinder meets an edge (#3748): in models of even
seeds cylinders touch nothing, those of odd seeds have one contact per pair. `--seed N` prints the model of one seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import mujoco
import numpy as np

import sim
from sim.attributes import DISABLE_FLAGS
from sim.enums import (
    DSBL_MULTICCD,
    DSBL_NATIVECCD,
    ENBL_ENERGY,
    ENBL_INVDISCRETE,
    ENBL_SLEEP,
    ENBL_SPECULATIVE,
    INT_RK4,
    STAGE_POS,
)
from sim.fields import DATA_LAYOUT
from tests import oracle
from tests.sim.mjcf.compare import ABSENT, NOT_COMPARED
from tests.sim.mjcf.compare import fields as model_fields
from tests.sim.stages.constraint.rows import dense, our_dense
from tests.soak.random_models import Maker
from tests.soak.random_words import ON

STEPS, EVERY = 120, 10  # of a walk; how often all fields are compared
TOLERANCE = 1e-9  # of a field, over its largest value
NUDGE, NUDGES = 1e-13, 300
SLACK = 100.0  # times what a nudge does to MuJoCo
LAYOUTS = (mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE)
EXPLODED = 1e3  # speed at which there is nothing left to compare

STATE = (*oracle.STATE, "history", "eq_active", "plastic", "qacc")
NEXT = ("time", "qpos", "qvel", "act", "history", "plastic", "ctrl", "qacc_warmstart")
KICK = 20.0  # of velocities, in models that look for contacts ahead
# memory, how a solver went about it, and what only a step makes
OWN = ("nJ", "nY", "efc_J", "solver", "moment_", "actuator_moment", "qH", "qDeriv", "qLU", "warning", "flg_", "efc_b")
OWN += ("contact.H", "qfrc_inverse", "efc_state", "island_", "map_", "contact.efc_address")
# flag -> fields that are up to date while it is set
WHILE = {
    "nefc": ("tendon_efcadr",),
    "nisland": ("tree_island", "dof_island", "efc_island"),
    "flg_rnepost": ("cacc", "cfrc_int", "cfrc_ext"),
    "flg_subtreevel": ("subtree_linvel", "subtree_angmom"),
}
Values = dict[str, np.ndarray]


def fields(mj: mujoco.MjModel, dj: mujoco.MjData) -> list[str]:
    """Fields that both engines have, in the order in which stages make them."""
    own = OWN if mj.opt.enableflags & ENBL_ENERGY else (*OWN, "energy")
    names = []
    for name in DATA_LAYOUT.places:
        if not name.startswith(own):
            try:
                oracle.read(dj, name)
            except AttributeError:
                continue
            names.append(name)
    return names


def theirs(mj: mujoco.MjModel, dj: mujoco.MjData, names: Iterable[str]) -> Values:
    """MuJoCo's fields, the rows as a matrix; without those of which it says that they are of an earlier state."""
    stale = [name for flag, group in WHILE.items() if not getattr(dj, flag) for name in group]
    found = {name: np.array(oracle.read(dj, name), float) for name in names if name not in stale}
    if "nefc" in found:
        found["efc_J"] = dense(mj, dj)
    return _without_leftovers(found)


def ours(m: sim.Model, d: sim.Data, names: Iterable[str]) -> Values:
    """The same of ours."""
    found = {name: np.array(d.read(name), float) for name in names}
    if "nefc" in found:
        found["efc_J"] = our_dense(m, d)
    return _without_leftovers(found)


def _without_leftovers(found: Values) -> Values:
    """Paths of tendons as far as they go: behind them is what was left when mocap bodies were still elsewhere."""
    if "wrap_xpos" in found and found["ten_wrapnum"].size:
        end = int((found["ten_wrapadr"] + found["ten_wrapnum"]).max())
        found["wrap_obj"] = found["wrap_obj"].reshape(-1)[:end]
        found["wrap_xpos"] = found["wrap_xpos"].reshape(-1, 3)[:end]
    return found


def errors(a: Values, b: Values) -> dict[str, float]:
    """Field -> how far it is off; one that is not there is as far off as can be."""
    return {name: oracle.error(a[name], b[name]) if name in a else np.inf for name in b}


def nudged(mj: mujoco.MjModel, dj: mujoco.MjData, seed: int) -> mujoco.MjData:
    """A copy of a state, all of it that is awake moved by next to nothing."""
    rng = np.random.default_rng(seed)
    moved = mujoco.MjData(mj)
    mujoco.mj_copyData(moved, mj, dj)
    awake = np.asarray(dj.tree_asleep)[mj.dof_treeid] < 0 if mj.nv else np.zeros(0)
    mujoco.mj_integratePos(mj, moved.qpos, NUDGE * awake * rng.normal(size=mj.nv), 1.0)
    moved.qvel += NUDGE * awake * rng.normal(size=mj.nv)
    moved.act += NUDGE * rng.normal(size=mj.na)
    moved.mocap_pos += NUDGE * rng.normal(size=moved.mocap_pos.shape)
    moved.mocap_quat += NUDGE * rng.normal(size=moved.mocap_quat.shape)
    return moved


Act = Callable[[mujoco.MjModel, mujoco.MjData], None]


def unexplained(
    mj: mujoco.MjModel, before: mujoco.MjData, act: Act, result: Values, off: dict[str, float]
) -> dict[str, float]:
    """Of the errors, those that are larger than what MuJoCo's own results move by if the state does.

    How long a solver goes on, for example, may hang on rounding in one of fifty cases only.
    """
    layout = mj.opt.jacobian
    for seed in range(NUDGES):
        mj.opt.jacobian = LAYOUTS[seed % 2]
        moved = nudged(mj, before, seed)
        act(mj, moved)
        moves = errors(theirs(mj, moved, [name for name in result if name != "efc_J"]), result)
        off = {name: error for name, error in off.items() if error > SLACK * moves.get(name, np.inf)}
        if not off:
            break
    mj.opt.jacobian = layout
    return off


def put(dj: mujoco.MjData, d: sim.Data) -> None:
    """MuJoCo's state, also as that in which trees have fallen asleep."""
    oracle.copy_fields(dj, d, STATE)
    d.write("sleep.qpos", dj.qpos)


def unlike(
    mj: mujoco.MjModel, before: mujoco.MjData, act: Act, names: list[str], m: sim.Model, d: sim.Data, own: Callable
) -> dict[str, float]:
    """Field -> how far it is off after both engines have done the same, where rounding does not explain it."""
    after = mujoco.MjData(mj)
    mujoco.mj_copyData(after, mj, before)
    act(mj, after)
    if any(warning.number for warning in after.warning):
        # it has exploded and started over, from where nothing tells how far rounding would have gone
        return {}
    put(before, d)
    own(m, d)
    result = theirs(mj, after, names)
    off = {name: e for name, e in errors(ours(m, d, names), result).items() if e > TOLERANCE}
    return unexplained(mj, before, act, result, off) if off else {}


def compiled(text: str, mj: mujoco.MjModel) -> list[str]:
    """Fields of the two Models that differ, but for those whose order hangs on ties: trees of boxes, hulls."""
    m = sim.loads(text)
    wrong = []
    for name, value in model_fields(mj):
        if name in NOT_COMPARED or name.startswith((*ABSENT, "bvh_", "mesh_graph", "mesh_extrema", "text_data")):
            continue
        near = np.allclose(m.read(name), value, rtol=0, atol=1e-13)
        if not near and (error := oracle.error(m.read(name), value)) > TOLERANCE:
            wrong.append(f"{name}: {error:.1e}")
    return wrong


def disturb(mj: mujoco.MjModel, dj: mujoco.MjData, rng: np.random.Generator) -> None:
    """What a user does between steps: other controls, now and then a push, an equality switched, a puppet moved."""
    dj.ctrl[:] = 0.9 * dj.ctrl + 0.1 * rng.normal(size=mj.nu)
    dj.mocap_pos += 0.002 * rng.normal(size=dj.mocap_pos.shape)
    dj.mocap_quat += 0.002 * rng.normal(size=dj.mocap_quat.shape)
    if rng.random() < 0.2:
        dj.xfrc_applied[1:] = rng.normal(size=(mj.nbody - 1, 6)) * (rng.random((mj.nbody - 1, 1)) < 0.2)
        dj.qfrc_applied[:] = 0.1 * rng.normal(size=mj.nv) * (rng.random(mj.nv) < 0.2)
    if mj.opt.enableflags & ENBL_SPECULATIVE and rng.random() < 0.1:
        dj.qvel += KICK * rng.normal(size=mj.nv) * (rng.random(mj.nv) < 0.2)
    if rng.random() < 0.1:
        dj.eq_active[:] = rng.random(mj.neq) < 0.8


def in_turn(*acts: Callable) -> Callable:
    """One after the other."""

    def act(m: Any, d: Any) -> None:
        for one in acts:
            one(m, d)

    return act


def slow_down(m: Any, d: Any) -> None:
    d.qvel *= 0.5


def change_inputs(m: Any, d: Any) -> None:
    """Another acceleration is asked for, at other controls than those of the last forward."""
    d.qacc *= 0.9
    d.ctrl *= 0.8


# what a user may do with a state: in MuJoCo, here, and what to look at then; nothing means every field
USES: dict[str, tuple[Callable, Callable, tuple[str, ...]]] = {
    "step": (mujoco.mj_step, sim.step, NEXT),
    "forward": (mujoco.mj_forward, sim.forward, ()),
    "left": (mujoco.mj_step, sim.step, ()),
    "halves": (in_turn(mujoco.mj_step1, mujoco.mj_step2), in_turn(sim.step1, sim.step2), NEXT),
    "steps": (partial(mujoco.mj_step, nstep=4), partial(sim.step, nstep=4), NEXT),
    "inverse": (
        in_turn(mujoco.mj_forward, change_inputs, mujoco.mj_inverse),
        in_turn(sim.forward, change_inputs, sim.inverse),
        ("qfrc_inverse", "qfrc_constraint", "efc_force"),
    ),
    "keyframe": (
        partial(mujoco.mj_resetDataKeyframe, key=0),
        partial(sim.reset, key=0),
        (*STATE, "tree_asleep", "body_awake", "nefc", "ncon"),
    ),
    "velocities": (
        in_turn(mujoco.mj_forward, slow_down, partial(mujoco.mj_forwardSkip, skipstage=STAGE_POS, skipsensor=0)),
        in_turn(sim.forward, slow_down, partial(sim.forward, skip=STAGE_POS)),
        (),
    ),
}
RARE = ("left", "halves", "steps", "inverse", "keyframe", "velocities")


def switched(flags: int, rng: np.random.Generator) -> int:
    bit = 1 << int(rng.integers(len(DISABLE_FLAGS)))
    return flags if bit & (DSBL_NATIVECCD | DSBL_MULTICCD) else flags ^ bit


def scaled(values: Any, rng: np.random.Generator) -> Any:
    return values * rng.uniform(0.5, 1.5, np.shape(values))


# fields of Model that a user changes while it runs, and how
EDITS: dict[str, Callable[[Any, np.random.Generator], Any]] = {
    "opt.solver": lambda _, rng: rng.integers(3),
    "opt.cone": lambda _, rng: rng.integers(2),
    "opt.integrator": lambda _, rng: rng.integers(4),
    "opt.disableflags": switched,
    "opt.disableactuator": lambda _, rng: rng.integers(8),
    "opt.noslip_iterations": lambda _, rng: rng.integers(4),
    "opt.gravity": lambda _, rng: rng.normal(size=3),
    "opt.timestep": scaled,
    "opt.impratio": scaled,
    "opt.viscosity": lambda _, rng: rng.uniform(0, 0.1),
    "opt.density": lambda _, rng: rng.uniform(0, 100),
    "opt.wind": lambda _, rng: rng.normal(size=3),
    "dof_damping": lambda old, rng: rng.uniform(0, 0.3, old.shape),
    "dof_frictionloss": lambda old, rng: rng.uniform(0, 0.1, old.shape),
    "dof_armature": lambda old, rng: rng.uniform(0, 0.1, old.shape),
    "jnt_stiffness": lambda old, rng: rng.uniform(0, 3, old.shape),
    "geom_friction": scaled,
    "geom_solref": scaled,
    # its broad phase goes on with margins of bodies as they were, so that larger ones come too late there
    "geom_margin": lambda old, rng: old * rng.uniform(0, 1, old.shape),
    "eq_solref": scaled,
    "tendon_stiffness": lambda old, rng: rng.uniform(0, 3, old.shape),
    "tendon_damping": lambda old, rng: rng.uniform(0, 0.3, old.shape),
    "tendon_frictionloss": lambda old, rng: rng.uniform(0, 0.1, old.shape),
    "actuator_gainprm": scaled,
    "actuator_biasprm": scaled,
}


def edit(mj: mujoco.MjModel, m: sim.Model, rng: np.random.Generator) -> str:
    """Change both models alike; what was changed."""
    name = str(rng.choice(list(EDITS)))
    value = EDITS[name](m.read(name), rng)
    m.write(name, value)
    *group, field = name.split(".")
    struct = oracle.read(mj, group[0]) if group else mj
    if np.ndim(value):
        getattr(struct, field)[...] = value
    else:
        setattr(struct, field, value)
    # nothing sleeps with RK4, but MuJoCo counts the steps; and it has no discrete inverse
    if m.opt.integrator == INT_RK4:
        mj.opt.enableflags = m.opt.enableflags = m.opt.enableflags & ~(ENBL_SLEEP | ENBL_INVDISCRETE)
    return name


def uses(k: int, rng: np.random.Generator) -> Iterator[str]:
    """What is tried after k steps, the next step last."""
    if k % EVERY == 0:
        yield "forward"
    if rng.random() < 1 / EVERY:
        yield str(rng.choice(RARE))
    yield "step"


def refused(text: str, why: str) -> str:
    """What is wrong about a model that MuJoCo does not compile: nothing, if it is not compiled here either."""
    if "Y_rownnz" in why:
        return ""  # an error of its own: it miscounts the rows of some tendons
    try:
        sim.loads(text)
    except sim.MjcfError:
        return ""
    return f"compiled, which MuJoCo does not: {why}"


def walk(mj: mujoco.MjModel, m: sim.Model, rng: np.random.Generator, steps: int) -> str:
    """What differs on a walk of MuJoCo's, or ""."""
    dj, d = mujoco.MjData(mj), sim.Data(m)
    if rng.random() < 0.5:
        mujoco.mj_resetDataKeyframe(mj, dj, 0)
    edited = []
    for k in range(steps):
        disturb(mj, dj, rng)
        if rng.random() < 0.1 / EVERY:
            mujoco.mj_resetDataKeyframe(mj, dj, 0)
            sim.reset(m, d, key=0)
        if rng.random() < 0.5 / EVERY:
            edited.append(edit(mj, m, rng))
        for use in uses(k, rng):
            act, own, what = USES[use]
            # who sleeps is told from step to step
            data = d if use == "step" else d.copy()
            if different := unlike(mj, dj, act, list(what) or fields(mj, dj), m, data, own):
                return f"after {k} steps and edits of {edited}, {use}: {different}"
        mujoco.mj_step(mj, dj)
        if any(w.number for w in dj.warning) or not np.abs(dj.qvel).max(initial=0) < EXPLODED:
            return ""
    return ""


def model_text(seed: int) -> str:
    """The model of a seed."""
    return Maker(seed, cylinders_touch=seed % 2 == 1).model()


def compare(seed: int, steps: int = STEPS) -> str:
    """What differs, or ""."""
    text = model_text(seed)
    try:
        mj = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return refused(text, str(error))
    if wrong := compiled(text, mj):
        return f"compiled: {wrong}"
    if seed % 2:
        mj.opt.disableflags |= DSBL_MULTICCD
    # at the default tolerance the search for a normal may end a step earlier or later, 1e-4 apart between ellipsoids
    mj.opt.ccd_tolerance, mj.opt.ccd_iterations = 1e-10, 200
    m = oracle.model_of(mj)
    # the Hessian of sparse rows is wrong in MuJoCo 4.0.0 (#3767)
    mj.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    try:
        return walk(mj, m, np.random.default_rng(seed), steps)
    except mujoco.FatalError:
        return ""  # errors of its own: it miscounts the rows of some tendons, or finds no factor of a matrix


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int, help="print the model of one seed")
    parser.add_argument("--speculative", type=float, default=0.0, help="share of models that look for contacts ahead")
    options = parser.parse_args()
    ON["speculative"] = options.speculative
    if options.seed is not None:
        print(model_text(options.seed))
        return 0
    mujoco.set_mju_user_warning(lambda message: None)
    failures = 0
    for seed in range(options.start, options.start + options.count):
        if wrong := compare(seed):
            failures += 1
            print(f"seed {seed} {wrong}", flush=True)
    print(f"{failures} of {options.count} models differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
