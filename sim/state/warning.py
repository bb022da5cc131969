"""Warnings, and checks of the state: one that is not finite is reset, as in MuJoCo."""

from sim.enums import DSBL_AUTORESET, MAXVAL, WARN_BADCTRL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL
from sim.jit import helper, kernel
from sim.state.reset import reset_state


@helper
def first_bad(a, first, end):
    """Index of the first number in a range that is not finite or is too large, or -1."""
    # without an early exit this vectorises, and usually there is nothing to find
    n = 0
    for i in range(first, end):
        n += 0 if abs(a[i]) <= MAXVAL else 1
    if n > 0:
        for i in range(first, end):
            if not abs(a[i]) <= MAXVAL:
                return i
    return -1


@helper
def first_bad_dof(d, a):
    """The same for awake dofs."""
    bad = -1
    for s in range(d.span.ndof):
        if bad < 0:
            bad = first_bad(a, d.span.dof[s, 0], d.span.dof[s, 1])
    return bad


@helper
def has_bad_state(d):
    """Whether there was a warning about a bad state or control."""
    number = d.warning.number
    return number[WARN_BADQPOS] + number[WARN_BADQVEL] + number[WARN_BADQACC] + number[WARN_BADCTRL] > 0


@helper
def warn(d, warning, index):
    """Count a warning."""
    d.warning.number[warning] += 1
    d.warning.lastinfo[warning] = index


@helper
def warn_and_reset(m, d, warning, index):
    """Count a warning and, unless autoreset is disabled, reset the state; returns whether it did."""
    autoreset = not (m.opt.disableflags & DSBL_AUTORESET)
    if autoreset:
        reset_state(m, d)
        for k in range(len(d.warning.number)):
            d.warning.number[k] = 0
    warn(d, warning, index)
    return autoreset


@kernel
def check_state(m, d) -> int:
    """(qpos, qvel) -> (warning, and the initial state if they are bad); returns 1 if the state was reset"""
    bad = first_bad(d.qpos, 0, m.nq)
    if bad >= 0:
        return 1 if warn_and_reset(m, d, WARN_BADQPOS, bad) else 0
    bad = first_bad_dof(d, d.qvel)
    if bad < 0:
        return 0
    return 1 if warn_and_reset(m, d, WARN_BADQVEL, bad) else 0


@kernel
def check_acc(m, d) -> int:
    """(qacc) -> (warning, and the initial state if it is bad); returns 1 if the state was reset"""
    bad = first_bad_dof(d, d.qacc)
    if bad < 0:
        return 0
    return 1 if warn_and_reset(m, d, WARN_BADQACC, bad) else 0
