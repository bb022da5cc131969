"""The functions mju_* of sim.mujoco against MuJoCo's, on the same random arguments, made from their parameters.

Vectors, rotations, scalars, matrices and rays; what needs arguments of a kind has a test of its own.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any

import mujoco
import numpy as np
import pytest

from sim import mujoco as ours
from sim.mujoco.binding import SIGNATURES, Parameter, parameter

# functions that random arguments do not suit: they have tests below, or no result to compare
APART = {
    "mju_band2Dense", "mju_bandDiag", "mju_bandMulMatVec", "mju_boxQP", "mju_cholFactor", "mju_cholFactorBand",
    "mju_cholSolve", "mju_cholSolveBand", "mju_cholUpdate", "mju_decodePyramid", "mju_dense2Band", "mju_dense2sparse",
    "mju_eig3", "mju_encodePyramid", "mju_euler2Quat", "mju_getXMLDependencies", "mju_mat2Quat", "mju_mat2Rot",
    "mju_muscleBias", "mju_muscleDynamics", "mju_muscleGain", "mju_printMat", "mju_printMatSparse", "mju_rayGeom",
    "mju_raySkin", "mju_sparse2dense", "mju_standardNormal", "mju_str2Type", "mju_sym2dense", "mju_threadpool",
    "mju_type2Str", "mju_warningText", "mju_writeLog", "mju_writeNumBytes", "mju_Halton", "mjd_quatIntegrate",
    "mjd_inverseFD", "mjd_transitionFD", "mju_isBad", "mju_axisAngle2Quat",
}  # fmt: skip
PLAIN = sorted(name for name in SIGNATURES if name.startswith(("mju_", "mjd_")) and name not in APART)
SIZES = {"n": 5, "r": 4, "c": 3, "k": 2}


def random_argument(what: Parameter, rng: np.random.Generator) -> Any:
    """An argument of a parameter's type and size; quaternions are unit ones."""
    if what.kind in ("int", "float", "bool"):
        return {"int": 1, "float": float(rng.normal()), "bool": True}[what.kind]
    shape = tuple(SIZES[extent] if isinstance(extent, str) else extent for extent in what.shape)
    values = rng.normal(size=shape)
    if shape == (4,) and ("quat" in what.name or what.name in ("qa", "qb")):
        values /= np.linalg.norm(values)
    return (10 * values).astype(what.dtype) if what.dtype.kind == "i" else values.astype(what.dtype)


def same(name: str, args: list[Any], tol: float = 1e-12) -> Any:
    """Call a function of both modules with equal arguments; results, and arguments that it writes, are equal after."""
    mine = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
    theirs = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
    found, expected = getattr(ours, name)(*mine), getattr(mujoco, name)(*theirs)
    assert type(found) is type(expected) or isinstance(expected, (int, float))
    if isinstance(expected, (int, float)):
        np.testing.assert_allclose(found, expected, atol=tol, rtol=tol, err_msg=name)
    else:
        assert found == expected
    for a, b in zip(mine, theirs, strict=True):
        if isinstance(a, np.ndarray):
            np.testing.assert_allclose(a, b, atol=tol, rtol=tol, err_msg=name)
    return found


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("seed", range(5))
def test_plain(name: str, seed: int) -> None:
    """Vectors, matrices, quaternions, poses and numbers."""
    rng = np.random.default_rng(seed)
    same(name, [random_argument(parameter(word), rng) for word in SIGNATURES[name].split()])


@pytest.mark.parametrize("name", [n for n in PLAIN if any(p in SIGNATURES[n] for p in (":out", ":in"))])
def test_sizes_are_checked(name: str) -> None:
    """An array of another size, and an output of another type, are refused as by MuJoCo: with a TypeError."""
    rng = np.random.default_rng(0)
    words = [parameter(word) for word in SIGNATURES[name].split()]
    args = [random_argument(word, rng) for word in words]
    for place, what in enumerate(words):
        if what.kind not in ("in", "out"):
            continue
        wrong = [*args]
        wrong[place] = np.zeros((7, 7, 7))
        with pytest.raises(TypeError):
            getattr(ours, name)(*wrong)
        with pytest.raises(TypeError):
            getattr(mujoco, name)(*wrong)
        if what.kind == "out":
            wrong[place] = np.zeros(np.shape(args[place]), np.complex128)
            with pytest.raises(TypeError):
                getattr(ours, name)(*wrong)


