"""Matrices of the solver: their entries are those of the engine, and of large ones there is a small picture."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.solver.matrices import H, J, M, Matrix, matrix
from sim.analysis.solver.study import study_step
from tests.sim.analysis.solver.test_walk import prepared


def dense(found: Matrix) -> np.ndarray:
    whole = np.zeros(found.shape)
    whole[found.rows, found.columns] = found.values
    return whole


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_entries_are_those_of_the_engine(jacobian: str) -> None:
    m, d = prepared("Newton", jacobian=jacobian)
    walk = study_step(m, d).walk
    assert walk is not None
    rows, dofs = walk.problem.rows, walk.problem.dofs
    whole = d.efc_J.reshape(d.nefc, m.nv) if jacobian == "dense" else None
    found = matrix(walk, J, 0)
    assert found.shape == (len(rows), len(dofs))
    if whole is not None:
        assert np.array_equal(dense(found), whole[np.ix_(rows, dofs)])
    inertia = sim.full_m(m, d)
    assert dense(matrix(walk, M, 0)) == pytest.approx(inertia[np.ix_(dofs, dofs)], abs=1e-12)


def test_h_is_m_and_the_active_rows() -> None:
    m, d = prepared("Newton", "pyramidal")
    walk = study_step(m, d).walk
    assert walk is not None
    for place in (0, len(walk.iterations) - 1):
        D = np.where(walk.state[place] == 1, walk.problem.D, 0.0)
        rows = dense(matrix(walk, J, place))
        expected = dense(matrix(walk, M, place)) + rows.T @ (D[:, None] * rows)
        assert dense(matrix(walk, H, place)) == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


def test_an_entry_by_row_and_column() -> None:
    m, d = prepared("Newton")
    walk = study_step(m, d).walk
    assert walk is not None
    found = matrix(walk, J, 0)
    whole = dense(found)
    assert all(found.at(r, c) == whole[r, c] for r in range(found.shape[0]) for c in range(found.shape[1]))


def test_the_picture_has_sign_and_magnitude_and_a_bounded_size() -> None:
    found = Matrix(J, (2, 3), np.array([0, 0, 1]), np.array([0, 2, 1]), np.array([100.0, -1e-1, 1e-30]))
    tones, side = found.picture(16)
    assert side == 1 and tones.shape == (2, 3)
    assert tones[0, 0] == 1.0 and tones[0, 2] == pytest.approx(-0.6) and tones[1, 1] == 0.2 and tones[1, 0] == 0.0
    rng = np.random.default_rng(0)
    rows, columns = np.divmod(np.sort(rng.choice(1000 * 500, 4000, replace=False)), 500)
    large = Matrix(J, (1000, 500), rows, columns, rng.normal(size=4000))
    tones, side = large.picture(300)
    assert side == 4 and tones.shape == (250, 125)
    # nothing gets lost
    assert {*zip((rows // 4).tolist(), (columns // 4).tolist(), strict=True)} == {
        *zip(*(part.tolist() for part in np.nonzero(tones)), strict=True)
    }


def test_a_matrix_without_entries() -> None:
    tones, side = Matrix(J, (0, 0), np.zeros(0, int), np.zeros(0, int), np.zeros(0)).picture(8)
    assert tones.shape == (0, 0) and side == 1
