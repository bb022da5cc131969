"""Doctor: what a second of simulation shows: a model that diverges at once, a solver that stops too early."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10

import numpy as np

import sim
from app.instruments.doctor.finding import Finding, Fix, Severity
from app.instruments.doctor.short_run import ShortRun, short_run
from app.instruments.doctor.subject import Subject
from app.instruments.doctor.trial import examine_explosion
from app.model.selection import Selection
from app.run.commands import SetField
from sim import Data, Model
from sim.enums import SOL_NEWTON, SOL_PGS

# error of the constraint forces, as a share of the largest; healthy models have up to 3e-4
COARSE, USELESS = 0.02, 0.5
# iterations that suffice for nearly everything, by solver; and the tolerance
ENOUGH, SMALL = {SOL_NEWTON: 100, SOL_PGS: 400}, 1e-8
TIGHT_FACTOR = 10
CALLBACKS = ("control", "passive", "act_dyn", "act_gain", "act_bias", "sensor", "contactfilter")


def check_run(subject: Subject) -> Iterator[Finding]:
    """Simulate a second, and examine it."""
    # a script's callbacks are for its own run
    if not subject.moving or any(getattr(sim.callbacks, name) is not None for name in CALLBACKS):
        return
    run = short_run(subject.model)
    if run.diverged:
        yield _diverges(subject, run)
    yield from _solver(subject, run)


def _diverges(subject: Subject, run: ShortRun) -> Finding:
    m = subject.model
    timestep = float(m.opt.timestep)
    joint = int(m.dof_jntid[run.dof]) if run.dof >= 0 else -1
    where = f" in {subject.name('key', run.key)}" if run.key >= 0 else ""
    why, fixes = "The other findings here are often the cause.", _shorter(timestep)
    found = examine_explosion(m, run.start(m), 2 * run.seconds)
    if found is not None and found.findings:
        culprit = found.findings[0]
        why, fixes = f"The likeliest culprit: {culprit.title}.", (*culprit.fixes, *fixes)
    return Finding(
        "diverges",
        Severity.ERROR,
        Selection("joint", joint) if joint >= 0 else Selection("option", 0),
        f"the simulation diverges {run.seconds:.3g} s after its start{where}, at "
        f"{subject.name('joint', joint) if joint >= 0 else 'an unknown place'}",
        f"One second was simulated without any control. {why}",
        # any other finding is the reason
        -1.0,
        fixes,
        attribute="" if joint >= 0 else "timestep",
    )


def _shorter(timestep: float) -> tuple[Fix, ...]:
    return (Fix(f"shorten the timestep to {timestep / 4:.3g} s", (SetField("opt.timestep", timestep / 4),)),)


def _solver(subject: Subject, run: ShortRun) -> Iterator[Finding]:
    """Forces of the solver as it is set, against those of one that iterates until nothing changes."""
    worst, rows, iterations, errors = 0.0, 0, 0, []
    exact = subject.model.copy()
    exact.opt.iterations, exact.opt.tolerance = 2000, 0.0
    exact.opt.ls_iterations = max(int(exact.opt.ls_iterations), 50)
    for data in run.moments:
        error, used = _error(subject.model, exact, data)
        errors += [error] if data.nefc else []
        if error > worst:
            worst, rows, iterations = error, int(data.nefc), used
    options = subject.model.opt
    short, loose = iterations >= int(options.iterations), float(options.tolerance) > SMALL * TIGHT_FACTOR
    # where neither is the limit, more of them would not help
    if worst < COARSE or not (short or loose):
        return
    enough = ENOUGH.get(int(options.solver), 200)
    attribute = "iterations" if short else "tolerance"
    budget = (
        f"{int(options.iterations)} iterations" if attribute == "iterations" else f"tolerance {options.tolerance:g}"
    )
    # the first steps are far off, then the warm start does the rest: files for MJX count on it, with one iteration
    usual = float(np.median(errors[len(errors) // 2 :]))
    more = SetField("opt.iterations", float(max(enough, int(options.iterations))))
    yield Finding(
        "solver-budget",
        Severity.ERROR if usual > USELESS else Severity.WARNING,
        Selection("option", 0),
        f"the constraint forces are wrong by {_percent(worst)}: {budget} is too little for {rows} constraint rows",
        "The solver stopped before it converged. Resting bodies creep or sink, contacts that should stick slip.",
        min(log10(worst / COARSE), 3.0),
        (
            Fix(
                f"allow {max(enough, int(options.iterations))} iterations, tolerance {SMALL:g}",
                (SetField(more.path, more.value, also=(SetField("opt.tolerance", SMALL),)),),
            ),
        ),
        attribute=attribute,
    )


def _percent(share: float) -> str:
    return f"{share:.0%}" if share < 10 else "more than 1000%"


def _error(model: Model, exact: Model, moment: Data) -> tuple[float, int]:
    """How wrong the constraint forces are at a moment, as a share of the largest, and the iterations used."""
    ours, right = moment.copy(), moment.copy()
    model.engine.forward(model, ours)
    model.engine.forward(exact, right)
    largest = float(np.abs(right.qfrc_constraint).max(initial=0.0))
    # forces far below the weight do not matter
    least = 1e-3 * float(np.abs(ours.qfrc_bias).max(initial=0.0))
    error = float(np.abs(ours.qfrc_constraint - right.qfrc_constraint).max(initial=0.0)) / max(largest, least, 1e-12)
    return error, int(np.max(ours.solver_niter, initial=0))
