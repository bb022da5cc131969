"""Writes fields of a Model that changed since it was loaded into the attributes of their XML elements.

Most fields are an attribute of their element, by the table in `sim.attributes`; the others have a function here: poses
are converted to the enclosing frame in the file, masses become an `inertial`, angles take the unit of the file. Changes
that MJCF has no attribute for are listed in a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from sim.attributes import ATTRIBUTES, BY_ELEMENT, BY_TAG, DISABLE_FLAGS, ENABLE_FLAGS, Attribute
from sim.attributes.actuators import ACTUATOR_TAGS
from sim.mjcf.asset.mesh_geom import velocity_in_frame
from sim.mjcf.rotation import UNIT, ZERO, compose_frames, invert_frame, rot_vec_quat
from sim.mjcf.save.actuator_changes import PARAMETERS, control_changes, owner_of, to_general, write_damping
from sim.mjcf.save.attribute_text import format_attribute, format_numbers
from sim.mjcf.save.derived_changes import write_derived
from sim.mjcf.save.shortcut_text import ShortcutText
from sim.mjcf.save.unscale import (
    unscaled,
    unscaled_data,
    unscaled_inertial,
    unscaled_key,
    unscaled_position,
)
from sim.mjcf.schema import ORIENTATIONS, element, words
from sim.mjcf.section.spec import is_ratio
from sim.mjcf.source import Node
from sim.mjcf.spec import BALL, FREE, HINGE, Item, Joint, Spec
from sim.model import Model

NodeOf = Callable[[Item], Node | None]

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
INERTIA = ("body_mass", "body_inertia", "body_ipos", "body_iquat")
POSES = {"body": "body", "geom": "geom", "site": "site", "camera": "cam"}
FLAGS = {"disableflags": (DISABLE_FLAGS, "disable", "enable"), "enableflags": (ENABLE_FLAGS, "enable", "disable")}
# tags that become another one when they lack an attribute
CONVERTED = ("freejoint", *ACTUATOR_TAGS)


def schema_name(kind: str, node: Node) -> str:
    """Name of an element in the schema."""
    return element(kind).children.get(node.tag, node.tag) if kind in ("equality", "sensor") else node.tag


class Changes:
    """Compares a Model with its values when loaded, and updates the XML nodes."""

    def __init__(self, m: Model, spec: Spec, root: Node, node_of: NodeOf) -> None:
        self.m, self.start, self.spec, self.root, self.node_of = m, m.file_values, spec, root, node_of
        self.unsaved = {name for name in self.start if not self._same(name)}
        self.lists = spec.lists
        self.shortcuts = ShortcutText(m, spec, self.start)

    def apply(self) -> list[str]:
        """Update the nodes; returns the edits that MJCF has no attribute for."""
        if not self.unsaved:
            return []
        self.unsaved -= {*DERIVED, *(f"stat.{name}" for name in MEANS if name not in self.spec.statistic)}
        self._set_limited()
        self._settings()
        self._inertia()
        for kind, prefix in POSES.items():
            self._poses(kind, prefix)
        self._lights()
        self._surfaces()
        self._joints()
        self._controls()
        self._equalities()
        self._keys()
        self._attributes()
        write_derived(self.m, self.spec, self.root, self.node_of)
        self._actuators()
        return sorted(self.unsaved)

    # ---- changed rows

    def _same(self, name: str) -> bool:
        return np.array_equal(self.start[name], self.m.read(name))

    def _rows(self, name: str) -> list[int]:
        """Rows of a field that changed; the field counts as saved."""
        if name not in self.unsaved:
            return []
        self.unsaved.discard(name)
        return self._changed(name)

    def _changed(self, name: str) -> list[int]:
        """Rows of a field that changed."""
        old, new = self.start[name], self.m.read(name)
        different = old != new
        return [int(k) for k in np.flatnonzero(different.any(axis=tuple(range(1, different.ndim))))]

    def _set(self, kind: str, number: int, key: str, text: str) -> None:
        item = self.lists[kind][number]
        node = self.node_of(item)
        if node is None:
            self.unsaved.add(f"an unnamed {kind}")
            return
        if node.tag == "freejoint" and key not in ("name", "group", "align"):
            _to_joint(item, node)
        if kind == "actuator" and key not in element(node.tag).attributes:
            if key in PARAMETERS and self.shortcuts.write(item, node):
                return
            to_general(self.m, item, node)
        if key not in element(schema_name(kind, node)).attributes:
            self.unsaved.add(f"{key} of <{node.tag}>")
            return
        for other in OVERRULING.get(key, ()):
            node.attrib.pop(other, None)
        node.attrib[key] = text

    def _numbers(self, kind: str, number: int, key: str, values: Any) -> None:
        """Set an attribute with numbers, as they were before a frame scaled them."""
        values = unscaled(self.lists[kind][number], key, np.asarray(values))
        if values is None:
            self.unsaved.add(f"{key} of a {kind} in a stretched frame")
        else:
            self._set(kind, number, key, format_numbers(values))

    def _set_limited(self) -> None:
        """Set `limited` where a changed range would imply another value."""
        for interval, limited in RANGES.items():
            for row in self._changed(interval.field) if interval.field in self.unsaved else ():
                on, (low, high) = bool(self.m.read(limited.field)[row]), self.m.read(interval.field)[row]
                kind, number = interval.element, row
                if interval.shape[0] == "nu":
                    number = owner_of(self.m, "actuator_ctrladr", row)
                if on != (low < high) or not self.spec.compiler_of(self.lists[kind][number]).autolimits:
                    self._set(kind, number, limited.name, "true" if on else "false")

    # ---- settings

    def _settings(self) -> None:
        for name in sorted(self.unsaved):
            group, _, key = name.partition(".")
            if group == "opt":
                self._option(key, self.m.read(name))
            elif group == "vis":
                part, _, key = key.partition(".")
                self._setting("visual", part.rstrip("_"), key, self.m.read(name))
            elif group == "stat":
                self._setting("statistic", "statistic", key, self.m.read(name))
            else:
                continue
            self.unsaved.discard(name)

    def _option(self, key: str, value: Any) -> None:
        if key in FLAGS:
            names, on, off = FLAGS[key]
            changed = int(value) ^ int(self.start[f"opt.{key}"])
            for bit, name in enumerate(names):
                if changed >> bit & 1:
                    self._setting("option", "flag", name, on if int(value) >> bit & 1 else off)
        elif key == "disableactuator":
            for node in self.root.children:
                if node.tag == "option":
                    node.attrib.pop("actuatorgroupdisable", None)
            groups = " ".join(str(bit) for bit in range(31) if int(value) >> bit & 1)
            self._setting("option", "option", "actuatorgroupdisable", groups)
        else:
            self._setting("option", "option", key, value)

    def _setting(self, section: str, tag: str, key: str, value: Any) -> None:
        """Set an attribute in the last section with this tag, whose values win."""
        outer = next((node for node in reversed(self.root.children) if node.tag == section), None)
        if outer is None or outer.document.origin:
            outer = Node(section, {}, self.root.document, self.root.end)
            self.root.children.append(outer)
        node: Node | None = outer
        if tag != section:
            node = next((child for child in outer.children if child.tag == tag), None)
            if node is None:
                node = Node(tag, {}, self.root.document, self.root.end)
                outer.children.append(node)
        assert node is not None
        if isinstance(value, str):
            node.attrib[key] = value
        else:
            single = section == "visual" and isinstance(value, float)
            node.attrib[key] = format_attribute(BY_TAG[tag][key].type, np.float32(value) if single else value)

    # ---- bodies and their elements

    def _inertia(self) -> None:
        rows = sorted({k for name in INERTIA for k in self._rows(name)})
        compiler = self.spec.compiler
        if not rows:
            return
        if compiler.settotalmass > 0:
            # masses would be scaled again
            rows = list(range(1, self.m.read("nbody")))
            for section in self.root.children:
                if section.tag == "compiler":
                    section.attrib.pop("settotalmass", None)
        for b in rows:
            node: Node | None = self.node_of(self.lists["body"][b])
            if node is None or b == 0 or self.spec.compiler_at(node).inertiafromgeom == 1:
                self.unsaved.add("body_mass where inertia comes from geoms")
                continue
            node.children = [child for child in node.children if child.tag != "inertial"]
            values = {name: self.m.read(f"body_{name}")[b] for name in ("ipos", "iquat", "mass", "inertia")}
            attributes = unscaled_inertial(self.lists["body"][b].inner_scale, values)
            texts = {name: format_numbers(value) for name, value in attributes.items()}
            node.children.insert(0, Node("inertial", texts, node.document, node.end))

    def _poses(self, kind: str, prefix: str) -> None:
        resized = self._rows(f"{prefix}_size") if kind in ("geom", "site") else []
        rows = sorted({*self._rows(f"{prefix}_pos"), *self._rows(f"{prefix}_quat")})
        for k in sorted({*rows, *resized}):
            item = self.lists[kind][k]
            node = self.node_of(item)
            spans = getattr(item, "fromto", None) is not None
            stretched = item.frame_scale is not None and not item.frame_scale.uniform
            if stretched and (spans or k in self._changed(f"{prefix}_quat")):
                self.unsaved.add(f"{prefix}_quat in a stretched frame")
                continue
            if k in resized or spans:
                self._numbers(kind, k, "size", self.m.read(f"{prefix}_size")[k])
            if node is None or self.spec.compiler.fusestatic:
                self.unsaved.add(f"{prefix}_pos")
            elif k in rows or spans:
                node.attrib.pop("fromto", None)
                pos, quat = (tuple(self.m.read(f"{prefix}_{name}")[k].tolist()) for name in ("pos", "quat"))
                offset = getattr(item, "offset", None)
                if offset is not None:
                    pos, quat = compose_frames(pos, quat, *invert_frame(offset.pos, offset.quat))
                if item.frame is not None:
                    pos, quat = compose_frames(*invert_frame(item.frame.pos, item.frame.quat), pos, quat)
                self._set(kind, k, "pos", format_numbers(unscaled_position(item, pos)))
                self._set(kind, k, "quat", format_numbers(quat))

    def _lights(self) -> None:
        for name in ("pos", "dir"):
            for k in self._rows(f"light_{name}"):
                light, value = self.lists["light"][k], tuple(self.m.read(f"light_{name}")[k].tolist())
                if light.frame is not None:
                    pos, quat = invert_frame(light.frame.pos, light.frame.quat)
                    value = compose_frames(pos if name == "pos" else ZERO, quat, value, UNIT)[0]
                self._set("light", k, name, format_numbers(unscaled_position(light, value) if name == "pos" else value))

    def _surfaces(self) -> None:
        """Surface velocities, relative to the pose in the file instead of the frame of the mesh."""
        for k in self._rows("geom_surfacevel"):
            velocity = tuple(self.m.read("geom_surfacevel")[k].tolist())
            offset = self.lists["geom"][k].offset
            if offset is not None:
                velocity = velocity_in_frame(velocity, *invert_frame(offset.pos, offset.quat))
            self._numbers("geom", k, "surfacevel", velocity)

    def _joints(self) -> None:
        m = self.m
        # the range of a joint without a limit is not converted from degrees
        for k in sorted({*self._rows("jnt_range"), *self._changed("jnt_limited")}):
            unit = self._unit(k) if m.read("jnt_limited")[k] else 1.0
            self._numbers("joint", k, "range", m.read("jnt_range")[k] * unit)
        for k in self._rows("jnt_pos"):
            pos = tuple(m.read("jnt_pos")[k].tolist())
            frame = self.lists["joint"][k].frame
            if frame is not None:
                pos, _ = compose_frames(*invert_frame(frame.pos, frame.quat), pos, UNIT)
            self._set("joint", k, "pos", format_numbers(unscaled_position(self.lists["joint"][k], pos)))
        for k in self._rows("jnt_axis"):
            axis = m.read("jnt_axis")[k].tolist()
            frame, scale = self.lists["joint"][k].frame, self.lists["joint"][k].frame_scale
            if scale is not None and not scale.uniform:
                self.unsaved.add("jnt_axis in a stretched frame")
                continue
            self._set(
                "joint",
                k,
                "axis",
                format_numbers(rot_vec_quat(axis, invert_frame(frame.pos, frame.quat)[1]) if frame else axis),
            )
        for field, key in (("qpos0", "ref"), ("qpos_spring", "springref")):
            for at in self._rows(field):
                j = int(np.searchsorted(m.read("jnt_qposadr"), at, side="right")) - 1
                if m.read("jnt_type")[j] in (FREE, BALL):
                    self.unsaved.add(f"{field} of free and ball joints")
                else:
                    self._numbers("joint", j, key, [m.read(field)[at] * self._unit(j)])

    def _unit(self, j: int) -> float:
        """Factor from radians to the angle unit of the file; 1 for slides."""
        joint: Joint = self.lists["joint"][j]
        turns = joint.type in (HINGE, BALL)
        return 180 / pi if turns and self.spec.compiler_of(joint).degree else 1.0

    # ---- other sections and keyframes

    def _controls(self) -> None:
        for number, key, value in control_changes(self.m, self._rows):
            if key == "ctrllimited":
                self._set("actuator", number, key, "true" if value else "false")
            else:
                self._numbers("actuator", number, key, value)

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
        for k in self._rows("eq_data"):
            node = self.node_of(self.lists["equality"][k])
            data = unscaled_data(self.lists["equality"][k], self.m.read("eq_data")[k].tolist())
            if node is None:
                self.unsaved.add("eq_data")
            elif node.tag in ("joint", "tendon"):
                self._set("equality", k, "polycoef", format_numbers(data[:5]))
            elif node.tag == "distance":
                self._set("equality", k, "distance", format_numbers(data[:1]))
            else:
                self._weld(k, node, data)

    def _weld(self, k: int, node: Node, data: list[float]) -> None:
        """A connect or weld; constraints between sites have no anchors."""
        if "body1" in node.attrib:
            self._set("equality", k, "anchor", format_numbers(data[:3]))
        if "body1" in node.attrib and node.tag == "weld":
            self._set("equality", k, "relpose", format_numbers(data[3:10]))
        if node.tag == "weld":
            self._set("equality", k, "torquescale", format_numbers(data[10:]))

    def _keys(self) -> None:
        for name in ("qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
            for k in self._rows(f"key_{name}"):
                values = self.m.read(f"key_{name}")[k].ravel()
                if self.spec.scaled:
                    values = unscaled_key(self.m, name, k, self.lists["body"], self.lists["actuator"])
                self._set("key", k, name, format_numbers(values))
        if "numeric_data" in self.unsaved:
            self.unsaved.discard("numeric_data")
            adr, size = self.m.read("numeric_adr"), self.m.read("numeric_size")
            for k in range(self.m.read("nnumeric")):
                values = self.m.read("numeric_data")[adr[k] : adr[k] + size[k]]
                if not np.array_equal(values, self.start["numeric_data"][adr[k] : adr[k] + size[k]]):
                    self._set("numeric", k, "data", format_numbers(values))

    def _attributes(self) -> None:
        """Fields that are an attribute of their element, and user data."""
        for row in ATTRIBUTES:
            if row.name == "user":
                for k in self._rows(row.field):
                    self._set(row.element, k, "user", format_numbers(self.m.read(row.field)[k]))
            elif row.direct:
                self._attribute(row)

    def _attribute(self, row: Attribute) -> None:
        """A field that is an attribute of its element; the dofs of a joint share their value."""
        changed = {*self._rows(row.field), *(self._rows(f"{row.field}poly") if row.poly else ())}
        for k in sorted(changed):
            number = int(self.m.read("dof_jntid")[k]) if row.shape[0] == "nv" else k
            first = int(self.m.read("jnt_dofadr")[number]) if row.shape[0] == "nv" else k
            node = self.node_of(self.lists[row.element][number])
            tag = "" if node is None else schema_name(row.element, node)
            if not tag or not (row.name in element(tag).attributes or tag in CONVERTED):
                self.unsaved.add(row.field)
                continue
            text = self._text(row, first, self.lists[row.element][number])
            if text is not None:
                self._set(row.element, number, row.name, text)

    def _text(self, row: Attribute, k: int, item: Item) -> str | None:
        """The attribute for one row of a field; None if there is nothing to say."""
        value = self.m.read(row.field)[k]
        if row.type.base == "ref":
            return self.m.names[row.type.argument][value] if value >= 0 else None
        if row.poly:
            return format_numbers(unscaled(item, row.name, np.array([value, *self.m.read(f"{row.field}poly")[k]])))
        value = unscaled(item, row.name, value)
        if value is None:
            self.unsaved.add(f"{row.field} where a frame scales it")
            return None
        return format_attribute(row.type, value)


def _to_joint(item: Item, node: Node) -> None:
    """Turn a <freejoint> into a <joint>, with all attributes, because that has a default class."""
    assert isinstance(item, Joint)
    node.tag = "joint"
    node.attrib.pop("align", None)
    node.attrib["type"] = "free"
    for key in (
        "stiffness",
        "damping",
        "armature",
        "frictionloss",
        "margin",
        "solreflimit",
        "solimplimit",
        "solreffriction",
        "solimpfriction",
        "springdamper",
    ):
        node.attrib.setdefault(key, format_attribute(BY_TAG["joint"][key].type, getattr(item, key)))
