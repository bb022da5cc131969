"""The table of MJCF attributes: type, default, field of Model, unit, editing, meaning, effect.

From one row follow the schema and its checks, the default, the field of Model and how it is filled and saved, the
widget that edits it live, and the tooltip. Its columns are two spaces apart, the last ones may be missing, `-` is none:

    attribute  type  default  field  unit  editing
        what the field is
        > the effect of increasing it, or `as element/attribute`, whose effect is the same

Type: `int`, `real`, `bool`, `str`, `enum:set`, `flags:set`, `ref:element` (a name); `[3]` means three values, `[1-3]`
one to three (the others keep their default), `[]` any number; `!` means required. Sets are in keywords.py.
Default: as MJCF writes it, missing numbers of a vector are 0; `""` and `()` are empty; in parentheses: what happens
without the attribute, after the value if that can fail. An attribute without a default is translated when it is read.
Field: name and type (f8 f4 i4 i8 b1) of the field that the attribute fills. `name+poly`: its first number, and the
others in the field `namepoly`. `bit 3`: a flag. A field with a shape is filled and saved by its own code.
Editing: for numbers the step of a drag at zero and the legal values, `count` and the legal values, or a group in
app/model/components.py; `switch`, `colour`, `enum`, `pick` and the values; `[...]` names the components; `*`: constants
of the model depend on it. `## heading` is the heading in the panel.

`# element: tags` starts the rows of an element type that these tags have; `tag+` is also settable in a default class,
`sensor/` prefixes the tags after it, and a tag with another meaning in another parent is called parent/tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from sim.attributes.actuators import ACTUATORS_TEXT
from sim.attributes.assets import ASSETS_TEXT
from sim.attributes.bodies import BODIES_TEXT
from sim.attributes.constraints import CONSTRAINTS_TEXT
from sim.attributes.custom import CUSTOM_TEXT
from sim.attributes.keywords import KEYWORDS
from sim.attributes.names import NAMES_TEXT
from sim.attributes.sensors import SENSORS_TEXT
from sim.attributes.settings import SETTINGS_TEXT
from sim.attributes.tendons import TENDONS_TEXT
from sim.attributes.visual import VISUAL_TEXT

TEXTS = (
    SETTINGS_TEXT,
    VISUAL_TEXT,
    ASSETS_TEXT,
    BODIES_TEXT,
    CONSTRAINTS_TEXT,
    TENDONS_TEXT,
    ACTUATORS_TEXT,
    SENSORS_TEXT,
    CUSTOM_TEXT,
    NAMES_TEXT,
)

# prefix of a field -> the size of Model that counts its rows
SIZES = {
    "body": "nbody", "jnt": "njnt", "dof": "nv", "geom": "ngeom", "site": "nsite", "cam": "ncam", "light": "nlight",
    "tex": "ntex", "mat": "nmat", "mesh": "nmesh", "hfield": "nhfield", "skin": "nskin", "pair": "npair",
    "eq": "neq", "tendon": "ntendon", "actuator": "nactuator", "sensor": "nsensor", "key": "nkey",
}  # fmt: skip

COLUMNS = re.compile(r"\s{2,}")


class Type(NamedTuple):
    """The type of an attribute: `base` is int, real, bool, str, enum, flags or ref; `high` None: any number."""

    base: str
    argument: str
    vector: bool
    low: int
    high: int | None
    required: bool


class Attribute(NamedTuple):
    """One row of the table."""

    element: str
    tags: tuple[str, ...]
    name: str
    type: Type
    default: str
    note: str = ""  # what happens without the attribute
    field: str = ""
    dtype: str = ""
    shape: tuple[int | str, ...] = ()
    poly: bool = False
    bit: int = -1
    direct: bool = False  # the field is filled with the attribute's value, row by row
    unit: str = ""
    edit: str = ""
    heading: str = ""
    meaning: str = ""
    effect: str = ""

    @property
    def path(self) -> str:
        """Element and attribute: `geom/solref`, `visual/map/znear`."""
        return f"{self.element}/{self.name}"


def _type(text: str) -> Type:
    """The type in the notation of the table."""
    base, bracket, count = text.rstrip("!").partition("[")
    base, _, argument = base.partition(":")
    low, _, high = count.rstrip("]").partition("-")
    most = int(high or low) if low else None
    return Type(base, argument, bool(bracket), int(low or 0), most, text.endswith("!"))


def _parse(text: str) -> Iterator[Attribute]:
    """The rows of a text."""
    row: Attribute | None = None
    element, tags, heading = "", tuple[str, ...](), ""
    for line in text.splitlines():
        if line.startswith("    > "):
            assert row is not None
            row = row._replace(effect=line[6:])
        elif line.startswith("      "):
            assert row is not None
            row = row._replace(effect=f"{row.effect} {line.strip()}")
        elif line.startswith("    "):
            assert row is not None
            row = row._replace(meaning=line.strip())
        elif line:
            if row is not None:
                yield row
            row = None
            if line.startswith("## "):
                heading = line[3:]
            elif line.startswith("# "):
                element, colon, names = line[2:].partition(":")
                tags, heading = tuple(_tags(names)) if colon else (element,), ""
            else:
                row = _row(element, tags, heading, *COLUMNS.split(line))
    if row is not None:
        yield row


def _tags(names: str) -> Iterator[str]:
    """The tags of a heading."""
    prefix = ""
    for name in names.split():
        if name.endswith("/"):
            prefix = name
        else:
            tag = prefix + name.rstrip("+")
            yield tag
            if name.endswith("+"):
                yield f"default/{tag}"


def _row(
    element: str, tags: tuple[str, ...], heading: str,
    name: str, kind: str, default: str = "-", place: str = "-", unit: str = "-", edit: str = "",
) -> Attribute:  # fmt: skip
    """One line of a text."""
    row = Attribute(element, tags, name, _type(kind), *_default(default))
    if place == "-":
        return row
    field, dtype, *rest = place.split()
    if dtype == "bit":
        return row._replace(field=field, bit=int(rest[0]))
    poly, field = field.endswith("+poly"), field.removesuffix("+poly")
    return row._replace(
        field=field,
        dtype=dtype,
        shape=_extents(rest[0]) if rest else _shape(field, 1 if poly else row.type.high if row.type.vector else 1),
        poly=poly,
        direct=not rest and "." not in field,
        unit="" if unit == "-" else unit,
        edit=edit,
        heading=heading,
    )


def _default(text: str) -> tuple[str, str]:
    """The default and the note of a row."""
    if text in ("-", "()"):
        return text.strip("-"), ""
    value, _, note = text.partition("(")
    return value.strip(), note.rstrip(")")


def _extents(text: str) -> tuple[int | str, ...]:
    return tuple(int(extent) if extent.isdigit() else extent for extent in text.split(","))


def _shape(field: str, width: int | None) -> tuple[int | str, ...]:
    """The shape of a field with one row an element; settings have no rows."""
    assert width is not None
    tail = () if width == 1 else (width,)
    return tail if "." in field else (SIZES[field.partition("_")[0]], *tail)


def _table() -> tuple[Attribute, ...]:
    """All rows, with their effects."""
    rows = [row for text in TEXTS for row in _parse(text)]
    effects = {row.path: row.effect for row in rows if row.effect and not row.effect.startswith("as ")}
    return tuple(row._replace(effect=effects.get(row.effect.removeprefix("as "), row.effect)) for row in rows)


ATTRIBUTES = _table()

# element type -> its rows
BY_ELEMENT: dict[str, list[Attribute]] = {}
# tag -> attribute -> row
BY_TAG: dict[str, dict[str, Attribute]] = {}
for _attribute in ATTRIBUTES:
    BY_ELEMENT.setdefault(_attribute.element, []).append(_attribute)
    for _tag in _attribute.tags:
        BY_TAG.setdefault(_tag, {})[_attribute.name] = _attribute

# bits of opt.disableflags (set by "disable") and opt.enableflags (set by "enable"), in order
DISABLE_FLAGS = tuple(row.name for row in BY_TAG["flag"].values() if row.field == "opt.disableflags")
ENABLE_FLAGS = tuple(row.name for row in BY_TAG["flag"].values() if row.field == "opt.enableflags")


@cache
def defaults(element: str) -> dict[str, Any]:
    """The defaults of an element type: attribute -> value."""
    return {row.name: _value(row) for row in BY_ELEMENT.get(element, ()) if row.default}


def _value(row: Attribute) -> Any:
    """The default of an attribute."""
    kind, text = row.type, row.default
    if kind.base in ("str", "ref"):
        return "" if text == '""' else text
    if kind.base == "bool":
        return text == "true"
    if kind.base == "enum":
        return KEYWORDS[kind.argument][text]
    if kind.base == "flags":
        return sum(KEYWORDS[kind.argument][word] for word in text.split())
    number = float if kind.base == "real" else int
    if not kind.vector:
        return number(text)
    given = [] if text == "()" else [number(word) for word in text.split()]
    return tuple(given + [number(0)] * ((kind.high or 0) - len(given)))
