"""Writes fields of a Model that changed since it was loaded into the attributes of their XML elements.

Most fields are an attribute of their element, by the table in `sim.attributes`; the others have a function here: poses
are converted to the enclosing frame in the file, masses become an `inertial`, angles take the unit of the file. What
MJCF has no attribute for is not written: `read_back.py` finds it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.attributes import ATTRIBUTES, BY_ELEMENT, BY_TAG, DISABLE_FLAGS, ENABLE_FLAGS, Attribute
from sim.attributes.actuators import ACTUATOR_TAGS
from sim.attributes.keywords import KEYWORDS
from sim.mjcf.asset.mesh_geom import velocity_in_frame
from sim.mjcf.body_tree import PREFIXES
from sim.mjcf.records import TRUE, Body, Inertial, Item, Joint, Parsed, is_ratio
from sim.mjcf.rotation import UNIT, ZERO, Quat, Vec3, compose_frames, invert_frame, quat_z_to_vec, rot_vec_quat
from sim.mjcf.save.attribute_text import fewest_words, format_attribute, format_numbers, format_scaled
from sim.mjcf.save.derived_changes import write_derived
from sim.mjcf.save.key_changes import write_key_changes
from sim.mjcf.save.shortcut_text import PARAMETERS, ShortcutText, range_of_input, to_general, write_damping
from sim.mjcf.save.source_edits import label
from sim.mjcf.save.unscale import unscaled_data, unscaled_inertial, unscaled_position
from sim.mjcf.scale.frame_scale import Scale
from sim.mjcf.schema import ORIENTATIONS, element, words
from sim.mjcf.section.equality import TYPES
from sim.mjcf.set_const.shapes import edited_bodies
from sim.mjcf.source import Node
from sim.model import Model
from sim.named import SPANS

NodeOf = Callable[[Item | Inertial], Node | None]
# the value of a field, in the Model or in the file
Read = Callable[[str], Any]

# computed when a file is loaded
DERIVED = words("""
    body_subtreemass body_invweight0 dof_invweight0 dof_M0 dof_length tendon_length0 tendon_invweight0 actuator_acc0
    actuator_length0 geom_rbound geom_aabb body_margin cam_pos0 cam_poscom0 cam_mat0 light_pos0 light_poscom0 light_dir0
    body_sameframe geom_sameframe site_sameframe body_simple dof_simplenum ngravcomp flg_gravcomp body_contype
    body_conaffinity body_bvhadr""")
# computed too, unless <statistic> sets them
MEANS = ("meaninertia", "meanmass")
# ranges that imply a limit where `limited` is auto: row of the range -> row of `limited`
RANGES = {
    row: limited
    for row in ATTRIBUTES
    if row.field and row.name.endswith("range")
    for limited in BY_ELEMENT[row.element]
    if limited.field and limited.name == row.name[:-5] + "limited"
}
# attributes that would override another one
OVERRULING = {
    "type": ("directional",),
    "quat": ORIENTATIONS,
    "gainprm": ("kp",),
    "ctrlrange": ("posrange", "inheritrange"),
    "actrange": ("inheritrange",),
}
# policies of sleep; which one is automatic follows from the model
SLEEP_WORDS = {policy for word, policy in KEYWORDS["sleep"].items() if word != "auto"}
# vectors of which a part means something else than the same numbers for the rest; so do those of pairs
WHOLE = ("springlength",)
# type of element -> prefix of its fields, and the attribute that turns it
POSES = {
    **{kind: (prefix, "quat") for kind, prefix in PREFIXES.items() if kind not in ("joint", "light")},
    "body": ("body", "quat"), "joint": ("jnt", "axis"), "light": ("light", "dir"),
}  # fmt: skip
# attributes of free joints that a <freejoint> does not have
NOT_OF_FREEJOINTS = words("""
    stiffness damping armature frictionloss margin solreflimit solimplimit solreffriction solimpfriction
    springdamper""")
# attributes of hinges and balls that are angles, besides the range
ANGLES = ("ref", "springref", "springyield")
# tags that become another one when they lack an attribute
CONVERTED = ("freejoint", *ACTUATOR_TAGS)
# field -> attribute of <inertial>
INERTIAL_FIELDS = {"body_mass": "mass", "body_ipos": "pos", "body_iquat": "quat", "body_inertia": "diaginertia"}
# flags of options, and their words for 1 and 0
FLAGS = {"disableflags": (DISABLE_FLAGS, "disable", "enable"), "enableflags": (ENABLE_FLAGS, "enable", "disable")}
GROUPS = "actuatorgroupdisable"


def schema_name(kind: str, node: Node) -> str:
    """Name of an element in the schema."""
    return element(kind).children.get(node.tag, node.tag) if kind in ("equality", "sensor") else node.tag


class Changes:
    """Compares a Model with its values when loaded, and updates the XML nodes."""

    def __init__(self, m: Model, parsed: Parsed, root: Node, node_of: NodeOf) -> None:
        self.m, self.start, self.parsed, self.root, self.node_of = m, m.file_values, parsed, root, node_of
        # fields that changed, until their attributes are set
        self.waiting = {name for name in self.start if not self._same(name)}
        # rows that the file cannot say
        self.refused: set[tuple[str, int]] = set()
        # fields of elements that a frame has scaled in a way that the file cannot say
        self.stretched: set[str] = set()
        self.lists = parsed.lists
        # the Model, and the file
        self.reads: tuple[Read, Read] = (m.read, self.start.__getitem__)
        self.shortcuts = ShortcutText(m, parsed, self.start)

    def apply(self) -> None:
        """Update the nodes, as far as MJCF has attributes for the edits."""
        if not self.waiting:
            return
        self.waiting -= {*DERIVED, *(f"stat.{name}" for name in MEANS if name not in self.parsed.statistic)}
        self._set_limited()
        write_settings(self)
        write_inertias(self)
        for kind, (prefix, turn) in POSES.items():
            self._poses(kind, prefix, turn)
        self._surfaces()
        self._joints()
        self._equalities()
        write_key_changes(self)
        self._numeric()
        for row in ATTRIBUTES:
            if row.dtype and "." not in row.field:
                self._attribute(row)
        write_derived(self.m, self.parsed, self.root, self.node_of)
        self._actuators()

    # ---- changed rows

    def _same(self, name: str) -> bool:
        return np.array_equal(self.start[name], self.m.read(name))

    def rows(self, name: str) -> list[int]:
        """Rows of a field that changed; it waits no more."""
        if name not in self.waiting:
            return []
        self.waiting.discard(name)
        return self.changed(name)

    def changed(self, name: str) -> list[int]:
        """Rows of a field that changed."""
        old, new = self.start[name], self.m.read(name)
        different = old != new
        rows = map(int, np.flatnonzero(different.any(axis=tuple(range(1, different.ndim)))))
        return [row for row in rows if (name, row) not in self.refused]

    def set(self, kind: str, number: int, key: str, text: str, before: str = "") -> None:
        """Set an attribute of an element; `before` is the text for its value in the file."""
        item = self.lists[kind][number]
        node = self.node_of(item)
        if node is None:
            return
        if node.tag == "freejoint" and key not in ("name", "group", "align"):
            _to_joint(item, node)
        if kind == "actuator" and key not in element(node.tag).attributes:
            if key in PARAMETERS and self.shortcuts.write(item, node):
                return
            to_general(self.m, item, node)
        name = schema_name(kind, node)
        if key not in element(name).attributes:
            return
        overruled = [node.attrib.pop(other) for other in OVERRULING.get(key, ()) if other in node.attrib]
        if before and not overruled:
            partial = element(name).attributes[key].partial and kind != "pair" and key not in WHOLE
            text = fewest_words(node.attrib.get(key, ""), before, text, partial)
        node.attrib[key] = text

    def _field(self, kind: str, number: int, key: str, field: str, row: int, unit: float = 1.0) -> None:
        """Set an attribute with the numbers of a row of a field."""
        self._numbers(kind, number, key, self.m.read(field)[row], self.start[field][row], unit)

    def _numbers(self, kind: str, number: int, key: str, now: Any, was: Any, unit: float = 1.0) -> None:
        """Set an attribute with numbers, of which `was` are those of the file.

        They are written as they were before a frame scaled them, and before they were multiplied by `unit`.
        """
        after, before = (self._words(kind, number, key, values, unit) for values in (now, was))
        if after is not None and before is not None:
            self.set(kind, number, key, after, before)
        else:
            self._stretched(kind, number, next(row.field for row in BY_ELEMENT[kind] if row.name == key))

    def _words(self, kind: str, number: int, key: str, values: Any, unit: float = 1.0) -> str | None:
        """The text for the values of an attribute; None if a frame scaled them in a way that the file cannot say."""
        numbers = np.ravel(values)
        factors = self.lists[kind][number].factors.get(key, (1.0,) * len(numbers))
        if not factors:
            return None
        factors = (*factors, *(1.0,) * (len(numbers) - len(factors)))
        return " ".join(format_scaled(x, by * unit) for x, by in zip(numbers, factors, strict=False))

    def _stretched(self, kind: str, number: int, *fields: str) -> None:
        owner = label(kind, number, self.m.names[kind][number])
        self.stretched |= {f"{field} of {owner}" for field in fields}

    def _set_limited(self) -> None:
        """Set `limited` where a changed range would imply another value; a limit needs a range."""
        for interval, limited in RANGES.items():
            fields = {interval.field, limited.field} & self.waiting
            for row in sorted({row for field in fields for row in self.changed(field)}):
                on, (low, high) = bool(self.m.read(limited.field)[row]), self.m.read(interval.field)[row]
                kind, number = interval.element, row
                own = True
                if interval.shape[0] == "nu":
                    number = int(row_owners(self.m, "nu")[row])
                    own = range_of_input(self.m, number, row) == interval.name
                item = self.lists[kind][number]
                ball = isinstance(item, Joint) and item.type == enums.JNT_BALL
                if (on and low >= high and not ball) or (not own and on != (low < high)):
                    self.refused |= {(interval.field, row), (limited.field, row)}
                elif own and interval.field in fields and row in self.changed(interval.field):
                    # without autolimits a range needs the attribute, which it has if there was one
                    asked = not self.parsed.compiler_of(item).autolimits and not self.start[interval.field][row].any()
                    if on != (low < high) or asked:
                        self.set(kind, number, limited.name, "true" if on else "false")

    # ---- bodies and their elements

    def _poses(self, kind: str, prefix: str, turn: str) -> None:
        resized = self.rows(f"{prefix}_size") if kind in ("geom", "site") else []
        moved, turned = self.rows(f"{prefix}_pos"), self.rows(f"{prefix}_{turn}")
        for k in sorted({*resized, *moved, *turned}):
            item = self.lists[kind][k]
            node = self.node_of(item)
            if node is None:
                continue
            if _is_stretched(item) and k in turned and kind != "light":
                self._stretched(kind, k, *(f"{prefix}_{name}" for name in ("pos", turn, "size")))
                continue
            if getattr(item, "fromto", None) is not None:
                self._span(kind, prefix, k, node)
                continue
            # a mesh or height field has a size of its own
            if k in resized and getattr(item, "asset", None) is None:
                self._field(kind, k, "size", f"{prefix}_size", k)
            if turn != "quat":
                self._point(item, kind, k, *(key for key, rows in (("pos", moved), (turn, turned)) if k in rows))
            elif (k in moved or k in turned) and not self.parsed.compiler.fusestatic:
                pos, quat = self._pose(item, prefix, k, self.m.read)
                # the frame of a mesh turns about the point that the file gives
                if k in moved or getattr(item, "offset", None) is not None:
                    self.set(kind, k, "pos", format_numbers(unscaled_position(item, pos)))
                if k in turned:
                    self.set(kind, k, "quat", format_numbers(quat))

    def _point(self, item: Any, kind: str, k: int, *keys: str) -> None:
        """The anchor and the axis of a joint, or the position and the direction of a light, in the enclosing frame."""
        pos, quat = (ZERO, UNIT) if item.frame is None else invert_frame(item.frame.pos, item.frame.quat)
        for key in keys:
            value = tuple(self.m.read(f"{POSES[kind][0]}_{key}")[k].tolist())
            if key == "pos":
                value = value if item.frame is None else compose_frames(pos, quat, value, UNIT)[0]
                value = unscaled_position(item, value)
            else:
                value = rot_vec_quat(value, quat)
            self.set(kind, k, key, format_numbers(value))

    def _pose(self, item: Any, prefix: str, k: int, read: Read) -> tuple[Vec3, Quat]:
        """The pose in the enclosing frame."""
        pos, quat = (tuple(read(f"{prefix}_{name}")[k].tolist()) for name in ("pos", "quat"))
        offset = getattr(item, "offset", None)
        if offset is not None:
            pos, quat = compose_frames(pos, quat, *invert_frame(offset.pos, offset.quat))
        if item.frame is not None:
            pos, quat = compose_frames(*invert_frame(item.frame.pos, item.frame.quat), pos, quat)
        return pos, quat

    def _span(self, kind: str, prefix: str, k: int, node: Node) -> None:
        """What has `fromto`, which gives its pose and length: another one, or a size and a pose where none can."""
        item = self.lists[kind][k]
        size, was = self.m.read(f"{prefix}_size")[k], self.start[f"{prefix}_size"][k]
        long = 1 if item.type in (enums.GEOM_CAPSULE, enums.GEOM_CYLINDER) else 2
        same = [
            np.array_equal(self.m.read(f"{prefix}_{x}")[k], self.start[f"{prefix}_{x}"][k]) for x in ("pos", "quat")
        ]
        thick = long == 1 or size[0] == size[1]
        if not (all(same) and size[long] == was[long] and thick):
            if _is_stretched(item):
                self._stretched(kind, k, *(f"{prefix}_{name}" for name in ("pos", "quat", "size")))
                return
            if self.parsed.compiler.fusestatic:
                return
            (pos, quat), before = (self._pose(item, prefix, k, read) for read in self.reads)
            if thick and np.allclose(quat, quat_z_to_vec(rot_vec_quat((0.0, 0.0, 1.0), quat)), rtol=0, atol=1e-12):
                # what does not change keeps the numbers of the file
                moves = _ends(pos, quat, size[long]) - _ends(*before, was[long])
                moves[np.abs(moves) < 1e-15 * np.abs(moves).max()] = 0
                old, new = (
                    " ".join(format_numbers(unscaled_position(item, tuple(end))) for end in (ends[:3], ends[3:]))
                    for ends in (item.fromto, (np.array(item.fromto) + moves).tolist())
                )
                self.set(kind, k, "fromto", new, old)
            elif "fromto" not in node.attrib:
                # that of its class cannot be switched off
                return
            else:
                del node.attrib["fromto"]
                self.set(kind, k, "size", self._words(kind, k, "size", size) or "")
                self.set(kind, k, "pos", format_numbers(unscaled_position(item, pos)))
                self.set(kind, k, "quat", format_numbers(quat))
                return
        if not np.array_equal(np.delete(size, long), np.delete(was, long)):
            self._field(kind, k, "size", f"{prefix}_size", k)

    def _surfaces(self) -> None:
        """Surface velocities, relative to the pose in the file instead of the frame of the mesh."""
        for k in self.rows("geom_surfacevel"):
            now, was = (
                self._velocity(k, field[k]) for field in (self.m.read("geom_surfacevel"), self.start["geom_surfacevel"])
            )
            self._numbers("geom", k, "surfacevel", now, was)

    def _velocity(self, k: int, value: Any) -> Any:
        offset = self.lists["geom"][k].offset
        return value if offset is None else velocity_in_frame(value, *invert_frame(offset.pos, offset.quat))

    def _joints(self) -> None:
        m = self.m
        # the range of a joint without a limit is not converted from degrees
        for k in sorted({*self.rows("jnt_range"), *self.changed("jnt_limited")}):
            limited = m.read("jnt_limited")[k]
            unit = self._unit(k) if limited else 1.0
            if limited == self.start["jnt_limited"][k] or unit == self._unit(k) == 1.0:
                self._field("joint", k, "range", "jnt_range", k, unit)
            elif m.read("jnt_range")[k].any():
                self.set("joint", k, "range", self._words("joint", k, "range", m.read("jnt_range")[k], unit) or "")

    def _unit(self, j: int) -> float:
        """Factor from the angle unit of the file to radians; 1 for slides."""
        joint: Joint = self.lists["joint"][j]
        turns = joint.type in (enums.JNT_HINGE, enums.JNT_BALL)
        return pi / 180 if turns and self.parsed.compiler_of(joint).degree else 1.0

    # ---- other sections and keyframes

    def _actuators(self) -> None:
        """Damping that a file with other inertias would compute otherwise, and shortcuts that do not allow an edit."""
        for item in self.lists["actuator"]:
            node = self.node_of(item)
            if node is None or not (is_ratio(item) or (item.node is not None and node.attrib != item.node.attrib)):
                continue
            if node.tag == "general":
                write_damping(self.m, self.shortcuts, item, node)
            elif not self.shortcuts.write(item, node):
                to_general(self.m, item, node)
            if item.node is not None and node.tag != item.node.tag:
                self.shortcuts.shorten(item, node)

    def _equalities(self) -> None:
        for k in self.rows("eq_data"):
            item = self.lists["equality"][k]
            node = self.node_of(item)
            if node is None:
                continue
            now, was = (unscaled_data(item, read("eq_data")[k].tolist()) for read in self.reads)
            # constraints between sites have no anchors; what follows from the anchor and qpos0 is computed again
            posed = "body1" in node.attrib
            left = {"anchor": not posed, "relpose": not posed or (now[11] and now[:3] != was[:3])}
            for key, part in TYPES[node.tag][1].items():
                if not left.get(key) and now[part] != was[part]:
                    self.set("equality", k, key, format_numbers(now[part]))

    def _numeric(self) -> None:
        old, new = self.start["numeric_data"], self.m.read("numeric_data")
        owners = row_owners(self.m, "nnumericdata")
        for k in sorted({int(owners[row]) for row in self.rows("numeric_data")}):
            self._numbers("numeric", k, "data", new[owners == k], old[owners == k])

    def _attribute(self, row: Attribute) -> None:
        """A field that is an attribute of its element; if that has several rows, they share the value."""
        m, fields = self.m, (row.field, f"{row.field}poly") if row.poly else (row.field,)
        owners = row_owners(m, str(row.shape[0]))
        for k in sorted({k for field in fields for k in self.rows(field)}):
            number, key = int(owners[k]), row.name
            node = self.node_of(self.lists[row.element][number])
            tag = "" if node is None else schema_name(row.element, node)
            if not tag or not (key in element(tag).attributes or tag in CONVERTED):
                continue
            shared = np.flatnonzero(owners == number)
            if row.shape[0] == "nu" and m.read("actuator_gaintype")[number] == enums.GAIN_PID:
                shared, own = np.array([k]), range_of_input(m, number, k)
                # of other inputs than the position, the range alone says whether it limits
                if own != "ctrlrange" and key != "ctrlrange":
                    continue
                key = own if key == "ctrlrange" else key
            elif row.shape[0] == "nq" and m.read("jnt_type")[number] in (enums.JNT_FREE, enums.JNT_BALL):
                continue
            if not all((values == values[:1]).all() for values in (m.read(field)[shared] for field in fields)):
                continue
            now, was = (np.concatenate([np.ravel(read(field)[shared[0]]) for field in fields]) for read in self.reads)
            if row.type.base == "real":
                angle = row.element == "joint" and key in ANGLES
                self._numbers(row.element, number, key, now, was, self._unit(number) if angle else 1.0)
            else:
                self._word(row, number, *(x if row.type.vector else x[0] for x in (now, was)))

    def _word(self, row: Attribute, number: int, value: Any, before: Any) -> None:
        """Set an attribute that is a keyword, a name or an integer."""
        if row.type.base == "ref":
            names = self.m.names[row.type.argument]
            if 0 <= value < len(names):
                self.set(row.element, number, row.name, names[value])
            return
        texts = [self._keyword(row, one) for one in (value, before)]
        if texts[0]:
            self.set(row.element, number, row.name, *texts)

    def _keyword(self, row: Attribute, value: Any) -> str:
        """The text of a value; empty if it is a policy of sleep that only the compiler chooses."""
        chosen = row.type.argument == "sleep" and value not in SLEEP_WORDS
        return "" if chosen else format_attribute(row.type, value)


def row_owners(m: Model, size: str) -> NDArray[Any]:
    """The element that each row of the fields counted by a size belongs to."""
    if size == "ntree":
        return np.asarray(m.read("tree_bodyadr"))
    rows = np.arange(m.read(size))
    return np.searchsorted(m.read(SPANS[size][0]), rows, side="right") - 1 if size in SPANS else rows


def _ends(pos: Vec3, quat: Quat, half: float) -> NDArray[np.float64]:
    """The two points of a `fromto`."""
    along = half * np.array(rot_vec_quat((0.0, 0.0, 1.0), quat))
    return np.concatenate((pos + along, pos - along))


def _is_stretched(item: Any) -> bool:
    return item.frame_scale is not None and not item.frame_scale.uniform


def _to_joint(item: Item, node: Node) -> None:
    """Turn a <freejoint> into a <joint>, with all attributes, because that has a default class."""
    assert isinstance(item, Joint)
    node.tag = "joint"
    node.attrib.pop("align", None)
    node.attrib["type"] = "free"
    for key in NOT_OF_FREEJOINTS:
        node.attrib.setdefault(key, format_attribute(BY_TAG["joint"][key].type, getattr(item, key)))


# ---- inertias


def write_inertias(changes: Changes) -> None:
    """Write the inertia of all bodies in which it changed, unless their geoms give it.

    A new <inertial> has all of it: the mass or density of a geom cannot give another mass and the same inertia.
    """
    changed = {field: changes.rows(field) for field in INERTIAL_FIELDS}
    given = {
        body.id
        for body in edited_bodies(changes.m)
        if body.from_geoms and all(np.array_equal(changes.m.read(f)[body.id], getattr(body, f[5:])) for f in changed)
    }
    rows = sorted({row for rows in changed.values() for row in rows} - given)
    if rows and changes.parsed.compiler.settotalmass > 0:
        # masses would be scaled again
        rows = list(range(1, changes.m.read("nbody")))
        changed = dict.fromkeys(INERTIAL_FIELDS, rows)
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
            node.children.insert(0, Node("inertial", _all_inertia(changes, body, row), node.document, node.end))
        elif row in changed["body_iquat"]:
            _replace_inertia(inertial, _all_inertia(changes, body, row))
        else:
            names = [INERTIAL_FIELDS[field] for field, found in changed.items() if row in found]
            _update_inertia(changes, body, row, inertial, names)


def _all_inertia(changes: Changes, body: Body, row: int) -> dict[str, str]:
    """All attributes of an <inertial>."""
    values = {name: changes.m.read(f"body_{name}")[row] for name in ("ipos", "iquat", "mass", "inertia")}
    written = body.inertial
    if written is not None and written.frame is not None:
        inverse = invert_frame(written.frame.pos, written.frame.quat)
        pos, quat = compose_frames(*inverse, tuple(values["ipos"].tolist()), tuple(values["iquat"].tolist()))
        values |= {"ipos": np.array(pos), "iquat": np.array(quat)}
    return {name: format_numbers(value) for name, value in unscaled_inertial(_inertial_scale(body), values).items()}


def _inertial_scale(body: Body) -> Scale | None:
    """The scale of what an <inertial> says."""
    return body.inner_scale if body.inertial is None else body.inertial.frame_scale


def _replace_inertia(inertial: Node, attributes: dict[str, str]) -> None:
    for name in ("diaginertia", "fullinertia", *ORIENTATIONS):
        inertial.attrib.pop(name, None)
    inertial.attrib |= attributes


def _update_inertia(changes: Changes, body: Body, row: int, inertial: Node, names: list[str]) -> None:
    """Write single attributes; `fullinertia` gives the frame too, and a stretched frame needs it."""
    scale = _inertial_scale(body)
    full = "diaginertia" in names and "fullinertia" in inertial.attrib
    moved = "pos" in names and body.inertial is not None and body.inertial.frame is not None
    if full or moved or (scale is not None and (not scale.uniform or names != ["mass"])):
        _replace_inertia(inertial, _all_inertia(changes, body, row))
        return
    fields = {name: field for field, name in INERTIAL_FIELDS.items()}
    factor = scale.units.mass if scale is not None else 1.0
    for name in names:
        before, after = (read(fields[name])[row].reshape(-1) for read in (changes.start.__getitem__, changes.m.read))
        was, now = (" ".join(format_scaled(x, factor) for x in value) for value in (before, after))
        inertial.attrib[name] = fewest_words(inertial.attrib.get(name, ""), was, now, partial=False)


# ---- settings


def write_settings(changes: Changes) -> None:
    """Write all settings that changed, to the last section that has them or a new one."""
    for name in sorted(changes.waiting):
        group, _, key = name.partition(".")
        if group not in ("opt", "vis", "stat"):
            continue
        before, after = changes.start[name], changes.m.read(name)
        if group == "opt":
            _option(changes, key, before, after)
        elif group == "vis":
            part, _, key = key.partition(".")
            _setting(changes, ("visual", part.rstrip("_"), key), before, after)
        else:
            _setting(changes, ("statistic", "statistic", key), before, after)
        changes.waiting.discard(name)


def _option(changes: Changes, key: str, before: Any, after: Any) -> None:
    if key in FLAGS:
        names, on, off = FLAGS[key]
        for name in names:
            bit = BY_TAG["flag"][name].bit
            if (int(after) ^ int(before)) >> bit & 1:
                _setting_node(changes.root, "option", "flag").attrib[name] = on if int(after) >> bit & 1 else off
    elif key == "disableactuator":
        node = _setting_node(changes.root, "option", "option")
        for other in changes.root.children:
            if other.tag == "option" and other is not node:
                other.attrib.pop(GROUPS, None)
        node.attrib[GROUPS] = " ".join(str(bit) for bit in range(31) if int(after) >> bit & 1)
    else:
        _setting(changes, ("option", "option", key), before, after)


def _setting(changes: Changes, place: tuple[str, str, str], before: Any, after: Any) -> None:
    section, tag, key = place
    node = _setting_node(changes.root, section, tag)
    kind = BY_TAG[tag][key].type
    single = section == "visual" and isinstance(after, float)
    was, now = (format_attribute(kind, np.float32(value) if single else value) for value in (before, after))
    node.attrib[key] = fewest_words(node.attrib.get(key, ""), was, now, element(tag).attributes[key].partial)


def _setting_node(root: Node, section: str, tag: str) -> Node:
    """The element for a setting in the last section with a tag, whose values win; made if it is missing."""
    outer = next((node for node in reversed(root.children) if node.tag == section), None)
    if outer is None or outer.document.origin:
        outer = Node(section, {}, root.document, root.end)
        root.children.append(outer)
    if tag == section:
        return outer
    for child in outer.children:
        if child.tag == tag:
            return child
    outer.children.append(Node(tag, {}, root.document, root.end))
    return outer.children[-1]
