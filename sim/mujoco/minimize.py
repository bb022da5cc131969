"""`mujoco.minimize`: nonlinear least squares within bounds, by Gauss-Newton steps with a Levenberg-Marquardt damping.

For a residual r(x) with Jacobian J and a norm n, the model of n(r(x + s)) is g's + s'(H + mu)s/2, where g = J'n' and
H = J'n''J. Its minimum within the bounds is the step; one that does not lower the objective raises mu and is repeated.
The ratio of the actual to the expected reduction decides what mu is next: after good steps in a row it falls ever
faster, to 0 below `mu_min`; after a bad one it rises by one factor.

In scaled variables z = x / D, with `x_scale`, the damping is mu / D².
"""

from __future__ import annotations

import abc
import enum
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

import numpy as np

from sim.mujoco.box_qp import box_qp

Residual = Callable[[np.ndarray], np.ndarray]
Jacobian = Callable[[np.ndarray, np.ndarray], np.ndarray]

EPS = np.finfo(np.float64).eps ** 0.5
# ratios of reductions above which a step is good, and below which it is bad
GOOD, BAD = 0.7, 0.25
# derivatives agree with differences if their relative difference is below this
TOLERANCE = 2e-4
SYMMETRY = 1e-8


class Verbosity(enum.IntEnum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search has ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclass
class IterLog:
    """One iteration: the point that it starts from, and the step; the second half only with Verbosity.FULLITER."""

    candidate: np.ndarray
    objective: float
    reduction: float
    regularizer: float
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """What measures a residual: its value, and its derivatives projected by a Jacobian."""

    @abc.abstractmethod
    def value(self, r: np.ndarray) -> Any:
        """The norm of a column."""

    @abc.abstractmethod
    def grad_hess(self, r: np.ndarray, proj: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(proj' n', proj' n'' proj)"""


class Quadratic(Norm):
    """r'r / 2"""

    def value(self, r: np.ndarray) -> Any:
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r: np.ndarray, proj: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return proj.T @ r, proj.T @ proj


# ---------------------------------------------------------------- differences


def jacobian_fd(
    residual: Residual, x: np.ndarray, r: np.ndarray, eps: Any, n_res: int, bounds: Sequence[np.ndarray] | None = None
) -> tuple[np.ndarray, int]:
    """(J, number of evaluations) by differences, into the half of the bounds that has more room."""
    moved = x + eps
    if bounds is not None:
        low, high = bounds
        up, down = high - x, x - low
        moved = np.where(up >= down, x + np.minimum(eps, up), x - np.minimum(eps, down))
        # a step that is lost in rounding is the smallest that is not
        moved = np.where(moved == x, np.nextafter(x, np.where(up >= down, high, low)), moved)
        moved = np.clip(moved, low, high)
    points = np.tile(x, (1, x.size))
    np.fill_diagonal(points, moved.ravel())
    jac = (residual(points) - r) / (moved - x).T
    return jac, n_res + x.size


def _compare(found: np.ndarray, differences: np.ndarray, name: str, output: TextIO | None) -> None:
    """Raise ValueError unless a derivative agrees with differences."""
    for whose, matrix in (("User-provided", found), ("Finite-difference", differences)):
        if not np.isfinite(matrix).all():
            raise ValueError(f"{whose} {name} must contain only finite values.")
    scale = max(1.0, float(np.abs(differences).max(initial=0.0)))
    if np.shape(found) != np.shape(differences) or np.abs(found - differences).max(initial=0.0) > TOLERANCE * scale:
        raise ValueError(f"User-provided {name} does not match finite-differences")
    if output is not None:
        print(f"User-provided {name} matches finite-differences.", file=output)


def check_jacobian(
    residual: Residual,
    x: np.ndarray,
    r: np.ndarray,
    jac: np.ndarray,
    eps: Any,
    n_res: int,
    bounds: Sequence[np.ndarray] | None = None,
    output: TextIO | None = None,
    name: str = "Jacobian",
) -> int:
    """Raise ValueError unless a Jacobian agrees with differences; returns the number of evaluations."""
    differences, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    _compare(jac, differences, name, output)
    return n_res


def check_norm(r: np.ndarray, norm: Norm, eps: Any, output: TextIO | None = None) -> None:
    """Raise ValueError unless the derivatives of a norm agree with differences, and its Hessian is one."""
    identity = np.eye(r.size)
    grad, hess = norm.grad_hess(r, identity)
    if not np.isfinite(hess).all():
        raise ValueError("User-provided norm Hessian must contain only finite values.")
    if np.abs(hess - hess.T).max(initial=0.0) > SYMMETRY * max(1.0, float(np.abs(hess).max(initial=0.0))):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    if np.linalg.eigvalsh(hess).min(initial=0.0) < -SYMMETRY * max(1.0, float(np.abs(hess).max(initial=0.0))):
        raise ValueError("User-provided norm Hessian is not positive definite.")

    def values(points: np.ndarray) -> np.ndarray:
        return np.array([[float(norm.value(point[:, None])) for point in points.T]])

    def gradients(points: np.ndarray) -> np.ndarray:
        return np.hstack([norm.grad_hess(point[:, None], identity)[0] for point in points.T])

    check_jacobian(values, r, values(r), grad.T, eps, 0, None, output, "norm gradient")
    check_jacobian(gradients, r, grad, hess, eps, 0, None, output, "norm Hessian")


# ---------------------------------------------------------------- search


class _Damping:
    """mu, and how it changes."""

    def __init__(self, least: float, most: float, factor: float) -> None:
        self.mu, self.least, self.most, self.factor, self.run = 0.0, least, most, factor, 0

    def rise(self) -> bool:
        """More damping; False if there is no more."""
        self.run = 0
        self.mu = max(self.least, self.mu * self.factor)
        return self.mu <= self.most

    def fall(self) -> None:
        """Less damping, ever faster while this is called in a row."""
        self.mu *= self.factor ** -(2**self.run)
        self.run = min(self.run + 1, 30)
        if self.mu < self.least:
            self.mu = 0.0

    def follow(self, ratio: float) -> None:
        """The damping after a step with this ratio of reductions."""
        if ratio > GOOD:
            self.fall()
        elif ratio < BAD:
            self.rise()


class _Point:
    """A point, and what is known there."""

    def __init__(self, x: np.ndarray, r: np.ndarray, objective: float) -> None:
        self.x, self.r, self.objective = x, r, objective
        self.jac = self.grad = self.hess = np.zeros((0, 0))


class _Step:
    """A step from a point: where it leads, and the reductions that the model expects and that there are."""

    def __init__(self, point: _Point, to: _Point) -> None:
        self.to, self.dx = to, to.x - point.x
        model = point.grad.T @ self.dx + 0.5 * self.dx.T @ point.hess @ self.dx
        self.expected = -float(model.item())
        self.reduction = point.objective - to.objective

    @property
    def ratio(self) -> float:
        return self.reduction / self.expected if self.expected > 0 else 0.0


class _Search:
    """One call of `least_squares`."""

    def __init__(self, residual: Residual, jacobian: Jacobian | None, norm: Norm, eps: float, bounds: Any) -> None:
        self._residual, self._jacobian, self.norm, self.eps, self.bounds = residual, jacobian, norm, eps, bounds
        self.evaluations, self.seconds = 0, 0.0

    def residual(self, x: np.ndarray) -> np.ndarray:
        began = time.perf_counter()
        r = np.asarray(self._residual(x), np.float64)
        self.seconds += time.perf_counter() - began
        return r

    def at(self, x: np.ndarray) -> _Point:
        """A point with its residual and objective, which may not be finite."""
        r = self.residual(x)
        self.evaluations += 1
        finite = bool(np.isfinite(r).all())
        return _Point(x, r, float(self.norm.value(r)) if finite else np.inf)

    def differentiate(self, point: _Point) -> None:
        """Compute the derivatives at a point."""
        if self._jacobian is None:
            found = jacobian_fd(self.residual, point.x, point.r, self.eps, self.evaluations, self.bounds)
            point.jac, self.evaluations = found
        else:
            point.jac = np.asarray(self._jacobian(point.x, point.r), np.float64)
        point.grad, point.hess = self.norm.grad_hess(point.r, point.jac)
        point.grad = np.reshape(point.grad, (-1, 1))

    def free_gradient(self, point: _Point) -> float:
        """The norm of the gradient, without what pushes out of the bounds."""
        grad = point.grad
        if self.bounds is not None:
            low, high = self.bounds
            held = ((point.x <= low) & (grad > 0)) | ((point.x >= high) & (grad < 0))
            grad = np.where(held, 0.0, grad)
        return float(np.linalg.norm(grad))

    def step(self, point: _Point, damping: _Damping, scale: np.ndarray) -> _Step | Status:
        """The next step that lowers the objective, with as much damping as it needs."""
        solved = False
        while True:
            dx = self._solve(point, damping.mu, scale)
            if dx is not None:
                solved = True
                x = point.x + dx
                if self.bounds is not None:
                    x = np.clip(x, *self.bounds)
                found = _Step(point, self.at(x))
                if found.reduction > 0:
                    return found
            if not damping.rise():
                return Status.NO_IMPROVEMENT if solved else Status.FACTORIZATION_FAILED

    def _solve(self, point: _Point, mu: float, scale: np.ndarray) -> np.ndarray | None:
        """The minimum of the damped model within the bounds; None if there is none."""
        hess = point.hess * scale * scale.T + mu * np.eye(len(scale))
        grad = (point.grad * scale).ravel()
        if self.bounds is not None:
            low, high = ((bound - point.x) / scale for bound in self.bounds)
            solution = box_qp(np.zeros(len(scale)), hess, grad, low.ravel(), high.ravel())
            return None if solution is None else solution.x[:, None] * scale
        try:
            factor = np.linalg.cholesky(hess)
        except np.linalg.LinAlgError:
            return None
        half = np.linalg.solve(factor, -grad)
        return np.linalg.solve(factor.T, half)[:, None] * scale


def least_squares(
    x0: np.ndarray,
    residual: Residual,
    bounds: Sequence[np.ndarray] | None = None,
    jacobian: Jacobian | None = None,
    norm: Norm | None = None,
    eps: float = EPS,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Verbosity | int = Verbosity.ITER,
    output: TextIO | None = None,
    iter_callback: Callable[[list[IterLog]], None] | None = None,
    check_derivatives: bool = False,
    x_scale: float | np.ndarray | str | None = None,
) -> tuple[np.ndarray, list[IterLog]]:
    """(x, trace): the x within bounds at which the norm of the residual is least, from x0 on.

    `residual` takes columns of points and returns columns of residuals; without `jacobian` it is differenced.
    """
    began = time.perf_counter()
    out = sys.stdout if output is None else output
    start = np.array(x0, np.float64).reshape(-1, 1)
    limits = _checked_bounds(bounds, start)
    search = _Search(residual, jacobian, norm or Quadratic(), eps, limits)
    scaling = _checked_scale(x_scale, start)
    point = search.at(start if limits is None else np.clip(start, *limits))
    search.differentiate(point)
    if check_derivatives:
        _check(search, point, jacobian is not None, norm is not None, out if verbose else None)
    damping = _Damping(mu_min, mu_max, mu_factor)
    settings = _Settings(xtol, gtol, max_iter, verbose, out, iter_callback)
    point, trace, status = _iterate(search, point, damping, scaling, settings)
    if verbose >= Verbosity.FINAL:
        _print_end(status, len(trace) - 1, point, search, time.perf_counter() - began, out)
    return point.x.reshape(np.shape(x0)), trace


class _Settings(NamedTuple):
    """When to end, and what to print."""

    xtol: float
    gtol: float
    max_iter: int
    verbose: int
    out: TextIO
    callback: Callable[[list[IterLog]], None] | None


def _iterate(
    search: _Search, point: _Point, damping: _Damping, scaling: np.ndarray | str, settings: _Settings
) -> tuple[_Point, list[IterLog], Status]:
    """(the last point, the trace, why it is the last), from a point with derivatives on."""
    trace: list[IterLog] = []
    full = settings.verbose >= Verbosity.FULLITER
    while True:
        log = IterLog(point.x, point.objective, 0.0, damping.mu)
        trace.append(log)
        if full:
            log.residual, log.jacobian, log.grad = point.r, point.jac, point.grad
        steepness = search.free_gradient(point)
        if steepness == 0.0 and settings.verbose:
            print("Zero gradient norm: exact minimum found?", file=settings.out)
        if steepness < settings.gtol or steepness == 0.0:
            return point, trace, Status.G_TOL
        if len(trace) > settings.max_iter:
            return point, trace, Status.MAX_ITER
        found = search.step(point, damping, _scale(scaling, point))
        if isinstance(found, Status):
            return point, trace, found
        log.reduction, log.regularizer = found.reduction, damping.mu
        log.step = found.dx if full else None
        if settings.verbose >= Verbosity.ITER:
            _print_iteration(len(trace) - 1, log, found, settings.out)
        if settings.callback is not None:
            settings.callback(trace)
        damping.follow(found.ratio)
        before, point = point, found.to
        search.differentiate(point)
        if np.linalg.norm(found.dx) < settings.xtol * (settings.xtol + np.linalg.norm(before.x)):
            last = IterLog(point.x, point.objective, 0.0, damping.mu)
            if full:
                last.residual, last.jacobian, last.grad = point.r, point.jac, point.grad
            return point, [*trace, last], Status.DX_TOL


def _check(search: _Search, point: _Point, jacobian: bool, norm: bool, output: TextIO | None) -> None:
    """Check the derivatives that the user provides."""
    if jacobian:
        found = check_jacobian(search.residual, point.x, point.r, point.jac, search.eps, 0, search.bounds, output)
        search.evaluations += found
    if norm:
        check_norm(point.r, search.norm, search.eps, output)


def _checked_bounds(bounds: Any, x: np.ndarray) -> list[np.ndarray] | None:
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must be a pair: lower and upper.")
    found = []
    for bound in bounds:
        if np.size(bound) != x.size:
            raise ValueError(f"bounds must have {x.size} numbers each, as x0 has.")
        found.append(np.array(bound, np.float64).reshape(-1, 1))
    if not np.isfinite(found).all():
        raise ValueError("bounds must be finite.")
    if not (found[0] < found[1]).all():
        raise ValueError("lower bounds must be below upper bounds.")
    return found


def _checked_scale(scale: Any, x: np.ndarray) -> np.ndarray | str:
    if isinstance(scale, str):
        if scale != "jac":
            raise ValueError(f"x_scale is {scale!r}: the only word is 'jac'.")
        return scale
    values = np.array(1.0 if scale is None else scale, np.float64)
    if values.ndim and values.size != x.size:
        raise ValueError(f"x_scale must be one number, or {x.size}.")
    if not (np.isfinite(values) & (values > 0)).all():
        raise ValueError("x_scale must be positive and finite.")
    return np.broadcast_to(values.reshape(-1, 1), x.shape).copy()


def _scale(scaling: np.ndarray | str, point: _Point) -> np.ndarray:
    """D at a point."""
    if not isinstance(scaling, str):
        return scaling
    lengths = np.linalg.norm(point.jac, axis=0)
    return (1.0 / np.where(lengths > 0, lengths, 1.0))[:, None]


def _print_iteration(iteration: int, log: IterLog, found: _Step, out: TextIO) -> None:
    mu = np.log10(log.regularizer) if log.regularizer > 0 else -np.inf
    print(
        f"iter: {iteration:<4} y: {log.objective:<10.4g} log10mu: {mu:>4.1f}  ratio: {found.ratio:<8.2g} "
        f"dx: {np.linalg.norm(found.dx):<8.2g} reduction: {log.reduction:<7.2g}",
        file=out,
    )


def _print_end(status: Status, n: int, point: _Point, search: _Search, seconds: float, out: TextIO) -> None:
    print(
        f"Terminated after {n} iterations: {MESSAGES[status]} y: {point.objective:<.4g}, "
        f"Residual evals: {search.evaluations}",
        file=out,
    )
    share = 100 * search.seconds / max(seconds, 1e-9)
    print(f"total time {seconds * 1e3:.1f}ms of which residual {share:.1f}%", file=out)
