"""What a step leaves behind in both engines: how many random models leave the same, and how many of MuJoCo's own do.

    python -m tests.soak.left_behind [--count 200] [--start 0]

MuJoCo walks, and the other engine steps from each of its states. After 0, 1, 10 and 40 steps every field that the next
step leaves behind is compared; beside it MuJoCo with velocities moved by 1e-12. Contacts are discontinuous and solvers
stop early, so the share that this leaves the same is all that can be asked for. `--seed N` tells all of one seed.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter

import mujoco
import numpy as np

from sim import Data, step
from tests import oracle
from tests.soak.random_models import Maker
from tests.soak.random_scenes import EXPLODED, Values, disturb, errors, fields, ours, put, theirs, unexplained

COMPARED = (0, 1, 10, 40)  # steps before the one that is compared
TOLERANCE = 1e-7  # of a field, over its largest value
LEAST = 1e-3  # of what counts as a field's largest value
NUDGE = 1e-12  # of velocities
SHARES = ("same", "MuJoCo moved the same", "ours alone differs", "however MuJoCo is moved")


def stepped(mj: mujoco.MjModel, before: mujoco.MjData, nudge: np.ndarray) -> mujoco.MjData:
    """What a step of MuJoCo makes of a state."""
    after = mujoco.MjData(mj)
    mujoco.mj_copyData(after, mj, before)
    after.qvel += nudge
    mujoco.mj_step(mj, after)
    return after


def different(values: Values, wanted: Values) -> dict[str, float]:
    """Fields that differ, in the order in which stages make them."""
    largest = {name: np.abs(value).max(initial=0) for name, value in wanted.items()}
    return {
        name: error
        for name, error in errors(values, wanted).items()
        if error * max(largest[name], 1e-8) > TOLERANCE * max(largest[name], LEAST)
    }


def model_text(seed: int) -> str:
    """The model of a seed, without what MuJoCo 4.0.0 is known to do wrong.

    Contacts where the side of a cylinder meets an edge (#3748); rays of cameras, which miss geoms without contacts.
    """
    return re.sub("<rangefinder camera[^>]*>", "", Maker(seed, cylinders_touch=False).model())


class Outcome:
    """What was found of one model."""

    def __init__(self) -> None:
        self.own: dict[str, float] = {}  # what ours leaves otherwise
        self.moved = False  # whether MuJoCo, moved, leaves otherwise
        self.alone: dict[str, float] = {}  # where MuJoCo, moved, leaves the same
        self.real: dict[str, float] = {}  # where it does so however it is moved
        self.at = 0

    @property
    def shares(self) -> tuple[bool, ...]:
        """In which of SHARES it counts."""
        return not self.own, not self.moved, bool(self.alone), bool(self.real)


def examine(mj: mujoco.MjModel, seed: int) -> Outcome:
    """Walk through the states of a model."""
    found = Outcome()
    # the Hessian of sparse rows is wrong in MuJoCo 4.0.0 (#3767); an island is what rows of the same layout connect
    if seed % 2 == 0 or mj.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON:
        mj.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    m = oracle.model_of(mj)
    rng = np.random.default_rng(seed)
    dj, d = mujoco.MjData(mj), Data(m)
    if seed % 2:
        mujoco.mj_resetDataKeyframe(mj, dj, 0)
    dj.qvel[:] = 0.3 * rng.normal(size=mj.nv)
    for k in range(COMPARED[-1] + 1):
        disturb(mj, dj, rng)
        put(dj, d)
        step(m, d)
        after = stepped(mj, dj, np.zeros(mj.nv))
        warned = [w.number for k, w in enumerate(after.warning) if k != mujoco.mjtWarning.mjWARN_INERTIA]
        if any(warned) or not np.abs(after.qvel).max(initial=0) < EXPLODED:
            break
        if k in COMPARED:
            names = fields(mj, after)
            wanted = theirs(mj, after, names)
            off = different(ours(m, d, names), wanted)
            awake = np.asarray(dj.tree_asleep)[mj.dof_treeid] < 0 if mj.nv else np.zeros(0)
            moved = different(theirs(mj, stepped(mj, dj, NUDGE * awake * rng.normal(size=mj.nv)), names), wanted)
            found.moved = found.moved or bool(moved)
            if off and not found.own:
                found.own = off
            if off and not moved and not found.real:
                found.alone, found.at = found.alone or off, k
                found.real = unexplained(mj, dj, mujoco.mj_step, wanted, off)
        dj = after
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    mujoco.set_mju_user_warning(lambda message: None)
    total: Counter[tuple[str, str]] = Counter()
    classes: Counter[tuple[str, str]] = Counter()
    first, count = (options.start, options.count) if options.seed is None else (options.seed, 1)
    for seed in range(first, first + count):
        text = model_text(seed)
        try:
            mj = mujoco.MjModel.from_xml_string(text)
            mj.opt.ccd_tolerance, mj.opt.ccd_iterations = 1e-10, 200
            found = examine(mj, seed)
        except (ValueError, mujoco.FatalError):
            continue
        integrator = mujoco.mjtIntegrator(mj.opt.integrator).name.removeprefix("mjINT_")
        for which in ("all", integrator):
            total[which, "models"] += 1
            for what, holds in zip(SHARES, found.shares, strict=True):
                total[which, what] += holds
        if found.alone:
            kept = found.real or found.alone
            kind = "" if found.real else "(rounding) "
            classes[integrator, kind + next(iter(kept))] += 1
            shown = " ".join(f"{name} {error:.1e}" for name, error in list(kept.items())[:9])
            print(f"seed {seed} {integrator} after {found.at} steps {kind}{shown}", flush=True)
    for which in sorted({which for which, _ in total}):
        n = total[which, "models"]
        shares = ", ".join(f"{what} {100 * total[which, what] / n:.1f} %" for what in SHARES)
        print(f"{which:13} {n:4} models: {shares}")
    for (integrator, name), n in classes.most_common():
        print(f"{n:5} {integrator} {name}")


if __name__ == "__main__":
    main()