def test_keywords_defaults_and_counts() -> None:
    """Arguments by keyword, defaults, one too many, one too few, an unknown one."""
    res = np.zeros(3)
    ours.mju_rotVecQuat(quat=[1, 0, 0, 0], vec=[1, 2, 3], res=res)
    np.testing.assert_array_equal(res, [1, 2, 3])
    for args, kwargs in (((res,), {}), ((res, [1, 2, 3], [1, 0, 0, 0], 1), {}), ((res, [1, 2, 3]), {"q": 1})):
        with pytest.raises(TypeError):
            ours.mju_rotVecQuat(*args, **kwargs)
    # a column is a vector, a row and a view with gaps are not
    ours.mju_zero(np.ones((3, 1)))
    for wrong in (np.ones((1, 3)), np.ones((3, 3))[:, 0], [1.0, 2.0]):
        with pytest.raises(TypeError):
            ours.mju_zero(wrong)
        with pytest.raises(TypeError):
            mujoco.mju_zero(wrong)


def unit(rng: np.random.Generator) -> np.ndarray:
    quat = rng.normal(size=4)
    return quat / np.linalg.norm(quat)


@pytest.mark.parametrize("seed", range(5))
def test_rotations(seed: int) -> None:
    """Rotation matrices, Euler angles, axis and angle, derivatives of quaternions."""
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    same("mju_axisAngle2Quat", [np.zeros(4), axis / np.linalg.norm(axis), float(rng.normal())])
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, unit(rng))
    same("mju_mat2Quat", [np.zeros(4), mat])
    for seq in ("xyz", "XYZ", "zyx", "ZxY", "XYX"):
        same("mju_euler2Quat", [np.zeros(4), rng.normal(size=3), seq])
    vel = rng.normal(size=3)
    same("mjd_quatIntegrate", [vel, 0.3, np.zeros(9), np.zeros(9), np.zeros(3)], 1e-10)
    # a rotation that is disturbed a little, and its nearest rotation
    near = [unit(rng), mat + 1e-3 * rng.normal(size=9)]
    mine, theirs = near[0].copy(), near[0].copy()
    ours.mju_mat2Rot(mine, near[1])
    mujoco.mju_mat2Rot(theirs, near[1])
    np.testing.assert_allclose(mine * np.sign(mine[0]), theirs * np.sign(theirs[0]), atol=1e-7)
    # derivatives of the difference, also at small angles
    qa = unit(rng)
    for angle in (1e-9, 1e-3, 1.0):
        qb = qa.copy()
        ours.mju_quatIntegrate(qb, vel / np.linalg.norm(vel), angle)
        same("mjd_subQuat", [qa, qb, np.zeros((3, 3)), np.zeros((3, 3))], 1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_eig3(seed: int) -> None:
    """Eigenvalues as MuJoCo's; eigenvectors up to sign, and they reproduce the matrix."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(3, 3))
    a = a @ a.T
    mine, theirs = ([np.zeros(3), np.zeros(9), np.zeros(4)] for _ in range(2))
    ours.mju_eig3(*mine, a.ravel())
    mujoco.mju_eig3(*theirs, a.ravel())
    np.testing.assert_allclose(mine[0], theirs[0], atol=1e-9)
    vectors = mine[1].reshape(3, 3)
    np.testing.assert_allclose(vectors * mine[0] @ vectors.T, a, atol=1e-9)
    np.testing.assert_allclose(np.abs(vectors), np.abs(theirs[1].reshape(3, 3)), atol=1e-6)


@pytest.mark.parametrize("x", [-2.5, -1.0, -0.4, 0.0, 0.3, 0.5, 1.5, 2.5, 1e11, float("nan")])
def test_numbers(x: float) -> None:
    """Rounding, signs and bad numbers at their edges."""
    same("mju_isBad", [x])
    if x == x:
        same("mju_sign", [x])
        same("mju_sigmoid", [x])
        if abs(x) < 1e9:
            same("mju_round", [x])
            same("mju_clip", [x, -0.5, 0.5])


def test_words() -> None:
    """Names of types, numbers of bytes, texts of warnings, the Halton sequence."""
    for number in (*range(-1, 28), 100, 101):
        assert ours.mju_type2Str(number) == mujoco.mju_type2Str(number)
    for word in ("body", "xbody", "key", "frame", "nothing"):
        same("mju_str2Type", [word])
    for number in (0, 1, 1023, 1024, 1500, 2048, 1 << 20, 5 << 30, 1 << 40):
        assert ours.mju_writeNumBytes(number) == mujoco.mju_writeNumBytes(number)
    for warning in range(-1, 9):
        assert ours.mju_warningText(warning, 3) == mujoco.mju_warningText(warning, 3)
    for index in range(10):
        same("mju_Halton", [index, 2])
        same("mju_Halton", [index, 5])
    assert ours.mj_version() == mujoco.mj_version() and ours.mj_versionString() == mujoco.mj_versionString()
    draws = [ours.mju_standardNormal(None) for _ in range(1000)]
    assert abs(np.mean(draws)) < 0.2 and 0.8 < np.std(draws) < 1.2


def test_spring_damper() -> None:
    """Under-damped, critical and over-damped."""
    for kp, kv in ((10.0, 1.0), (4.0, 4.0), (1.0, 5.0)):
        same("mju_springDamper", [0.3, -0.7, kp, kv, 0.4])


@pytest.mark.parametrize("seed", range(5))
def test_muscles_and_pyramids(seed: int) -> None:
    """Muscle curves over their whole range; forces on the edges of a pyramid and back."""
    rng = np.random.default_rng(seed)
    prm = np.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2])
    for length in np.linspace(-0.5, 1.5, 9):
        same("mju_muscleGain", [float(length), float(rng.normal()), np.array([0.1, 0.9]), 2.0, prm])
        same("mju_muscleBias", [float(length), np.array([0.1, 0.9]), 2.0, prm])
    for width in (0.0, 0.3):
        same("mju_muscleDynamics", [float(rng.uniform(-0.2, 1.2)), float(rng.uniform()), np.array([0.01, 0.04, width])])
    mu = rng.uniform(0.1, 1.0, 2)
    force = np.array([3.0, *rng.uniform(-0.1, 0.1, 2)])
    # MuJoCo 4.0.0's binding takes the number of coefficients for that of dimensions and leaves out the last one
    pyramid, back, short = np.zeros(4), np.zeros(3), np.zeros(2)
    ours.mju_encodePyramid(pyramid, force, mu)
    ours.mju_decodePyramid(back, pyramid, mu)
    np.testing.assert_allclose(back, force)
    assert (pyramid >= 0).all()
    one = np.zeros(2)
    ours.mju_encodePyramid(one, force[:2], mu[:1])
    mujoco.mju_encodePyramid(full := np.zeros(4), force, mu)
    np.testing.assert_allclose(one, full[:2])
    with pytest.raises(TypeError):
        ours.mju_encodePyramid(short, force, mu)


def spd(rng: np.random.Generator, n: int) -> np.ndarray:
    a = rng.normal(size=(n, n))
    return a @ a.T + 0.1 * np.eye(n)


@pytest.mark.parametrize("seed", range(5))
def test_factors(seed: int) -> None:
    """Cholesky factors: dense, updated, and of a band with dense rows."""
    rng = np.random.default_rng(seed)
    a, x = spd(rng, 5), rng.normal(size=5)
    mine, theirs = a.copy(), a.copy()
    assert ours.mju_cholFactor(mine, 0.0) == mujoco.mju_cholFactor(theirs, 0.0) == 5
    np.testing.assert_allclose(np.tril(mine), np.tril(theirs), atol=1e-12)
    same("mju_cholSolve", [np.zeros(5), np.tril(theirs), x], 1e-9)
    up = [np.tril(theirs), 0.1 * x, 1]
    left, right = ([np.copy(up[0]), np.copy(up[1])] for _ in range(2))
    assert ours.mju_cholUpdate(*left, 1) == mujoco.mju_cholUpdate(*right, 1)
    np.testing.assert_allclose(left[0], right[0], atol=1e-12)
    n, band, dense = 6, 2, 2
    full = spd(rng, n)
    for i in range(n - dense):
        for j in range(n - dense):
            full[i, j] *= abs(i - j) < band
    full += 5 * np.eye(n)
    size = (n - dense) * band + dense * n
    packed = np.zeros(size)
    same("mju_dense2Band", [packed, full, n, band, dense])
    ours.mju_dense2Band(packed, full, n, band, dense)
    for i in range(n):
        same("mju_bandDiag", [i, n, band, dense])
    for flag in (False, True):
        same("mju_band2Dense", [np.zeros((n, n)), packed, n, band, dense, flag])
        same(
            "mju_bandMulMatVec", [np.zeros(n), packed.reshape(1, -1), rng.normal(size=(n, 1)), n, band, dense, 1, flag]
        )
    same("mju_cholFactorBand", [packed, n, band, dense, 0.1, 0.2], 1e-10)
    ours.mju_cholFactorBand(packed, n, band, dense, 0.0, 0.0)
    same("mju_cholSolveBand", [np.zeros(n), packed, rng.normal(size=n), n, band, dense], 1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_box_qp(seed: int) -> None:
    """The minimum, the free dimensions and the factor are MuJoCo's; without bounds too."""
    rng = np.random.default_rng(seed)
    n = 6
    h, g = spd(rng, n), 3 * rng.normal(size=n)
    for bounds in ((None, None), (-np.ones(n), np.ones(n)), (-0.1 * np.ones(n), None)):
        mine, theirs = ([np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, np.int32)] for _ in range(2))
        free, expected = ours.mju_boxQP(*mine, h, g, *bounds), mujoco.mju_boxQP(*theirs, h, g, *bounds)
        assert free == expected
        np.testing.assert_allclose(mine[0], theirs[0], atol=1e-8)
        np.testing.assert_array_equal(mine[2][:free], theirs[2][:free])
        factors = [np.tril(r.ravel()[: free * free].reshape(free, free)) for r in (mine[1], theirs[1])]
        np.testing.assert_allclose(factors[0], factors[1], atol=1e-8)
    assert ours.mju_boxQP(*mine, -h, g, None, None) == -1


