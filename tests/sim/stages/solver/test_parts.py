"""The parts of the solvers: factors and their changes, the line search, the generator of random orders."""

import numpy as np
import pytest

from sim.math import dense
from sim.stages.solver import pgs
from sim.stages.solver.hessian import make_hessian, update_hessian
from sim.stages.solver.line_search import line_search
from sim.stages.solver.newton import newton
from sim.stages.solver.sparse_hessian import make_sparse, solve_sparse, update_sparse
from tests.sim.stages.solver import rows
from tests.sim.stages.solver.test_solve import dense_inertia, dense_rows, moving


def spd(n, rng):
    a = rng.normal(size=(n, n))
    return a @ a.T + np.eye(n)


@pytest.mark.parametrize("n", [1, 2, 5, 8, 13])
def test_dense_factor(n):
    rng = np.random.default_rng(n)
    a = spd(n, rng)
    u = a.flatten()
    assert dense.chol_factor(u, n) == n
    upper = np.triu(u.reshape(n, n))
    assert np.allclose(upper.T @ upper, a)
    x = rng.normal(size=n)
    b = x.copy()
    dense.chol_solve(x, u, n)
    assert np.allclose(a @ x, b)
    # rank-one changes, up and back down
    v = rng.normal(size=n)
    assert dense.chol_update(u, v.copy(), n, 1.0) == n
    upper = np.triu(u.reshape(n, n))
    assert np.allclose(upper.T @ upper, a + np.outer(v, v))
    assert dense.chol_update(u, v.copy(), n, -1.0) == n
    upper = np.triu(u.reshape(n, n))
    assert np.allclose(upper.T @ upper, a)


def test_dense_factor_without_full_rank():
    u = np.diag([1.0, 0.0, 2.0]).flatten()
    assert dense.chol_factor(u, 3) == 2
    assert np.isfinite(u).all()


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("jacobian", [0, 1], ids=["dense", "sparse"])
@pytest.mark.parametrize(("scene", "steps"), [("zoo", 300), ("pile12", 0), ("rolling", 300)])
def test_hessian(cone, jacobian, scene, steps):
    """Newton's step solves M + Jᵀ D J + cones, made from numbers that are not the solver's own."""
    mj, dj, m, d = moving(scene, steps, cone=cone, jacobian=jacobian, iterations=1)
    rows.solve(m, d)
    jac = dense_rows(mj, dj)
    h = dense_inertia(mj, dj)
    r = 0
    while r < d.nefc:
        if d.block.state[r] == 4:
            contact = d.efc_id[r]
            dim = d.contact.dim[contact]
            h += jac[r : r + dim].T @ d.contact.H[contact, : dim * dim].reshape(dim, dim) @ jac[r : r + dim]
            r += dim
        else:
            h += (d.block.state[r] == 1) * d.efc_D[r] * np.outer(jac[r], jac[r])
            r += 1
    if not cone:
        assert 4 not in d.block.state
    assert np.allclose(h @ d.block.step, d.block.grad, rtol=1e-6, atol=1e-8 * np.abs(d.block.grad).max() + 1e-9)


@pytest.mark.parametrize("jacobian", [0, 1], ids=["dense", "sparse"])
def test_changes_of_the_factor(jacobian):
    """Rows that come and go change the factor to what it would be if made anew."""
    _, _, m, d = moving("pile12", 0, jacobian=jacobian)
    rows.solve(m, d)
    make, change = (make_sparse, update_sparse) if jacobian else (make_hessian, update_hessian)
    rng = np.random.default_rng(0)
    make(m, d)
    for _ in range(5):
        d.block.old_state = d.block.state
        for r in rng.choice(d.nefc, 3, replace=False):
            d.block.state[r] = 1 - d.block.state[r]
        change(m, d, 0)
        changed = d.factor.L.copy()
        assert d.factor.nupdate == 3
        make(m, d)
        n = d.block.nv
        if jacobian:
            # the upper halves of diagonal blocks are of no use: compare what is solved
            d.block.grad = rng.normal(size=n)
            solve_sparse(m, d)
            anew = d.block.step.copy()
            d.factor.L = changed
            solve_sparse(m, d)
            assert np.allclose(d.block.step, anew, rtol=1e-6, atol=1e-9)
        else:
            ours, anew = (np.triu(x.reshape(n, n)) for x in (changed, d.factor.L))
            assert np.allclose(ours, anew, rtol=1e-6, atol=1e-8 * anew.max())


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("seed", range(3))
def test_line_search_finds_the_minimum(cone, seed):
    """Cost at the end is what it says, and no higher than beside it."""
    mj, dj, m, d = moving("zoo", 300, cone=cone, iterations=2)
    rows.solve(m, d)
    rng = np.random.default_rng(seed)
    inertia = dense_inertia(mj, dj)
    d.block.search = np.linalg.solve(inertia, rng.normal(size=m.nv))
    d.block.search *= -np.sign(d.block.search @ d.block.grad)
    alpha = line_search(m, d)
    assert alpha > 0

    def cost(a):
        acc = d.block.acc + a * d.block.search
        off = acc - d.qacc_smooth
        jar = d.block.jar + a * d.block.jv
        total = 0.5 * off @ inertia @ off
        r = 0
        while r < d.nefc:
            x = jar[r]
            if r < d.ne:
                total += 0.5 * d.efc_D[r] * x * x
            elif r < d.ne + d.nf:
                f = d.efc_frictionloss[r]
                bound = f * d.efc_R[r]
                total += 0.5 * d.efc_D[r] * x * x if abs(x) < bound else f * (abs(x) - 0.5 * bound)
            elif d.efc_type[r] == 7:
                contact = d.efc_id[r]
                dim, mu = d.contact.dim[contact], d.contact.mu[contact]
                u = jar[r : r + dim] * np.r_[mu, d.contact.friction[contact, : dim - 1]]
                normal, tangent = u[0], np.linalg.norm(u[1:])
                if mu * normal + tangent <= 0:
                    total += 0.5 * d.efc_D[r : r + dim] @ jar[r : r + dim] ** 2
                elif normal < mu * tangent:
                    total += 0.5 * d.efc_D[r] / (mu**2 * (1 + mu**2)) * (normal - mu * tangent) ** 2
                r += dim - 1
            else:
                total += 0.5 * d.efc_D[r] * min(x, 0) ** 2
            r += 1
        return total

    assert cost(0) - cost(alpha) == pytest.approx(d.line.gain, rel=1e-6, abs=1e-9 * abs(cost(0)))
    for beside in (0.99, 1.01):
        assert cost(alpha) <= cost(beside * alpha) + 1e-12 * abs(cost(0))


def test_random_order_is_that_of_pcg():
    """The generator in two halves, against 64-bit arithmetic."""
    state, high, low = 0, 0, 0
    for _ in range(100):
        assert (high << 32 | low) == state
        mixed = ((state >> 18) ^ state) >> 27 & 0xFFFFFFFF
        turn = state >> 59
        assert pgs.random_bits(high, low) == (mixed >> turn | mixed << (-turn & 31)) & 0xFFFFFFFF
        state = (state * 6364136223846793005 + 1) % 2**64
        high, low = pgs.next_state(high, low)


def test_no_iterations_leave_the_start():
    _, _, m, d = moving("zoo", 300, iterations=0)
    rows.solve(m, d)
    assert d.solver_niter[0] == 0
    assert np.isfinite(d.qacc).all()
    assert newton.when(m)
