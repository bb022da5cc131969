"""mju_*: numbers, words and muscles."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

import numpy as np

from sim.enums import MAXVAL, MINVAL
from sim.mujoco import constants, warn
from sim.mujoco.binding import bound, returning
from sim.mujoco.logs import TIME, append
from sim.named import NUMBERS
from sim.stages.actuation.muscle import length_curve, passive_curve, safe_divide, sigmoid, velocity_curve

OBJECTS = {**NUMBERS, 2: "xbody", 4: "dof", 9: "flex", 25: "plugin", 100: "frame"}
SUFFIXES = ("", "K", "M", "G", "T", "P", "E")
LOG_FILE = "MUJOCO_LOG.TXT"
_random = np.random.default_rng()


def _round(x: float) -> int:
    return math.floor(x + 0.5) if x >= 0 else math.ceil(x - 0.5)


def _muscle_gain(length: float, vel: float, lengthrange: Any, acc0: float, prm: Any) -> Any:
    normalized, unit = _length(length, lengthrange, prm)
    at_speed = velocity_curve(safe_divide(vel, unit * prm[6]), prm[8])
    return -_peak(prm, acc0) * length_curve(normalized, prm[4], prm[5]) * at_speed


def _muscle_bias(length: float, lengthrange: Any, acc0: float, prm: Any) -> Any:
    normalized, _ = _length(length, lengthrange, prm)
    return -_peak(prm, acc0) * passive_curve(normalized, prm[5], prm[7])


def _peak(prm: np.ndarray, acc0: float) -> float:
    return float(safe_divide(prm[3], acc0) if prm[2] < 0 else prm[2])


def _length(length: float, lengthrange: np.ndarray, prm: np.ndarray) -> tuple[float, float]:
    """The length in units of the resting length, and that length."""
    unit = safe_divide(lengthrange[1] - lengthrange[0], prm[1] - prm[0])
    return float(prm[0] + safe_divide(length - lengthrange[0], unit)), float(unit)


returning({
    "mju_min a:float b:float -> float": (min, "The smaller number."),
    "mju_max a:float b:float -> float": (max, "The larger number."),
    "mju_clip x:float min:float max:float -> float": (
        lambda x, low, high: low if x < low else high if x > high else x, "x, or the nearer end of a range.",
    ),
    "mju_sign x:float -> float": (lambda x: (x > 0) - (x < 0), "1, -1 or 0."),
    "mju_round x:float -> int": (_round, "The nearest integer; halves are rounded away from 0."),
    "mju_sigmoid x:float -> float": (sigmoid, "A quintic polynomial from 0 at 0 to 1 at 1, and constant outside."),
    "mju_isBad x:float -> int": (lambda x: not abs(x) <= MAXVAL, "Whether a number is infinite, NaN or too large."),
    "mju_standardNormal num2:any -> float": (
        lambda num2: _random.standard_normal(),
        "A normally distributed random number. A second one cannot be returned in a float.",
    ),
    "mju_muscleGain len:float vel:float lengthrange:in2 acc0:float prm:in9 -> float": (
        _muscle_gain, "The active force of a muscle at full activation.",
    ),
    "mju_muscleBias len:float lengthrange:in2 acc0:float prm:in9 -> float": (
        _muscle_bias, "The passive force of a muscle.",
    ),
    "mju_type2Str type:int -> str": (OBJECTS.get, "The name of an mjtObj."),
    "mju_str2Type str:str -> int": (
        lambda text: next((number for number, name in OBJECTS.items() if name == text), 0),
        "The mjtObj of a name; 0 if there is none.",
    ),
    "mju_warningText warning:int info:int -> str": (warn.text, "The message of a warning."),
    "mju_writeLog type:str msg:str": (
        lambda kind, text: append(LOG_FILE, f"{datetime.now():{TIME}}\n{kind}: {text}"),
        "Add a message to the log file.",
    ),
    "mj_versionString -> str": (
        lambda: constants.VERSION, "Return the current version of MuJoCo as a null-terminated string.",
    ),
    "mj_version -> int": (
        lambda: constants.CONSTANTS["mjVERSION_HEADER"],
        "The version of MuJoCo that the engine follows, as a number.",
    ),
})  # fmt: skip


@bound("index:int base:int", "float")
def mju_Halton(index: int, base: int) -> float:
    """An element of the Halton sequence: the digits of the index in a base, reflected at the point."""
    found, place = 0.0, 1.0 / base
    while index > 0:
        index, digit = divmod(index, base)
        found += place * digit
        place /= base
    return found


@bound("pos0:float vel0:float Kp:float Kv:float dt:float", "float")
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """The position after a time dt of x'' = -Kp x - Kv x'."""
    square = Kv * Kv - 4.0 * Kp
    if square > MINVAL:
        r1, r2 = 0.5 * (-Kv + math.sqrt(square)), 0.5 * (-Kv - math.sqrt(square))
        c1, c2 = (pos0 * r2 - vel0) / (r2 - r1), (pos0 * r1 - vel0) / (r1 - r2)
        return c1 * math.exp(r1 * dt) + c2 * math.exp(r2 * dt)
    decay, drift = math.exp(-0.5 * Kv * dt), vel0 + 0.5 * Kv * pos0
    if square >= -MINVAL:
        return decay * (pos0 + drift * dt)
    w = 0.5 * math.sqrt(-square)
    return decay * (pos0 * math.cos(w * dt) + drift * math.sin(w * dt) / w)