def test_sparse() -> None:
    """To sparse, back to dense, and a symmetric one from its lower triangle."""
    rng = np.random.default_rng(0)
    mat = rng.normal(size=(4, 5)) * (rng.uniform(size=(4, 5)) < 0.5)
    for room in (20, np.count_nonzero(mat) - 1):
        ints = [np.zeros(4, np.int32), np.zeros(4, np.int32), np.zeros(room, np.int32)]
        if room == 20:
            same("mju_dense2sparse", [np.zeros(room), mat, *ints])
        else:
            assert ours.mju_dense2sparse(np.zeros(room), mat, *ints) == 1
    value, nnz = np.zeros(20), [np.zeros(4, np.int32), np.zeros(4, np.int32), np.zeros(20, np.int32)]
    ours.mju_dense2sparse(value, mat, *nnz)
    same("mju_sparse2dense", [np.zeros((4, 5)), value, *nnz])
    lower = np.tril(mat[:, :4])
    ours.mju_dense2sparse(value, lower, *nnz)
    same("mju_sym2dense", [np.zeros((4, 4)), value, *nnz])
    for name, args in (("mju_printMat", [mat]), ("mju_printMatSparse", [value, *nnz])):
        out = io.StringIO()
        with redirect_stdout(out):
            getattr(ours, name)(*args)
        assert f"{lower[0, 0]:.6f}"[:6] in out.getvalue()


