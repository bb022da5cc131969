"""Actuator shortcuts (motor, position, muscle, dcmotor, ...), translated to general actuators.

A shortcut sets all parameters of a general actuator: kp of `position` is gainprm[0] and -biasprm[1]; kv is
-biasprm[2]; a dampratio is kept as a positive biasprm[2] until the inertia is known. Those that it is not given come
from the nearest default class that is written with the same shortcut or with `general`; what it does not stand for, as
gear and ranges, from its own class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from math import pi, sqrt
from types import MappingProxyType
from typing import Any, NamedTuple

from sim import enums
from sim.mjcf.errors import suggestion
from sim.mjcf.read_element import begin_element, find_class, merge
from sim.mjcf.records import FALSE, TRUE, Actuator, Default, Parsed
from sim.mjcf.rotation import Vector
from sim.mjcf.schema import check_children, read_attributes
from sim.mjcf.source import Node

Given = dict[str, Any]

# attributes that name the transmission target; the last one given is used
NO_PRM: Vector = (0.0,) * 10
_TARGETS = {
    "joint": enums.TRN_JOINT,
    "jointinparent": enums.TRN_JOINTINPARENT,
    "tendon": enums.TRN_TENDON,
    "cranksite": enums.TRN_SLIDERCRANK,
    "site": enums.TRN_SITE,
    "body": enums.TRN_BODY,
}
_FIELDS = {*Actuator.defaults, "name", "input"}
# what a shortcut sets: of a default class, only of the same shortcut, or of general
PARAMETERS = (
    "dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm", "actdim", "actearly", "input", "control",
    "inheritrange",
)  # fmt: skip
# values of `input`: one keyword, or several in this order
_WHOLE = {
    "expmap": enums.CHART_EXPMAP,
    "quat": enums.CHART_QUAT,
    "none": enums.INPUT_NONE,
    "pressure": enums.INPUT_PRESSURE,
}
_INPUTS = {"pos": enums.INPUT_POS, "vel": enums.INPUT_VEL, "ff": enums.INPUT_FF, "voltage": enums.INPUT_VOLTAGE}
# letter of a place -> the vector that it is in
VECTORS = {"g": "gainprm", "b": "biasprm", "d": "dynprm"}
# attributes of a muscle in gainprm, after its range
_MUSCLE = ("force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax")
MUSCLE_DYN: Vector = (0.01, 0.04, *NO_PRM[2:])
MUSCLE_GAIN: Vector = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0)


def read_shortcut(parsed: Parsed, node: Node) -> Actuator:
    """The general actuator that an element stands for."""
    actuator, values = begin_element(parsed, node, Actuator, node.tag, "actuator")
    default = find_class(parsed, node, node.attrib["class"]) if "class" in node.attrib else parsed.defaults["main"]
    _set_attributes(actuator, default, node, values, node.tag)
    return actuator


def default_actuator(default: Default, node: Node) -> None:
    """All actuator elements of a default class set the same prototype."""
    name = f"default/{node.tag}"
    check_children(node, name)
    actuator = default.prototypes["actuator"]
    assert isinstance(actuator, Actuator)
    _set_attributes(actuator, default, node, read_attributes(node, name), name)


def _inherit_parameters(actuator: Actuator, default: Default, shortcut: str) -> None:
    """Parameters come from the nearest default class that is written with the same shortcut or with `general`."""
    outer: Default | None = default
    while outer is not None:
        prototype = outer.prototypes["actuator"]
        assert isinstance(prototype, Actuator)
        if prototype.shortcut in (shortcut, "general"):
            break
        outer = outer.parent
    else:
        prototype = Actuator()
    # those of a general actuator with another gain are none of this shortcut
    row = SHORTCUTS[shortcut]
    if row.strict and prototype.gaintype != row.gain:
        prototype = Actuator()
    for name in PARAMETERS:
        setattr(actuator, name, getattr(prototype, name))


def _set_attributes(actuator: Actuator, default: Default, node: Node, values: Given, name: str) -> None:
    for key, trntype in _TARGETS.items():
        if key in values:
            actuator.target, actuator.trntype = values.pop(key), trntype
    for keys, trntype in ((("cranklength", "slidersite"), enums.TRN_SLIDERCRANK), (("refsite",), enums.TRN_SITE)):
        for key in keys:
            if key in values and actuator.trntype not in (trntype, enums.TRN_UNDEFINED):
                other = "cranksite" if trntype == enums.TRN_SLIDERCRANK else "site"
                raise node.error(f"'{key}' needs '{other}'", f"set {other}")
    gaintype, own_input = actuator.gaintype, "input" in values
    if own_input:
        values["input"] = _input(node, values["input"])
    # attributes of the shortcut are translated, the others are fields
    given = {key: values.pop(key) for key in list(values) if key not in _FIELDS}
    if node.tag != "general":
        _inherit_parameters(actuator, default, node.tag)
    actuator.shortcut = node.tag
    _choose_range(actuator, {**values, **given})
    merge(actuator.__dict__, values, name)
    error = apply_shortcut(actuator, node.tag, given)
    if error:
        raise node.error(error)
    # an input that a default class declares is for its gaintype
    if actuator.gaintype != gaintype and not own_input:
        actuator.input = actuator.control = 0
    if own_input or node.tag != "general":
        actuator.control = actuator.input if own_input else SHORTCUTS[node.tag].control


def _choose_range(actuator: Actuator, own: Given) -> None:
    """Of a range and inheritrange, that of the element itself counts, whatever the default class has."""
    name, field = SHORTCUTS[actuator.shortcut].range
    if name in own and "inheritrange" not in own:
        actuator.inheritrange = 0.0
    if field and own.get("inheritrange", 0) > 0 and name not in own:
        setattr(actuator, field, (0.0, 0.0))


def _input(node: Node, text: str) -> int:
    if text in _WHOLE:
        return _WHOLE[text]
    bits = 0
    for word in text.split():
        if word not in _INPUTS:
            raise node.error(f'input="{text}": unknown keyword', suggestion(word, {**_INPUTS, **_WHOLE}))
        bit = _INPUTS[word]
        if bit <= bits:
            raise node.error(f'input="{text}": keywords are out of order', f"the order is {' '.join(_INPUTS)}")
        bits |= bit
    return bits


def negative(name: str, value: float) -> str:
    return f"{name} is {value:g}; it must be zero or positive"


def _replace(vector: Vector, new: dict[int, float]) -> Vector:
    """The vector with the components at these indices replaced."""
    return tuple(new.get(k, value) for k, value in enumerate(vector))


# ---- shortcuts: each function returns an error message, or an empty string

Numbers = dict[str, Vector]


def read_places(places: str, vectors: Mapping[str, Vector]) -> Vector:
    """The numbers at the first of the places of each."""
    found = []
    for place in places.split():
        sign, letter, index = _place(place.partition("=")[0])
        found.append(sign * vectors[letter][index])
    return tuple(found)


@cache
def _place(place: str) -> tuple[float, str, int]:
    """The sign, the vector and the index of a place such as -b1."""
    bare = place.lstrip("-")
    return -1.0 if bare != place else 1.0, bare[0], int(bare[1:] or 0)


def apply_shortcut(actuator: Actuator, tag: str, given: Given) -> str:
    """Set the parameters that a shortcut stands for: by its attributes, the others as they are inherited."""
    row = SHORTCUTS[tag]
    if row.own is not None:
        return row.own(actuator, given)
    vectors = {letter: getattr(actuator, name) for letter, name in VECTORS.items()}
    if actuator.gaintype != row.gain:
        vectors |= row.start
    numbers = {key: read_places(places, vectors) for key, places in row.places.items()}
    for key in numbers.keys() & given.keys():
        numbers[key] = given[key] if isinstance(given[key], tuple) else (given[key],)
    dyntype, actuator.dyntype, actuator.gaintype, actuator.biastype = actuator.dyntype, row.dyn, row.gain, row.bias
    error = row.adjust(actuator, given, numbers, dyntype)
    if error:
        return error
    new = {"g": [row.first, *NO_PRM[1:]], "b": [*NO_PRM], "d": [*Actuator.defaults["dynprm"]]}
    for key, values in numbers.items():
        for places, value in zip(row.places[key].split(), values, strict=True):
            for sign, letter, index in map(_place, places.split("=")):
                new[letter][index] = sign * value
    for letter, name in VECTORS.items():
        setattr(actuator, name, tuple(new[letter]))
    name, field = row.range
    if field and actuator.inheritrange > 0 and any(getattr(actuator, field)):
        return f"'{name}' and 'inheritrange' are mutually exclusive; specify only one"
    return ""


def _plain(_: Actuator, __: Given, ___: Numbers, ____: int) -> str:
    return ""


def _damping(_: Actuator, given: Given, numbers: Numbers, __: int) -> str:
    """kv, or dampratio, from which set_const computes it."""
    if "kv" in given and "dampratio" in given:
        return "'kv' and 'dampratio' are mutually exclusive; specify only one"
    for key, sign in (("kv", 1), ("dampratio", -1)):
        if key in given:
            if given[key] < 0:
                return negative(key, given[key])
            numbers["kv"] = (sign * given[key],)
    return ""


def _servo(actuator: Actuator, given: Given, numbers: Numbers, dyntype: int) -> str:
    """A time constant is inherited with its filter."""
    error = _damping(actuator, given, numbers, dyntype)
    if error:
        return error
    known = "timeconst" in given or dyntype == enums.DYN_FILTEREXACT
    (timeconst,) = numbers["timeconst"] if known else (0.0,)
    if timeconst < 0:
        return negative("timeconst", timeconst)
    if timeconst and actuator.dyntype == enums.DYN_NONE:
        actuator.dyntype = enums.DYN_FILTEREXACT
    if not timeconst and "timeconst" not in given:
        del numbers["timeconst"]
    return ""


def _pid(actuator: Actuator, given: Given, numbers: Numbers, dyntype: int) -> str:
    """States of the controller are the integral, and the setpoint if its rate is limited."""
    actuator.ctrlrange = given.get("posrange", actuator.ctrlrange)
    (ki,), (slewmax,) = numbers["ki"], numbers["slewmax"]
    if slewmax < 0:
        return negative("slewmax", slewmax)
    if ki or slewmax:
        actuator.dyntype = enums.DYN_PID
    if not ki:
        # without an integral there is nothing to limit
        numbers["imax"] = (0.0,)
    return _damping(actuator, given, numbers, dyntype)


def _one_way(actuator: Actuator, _: Given, numbers: Numbers, __: int) -> str:
    """A damper or adhesion: its gain and its control are not negative."""
    ((key, (value,)),) = numbers.items()
    actuator.ctrllimited = TRUE
    if value < 0:
        return negative(key, value)
    return negative("the lower end of ctrlrange", min(actuator.ctrlrange)) if min(actuator.ctrlrange) < 0 else ""


def _cylinder(_: Actuator, given: Given, numbers: Numbers, __: int) -> str:
    if given.get("diameter", -1) >= 0:
        numbers["area"] = (pi / 4 * given["diameter"] * given["diameter"],)
    return ""


def _muscle(actuator: Actuator, given: Given) -> str:
    """Parameters that are not given are those of a class with the same gain; MuJoCo's replace negative ones."""
    dyn, gain = (
        (actuator.dynprm, actuator.gainprm) if actuator.gaintype == enums.GAIN_MUSCLE else (MUSCLE_DYN, MUSCLE_GAIN)
    )
    smooth = given.get("tausmooth", dyn[2])
    if smooth < 0:
        return negative("tausmooth", smooth)
    taus = _nonnegative(given.get("timeconst", dyn[:2]), MUSCLE_DYN)
    rest = [given.get(key, gain[2 + index]) for index, key in enumerate(_MUSCLE)]
    actuator.dynprm = (*taus, smooth, *dyn[3:])
    actuator.gainprm = _nonnegative((*given.get("range", gain[:2]), *rest, *gain[9:]), MUSCLE_GAIN)
    actuator.biasprm = actuator.gainprm[:9] + NO_PRM[9:]
    actuator.dyntype, actuator.gaintype, actuator.biastype = enums.DYN_MUSCLE, enums.GAIN_MUSCLE, enums.BIAS_MUSCLE
    return ""