@bound("ctrl:float act:float prm:in3", "float")
def mju_muscleDynamics(ctrl: float, act: float, prm: Any) -> float:
    """The time derivative of a muscle's activation."""
    clamped = min(max(act, 0.0), 1.0)
    up, down = prm[0] * (0.5 + 1.5 * clamped), prm[1] / (0.5 + 1.5 * clamped)
    difference = min(max(ctrl, 0.0), 1.0) - act
    if prm[2] < MINVAL:
        tau = up if difference > 0 else down
    else:
        tau = down + (up - down) * sigmoid(difference / prm[2] + 0.5)
    return float(safe_divide(difference, tau))


@bound("pyramid:out* force:in* mu:in*")
def mju_encodePyramid(pyramid: np.ndarray, force: Any, mu: Any) -> None:
    """A contact force as forces along the edges of a pyramid."""
    if len(force) != len(mu) + 1 or len(pyramid) != 2 * len(mu):
        raise TypeError("mju_encodePyramid: force has one element more than mu, pyramid twice as many")
    half = 0.5 * force[0] / len(mu)
    share = 0.5 * np.minimum(2 * half, force[1:] / mu)
    pyramid[::2], pyramid[1::2] = half + share, half - share


@bound("force:out* pyramid:in* mu:in*")
def mju_decodePyramid(force: np.ndarray, pyramid: Any, mu: Any) -> None:
    """The contact force of forces along the edges of a pyramid."""
    if len(force) != len(mu) + 1 or len(pyramid) != 2 * len(mu):
        raise TypeError("mju_decodePyramid: force has one element more than mu, pyramid twice as many")
    force[0] = pyramid.sum()
    force[1:] = (pyramid[::2] - pyramid[1::2]) * mu


# ---------------------------------------------------------------- words


@bound("nbytes:int", "str")
def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes, with a letter if it is a multiple of 1024."""
    power = 0
    while nbytes and nbytes % 1024 == 0 and power < len(SUFFIXES) - 1:
        nbytes, power = nbytes // 1024, power + 1
    return f"{nbytes}{SUFFIXES[power]}"


@bound("mat:inr,c")
def mju_printMat(mat: np.ndarray) -> None:
    """Print a matrix."""
    for row in mat:
        print("".join(f"{number:.8f} " for number in row))
    print()


@bound("mat:in* rownnz:inir rowadr:inir colind:ini*")
def mju_printMatSparse(mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """Print a sparse matrix."""
    for row, (count, start) in enumerate(zip(rownnz.tolist(), rowadr.tolist(), strict=True)):
        places = range(start, start + count)
        print("".join(f"({row} {colind[place]}): {mat[place]:9.6f}  " for place in places))
    print()
