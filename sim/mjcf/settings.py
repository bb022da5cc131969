"""Options and visual settings: their MJCF attributes, kinds and defaults, taken from the table of fields.

MJCF calls them as Model does, apart from `visual/global`, which is `vis.global_` in Python.
"""

from __future__ import annotations

from typing import Any

from sim.fields import MODEL
from sim.jit import Field

# whole numbers of Model that MJCF writes as true or false
SWITCHES = ("orthographic", "ellipsoidinertia", "bvactive")
# fields of opt that MJCF writes in another form
NOT_ATTRIBUTES = ("disableflags", "enableflags", "disableactuator")


def _default(field: Field) -> Any:
    """Where a setting starts: whole numbers, numbers, or a tuple of them."""
    if field.shape:
        count = int(field.shape[0])
        return field.default if isinstance(field.default, tuple) else (float(field.default),) * count
    assert not isinstance(field.default, tuple)
    return float(field.default) if field.dtype.startswith("f") else int(field.default)


def _kind(name: str, default: Any) -> str:
    """The kind of an attribute, as the schema writes it."""
    if isinstance(default, tuple):
        # solver parameters may be given in part, vectors and colours only whole
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