def _nonnegative(values: Vector, otherwise: Vector) -> Vector:
    return tuple(a if a >= 0 else b for a, b in zip(values, otherwise, strict=False))


# ---- the DC motor


def _dcmotor(actuator: Actuator, given: Given) -> str:
    """DC motor with controller, thermal model and LuGre friction.

    gainprm = R K alpha T0 kp ki kd vmax; dynprm = te di/dt RT C Ta sigma0 sigma1 slew Imax; biasprm = cogging, LuGre.
    """
    known = actuator.gaintype == enums.GAIN_DCMOTOR
    gain, dyn, bias = (actuator.gainprm, actuator.dynprm, actuator.biasprm) if known else (NO_PRM,) * 3

    def vector(key: str, inherited: Vector) -> Vector:
        own: Vector = given.get(key, ())
        return own + inherited[len(own) :]

    nominal = vector("nominal", (0.0, 0.0, 0.0))
    resistance, constant = _motor_constants(
        actuator, given.get("resistance", gain[0]), vector("motorconst", (gain[1], 0.0)), nominal
    )
    if min(given.get("motorconst", (0.0,))) < 0:
        return negative("motorconst", min(given["motorconst"]))
    if constant <= 0 and actuator.input != enums.INPUT_NONE:
        return "the motor constant is not positive; set motorconst or nominal"
    if resistance <= 0:
        return "the resistance is not positive; set resistance or nominal"
    saturation = vector("saturation", (0.0, 0.0, dyn[1]))
    controller = vector("controller", (gain[4], gain[5], gain[6], dyn[7], dyn[8], gain[7]))
    inductance = vector("inductance", (0.0, 0.0) if "inductance" in given else (0.0, dyn[0]))
    thermal = vector("thermal", (dyn[2], dyn[3], 0.0, gain[2], gain[3], dyn[4]))
    lugre = vector("lugre", (dyn[5], dyn[6], bias[3], bias[4], bias[5]))
    if min(inductance) < 0:
        return negative("inductance", min(inductance))
    te = inductance[0] / resistance if inductance[0] > 0 else inductance[1]
    kp, ki, kd, slew, most, vmax = controller
    # what is off has zeros, whatever the class has
    heat, capacity, _, alpha, reference, ambient = _thermal(thermal) if max(thermal[:3]) > 0 else NO_PRM[:6]
    if max(thermal[:3]) > 0 and (heat <= 0 or capacity <= 0):
        return "thermal resistance and capacity must be positive; specify two of the first three numbers in thermal"
    lugre = lugre if lugre[0] > 0 else NO_PRM[:5]
    gains = {0: resistance, 1: constant, 2: alpha, 3: reference, 4: kp, 5: ki, 6: kd, 7: max(vmax, 0.0), 8: 0.0}
    dyns = {0: te, 1: max(saturation[2], 0.0), 2: heat, 3: capacity, 4: ambient}
    dyns |= {5: lugre[0], 6: lugre[1], 7: slew, 8: most}
    biases = dict(enumerate(vector("cogging", bias[:3]) + lugre[2:]))
    states = sum(x > 0 for x in (te, slew, ki, heat, lugre[0]))
    if "saturation" in given:
        actuator.forcerange, actuator.forcelimited = (0.0, 0.0), FALSE
    if max(saturation[:2]) > 0:
        most = saturation[0] or constant * saturation[1]
        actuator.forcerange, actuator.forcelimited = (-most, most), TRUE
    actuator.gainprm, actuator.dynprm = _replace(gain, gains), _replace(dyn, dyns)
    actuator.biasprm = _replace(bias, biases)
    actuator.actdim, actuator.actearly = states, True
    actuator.dyntype, actuator.gaintype, actuator.biastype = enums.DYN_DCMOTOR, enums.GAIN_DCMOTOR, enums.BIAS_DCMOTOR
    return ""


