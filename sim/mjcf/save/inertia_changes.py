"""Writes edited masses and inertias to <inertial>: to the attributes that changed, or to a new one.

A new one has all of the inertia: the mass or density of a geom cannot give another mass and the same inertia.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.mjcf.records import TRUE, Body
from sim.mjcf.rotation import compose_frames, invert_frame
from sim.mjcf.save.attribute_text import fewest_words, format_numbers, format_scaled
from sim.mjcf.save.unscale import unscaled_inertial
from sim.mjcf.scale.frame_scale import Scale
from sim.mjcf.schema import ORIENTATIONS
from sim.mjcf.source import Node

if TYPE_CHECKING:
    from sim.mjcf.save.changes import Changes

# field -> attribute of <inertial>
FIELDS = {"body_mass": "mass", "body_ipos": "pos", "body_iquat": "quat", "body_inertia": "diaginertia"}


def write_inertias(changes: Changes) -> None:
    """Write the inertia of all bodies in which it changed."""
    changed = {field: changes.rows(field) for field in FIELDS}
    rows = sorted({row for rows in changed.values() for row in rows})
    if rows and changes.parsed.compiler.settotalmass > 0:
        # masses would be scaled again
        rows = list(range(1, changes.m.read("nbody")))
        changed = dict.fromkeys(FIELDS, rows)
        for section in changes.root.children:
            if section.tag == "compiler":
                section.attrib.pop("settotalmass", None)
    for row in rows:
        body: Body = changes.lists["body"][row]
        node = changes.node_of(body)
        if node is None or row == 0 or changes.parsed.compiler_of(body).inertiafromgeom == TRUE:
            continue
        inertial = changes.node_of(body.inertial) if body.inertial is not None else None
        if inertial is None:
            node.children.insert(0, Node("inertial", _all(changes, body, row), node.document, node.end))
        elif changed["body_iquat"] != [] and row in changed["body_iquat"]:
            _replace(inertial, _all(changes, body, row))
        else:
            _update(changes, body, row, inertial, [FIELDS[field] for field, found in changed.items() if row in found])


def _all(changes: Changes, body: Body, row: int) -> dict[str, str]:
    """All attributes of an <inertial>."""
    values = {name: changes.m.read(f"body_{name}")[row] for name in ("ipos", "iquat", "mass", "inertia")}
    written = body.inertial
    if written is not None and written.frame is not None:
        inverse = invert_frame(written.frame.pos, written.frame.quat)
        pos, quat = compose_frames(*inverse, tuple(values["ipos"].tolist()), tuple(values["iquat"].tolist()))
        values |= {"ipos": np.array(pos), "iquat": np.array(quat)}
    return {name: format_numbers(value) for name, value in unscaled_inertial(_scale(body), values).items()}


def _scale(body: Body) -> Scale | None:
    """The scale of what an <inertial> says."""
    return body.inner_scale if body.inertial is None else body.inertial.frame_scale


def _replace(inertial: Node, attributes: dict[str, str]) -> None:
    for name in ("diaginertia", "fullinertia", *ORIENTATIONS):
        inertial.attrib.pop(name, None)
    inertial.attrib |= attributes


def _update(changes: Changes, body: Body, row: int, inertial: Node, names: list[str]) -> None:
    """Write single attributes; `fullinertia` gives the frame too, and a stretched frame needs it."""
    scale = _scale(body)
    full = "diaginertia" in names and "fullinertia" in inertial.attrib
    moved = "pos" in names and body.inertial is not None and body.inertial.frame is not None
    if full or moved or (scale is not None and (not scale.uniform or names != ["mass"])):
        _replace(inertial, _all(changes, body, row))
        return
    fields = {name: field for field, name in FIELDS.items()}
    factor = scale.units.mass if scale is not None else 1.0
    for name in names:
        before, after = (read(fields[name])[row].reshape(-1) for read in (changes.start.__getitem__, changes.m.read))
        was, now = (" ".join(format_scaled(x, factor) for x in value) for value in (before, after))
        inertial.attrib[name] = fewest_words(inertial.attrib.get(name, ""), was, now, partial=False)
