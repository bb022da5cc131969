"""Units of what is plotted: of an expression, as far as its fields and measures tell.

Units of fields are in the table of fields (sim/fields), those of sensors in app/model/elements.py, those of measures in
their table. `q` there is m or rad, and `F` is N or N m, depending on the joint. Sums of equal units keep them, and so
do functions such as norm; products, powers and mixtures of units have none.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.elements import sensor_unit, tendon_unit
from app.model.views import ModelView
from sim.analysis.measures import MEASURES
from sim.enums import JNT_FREE, JNT_HINGE, JNT_SLIDE, TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON
from sim.fields import DATA_LAYOUT, MODEL_LAYOUT
from sim.jit import Field
from sim.named import ALIASES, JOINT_ROWS, KINDS, SPANS, attributes
from sim.script.expression import BadExpression, parse

Texts = NDArray[np.object_]

# those that a fixed tendon has in the unit of its joints
TENDONS = ("ten_length", "ten_velocity")
# functions whose result has the unit of what they are given
KEEP = ("abs", "sum", "mean", "min", "max", "norm", "rises")
# where `derived` of a model keeps the units that were found
KNOWN = "units of expressions"
OWN = {"degrees": "°", "radians": "rad"}
LAYOUTS = {"d": DATA_LAYOUT, "m": MODEL_LAYOUT}
# a rotation, of the same unit as a length in the tables of fields
ANGULAR = {"q": "rad", "q/s": "rad/s", "q/s²": "rad/s²", "F": "N m"}
LINEAR = {"q": "m", "q/s": "m/s", "q/s²": "m/s²", "F": "N"}


def unit_of(expression: str, model: ModelView | None) -> str:
    """The unit of an expression, or an empty string; found once for each model."""
    if model is None:
        return ""
    known: dict[str, str] = model.derived.setdefault(KNOWN, {})
    if expression not in known:
        try:
            known[expression] = _common(_units(parse(expression), model))
        except (BadExpression, LookupError, ValueError, TypeError, AttributeError, RecursionError):
            known[expression] = ""
    return known[expression]


def _common(units: Any) -> str:
    """The unit that all have, or none."""
    found = set(np.ravel(np.asarray(units, object)).tolist())
    return str(found.pop()) if len(found) == 1 else ""


def _units(node: ast.expr, model: ModelView) -> Any:
    """The unit of each number that an expression stands for."""
    if isinstance(node, ast.Subscript):
        return np.asarray(_units(node.value, model), object)[_index(node.slice)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return _units(node.operand, model)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        # a plain number has the unit of what it is added to
        sides = [_common(_units(side, model)) for side in (node.left, node.right) if not isinstance(side, ast.Constant)]
        return _common(sides)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name in KEEP:
            return _common(_units(node.args[0], model))
        return MEASURES[name].unit if name in MEASURES else OWN.get(name, "")
    return _field(node, model) if isinstance(node, ast.Attribute) else ""


def _index(node: ast.expr) -> Any:
    """An index as it is written: a number, a slice, or several."""
    if isinstance(node, ast.Tuple):
        return tuple(_index(part) for part in node.elts)
    if isinstance(node, ast.Slice):
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if part is None else ast.literal_eval(part) for part in parts))
    return ast.literal_eval(node)


def _field(node: ast.Attribute, model: ModelView) -> Any:
    """The units of a field: `d.qpos`, `m.opt.timestep`, `d.joint("knee").qvel`."""
    owner = node.value
    if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
        variable, kind = _name(owner.func.value), ALIASES.get(owner.func.attr, owner.func.attr)
        key = ast.literal_eval(owner.args[0])
        element = model.names[kind].index(key) if isinstance(key, str) else int(key)
        field = attributes(LAYOUTS[variable], kind)[node.attr]
        return np.asarray(_of_rows(field, model), object)[_rows(field, model, kind, element)]
    path = [node.attr]
    while isinstance(owner, ast.Attribute):
        path.append(owner.attr)
        owner = owner.value
    return _of_rows(LAYOUTS[_name(owner)].places[".".join(reversed(path))].field, model)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _rows(field: Field, model: ModelView, kind: str, element: int) -> Any:
    """The rows of a field that belong to an element."""
    size = field.shape[0]
    if not isinstance(size, str) or size not in SPANS:
        return element if size in KINDS[kind].sizes else slice(None)
    if (size, kind) == ("nplastic", "tendon"):
        first = int(model.tendon_plasticadr[element])
        return slice(first, first + 2)
    address, counts = SPANS[size]
    first = int(getattr(model, address)[element])
    if size in JOINT_ROWS:
        return slice(first, first + JOINT_ROWS[size][int(model.jnt_type[element])])
    return slice(first, first + int(np.prod([getattr(model, count)[element] for count in counts])))


def _of_rows(field: Field, model: ModelView) -> Any:
    """The unit of each row of a field, or one unit for all."""
    unit, size = field.unit, field.shape[0] if field.shape else ""
    if field.name == "sensordata":
        return _repeated([sensor_unit(model, s) for s in range(len(model.sensor_dim))], model.sensor_dim)
    if field.name == "plastic":
        return _rests(model)
    if field.name in TENDONS:
        return np.array([f"{each}{unit[1:]}" if (each := tendon_unit(model, t)) else "" for t in range(model.ntendon)])
    if unit == "N,N·m":
        units = np.array(["N"] * 3 + ["N m"] * 3, object)
        return units if len(field.shape) == 1 else np.tile(units, (_count(model, field), 1))
    if unit not in LINEAR:
        return np.full([_count(model, field), *field.shape[1:]] if field.shape else (), unit.replace("·", " "), object)
    if size == "nv":
        return _dofs(model, unit)
    if size == "nq":
        return _positions(model)
    return _outputs(model) if size == "nout" else ""


def _count(model: ModelView, field: Field) -> int:
    """How many rows there are; of those whose number changes, enough for any index."""
    size = field.shape[0]
    return size if isinstance(size, int) else int(getattr(model, size, 0)) or 1 << 12


def _repeated(units: list[str], counts: NDArray[Any]) -> Texts:
    return np.repeat(np.array(units, object), np.asarray(counts))


def _dofs(model: ModelView, unit: str) -> Texts:
    """The unit of each dof."""
    units: list[str] = []
    for kind in np.asarray(model.jnt_type).tolist():
        rows = [ANGULAR[unit]] * JOINT_ROWS["nv"][kind]
        slides = {JNT_FREE: 3, JNT_SLIDE: 1}.get(kind, 0)
        units += [LINEAR[unit]] * slides + rows[slides:]
    return np.array(units, object)


def _rests(model: ModelView) -> Texts:
    """The unit of each number of d.plastic; quaternions have none."""
    units = np.full(int(model.nplastic), "", object)
    for joint in np.flatnonzero(np.asarray(model.jnt_plasticadr) >= 0).tolist():
        words = {JNT_SLIDE: "m", JNT_HINGE: "rad"}
        units[int(model.jnt_plasticadr[joint])] = words.get(int(model.jnt_type[joint]), "")
    for tendon in np.flatnonzero(np.asarray(model.tendon_plasticadr) >= 0).tolist():
        first = int(model.tendon_plasticadr[tendon])
        units[first : first + 2] = tendon_unit(model, tendon)
    return units


def _positions(model: ModelView) -> Texts:
    """The unit of each number of qpos; quaternions have none."""
    words = {JNT_FREE: ["m"] * 3 + [""] * 4, JNT_SLIDE: ["m"], JNT_HINGE: ["rad"]}
    kinds = np.asarray(model.jnt_type).tolist()
    return np.array([unit for kind in kinds for unit in words.get(kind, [""] * 4)], object)


def _outputs(model: ModelView) -> Texts:
    """The unit of each actuator's force."""
    units = []
    for kind, (target, *_) in zip(model.actuator_trntype.tolist(), model.actuator_trnid.tolist(), strict=True):
        joint = int(model.jnt_type[target]) if kind in (TRN_JOINT, TRN_JOINTINPARENT) else -1
        pulled = tendon_unit(model, target) if kind == TRN_TENDON else ""
        units.append({JNT_HINGE: "N m", JNT_SLIDE: "N"}.get(joint, {"m": "N", "rad": "N m"}.get(pulled, "")))
    return _repeated(units, model.actuator_outnum)
