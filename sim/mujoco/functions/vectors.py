"""mju_*: vectors and dense matrices, in numpy; what MuJoCo writes into its first argument is written there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.enums import MINVAL
from sim.mujoco.binding import bound


def _write(compute: Callable[..., Any]) -> Callable[..., None]:
    """A function that writes what `compute` returns of the arguments after the first into the first."""

    def write(res: np.ndarray, *args: Any) -> None:
        res[...] = compute(*args)

    return write


def _update(compute: Callable[..., Any]) -> Callable[..., None]:
    """A function that writes what `compute` returns of all arguments into the first."""

    def write(res: np.ndarray, *args: Any) -> None:
        res[...] = compute(res, *args)

    return write


def _square(matrix: np.ndarray, diagonal: np.ndarray | None) -> Any:
    return matrix.T @ matrix if diagonal is None else matrix.T @ (diagonal[:, None] * matrix)


# name -> (parameters, how it writes, what it computes, docstring)
WRITERS: dict[str, tuple[str, Any, Any, str]] = {
    "mju_zero": ("res:outn", _write, lambda: 0.0, "res = 0"),
    "mju_zero3": ("res:out3", _write, lambda: 0.0, "res = 0"),
    "mju_zero4": ("res:out4", _write, lambda: 0.0, "res = 0"),
    "mju_unit4": ("res:out4", _write, lambda: (1.0, 0.0, 0.0, 0.0), "res = (1, 0, 0, 0)"),
    "mju_fill": ("res:outn val:float", _write, lambda val: val, "res = val"),
    "mju_copy": ("res:outn vec:inn", _write, lambda vec: vec, "res = vec"),
    "mju_copy3": ("res:out3 data:in3", _write, lambda data: data, "res = data"),
    "mju_copy4": ("res:out4 data:in4", _write, lambda data: data, "res = data"),
    "mju_n2d": ("res:outn vec:inn", _write, lambda vec: vec, "res = vec"),
    "mju_d2n": ("res:outn vec:inn", _write, lambda vec: vec, "res = vec"),
    "mju_f2n": ("res:outn vec:infn", _write, lambda vec: vec, "res = vec, from float32"),
    "mju_n2f": ("res:outfn vec:inn", _write, lambda vec: vec, "res = vec, to float32"),
    "mju_add": ("res:outn vec1:inn vec2:inn", _write, np.add, "res = vec1 + vec2"),
    "mju_add3": ("res:out3 vec1:in3 vec2:in3", _write, np.add, "res = vec1 + vec2"),
    "mju_sub": ("res:outn vec1:inn vec2:inn", _write, np.subtract, "res = vec1 - vec2"),
    "mju_sub3": ("res:out3 vec1:in3 vec2:in3", _write, np.subtract, "res = vec1 - vec2"),
    "mju_scl": ("res:outn vec:inn scl:float", _write, np.multiply, "res = vec * scl"),
    "mju_scl3": ("res:out3 vec:in3 scl:float", _write, np.multiply, "res = vec * scl"),
    "mju_addScl": ("res:outn vec1:inn vec2:inn scl:float", _write, lambda a, b, s: a + b * s, "res = vec1 + vec2*scl"),
    "mju_addScl3": ("res:out3 vec1:in3 vec2:in3 scl:float", _write, lambda a, b, s: a + b * s, "res = vec1 + vec2*scl"),
    "mju_addTo": ("res:outn vec:inn", _update, np.add, "res = res + vec"),
    "mju_addTo3": ("res:out3 vec:in3", _update, np.add, "res = res + vec"),
    "mju_subFrom": ("res:outn vec:inn", _update, np.subtract, "res = res - vec"),
    "mju_subFrom3": ("res:out3 vec:in3", _update, np.subtract, "res = res - vec"),
    "mju_addToScl": ("res:outn vec:inn scl:float", _update, lambda a, b, s: a + b * s, "res = res + vec*scl"),
    "mju_addToScl3": ("res:out3 vec:in3 scl:float", _update, lambda a, b, s: a + b * s, "res = res + vec*scl"),
    "mju_cross": ("res:out3 a:in3 b:in3", _write, np.cross, "res = a x b"),
    "mju_transpose": ("res:outc,r mat:inr,c", _write, np.transpose, "res = mat'"),
    "mju_symmetrize": ("res:outn,n mat:inn,n", _write, lambda a: 0.5 * (a + a.T), "res = (mat + mat') / 2"),
    "mju_mulMatVec": ("res:outr mat:inr,c vec:inc", _write, np.dot, "res = mat * vec"),
    "mju_mulMatTVec": ("res:outc mat:inr,c vec:inr", _write, lambda a, v: a.T @ v, "res = mat' * vec"),
    "mju_mulMatVec3": ("res:out3 mat:in9 vec:in3", _write, lambda a, v: a.reshape(3, 3) @ v, "res = mat * vec"),
    "mju_mulMatTVec3": ("res:out3 mat:in9 vec:in3", _write, lambda a, v: a.reshape(3, 3).T @ v, "res = mat' * vec"),
    "mju_mulMatMat": ("res:outr,c mat1:inr,k mat2:ink,c", _write, np.dot, "res = mat1 * mat2"),
    "mju_mulMatMatT": ("res:outr,c mat1:inr,k mat2:inc,k", _write, lambda a, b: a @ b.T, "res = mat1 * mat2'"),
    "mju_mulMatTMat": ("res:outr,c mat1:ink,r mat2:ink,c", _write, lambda a, b: a.T @ b, "res = mat1' * mat2"),
    "mju_sqrMatTD": (
        "res:outc,c mat:inr,c diag:in?r",
        _write,
        _square,
        "res = mat' * diag * mat; without diag, mat' * mat",
    ),
    "mju_insertionSort": ("list:outn", _update, np.sort, "Sort a list in increasing order."),
    "mju_insertionSortInt": ("list:outin", _update, np.sort, "Sort a list in increasing order."),
}

# name -> (parameters, what it returns, docstring)
NUMBERS: dict[str, tuple[str, Callable[..., Any], str]] = {
    "mju_sum": ("vec:inn", np.sum, "The sum of a vector."),
    "mju_L1": ("vec:inn", lambda vec: np.abs(vec).sum(), "The sum of absolute values."),
    "mju_norm": ("res:inn", np.linalg.norm, "The length of a vector."),
    "mju_norm3": ("vec:in3", np.linalg.norm, "The length of a vector."),
    "mju_dot": ("vec1:inn vec2:inn", np.dot, "The dot product."),
    "mju_dot3": ("vec1:in3 vec2:in3", np.dot, "The dot product."),
    "mju_dist3": ("pos1:in3 pos2:in3", lambda a, b: float(np.linalg.norm(a - b)), "The distance of two points."),
    "mju_mulVecMatVec": ("vec1:inn mat:inn,n vec2:inn", lambda a, m, b: a @ m @ b, "vec1' * mat * vec2"),
}


def _declare() -> None:
    for name, (words, way, compute, doc) in WRITERS.items():
        function = way(compute)
        function.__doc__ = doc
        bound(words, name=name)(function)
    for name, (words, compute, doc) in NUMBERS.items():

        def number(*args: Any, compute: Any = compute) -> float:
            return float(compute(*args))

        number.__doc__ = doc
        bound(words, "float", name=name)(number)


_declare()


@bound("mat:outn,n")
def mju_eye(mat: np.ndarray) -> None:
    """mat = the identity"""
    mat[...] = np.eye(len(mat))


@bound("vec:inn", "int")
def mju_isZero(vec: np.ndarray) -> int:
    """Whether all elements are 0."""
    return int(not vec.any())


def normalize(vec: np.ndarray) -> float:
    """Make a vector a unit vector; the first axis if it is too short. Returns its length before."""
    length = float(np.linalg.norm(vec))
    if length < MINVAL:
        vec[...] = 0.0
        vec[0] = 1.0
    else:
        vec *= 1.0 / length
    return length


@bound("res:outn", "float")
def mju_normalize(res: np.ndarray) -> float:
    """Make a vector a unit vector; returns its length before."""
    return normalize(res)


@bound("vec:out3", "float")
def mju_normalize3(vec: np.ndarray) -> float:
    """Make a vector a unit vector; returns its length before."""
    return normalize(vec)


@bound("vec:out4", "float")
def mju_normalize4(vec: np.ndarray) -> float:
    """Make a quaternion a unit quaternion; returns its length before."""
    length = float(np.linalg.norm(vec))
    if length < MINVAL or abs(length - 1.0) > MINVAL:
        normalize(vec)
    return length


@bound("res:out6 vec:in6 flg_force:int newpos:in3 oldpos:in3 rotnew2old:in?9")
def mju_transformSpatial(res: Any, vec: Any, flg_force: int, newpos: Any, oldpos: Any, rotnew2old: Any) -> None:
    """Move a spatial vector, rotation first, to another point, and into other axes: of a force, or of a motion."""
    offset = newpos - oldpos
    rotation, translation = vec[:3].copy(), vec[3:].copy()
    if flg_force:
        rotation -= np.cross(offset, translation)
    else:
        translation -= np.cross(offset, rotation)
    if rotnew2old is not None:
        axes = rotnew2old.reshape(3, 3)
        rotation, translation = axes.T @ rotation, axes.T @ translation
    res[:3], res[3:] = rotation, translation