def rays(count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(1)
    for _ in range(count):
        point = 2 * rng.normal(size=3)
        yield point, -point + 0.5 * rng.normal(size=3)


@pytest.mark.parametrize("kind", [0, 2, 3, 4, 5, 6])
def test_ray_geom(kind: int) -> None:
    """Distances and normals of rays on each shape, from outside and from inside."""
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, unit(np.random.default_rng(2)))
    hits = 0
    for point, vec in rays(40):
        args = [np.array([0.1, 0.2, 0.3]), mat, np.array([0.5, 0.7, 0.9]), point, vec, kind, np.zeros(3)]
        hits += same("mju_rayGeom", args, 1e-9) >= 0
        same("mju_rayGeom", [*args[:6], None], 1e-9)
    assert hits > 3


def test_ray_skin() -> None:
    """Distances to triangles and the nearest vertex."""
    face = np.array([[0, 1, 2], [1, 3, 2]], np.int32)
    vert = np.array([[-2, -2, 0], [2, -2, 0], [-2, 2, 0.3], [2, 2, 0]], np.float32)
    hits = 0
    for point, vec in rays(40):
        hits += same("mju_raySkin", [2, 4, face, vert, point, vec, np.zeros(1, np.int32)], 1e-6) >= 0
    assert hits > 10


def test_a_unit_quaternion_keeps_its_bits() -> None:
    """Its length is one to rounding, and dividing by that would change the last bit of some."""
    for quat in np.random.default_rng(0).normal(size=(50, 4)):
        unit = quat / np.linalg.norm(quat)
        mine, theirs = unit.copy(), unit.copy()
        assert ours.mju_normalize4(mine) == pytest.approx(mujoco.mju_normalize4(theirs), abs=1e-15)
        assert (mine == unit).all() and (theirs == unit).all()