def _motor_constants(actuator: Actuator, resistance: float, constants: Vector, nominal: Vector) -> Vector:
    """Resistance and motor constant; where they are not given, from the nominal values of the data sheet.

    nominal = voltage, stall torque, no-load speed; speed = voltage K / (K² + resistance damping).
    """
    torque, back = constants
    voltage, stall, speed = nominal
    damping = actuator.damping[0]
    if voltage > 0 and back <= 0 and speed > 0:
        back = voltage / speed
        if damping > 0 and resistance > 0:
            root = voltage * voltage - 4 * resistance * damping * speed * speed
            back = (voltage + sqrt(root)) / (2 * speed) if root > 0 else back
        elif damping > 0 and stall > 0 and back - voltage * damping / stall > 0:
            back -= voltage * damping / stall
    constant = sqrt(torque * back) if torque > 0 and back > 0 else torque if torque > 0 else back
    if resistance == 0 and voltage > 0 and stall > 0 and constant > 0:
        resistance = constant * voltage / stall
    return (resistance, constant)


def _thermal(thermal: Vector) -> Vector:
    """Thermal resistance, capacity and time constant, of which two give the third; of all three, the capacity."""
    resistance, capacity, tau = thermal[:3]
    if tau > 0 and resistance > 0:
        capacity = tau / resistance
    elif tau > 0 and capacity > 0 and resistance == 0:
        resistance = tau / capacity
    return (resistance, capacity, tau, *thermal[3:])


