"""How far forces by source are from what the engine computed: shared by the tests and by tests/soak/forces.py."""

from __future__ import annotations

import numpy as np

import sim
from sim.analysis.force_shares import body_shares, joint_shares, solve_tree, tree_dofs
from sim.analysis.force_sources import ForceSources, force_sources
from sim.enums import DSBL_GRAVITY

# kinds of sources whose sum is qfrc_constraint, and those that are neither in it nor in qfrc_smooth
CONSTRAINTS = ("equality", "joint limit", "tendon limit", "joint friction", "tendon friction")
REMAINDERS = ("residual", "implicit integration")
FLOOR, LOWEST = 1e-4, 1e-6


def all_shares(m: sim.Model, d: sim.Data, found: ForceSources) -> np.ndarray:
    """Shares in the accelerations of all dofs: one row per source, one column per dof; they sum to qacc."""
    out = np.zeros((len(found.sources), m.nv))
    for tree in np.flatnonzero(d.tree_awake):
        block = tree_dofs(m, int(tree))
        out[:, block] = solve_tree(m, d, block, found.projected(block))
    return out


def relative(m: sim.Model, expected: np.ndarray, terms: np.ndarray, beside: np.ndarray | None = None) -> float:
    """The largest error of the sum of terms, in units of the largest term of its dof, `beside` these or among them.

    Where all terms of a dof are nothing but rounding, in units of FLOOR times the largest term of its tree, or of
    LOWEST times the largest of all.
    """
    beside = np.abs(terms) if beside is None else beside
    largest = np.maximum(beside.max(axis=0, initial=0.0), np.abs(expected))
    of_tree = np.zeros(m.ntree)
    np.maximum.at(of_tree, m.dof_treeid, largest)
    scale = np.maximum(largest, FLOOR * of_tree[m.dof_treeid])
    scale = np.maximum(scale, LOWEST * beside.max(initial=0.0))
    difference = np.abs(terms.sum(axis=0) - expected)
    return float((difference[difference > 0.0] / scale[difference > 0.0]).max(initial=0.0))


def errors(m: sim.Model, d: sim.Data, most: int = 8, seed: int = 0) -> dict[str, float]:
    """Errors of the sums at a moment, relative to the largest term of the dof; of at most so many joints and bodies."""
    found = force_sources(m, d)
    awake = np.asarray(d.tree_awake, bool)[m.dof_treeid] if m.nv else np.zeros(0, bool)
    acceleration = all_shares(m, d, found)
    smooth = np.array([s.kind not in (*CONSTRAINTS, *REMAINDERS, "contact") for s in found.sources], bool)
    constraint = np.array([s.kind in (*CONSTRAINTS, "contact") for s in found.sources], bool)
    # adhesion is shown as part of its contact, and is a passive force
    adhesion = np.where(awake, d.qfrc_adhesion, 0.0)
    forces = {
        "smooth": (smooth, np.where(awake, d.qfrc_smooth, 0.0) - adhesion),
        "constraint": (constraint, np.where(awake, d.qfrc_constraint, 0.0) + adhesion),
    }
    result = {"qacc": relative(m, found.qacc, acceleration)}
    width = d.efc_J_rownnz[: d.nefc]
    parts = np.abs(d.efc_J[: width.sum()] * np.repeat(d.efc_force[: d.nefc], width))
    # the parts of a contact may be large, and cancel
    beside = np.vstack((np.abs(found.qfrc), np.bincount(d.efc_J_colind[: width.sum()], parts, m.nv)))
    for name, (rows, expected) in forces.items():
        result[name] = relative(m, expected, found.qfrc[rows], beside)
    rng = np.random.default_rng(seed)
    joints, bodies = (rng.permutation(np.arange(first, end))[:most] for first, end in ((0, m.njnt), (1, m.nbody)))
    result["joint"] = max((_joint_error(m, d, found, acceleration, int(j)) for j in joints), default=0.0)
    result["body"] = max((_body_error(m, d, found, int(b)) for b in bodies), default=0.0)
    return result


def _joint_error(m: sim.Model, d: sim.Data, found: ForceSources, acceleration: np.ndarray, joint: int) -> float:
    """A joint's shares, against the columns of all of them."""
    shares = joint_shares(m, d, found, joint)
    dofs = np.flatnonzero(m.dof_jntid == joint)
    if shares.asleep:
        return 0.0
    rows = [found.sources.index(s) for s in shares.sources]
    expected = acceleration[rows][:, dofs]
    tree = np.flatnonzero(m.dof_treeid == m.dof_treeid[dofs[0]])
    scale = max(np.abs(expected).max(initial=0.0), FLOOR * np.abs(acceleration[:, tree]).max(initial=0.0))
    return float(np.abs(shares.acceleration - expected).max(initial=0.0) / (scale or 1.0))


def _body_error(m: sim.Model, d: sim.Data, found: ForceSources, body: int) -> float:
    """A body's shares, against mj_objectAcceleration, which measures gravity too."""
    shares = body_shares(m, d, found, body)
    if shares.asleep:
        return 0.0
    measured = np.roll(sim.object_acceleration(m, d, "body", body), 3)
    if not m.opt.disableflags & DSBL_GRAVITY:
        measured[:3] += m.opt.gravity
    largest = np.abs(np.vstack((shares.acceleration, measured)))
    linear, angular = (float(part.max(initial=0.0)) for part in (largest[:, :3], largest[:, 3:]))
    # gravity is in what is measured, and subtracted from it
    linear = max(linear, FLOOR * float(np.linalg.norm(m.opt.gravity)))
    scale = np.repeat([max(linear, FLOOR * angular), max(angular, FLOOR * linear)], 3)
    difference = np.abs(shares.acceleration.sum(axis=0) - measured)
    return float((difference[difference > 0.0] / scale[difference > 0.0]).max(initial=0.0))
