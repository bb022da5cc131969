"""mju_*: vectors and dense matrices, in numpy; what MuJoCo writes into its first argument is written there."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.enums import MINVAL
from sim.mujoco.binding import bound, returning, writing


def _square(matrix: np.ndarray, diagonal: np.ndarray | None) -> Any:
    return matrix.T @ matrix if diagonal is None else matrix.T @ (diagonal[:, None] * matrix)


def normalize(vec: np.ndarray) -> float:
    """Make a vector a unit vector; the first axis if it is too short. Returns its length before."""
    length = float(np.linalg.norm(vec))
    if length < MINVAL:
        vec[...] = 0.0
        vec[0] = 1.0
    else:
        vec *= 1.0 / length
    return length


writing(
    {
        "mju_zero res:outn": (lambda: 0.0, "res = 0"),
        "mju_zero3 res:out3": (lambda: 0.0, "res = 0"),
        "mju_zero4 res:out4": (lambda: 0.0, "res = 0"),
        "mju_unit4 res:out4": (lambda: (1.0, 0.0, 0.0, 0.0), "res = (1, 0, 0, 0)"),
        "mju_fill res:outn val:float": (lambda val: val, "res = val"),
        "mju_copy res:outn vec:inn": (lambda vec: vec, "res = vec"),
        "mju_copy3 res:out3 data:in3": (lambda data: data, "res = data"),
        "mju_copy4 res:out4 data:in4": (lambda data: data, "res = data"),
        "mju_n2d res:outn vec:inn": (lambda vec: vec, "res = vec"),
        "mju_d2n res:outn vec:inn": (lambda vec: vec, "res = vec"),
        "mju_f2n res:outn vec:infn": (lambda vec: vec, "res = vec, from float32"),
        "mju_n2f res:outfn vec:inn": (lambda vec: vec, "res = vec, to float32"),
        "mju_add res:outn vec1:inn vec2:inn": (np.add, "res = vec1 + vec2"),
        "mju_add3 res:out3 vec1:in3 vec2:in3": (np.add, "res = vec1 + vec2"),
        "mju_sub res:outn vec1:inn vec2:inn": (np.subtract, "res = vec1 - vec2"),
        "mju_sub3 res:out3 vec1:in3 vec2:in3": (np.subtract, "res = vec1 - vec2"),
        "mju_scl res:outn vec:inn scl:float": (np.multiply, "res = vec * scl"),
        "mju_scl3 res:out3 vec:in3 scl:float": (np.multiply, "res = vec * scl"),
        "mju_addScl res:outn vec1:inn vec2:inn scl:float": (lambda a, b, s: a + b * s, "res = vec1 + vec2*scl"),
        "mju_addScl3 res:out3 vec1:in3 vec2:in3 scl:float": (lambda a, b, s: a + b * s, "res = vec1 + vec2*scl"),
        "mju_cross res:out3 a:in3 b:in3": (np.cross, "res = a x b"),
        "mju_transpose res:outc,r mat:inr,c": (np.transpose, "res = mat'"),
        "mju_symmetrize res:outn,n mat:inn,n": (lambda a: 0.5 * (a + a.T), "res = (mat + mat') / 2"),
        "mju_mulMatVec res:outr mat:inr,c vec:inc": (np.dot, "res = mat * vec"),
        "mju_mulMatTVec res:outc mat:inr,c vec:inr": (lambda a, v: a.T @ v, "res = mat' * vec"),
        "mju_mulMatVec3 res:out3 mat:in9 vec:in3": (lambda a, v: a.reshape(3, 3) @ v, "res = mat * vec"),
        "mju_mulMatTVec3 res:out3 mat:in9 vec:in3": (lambda a, v: a.reshape(3, 3).T @ v, "res = mat' * vec"),
        "mju_mulMatMat res:outr,c mat1:inr,k mat2:ink,c": (np.dot, "res = mat1 * mat2"),
        "mju_mulMatMatT res:outr,c mat1:inr,k mat2:inc,k": (lambda a, b: a @ b.T, "res = mat1 * mat2'"),
        "mju_mulMatTMat res:outr,c mat1:ink,r mat2:ink,c": (lambda a, b: a.T @ b, "res = mat1' * mat2"),
        "mju_sqrMatTD res:outc,c mat:inr,c diag:in?r": (_square, "res = mat' * diag * mat; without diag, mat' * mat"),
    }
)
writing(
    {
        "mju_addTo res:outn vec:inn": (np.add, "res = res + vec"),
        "mju_addTo3 res:out3 vec:in3": (np.add, "res = res + vec"),
        "mju_subFrom res:outn vec:inn": (np.subtract, "res = res - vec"),
        "mju_subFrom3 res:out3 vec:in3": (np.subtract, "res = res - vec"),
        "mju_addToScl res:outn vec:inn scl:float": (lambda a, b, s: a + b * s, "res = res + vec*scl"),
        "mju_addToScl3 res:out3 vec:in3 scl:float": (lambda a, b, s: a + b * s, "res = res + vec*scl"),
        "mju_insertionSort list:outn": (np.sort, "Sort a list in increasing order."),
        "mju_insertionSortInt list:outin": (np.sort, "Sort a list in increasing order."),
        "mju_eye mat:outn,n": (lambda mat: np.eye(len(mat)), "mat = the identity"),
    },
    whole=True,
)
returning(
    {
        "mju_sum vec:inn -> float": (np.sum, "The sum of the elements of a vector."),
        "mju_L1 vec:inn -> float": (lambda vec: np.abs(vec).sum(), "The sum of absolute values."),
        "mju_norm res:inn -> float": (np.linalg.norm, "The length of a vector."),
        "mju_norm3 vec:in3 -> float": (np.linalg.norm, "The length of a vector."),
        "mju_dot vec1:inn vec2:inn -> float": (np.dot, "The dot product."),
        "mju_dot3 vec1:in3 vec2:in3 -> float": (np.dot, "The dot product."),
        "mju_dist3 pos1:in3 pos2:in3 -> float": (
            lambda a, b: float(np.linalg.norm(a - b)),
            "The distance between two points.",
        ),
        "mju_mulVecMatVec vec1:inn mat:inn,n vec2:inn -> float": (lambda a, m, b: a @ m @ b, "vec1' * mat * vec2"),
        "mju_isZero vec:inn -> int": (lambda vec: not vec.any(), "Whether all elements are 0."),
        "mju_normalize res:outn -> float": (normalize, "Normalize a vector; returns its previous length."),
        "mju_normalize3 vec:out3 -> float": (normalize, "Normalize a vector; returns its previous length."),
    }
)


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
