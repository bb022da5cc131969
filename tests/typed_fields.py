"""Writes the types of all fields of Model, Data and the snapshots' views, for mypy and editors, from `sim/fields`.

    .venv/bin/python -m tests.typed_fields

writes `sim/typed_fields.pyi` and `app/model/typed_views.pyi`; a test compares them. They are stubs without a module: at
runtime the fields are found by name, so the types cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from app.model.views import MODEL_FIELDS, STATE_FIELDS
from sim.fields import DATA, DATA_LAYOUT, MODEL, MODEL_LAYOUT
from sim.jit import Field, Layout
from sim.named import ALIASES, KINDS, SPANS, attributes

Line = Callable[[str, Field], list[str]]

ROOT = Path(__file__).resolve().parent.parent

SCALARS = {"f": "float", "i": "int", "u": "int", "b": "bool"}
ARRAYS = {"f8": "float64", "f4": "float32", "i8": "int64", "i4": "int32", "u1": "uint8", "b1": "bool_"}

FIELDS_HEADER = '''
"""Types of the fields of Model and Data, for mypy and editors; written by `python -m tests.typed_fields`."""

from collections.abc import Iterator
from typing import Generic, Self, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.jit.record import Record
from sim.named import ElementView

T = TypeVar("T", bound=np.generic)

class Array(Generic[T]):
    """An array; assignment copies into it."""

    def __get__(self, owner: object, kind: type | None = None) -> NDArray[T]: ...
    def __set__(self, owner: object, value: ArrayLike) -> None: ...

class Element(Generic[T]):
    """One number of an array."""

    def __get__(self, owner: object, kind: type | None = None) -> T: ...
    def __set__(self, owner: object, value: float | np.number | np.bool_) -> None: ...
'''

VIEWS_HEADER = '''
"""Types of the fields of a snapshot's ModelView and StateView; written by `python -m tests.typed_fields`."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
'''


# ---- one attribute ----


def described(doc: str, unit: str, shape: Sequence[int | str]) -> str:
    """The docstring of an attribute, which an editor shows."""
    text = doc + (f" [{unit}]" if unit else "") + (f", shape ({', '.join(map(str, shape))})" if shape else "")
    assert '"' not in text and "\\" not in text, text
    return f'    """{text}"""'


def scalar_type(field: Field) -> str:
    """The type of one value in Python."""
    return SCALARS[field.dtype[0]]


def array_type(field: Field) -> str:
    """The type of the elements of an array."""
    return f"np.{ARRAYS[field.dtype]}"


def writable(name: str, field: Field) -> list[str]:
    """A field of Model or Data, or of one of their groups."""
    kind = f"Array[{array_type(field)}]" if field.shape else scalar_type(field)
    return [f"    {name}: {kind}", described(field.doc, field.unit, field.shape)]


def frozen(name: str, field: Field) -> list[str]:
    """A field of a snapshot."""
    kind = f"NDArray[{array_type(field)}]" if field.shape else scalar_type(field)
    return [f"    {name}: Final[{kind}]", described(field.doc, field.unit, field.shape)]


def row_field(name: str, field: Field) -> list[str]:
    """A field of one row of a group of arrays."""
    kind = "Array" if field.shape[1:] else "Element"
    return [f"    {name}: {kind}[{array_type(field)}]", described(field.doc, field.unit, field.shape[1:])]


def element_field(name: str, field: Field) -> list[str]:
    """An attribute of a named element; how many rows a joint or a sensor has depends on its type."""
    shape = ("...", *field.shape[1:]) if field.shape[0] in SPANS else field.shape[1:] or (1,)
    return [f"    {name}: Array[{array_type(field)}]", described(field.doc, field.unit, shape)]


# ---- classes ----


def class_name(struct: str, group: str) -> str:
    """("Model", "vis.global_") -> ModelVisGlobal."""
    return struct + "".join(part.strip("_").capitalize() for part in group.split(".") if part)


def group_property(struct: str, name: str, path: str) -> list[str]:
    """A group of fields of Model or Data."""
    return ["    @property", f"    def {name}(self) -> {class_name(struct, path)}: ..."]


def frozen_group(struct: str, name: str, path: str) -> list[str]:
    """A group of fields of a snapshot."""
    return [f"    {name}: Final[{class_name(struct, path)}]"]


def fields_of(struct: str, fields: Sequence[Field], group: str, one: Line) -> Iterator[str]:
    """The lines of the fields that are directly in a group, then the properties of its own groups."""
    prefix = f"{group}." if group else ""
    inside = {f.name.removeprefix(prefix): f for f in fields if f.name.startswith(prefix)}
    for name, field in inside.items():
        if "." not in name:
            yield from one(name, field)
    make = frozen_group if one is frozen else group_property
    for name in dict.fromkeys(name.partition(".")[0] for name in inside if "." in name):
        yield from make(struct, name, prefix + name)


def groups_of(fields: Iterable[Field]) -> list[str]:
    """All groups of a table, those inside others too."""
    found: dict[str, None] = {}
    for field in fields:
        parts = field.name.split(".")[:-1]
        found |= dict.fromkeys(".".join(parts[: n + 1]) for n in range(len(parts)))
    return list(found)


def has_rows(fields: Sequence[Field], group: str) -> bool:
    """Whether all fields of a group of Data are arrays of equal length."""
    inside = [field for field in fields if field.name.startswith(f"{group}.")]
    return fields is DATA and len({field.shape[:1] for field in inside}) == 1 and bool(inside[0].shape)


def row_methods(name: str) -> list[str]:
    """What makes a group a sequence: `d.contact[0]`, `d.contact[2:5]`."""
    return [
        "    def __len__(self) -> int: ...",
        f"    def __iter__(self) -> Iterator[{name}Row]: ...",
        "    @overload",
        f"    def __getitem__(self, row: SupportsIndex) -> {name}Row: ...",
        "    @overload",
        "    def __getitem__(self, row: slice) -> Self: ...",
    ]


def row_class(name: str, fields: Sequence[Field], group: str) -> Iterator[str]:
    """The class of one row of a group."""
    yield from ("", f"class {name}Row(Record):")
    for field in fields:
        if field.name.startswith(f"{group}."):
            yield from row_field(field.name.rpartition(".")[2], field)


def struct_classes(struct: str, fields: Sequence[Field], layout: Layout) -> Iterator[str]:
    """The classes of the groups, of the named elements and of a struct itself."""
    for group in groups_of(fields):
        name = class_name(struct, group)
        yield from ("", f"class {name}(Record):", *fields_of(struct, fields, group, writable))
        if has_rows(fields, group):
            yield from (*row_methods(name), *row_class(name, fields, group))
    views = {kind: class_name(struct, kind) for kind in KINDS}
    assert not {*views.values()} & {class_name(struct, group) for group in groups_of(fields)}
    for kind, name in views.items():
        yield from ("", f"class {name}(ElementView):", f'    """One {kind} of {struct}."""')
        parts = [line for item in attributes(layout, kind).items() for line in element_field(*item)]
        yield from ("", *parts) if parts else ()
    yield from ("", f"class {struct}Fields:", *fields_of(struct, fields, "", writable))
    for kind, name in {**views, **{alias: views[kind] for alias, kind in ALIASES.items()}}.items():
        doc = f"The {ALIASES.get(kind, kind)} with a name or an index."
        yield from (f"    def {kind}(self, key: str | SupportsIndex) -> {name}:", f'        """{doc}"""')


def view_classes(struct: str, fields: Sequence[Field]) -> Iterator[str]:
    """The classes of the groups of a view, and of the view's fields."""
    for group in groups_of(fields):
        yield from ("", f"class {class_name(struct, group)}:", *fields_of(struct, fields, group, frozen))
    yield from ("", f"class {struct}Fields:", *fields_of(struct, fields, "", frozen))


# ---- files ----


def chosen(fields: Sequence[Field], names: Sequence[str]) -> tuple[Field, ...]:
    """The fields with some names, in the order of the names."""
    table = {field.name: field for field in fields}
    return tuple(table[name] for name in names)


def make_fields() -> str:
    """sim/typed_fields.pyi."""
    lines = (*struct_classes("Model", MODEL, MODEL_LAYOUT), *struct_classes("Data", DATA, DATA_LAYOUT))
    return FIELDS_HEADER.lstrip() + "\n".join(lines) + "\n"


def make_views() -> str:
    """app/model/typed_views.pyi."""
    model = view_classes("ModelView", chosen(MODEL, MODEL_FIELDS))
    state = view_classes("StateView", chosen(DATA, STATE_FIELDS))
    return VIEWS_HEADER.lstrip() + "\n".join((*model, *state)) + "\n"


# file -> what makes its content
FILES = {"sim/typed_fields.pyi": make_fields, "app/model/typed_views.pyi": make_views}


def write() -> None:
    """Bring the files up to date."""
    for path, make in FILES.items():
        (ROOT / path).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    write()
