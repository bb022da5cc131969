"""MjsActuator: an actuator; its fields are those of a general one, whatever its tag.

A shortcut keeps its tag until a parameter that it determines is set: then it becomes <general>, with the same values.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sim import enums
from sim.mjcf.records import AUTO, Actuator
from sim.mjcf.schema import element as schema
from sim.mjcf.section.actuator_shortcuts import PARAMETERS, apply_shortcut, read_shortcut
from sim.mujoco.enums import CLASSES
from sim.mujoco.specs.base import Classed
from sim.mujoco.specs.fields import Field
from sim.mujoco.specs.grouped import Grouped
from sim.mujoco.specs.members import WithPlugin

TARGETS = {
    enums.TRN_JOINT: "joint", enums.TRN_JOINTINPARENT: "jointinparent", enums.TRN_TENDON: "tendon",
    enums.TRN_SLIDERCRANK: "cranksite", enums.TRN_SITE: "site", enums.TRN_BODY: "body",
}  # fmt: skip
# fields that a shortcut determines
OF_SHORTCUT = ("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm", "actdim", "actearly", "ctrlspec")
# others that a shortcut can set
SET_BY_SHORTCUT = ("ctrllimited", "forcelimited", "forcerange", "inheritrange")
# what a control is -> the keyword
CHARTS = {enums.CHART_EXPMAP: "expmap", enums.CHART_QUAT: "quat"}
WHOLE = {enums.INPUT_NONE: "none", enums.INPUT_PRESSURE: "pressure"}
INPUTS = {enums.INPUT_POS: "pos", enums.INPUT_VEL: "vel", enums.INPUT_FF: "ff", enums.INPUT_VOLTAGE: "voltage"}
CONTROLS = {
    "position": enums.INPUT_POS, "velocity": enums.INPUT_VEL, "intvelocity": enums.INPUT_VEL,
    "cylinder": enums.INPUT_PRESSURE,
}  # fmt: skip


def input_text(bits: int, gaintype: int) -> str | None:
    """The keywords of a ctrlspec; None: the default of its type."""
    if not bits:
        return None
    if gaintype == enums.GAIN_SO3:
        return CHARTS.get(bits)
    return WHOLE.get(bits) or " ".join(word for bit, word in INPUTS.items() if bits & bit)


class MjsActuator(
    Grouped,
    Classed,
    WithPlugin,
    kind="actuator",
    rows="""gaintype:mjtGain gainprm:f10 biastype:mjtBias biasprm:f10 dyntype:mjtDyn dynprm:f10 actdim:i ctrlspec:i:-
    velrange:f2 ffrange:f2 actearly:b trntype:mjtTrn:- gear:f6 target:s:- refsite:s slidersite:s cranklength:f
    lengthrange:f2 inheritrange:f damping:f3 armature:f ctrllimited:mjtLimited ctrlrange:f2 forcelimited:mjtLimited
    forcerange:f2 actlimited:mjtLimited actrange:f2 group:i nsample:i interp:i delay:f userdata:F:user""",
):
    """An actuator."""

    together = ("trntype", "target")
    unset: ClassVar[dict[str, Any]] = {"trntype": enums.TRN_UNDEFINED, "target": ""}

    @property
    def type(self) -> Any:
        tag = self._own.get("shortcut", self._element.tag)
        return getattr(CLASSES["mjtActuator"], f"mjACTUATOR_{tag.upper()}")

    @type.setter  # noqa: A003
    def type(self, kind: Any) -> None:
        self._own["shortcut"] = CLASSES["mjtActuator"](int(kind)).name.removeprefix("mjACTUATOR_").lower()

    @property
    def _in_class(self) -> bool:
        parent = self._element.parent
        return parent is not None and parent.tag == "default"

    def _item(self) -> Actuator:
        """The equivalent general actuator."""
        self._spec.flush_defaults()
        spec, node = self._element.spec, self._element.node
        if self._in_class:
            found = spec.classes.parsed.defaults[self._element.parent.name].prototypes["actuator"]  # type: ignore[union-attr]
            assert isinstance(found, Actuator)
            return found
        return read_shortcut(spec.classes.parsed, node)

    def _definition(self) -> dict[str, Any]:
        item = self._item()
        return {"trntype": item.trntype, "target": item.target}

    def _define(self) -> None:
        key = TARGETS.get(int(self._own["trntype"]))
        if key is not None and key not in schema(self._element.schema).attributes:
            self._generalize()
        for other in TARGETS.values():
            if other != key:
                self._write(other, None)
        if key is not None:
            self._write(key, self._own["target"] or None)

    def _load(self, field: Field) -> Any:
        if field.name in self.together:
            return super()._load(field)
        item = self._item()
        if field.name == "ctrlspec":
            return int(item.input or item.control)
        value = getattr(item, field.key)
        if field.name == "actlimited" and item.dyntype == enums.DYN_DCMOTOR and value == AUTO:
            value = 0
        return field.from_attribute(value)

    def _store(self, field: Field, value: Any) -> None:
        if field.name in self.together:
            super()._store(field, value)
            return
        if field.name in OF_SHORTCUT or field.key not in schema(self._element.schema).attributes:
            self._generalize()
        if field.name in ("cranklength", "slidersite", "refsite") and not value:
            self._write(field.key, None)
        elif field.name == "ctrlspec":
            self._write_input(int(value), int(self.gaintype))
        else:
            super()._store(field, value)

    def _write_input(self, bits: int, gaintype: int) -> None:
        text = input_text(bits, gaintype)
        prototype = self._element.spec.classes.prototype(self._element.node)
        # an empty text resets that of the class
        declared = getattr(prototype, "input", 0) or getattr(prototype, "control", 0)
        self._write("input", "" if text is None and declared else text)

    def _generalize(self) -> None:
        """Write it as a general actuator."""
        if self._element.tag != "general":
            shortcut = self._element.tag
            self._become(self._item())
            self._own["shortcut"] = shortcut

    def _become(self, item: Actuator) -> None:
        """Take the parameters of an actuator."""
        element = self._element
        known = set(schema("default/general" if self._in_class else "general").attributes)
        for key in set(element.node.attrib) - known:
            element.set(key, None)
        element.spec.tree.set_tag(element.node, "general")
        for key in (*PARAMETERS, *SET_BY_SHORTCUT):
            if key == "input":
                self._write_input(item.input or item.control, item.gaintype)
            elif key != "control":
                value = getattr(item, key)
                self._write(key, np.array(value) if isinstance(value, tuple) else value)
        self._spec.reload(self)

    def _shortcut(self, tag: str, given: dict[str, Any], control: int = 0, **fields: Any) -> None:
        self._spec.flush()
        item = Actuator()
        vars(item).update(vars(self._item()))
        item.input = item.control = 0
        for key, value in fields.items():
            setattr(item, key, value)
        error = apply_shortcut(item, tag, given)
        if error:
            raise ValueError(error)
        item.control = control or CONTROLS.get(tag, 0)
        self._become(item)
        self._own["shortcut"] = tag

    def set_to_motor(self) -> None:
        self._shortcut("motor", {})

    def set_to_position(
        self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = False
    ) -> None:
        given = _given(kv=kv, dampratio=dampratio, timeconst=timeconst)
        self._shortcut("position", {"kp": float(kp), **given}, inheritrange=float(inheritrange))

    def set_to_intvelocity(
        self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = False
    ) -> None:
        given = _given(kv=kv, dampratio=dampratio, timeconst=timeconst)
        self._shortcut("intvelocity", {"kp": float(kp), **given}, inheritrange=float(inheritrange))

    def set_to_velocity(self, kv: float) -> None:
        self._shortcut("velocity", {"kv": float(kv)})

    def set_to_damper(self, kv: float) -> None:
        if kv < 0:
            raise ValueError("damping coefficient cannot be negative")
        self._shortcut("damper", {"kv": float(kv)})

    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
        given = {"timeconst": float(timeconst), "bias": (float(bias), 0.0, 0.0), "area": float(area)}
        self._shortcut("cylinder", {**given, **_given(diameter=diameter)})

    def set_to_adhesion(self, gain: float) -> None:
        if gain < 0:
            raise ValueError("adhesion gain cannot be negative")
        self._shortcut("adhesion", {"gain": float(gain)})

    def set_to_orientation(self, kp: float, kv: float = -1, dampratio: float = -1, ctrlspec: int = 0) -> None:
        given = _given(kv=kv, dampratio=dampratio)
        self._shortcut("orientation", {"kp": float(kp), **given}, int(ctrlspec))

    def set_to_pid(
        self, kp: float, kv: float = -1, dampratio: float = -1, ki: float = -1, imax: float = -1, slewmax: float = -1,
        inheritrange: float = 0, ctrlspec: int = 0,
    ) -> None:  # fmt: skip
        given = _given(kv=kv, dampratio=dampratio, ki=ki, imax=imax, slewmax=slewmax)
        self._shortcut("pid", {"kp": float(kp), **given}, int(ctrlspec), inheritrange=float(inheritrange))

    def set_to_muscle(
        self, timeconst: Any = (-1.0, -1.0), tausmooth: float = 0.0, range: Any = (-1.0, -1.0), force: float = -1,  # noqa: A002
        scale: float = -1, lmin: float = -1, lmax: float = -1, vmax: float = -1, fpmax: float = -1, fvmax: float = -1,
    ) -> None:  # fmt: skip
        numbers = {"tausmooth": tausmooth, "force": force, "scale": scale, "lmin": lmin, "lmax": lmax}
        numbers |= {"vmax": vmax, "fpmax": fpmax, "fvmax": fvmax}
        given: dict[str, Any] = {key: float(value) for key, value in numbers.items()}
        self._shortcut("muscle", {**given, "timeconst": _vector(timeconst), "range": _vector(range)})

    def set_to_dcmotor(self, motorconst: Any, resistance: float, ctrlspec: int = 0, **vectors: Any) -> None:
        given: dict[str, Any] = {"motorconst": _vector(motorconst), "resistance": float(resistance)}
        for key, value in vectors.items():
            if key not in DCMOTOR:
                raise TypeError(f"set_to_dcmotor(): unknown argument '{key}'")
            if any(value):
                given[key] = _vector(value)
        self._shortcut("dcmotor", given, int(ctrlspec))


DCMOTOR = ("nominal", "saturation", "inductance", "cogging", "controller", "thermal", "lugre")


def _given(**numbers: float) -> dict[str, Any]:
    """Arguments that are given: others are negative."""
    given = {key: float(value) for key, value in numbers.items() if value >= 0}
    if "kv" in given and "dampratio" in given:
        raise ValueError("kv and dampratio cannot both be defined")
    return given


def _vector(numbers: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in numbers)