class Shortcut(NamedTuple):
    """What a shortcut stands for: where the numbers of its attributes are in the parameters, and the laws.

    A place such as `g0=-b1` is gainprm[0] and, with another sign, biasprm[1]; d is dynprm, f the largest force, 0 none;
    an attribute with several numbers has as many places. `start`: the vectors if what is inherited has another gain;
    `strict`: nothing at all is inherited then. `range`: the attribute with the range that `inheritrange` is instead of,
    and its field. `control` is what its control is, and `first` gainprm[0] if no attribute is. `adjust` checks and
    completes the numbers; `own` does everything.
    """

    places: dict[str, str]
    gain: int = enums.GAIN_FIXED
    bias: int = enums.BIAS_NONE
    dyn: int = enums.DYN_NONE
    adjust: Callable[[Actuator, Given, Numbers, int], str] = _plain
    control: int = 0
    range: tuple[str, str] = ("", "")
    start: Mapping[str, Vector] = MappingProxyType({})
    strict: bool = True
    first: float = 0.0
    own: Callable[[Actuator, Given], str] | None = None


_KP, _KV = "g0=-b1", "-b2"
SHORTCUTS = {
    "general": Shortcut({}, strict=False, own=lambda actuator, given: ""),
    "motor": Shortcut({}, strict=False, first=1.0),
    "position": Shortcut(
        {"kp": _KP, "kv": _KV, "timeconst": "d0"}, bias=enums.BIAS_AFFINE, adjust=_servo, control=enums.INPUT_POS,
        range=("ctrlrange", "ctrlrange"),
    ),
    "velocity": Shortcut({"kv": "g0=-b2"}, bias=enums.BIAS_AFFINE, control=enums.INPUT_VEL),
    "intvelocity": Shortcut(
        {"kp": _KP, "kv": _KV, "timeconst": "d0"}, bias=enums.BIAS_AFFINE, dyn=enums.DYN_INTEGRATOR, adjust=_servo,
        control=enums.INPUT_VEL, range=("actrange", "actrange"),
    ),
    "orientation": Shortcut({"kp": _KP, "kv": _KV}, enums.GAIN_SO3, enums.BIAS_SO3, adjust=_damping),
    "pid": Shortcut(
        {"kp": "-b1", "kv": _KV, "ki": "g0", "imax": "d0", "slewmax": "d1"}, enums.GAIN_PID, enums.BIAS_AFFINE,
        adjust=_pid, range=("posrange", "ctrlrange"), start={"g": NO_PRM, "b": (0.0, -1.0, 0.0), "d": NO_PRM},
    ),
    "damper": Shortcut({"kv": "-g2"}, enums.GAIN_AFFINE, adjust=_one_way, start={"g": (0.0, 0.0, -0.0)}),
    "cylinder": Shortcut(
        {"area": "g0", "timeconst": "d0", "bias": "b0 b1 b2"}, bias=enums.BIAS_AFFINE, dyn=enums.DYN_FILTER,
        adjust=_cylinder, control=enums.INPUT_PRESSURE,
    ),
    "adhesion": Shortcut({"gain": "g0"}, adjust=_one_way),
    "muscle": Shortcut(
        {
            "timeconst": "d0 d1", "tausmooth": "d2", "range": "g0 g1",
            **{key: f"g{index}" for index, key in enumerate(_MUSCLE, 2)},
        },
        strict=False, own=_muscle,
    ),
    "dcmotor": Shortcut(
        {
            "resistance": "g0", "motorconst": "g1", "saturation": "f0 0 d1", "inductance": "0 d0",
            "cogging": "b0 b1 b2", "controller": "g4 g5 g6 d7 d8 g7", "thermal": "d2 d3 0 g2 g3 d4",
            "lugre": "d5 d6 b3 b4 b5",
        },
        strict=False, own=_dcmotor,
    ),
}  # fmt: skip
