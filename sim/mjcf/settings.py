"""<option> and <visual>: attributes, types and defaults, taken from the table of Model's fields.

MJCF and Model use the same names, except for `visual/global`, which is `vis.global_` in Python.
"""

from __future__ import annotations

from typing import Any

from sim.fields import MODEL
from sim.jit import Field

# integers in Model, true or false in MJCF
SWITCHES = ("orthographic", "ellipsoidinertia", "bvactive")
# fields of opt that have another form in MJCF
NOT_ATTRIBUTES = ("disableflags", "enableflags", "disableactuator")


def _default(field: Field) -> Any:
    """Default of a setting: an int, a float, or a tuple of floats."""
    if field.shape:
        count = int(field.shape[0])
        return field.default if isinstance(field.default, tuple) else (float(field.default),) * count
    assert not isinstance(field.default, tuple)
    return float(field.default) if field.dtype.startswith("f") else int(field.default)


def _kind(name: str, default: Any) -> str:
    """Type of an attribute, in the notation of `schema`."""
    if isinstance(default, tuple):
        # o_solref, o_solimp and o_friction may be given in part, other vectors not
        return f"real[1-{len(default)}]" if name.startswith("o_") else f"real[{len(default)}]"
    if isinstance(default, float):
        return "real"
    return "bool" if name in SWITCHES else f"enum:{name}" if name in KEYWORD_OPTIONS else "int"


KEYWORD_OPTIONS = ("integrator", "cone", "jacobian", "solver")

OPTION: dict[str, Any] = {f.name[4:]: _default(f) for f in MODEL if f.name.startswith("opt.")}
VISUAL: dict[str, dict[str, Any]] = {}
for _field in MODEL:
    if _field.name.startswith("vis."):
        _, _group, _name = _field.name.split(".")
        VISUAL.setdefault(_group.rstrip("_"), {})[_name] = _default(_field)

OPTION_ATTRIBUTES = " ".join(
    f"{name}={_kind(name, default)}" for name, default in OPTION.items() if name not in NOT_ATTRIBUTES
)
VISUAL_ATTRIBUTES = {
    group: " ".join(f"{name}={_kind(name, default)}" for name, default in values.items())
    for group, values in VISUAL.items()
}
