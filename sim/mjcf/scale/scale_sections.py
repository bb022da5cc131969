"""Applies the scales of frames to elements beside the body tree, by those of the elements that they refer to.

What is between two elements takes the geometric mean of their scales: pairs, welds, slider-cranks, distances. A tendon
takes the scale of the frame that encloses all of its path. Others take that of their first element.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sim import enums
from sim.attributes.dimensions import DIMENSIONS
from sim.attributes.keywords import KEYWORDS
from sim.mjcf.body import depth_first
from sim.mjcf.records import Actuator, Body, Equality, Joint, Pair, Parsed, Sensor, Tendon, is_ratio, target_kind
from sim.mjcf.scale.frame_scale import SAME, Scale, Units, mean_units, shared_units, units_of
from sim.mjcf.scale.scale_tree import factor, multiply, multiply_attribute, record_factors, travel
from sim.mjcf.section.sensor import TYPES

_GAINS = {number: f"gain/{word}" for word, number in KEYWORDS["gain"].items()}
_BIASES = {number: f"bias/{word}" for word, number in KEYWORDS["bias"].items()}
_SENSORS = {row.number: tag for tag, row in TYPES.items()}
_BETWEEN = (enums.SENS_GEOMDIST, enums.SENS_GEOMNORMAL, enums.SENS_GEOMFROMTO, enums.SENS_INSIDESITE)
# laws with parameters whose dimensions nobody knows, or that mix electricity and mechanics
_OPAQUE = (
    ("dyntype", (enums.DYN_USER, enums.DYN_DCMOTOR)),
    ("gaintype", (enums.GAIN_USER, enums.GAIN_DCMOTOR)),
    ("biastype", (enums.BIAS_USER, enums.BIAS_DCMOTOR)),
)


class Coordinate(NamedTuple):
    """The coordinate of a joint, tendon or transmission: its units, and its factor, None for an angle."""

    units: Units = SAME
    travel: float | None = None

    @property
    def factor(self) -> float:
        return 1.0 if self.travel is None else self.travel

    def letters(self) -> dict[str, float]:
        return self.units.letters(self.travel)


def scale_sections(parsed: Parsed) -> None:
    """Scale pairs, tendons, equalities, actuators and sensors; what they refer to has been scaled."""
    _Sections(parsed).apply()


class _Sections:
    """The elements of a model by name, and the coordinates of its tendons and actuators."""

    def __init__(self, parsed: Parsed) -> None:
        self.elements = parsed.section_elements
        bodies = depth_first(parsed.world)
        self.named: dict[str, dict[str, Any]] = {"body": _by_name(bodies)}
        for kind, place in (("joint", "joints"), ("geom", "geoms"), ("site", "sites"), ("camera", "cameras")):
            self.named[kind] = _by_name(item for body in bodies for item in getattr(body, place))
        for kind in ("tendon", "actuator"):
            self.named[kind] = _by_name(self.elements[kind])
        self.named["xbody"] = self.named["body"]
        self.coordinates: dict[int, Coordinate] = {}

    def apply(self) -> None:
        for pair in self.elements["pair"]:
            self._pair(pair)
        for tendon in self.elements["tendon"]:
            self._tendon(tendon)
        for equality in self.elements["equality"]:
            self._equality(equality)
        for actuator in self.elements["actuator"]:
            self._actuator(actuator)
        for sensor in self.elements["sensor"]:
            self._sensor(sensor)

    # ---- scales of what is referred to; names that do not exist are reported when the section is compiled

    def _scale(self, kind: str, name: str) -> Scale | None:
        item = self.named.get(kind, {}).get(name)
        scale: Scale | None = item.inner_scale if isinstance(item, Body) else getattr(item, "frame_scale", None)
        return scale

    def _units(self, kind: str, name: str) -> Units:
        return units_of(self._scale(kind, name))

    def _coordinate(self, kind: str, name: str) -> Coordinate:
        """The coordinate of a joint, tendon or actuator."""
        item = self.named[kind].get(name)
        if isinstance(item, Joint):
            return Coordinate(units_of(item.frame_scale), travel(item))
        return self.coordinates.get(id(item), Coordinate())

    # ---- elements

    def _pair(self, pair: Pair) -> None:
        units = mean_units(self._units("geom", pair.geom1), self._units("geom", pair.geom2))
        if units != SAME:
            multiply(pair, "pair", units.letters())

    def _tendon(self, tendon: Tendon) -> None:
        joints = [wrap for wrap in tendon.path if wrap.type == enums.WRAP_JOINT]
        moves = [self._coordinate("joint", wrap.target) for wrap in joints]
        scales = [self._scale("joint", wrap.target) for wrap in joints]
        for wrap in tendon.path:
            if wrap.type not in (enums.WRAP_JOINT, enums.WRAP_PULLEY):
                scales.append(self._scale("site" if wrap.type == enums.WRAP_SITE else "geom", wrap.target))
                scales += [self._scale("site", wrap.sidesite)] if wrap.sidesite else []
        units = shared_units(scales)
        linear = not joints or any(move.travel is not None for move in moves)
        whole = Coordinate(units, units.length if linear else None)
        self.coordinates[id(tendon)] = whole
        for wrap, move in zip(joints, moves, strict=True):
            if whole.factor != move.factor:
                multiply_attribute(wrap, "prm", (whole.factor / move.factor,))
        if units != SAME:
            automatic = tendon.springlength[0] == -1
            length = tendon.springlength
            multiply(tendon, "tendon", whole.letters())
            if automatic:
                tendon.springlength = length

    def _equality(self, equality: Equality) -> None:
        kind, first, second = equality.objtype, equality.obj1, equality.obj2
        data = equality.data
        if kind in ("joint", "tendon"):
            one, two = self._coordinate(kind, first), self._coordinate(kind, second) if second else Coordinate()
            by = tuple(one.factor / two.factor**k for k in range(5))
            length = one.factor
        else:
            mean = mean_units(self._units(kind, first), self._units(kind, second) if second else SAME).length
            apart = equality.type == enums.EQ_CONNECT and kind == "body"
            length = self._units(kind, first).length if apart else mean
            by = (1.0,) * 10 + (mean, 1.0) if equality.type == enums.EQ_WELD else ()
            by = (mean,) if equality.type == enums.EQ_DISTANCE else by
            if kind == "body":
                # the anchor of a weld is in the second body, its relative position in the first
                bodies = (self._scale(kind, first), self._scale(kind, second))
                equality.anchors = bodies if equality.type == enums.EQ_CONNECT else bodies[::-1]
        if length != 1 or any(x != 1 for x in by):
            multiply(equality, "equality", {"Q": length})
            multiply_attribute(equality, "data", by)
        data = equality.data
        for start, scale in zip((0, 3), equality.anchors, strict=True):
            if scale is not None and (start == 0 or equality.type == enums.EQ_WELD):
                data = (*data[:start], *scale.map(data[start : start + 3]), *data[start + 3 :])
        equality.data = data

    def _actuator(self, actuator: Actuator) -> None:
        whole, turns = self._transmission(actuator)
        self.coordinates[id(actuator)] = whole
        units = whole.units
        if units == SAME and whole.factor == 1:
            return
        if not units.keep_forces:
            for name, values in _OPAQUE:
                if getattr(actuator, name) in values:
                    word = next(word for word, n in KEYWORDS[name[:-4]].items() if n == getattr(actuator, name))
                    raise actuator.error(
                        f'{name} is "{word}", and its parameters cannot be scaled', 'use scaling="geometry"'
                    )
        ratio = is_ratio(actuator)
        letters = whole.letters() | {"G": turns}
        letters |= _control_letters(actuator, letters)
        multiply(actuator, "actuator", letters)
        for law in (_GAINS[actuator.gaintype], _BIASES[actuator.biastype]):
            for name, dimensions in DIMENSIONS.get(law, {}).items():
                factors = tuple(factor(dimension, letters) for dimension in dimensions)
                number = getattr(actuator, name)[2]
                # a dampratio, and a force that depends on inertia
                if (law.startswith("bias") and number > 0 and "muscle" not in law) or ("muscle" in law and number < 0):
                    multiply_attribute(actuator, name, factors[:2])
                else:
                    multiply_attribute(actuator, name, factors)
                if ratio and name == "biasprm":
                    # loading replaces it by the damping, which is scaled
                    record_factors(actuator, name, factors)

    def _transmission(self, actuator: Actuator) -> tuple[Coordinate, float]:
        """The coordinate of an actuator, and the factor of the rotational part of its gear."""
        if actuator.trntype == enums.TRN_UNDEFINED:
            return Coordinate(), 1.0
        kind = target_kind(actuator)
        units = self._units(kind, actuator.target)
        if actuator.trntype == enums.TRN_TENDON:
            return self._coordinate(kind, actuator.target), 1.0
        if actuator.trntype == enums.TRN_SLIDERCRANK:
            units = mean_units(units, self._units("site", actuator.slidersite))
        target = self.named[kind].get(actuator.target)
        if isinstance(target, Joint) and target.type != enums.JNT_FREE:
            return self._coordinate(kind, actuator.target), 1.0
        pushes = any(actuator.gear[:3]) or actuator.trntype in (enums.TRN_SLIDERCRANK, enums.TRN_BODY)
        both = pushes and (isinstance(target, Joint) or actuator.trntype == enums.TRN_SITE)
        return Coordinate(units, units.length if pushes else None), units.length if both else 1.0

    def _sensor(self, sensor: Sensor) -> None:
        if sensor.type == enums.SENS_TACTILE and self._scale("geom", sensor.refname) is not None:
            raise sensor.error("a tactile sensor cannot be in a scaled frame", "take its geom out of the frame")
        tag = _SENSORS.get(sensor.type, "")
        # without `enclosed` it says yes or no
        boolean = sensor.type == enums.SENS_INSIDESITE and not sensor.intprm[0]
        if tag not in DIMENSIONS or not sensor.objtype or boolean:
            return
        if sensor.objtype in ("joint", "tendon", "actuator"):
            whole = self._coordinate(sensor.objtype, sensor.objname)
        else:
            units = self._units(sensor.objtype, sensor.objname)
            if sensor.type in _BETWEEN:
                units = mean_units(units, self._units(sensor.reftype, sensor.refname))
            whole = Coordinate(units)
        if whole != Coordinate():
            multiply(sensor, tag, whole.letters())


def _by_name(items: Iterable[Any]) -> dict[str, Any]:
    return {item.name: item for item in items if item.name}


def _control_letters(actuator: Actuator, letters: dict[str, float]) -> dict[str, float]:
    """C, c and A: the control, in the units of lengths and of forces, and the activation."""
    pressure = letters["P"]
    if actuator.gaintype == enums.GAIN_PID:
        own, forces = letters["Q"], 1.0
    elif actuator.gaintype == enums.GAIN_DCMOTOR:
        own, forces = letters["Q"] if actuator.input & enums.INPUT_POS else 1.0, 1.0
    else:
        own, forces = {
            enums.INPUT_POS: (letters["Q"], letters["q"]),
            enums.INPUT_VEL: (letters["Q"], letters["q"]),
            enums.INPUT_PRESSURE: (pressure, pressure),
        }.get(actuator.control, (1.0, 1.0))
    filtered = actuator.dyntype in (enums.DYN_INTEGRATOR, enums.DYN_FILTER, enums.DYN_FILTEREXACT)
    return {"C": own, "c": forces, "A": own if filtered else 1.0}
