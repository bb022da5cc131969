"""The table of attributes: every row is complete and consistent, and a new one is all that an attribute needs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.model.components import GROUPS
from app.model.editable import BY_TYPE
from sim.attributes import ATTRIBUTES, BY_ELEMENT, BY_TAG, Attribute, defaults
from sim.attributes.keywords import KEYWORDS
from sim.fields import MODEL
from sim.mjcf.schema import CHILDREN, read_attributes
from sim.mjcf.source import XmlReader
from tests.patience import finished

ROOT = Path(__file__).resolve().parents[3]
FIELDS = {field.name: field for field in MODEL}


def test_an_attribute_is_one_row(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.sim.attributes.one_row", str(tmp_path)]
    done = finished(command, cwd=ROOT)
    assert done.stdout == "one row\n", done.stdout + done.stderr


@pytest.mark.parametrize("row", ATTRIBUTES, ids=lambda row: f"{row.path}-{len(row.tags)}")
def test_row(row: Attribute) -> None:
    assert row.type.base in ("int", "real", "bool", "str", "enum", "flags", "ref")
    if row.type.base in ("enum", "flags"):
        assert row.type.argument in KEYWORDS
    if row.type.base == "ref":
        assert row.type.argument in BY_ELEMENT
    if row.bit < 0 and row.field:
        field = FIELDS[row.field]
        assert (field.unit, field.doc, field.owner) == (row.unit, row.meaning, "mjcf")
        assert row.meaning
        assert not row.poly or f"{row.field}poly" in FIELDS
        # what is filled row by row has a default, or is required
        assert not row.direct or row.default or row.note or row.type.required
    assert not row.edit or row.field
    assert not row.effect.startswith("as "), "there is no such row"
    assert not row.effect or row.edit
    assert not row.effect or row.effect.endswith(".")
    group = row.edit.partition(" ")[0]
    if row.edit and group.isidentifier() and group not in ("count", "switch", "colour", "enum", "pick"):
        assert group in GROUPS or group in BY_TYPE


def test_a_tag_has_an_attribute_once() -> None:
    pairs = [(tag, row.name) for row in ATTRIBUTES for tag in row.tags]
    assert len(pairs) == len(set(pairs))


def test_a_field_is_filled_by_one_row() -> None:
    fields = [(row.field, row.bit) for row in ATTRIBUTES if row.field]
    assert len(fields) == len(set(fields))
    assert len(FIELDS) == len(MODEL)


def test_tags_are_those_of_the_tree() -> None:
    """Every tag of the table occurs in some element, and every element that has attributes is in the table."""
    children = {kind.rstrip("?") for kinds in CHILDREN.values() for kind in kinds.split()}
    assert set(BY_TAG) - children == {"mujoco", "replicate", "attach", "model"} - children
    assert {tag for tag in children if tag not in BY_TAG} == {
        *("visual", "asset", "deformable", "worldbody", "keyframe"),
        *("custom", "contact", "equality", "tendon", "actuator", "sensor"),
    }  # fmt: skip


@pytest.mark.parametrize("tag", sorted(BY_TAG))
def test_a_default_is_what_its_text_reads_as(tag: str) -> None:
    """A default is written as in a file: read as an attribute, it gives the same value."""
    for row in BY_TAG[tag].values():
        if row.default in ("", '""', "()") or row.note:
            continue
        node = XmlReader("text.xml").tree(f'<{tag.rpartition("/")[2]} {row.name}="{row.default}"/>')
        try:
            value = read_attributes(node, tag)[row.name]
        except ValueError as error:
            assert "missing attribute" in str(error) or row.type.low == row.type.high, error
            continue
        expected = defaults(row.element)[row.name]
        assert expected[: len(value)] == value if isinstance(value, tuple) else expected == value
