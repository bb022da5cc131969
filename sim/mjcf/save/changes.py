"""Writes fields of a Model that changed since it was loaded into the attributes of their XML elements.

Most fields are an attribute of their element, by the tables in `fill`; the others have a function here: poses are
converted to the enclosing frame in the file, masses become an `inertial`, angles take the unit of the file. Changes
that MJCF has no attribute for are listed in a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from functools import cache
from math import pi
from typing import Any

import numpy as np

from sim.enums import DYN_DCMOTOR, DYN_PID, GAIN_PID, INPUT_FF, INPUT_POS, INPUT_VEL
from sim.mjcf.asset.mesh_geom import velocity_in_frame
from sim.mjcf.fill import FIELDS, USER_SIZES
from sim.mjcf.rotation import compose_frames, invert_frame, rot_vec_quat
from sim.mjcf.schema import ATTRIBUTES, DISABLE_FLAGS, ENABLE_FLAGS, KEYWORDS, ORIENTATIONS, element, words
from sim.mjcf.settings import SWITCHES
from sim.mjcf.source import Node
from sim.mjcf.spec import BALL, FREE, HINGE, Item, Joint, Spec

NodeOf = Callable[[Item], Node | None]

# computed when a file is loaded
DERIVED = words("""
    body_subtreemass body_invweight0 dof_invweight0 dof_M0 dof_length tendon_length0 tendon_invweight0 actuator_acc0
    actuator_length0 geom_rbound geom_aabb body_margin cam_pos0 cam_poscom0 cam_mat0 light_pos0 light_poscom0 light_dir0
    body_sameframe geom_sameframe site_sameframe body_simple dof_simplenum ngravcomp flg_gravcomp body_contype
    body_conaffinity body_bvhadr""")
# computed too, unless <statistic> sets them
MEANS = ("meaninertia", "meanmass")
# element type, field, field with the other components -> attribute
VECTORS = {
    ("joint", "jnt_stiffness", "jnt_stiffnesspoly"): "stiffness",
    ("tendon", "tendon_stiffness", "tendon_stiffnesspoly"): "stiffness",
    ("tendon", "tendon_damping", "tendon_dampingpoly"): "damping",
    ("actuator", "actuator_damping", "actuator_dampingpoly"): "damping",
}
LIMITS = {
    "jnt_limited": ("joint", "limited"),
    "jnt_actfrclimited": ("joint", "actuatorfrclimited"),
    "tendon_limited": ("tendon", "limited"),
    "tendon_actfrclimited": ("tendon", "actuatorfrclimited"),
    "actuator_actlimited": ("actuator", "actlimited"),
    "actuator_forcelimited": ("actuator", "forcelimited"),
}
# ranges that imply a limit where `limited` is auto -> element type, field and attribute of `limited`
RANGES = {
    "jnt_range": ("joint", "jnt_limited", "limited"),
    "jnt_actfrcrange": ("joint", "jnt_actfrclimited", "actuatorfrclimited"),
    "tendon_range": ("tendon", "tendon_limited", "limited"),
    "tendon_actfrcrange": ("tendon", "tendon_actfrclimited", "actuatorfrclimited"),
    "actuator_actrange": ("actuator", "actuator_actlimited", "actlimited"),
    "actuator_forcerange": ("actuator", "actuator_forcelimited", "forcelimited"),
    "actuator_ctrlrange": ("actuator", "actuator_ctrllimited", "ctrllimited"),
}
# the range of each input of a pid
INPUT_RANGES = {INPUT_POS: "ctrlrange", INPUT_VEL: "velrange", INPUT_FF: "ffrange"}
# attributes that would override another one
OVERRULING = {
    "type": ("directional",),
    "quat": ORIENTATIONS,
    "stiffness": ("springdamper",),
    "damping": ("springdamper",),
    "gainprm": ("kp",),
    "ctrlrange": ("posrange", "inheritrange"),
    "actrange": ("inheritrange",),
}
DOFS = {
    "dof_armature": "armature",
    "dof_frictionloss": "frictionloss",
    "dof_solref": "solreffriction",
    "dof_solimp": "solimpfriction",
    "dof_damping": "damping",
    "dof_dampingpoly": "damping",
}
# fields of ids, which are names in MJCF -> element type, attribute, type of the named element
NAMED = {"geom_matid": ("geom", "material", "material"), "site_matid": ("site", "material", "material"),
         "tendon_matid": ("tendon", "material", "material"), "cam_targetbodyid": ("camera", "target", "body"),
         "light_targetbodyid": ("light", "target", "body")}  # fmt: skip
INERTIA = ("body_mass", "body_inertia", "body_ipos", "body_iquat")
POSES = {"body": "body", "geom": "geom", "site": "site", "camera": "cam"}
FLAGS = {"disableflags": (DISABLE_FLAGS, "disable", "enable"), "enableflags": (ENABLE_FLAGS, "enable", "disable")}
# the attributes that a shortcut stands for
GENERAL = ("dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm")


def format_numbers(values: Iterable[Any]) -> str:
    """The shortest text that parses to the same numbers, in their precision."""
    return " ".join(
        str(x) if isinstance(x, np.float32) else repr(float(x)) if isinstance(x, float | np.floating) else str(int(x))
        for x in values
    )


@cache
def _kind(name: str, key: str) -> str:
    kinds = dict(word.split("=") for word in ATTRIBUTES[name].split())
    return str(kinds.get(key, "")).rstrip("!")


def format_attribute(name: str, key: str, value: Any) -> str:
    """An attribute's value as text."""
    family, _, known = _kind(name, key).partition(":")
    if family == "enum":
        return next(word for word, number in KEYWORDS[known].items() if number == int(value))
    if family == "flags":
        return " ".join(word for word, bit in KEYWORDS[known].items() if int(value) & bit)
    if family == "bool":
        return "true" if value else "false"
    if family == "str":
        return str(value)
    return format_numbers(
        np.ravel(value) if isinstance(value, np.ndarray) else value if isinstance(value, tuple) else [value]
    )


def schema_name(kind: str, node: Node) -> str:
    """Name of an element in the schema."""
    return element(kind).children.get(node.tag, node.tag) if kind in ("equality", "sensor") else node.tag


class Changes:
    """Compares a Model with its values when loaded, and updates the XML nodes."""

    def __init__(self, m: Any, start: dict[str, Any], spec: Spec, root: Node, node_of: NodeOf) -> None:
        self.m, self.start, self.spec, self.root, self.node_of = m, start, spec, root, node_of
        self.unsaved = {name for name in start if not self._same(name)}
        self.lists = spec.lists

    def apply(self) -> None:
        if not self.unsaved:
            return
        self.unsaved -= {*DERIVED, *(f"stat.{name}" for name in MEANS if name not in self.spec.statistic)}
        self._set_limited()
        self._settings()
        self._inertia()
        for kind, prefix in POSES.items():
            self._poses(kind, prefix)
        self._surfaces()
        self._joints()
        for field, (kind, key) in LIMITS.items():
            for k in self._rows(field):
                self._set(kind, k, key, "true" if self.m.read(field)[k] else "false")
        for (kind, field, poly), key in VECTORS.items():
            for k in sorted({*self._rows(field), *self._rows(poly)}):
                self._set(kind, k, key, format_numbers([self.m.read(field)[k], *self.m.read(poly)[k]]))
        for field, (kind, key, target) in NAMED.items():
            for k in self._rows(field):
                number = int(self.m.read(field)[k])
                if number >= 0:
                    self._set(kind, k, key, self.m.names[target][number])
        self._controls()
        self._equalities()
        self._keys()
        self._tables()
        if self.unsaved:
            warnings.warn("MJCF has no attribute for edits of " + ", ".join(sorted(self.unsaved)), stacklevel=4)

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
        rows = (old != new).reshape(len(old), -1).any(axis=1)
        return [int(k) for k in np.flatnonzero(rows)]

    def _set(self, kind: str, number: int, key: str, text: str) -> None:
        item = self.lists[kind][number]
        node = self.node_of(item)
        if node is None:
            self.unsaved.add(f"an unnamed {kind}")
            return
        if node.tag == "freejoint" and key not in ("name", "group", "align"):
            _to_joint(item, node)
        if kind == "actuator" and key not in element(node.tag).attributes:
            self._to_general(item, node)
        if key not in element(schema_name(kind, node)).attributes:
            self.unsaved.add(f"{key} of <{node.tag}>")
            return
        for other in OVERRULING.get(key, ()):
            node.attrib.pop(other, None)
        node.attrib[key] = text

    def _set_limited(self) -> None:
        """Set `limited` where a changed range would imply another value."""
        for field, (kind, limited, key) in RANGES.items():
            for row in self._changed(field) if field in self.unsaved else ():
                on, (low, high) = bool(self.m.read(limited)[row]), self.m.read(field)[row]
                number = self._owner("actuator_ctrladr", row) if "ctrl" in field else row
                if on != (low < high) or not self.spec.compiler_of(self.lists[kind][number]).autolimits:
                    self._set(kind, number, key, "true" if on else "false")

    def _owner(self, address: str, row: int) -> int:
        """The element that a row belongs to, by the addresses of the elements."""
        return int(np.searchsorted(self.m.read(address), row, side="right")) - 1

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
        elif key in SWITCHES:
            node.attrib[key] = "true" if value else "false"
        else:
            node.attrib[key] = format_attribute(
                tag, key, np.float32(value) if section == "visual" and isinstance(value, float) else value
            )

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
            node.children.insert(
                0,
                Node(
                    "inertial",
                    {
                        "pos": format_numbers(values["ipos"]),
                        "quat": format_numbers(values["iquat"]),
                        "mass": repr(float(values["mass"])),
                        "diaginertia": format_numbers(values["inertia"]),
                    },
                    node.document,
                    node.end,
                ),
            )

    def _poses(self, kind: str, prefix: str) -> None:
        resized = self._rows(f"{prefix}_size") if kind in ("geom", "site") else []
        rows = sorted({*self._rows(f"{prefix}_pos"), *self._rows(f"{prefix}_quat")})
        for k in sorted({*rows, *resized}):
            item = self.lists[kind][k]
            node = self.node_of(item)
            spans = getattr(item, "fromto", None) is not None
            if k in resized or spans:
                self._set(kind, k, "size", format_numbers(self.m.read(f"{prefix}_size")[k]))
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
                self._set(kind, k, "pos", format_numbers(pos))
                self._set(kind, k, "quat", format_numbers(quat))

    def _surfaces(self) -> None:
        """Surface velocities, relative to the pose in the file instead of the frame of the mesh."""
        for k in self._rows("geom_surfacevel"):
            velocity = tuple(self.m.read("geom_surfacevel")[k].tolist())
            offset = self.lists["geom"][k].offset
            if offset is not None:
                velocity = velocity_in_frame(velocity, *invert_frame(offset.pos, offset.quat))
            self._set("geom", k, "surfacevel", format_numbers(velocity))

    def _joints(self) -> None:
        m = self.m
        # the range of a joint without a limit is not converted from degrees
        for k in sorted({*self._rows("jnt_range"), *self._changed("jnt_limited")}):
            unit = self._unit(k) if m.read("jnt_limited")[k] else 1.0
            self._set("joint", k, "range", format_numbers(m.read("jnt_range")[k] * unit))
        for k in self._rows("jnt_pos"):
            pos = tuple(m.read("jnt_pos")[k].tolist())
            frame = self.lists["joint"][k].frame
            if frame is not None:
                pos, _ = compose_frames(*invert_frame(frame.pos, frame.quat), pos, (1.0, 0.0, 0.0, 0.0))
            self._set("joint", k, "pos", format_numbers(pos))
        for k in self._rows("jnt_axis"):
            axis = m.read("jnt_axis")[k].tolist()
            frame = self.lists["joint"][k].frame
            self._set(
                "joint",
                k,
                "axis",
                format_numbers(rot_vec_quat(axis, invert_frame(frame.pos, frame.quat)[1]) if frame else axis),
            )
        owner = m.read("dof_jntid")
        for field, key in DOFS.items():
            for v in self._rows(field):
                j = int(owner[v])
                first = int(m.read("jnt_dofadr")[j])
                value = m.read(field)[first]
                if key == "damping":
                    value = np.array([m.read("dof_damping")[first], *m.read("dof_dampingpoly")[first]])
                self._set("joint", j, key, format_numbers(np.ravel(value)))
        for field, key in (("qpos0", "ref"), ("qpos_spring", "springref")):
            for at in self._rows(field):
                j = int(np.searchsorted(m.read("jnt_qposadr"), at, side="right")) - 1
                if m.read("jnt_type")[j] in (FREE, BALL):
                    self.unsaved.add(f"{field} of free and ball joints")
                else:
                    self._set("joint", j, key, format_numbers([m.read(field)[at] * self._unit(j)]))

    def _unit(self, j: int) -> float:
        """Factor from radians to the angle unit of the file; 1 for slides."""
        joint: Joint = self.lists["joint"][j]
        turns = joint.type in (HINGE, BALL)
        return 180 / pi if turns and self.spec.compiler_of(joint).degree else 1.0

    # ---- other sections and keyframes

    def _controls(self) -> None:
        m = self.m
        for field, key in (
            ("actuator_ctrlrange", "ctrlrange"),
            ("actuator_ctrllimited", "ctrllimited"),
            ("actuator_gear", "gear"),
            ("actuator_lengthrange", "lengthrange"),
        ):
            address = "actuator_ctrladr" if "ctrl" in field else "actuator_outadr"
            for row in self._rows(field):
                number = row if "length" in field else self._owner(address, row)
                value = m.read(field)[row]
                text = ("true" if value else "false") if "limited" in field else format_numbers(value)
                self._set("actuator", number, self._range_of_input(number, row) if key == "ctrlrange" else key, text)

    def _range_of_input(self, number: int, row: int) -> str:
        """The attribute with the range of a control."""
        if self.m.read("actuator_gaintype")[number] != GAIN_PID:
            return "ctrlrange"
        inputs = [key for bit, key in INPUT_RANGES.items() if self.m.read("actuator_ctrlspec")[number] & bit]
        return inputs[row - int(self.m.read("actuator_ctrladr")[number])]

    def _to_general(self, item: Item, node: Node) -> None:
        """Turn a shortcut into a <general> actuator with all parameters that it stood for."""
        m, a = self.m, item.id
        kept = {key: text for key, text in node.attrib.items() if key in element("general").attributes}
        node.tag, node.attrib = "general", kept
        for key in GENERAL:
            node.attrib[key] = format_attribute("general", key, m.read(f"actuator_{key}")[a])
        if m.read("actuator_actearly")[a]:
            node.attrib["actearly"] = "true"
        if m.read("actuator_dyntype")[a] in (DYN_DCMOTOR, DYN_PID):
            node.attrib["actdim"] = str(int(m.read("actuator_actnum")[a]))
        for what, row in (("force", a), ("act", a), ("ctrl", int(m.read("actuator_ctrladr")[a]))):
            limits = m.read(f"actuator_{what}limited")
            if row < len(limits) and limits[row]:
                node.attrib[f"{what}limited"] = "true"
                node.attrib[f"{what}range"] = format_numbers(m.read(f"actuator_{what}range")[row])

    def _equalities(self) -> None:
        for k in self._rows("eq_data"):
            node = self.node_of(self.lists["equality"][k])
            data = self.m.read("eq_data")[k].tolist()
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
                self._set("key", k, name, format_numbers(self.m.read(f"key_{name}")[k].ravel()))
        if "numeric_data" in self.unsaved:
            self.unsaved.discard("numeric_data")
            adr, size = self.m.read("numeric_adr"), self.m.read("numeric_size")
            for k in range(self.m.read("nnumeric")):
                values = self.m.read("numeric_data")[adr[k] : adr[k] + size[k]]
                if not np.array_equal(values, self.start["numeric_data"][adr[k] : adr[k] + size[k]]):
                    self._set("numeric", k, "data", format_numbers(values))

    def _tables(self) -> None:
        """Fields that are an attribute of their element, and user data."""
        for kind, (prefix, rows) in FIELDS.items():
            for name, _, _, key in rows:
                field = f"{prefix}_{name}"
                if field in self.unsaved and isinstance(key, str):
                    for k in self._rows(field):
                        node = self.node_of(self.lists[kind][k])
                        value = self.m.read(field)[k]
                        tag = "" if node is None else schema_name(kind, node)
                        if tag and key in element(tag).attributes:
                            self._set(kind, k, key, format_attribute(tag, key, value))
                        elif tag and kind == "actuator":
                            self._set(kind, k, key, format_attribute("general", key, value))
                        else:
                            self.unsaved.add(field)
        for kind in USER_SIZES:
            prefix = FIELDS[kind][0]
            for k in self._rows(f"{prefix}_user"):
                self._set(kind, k, "user", format_numbers(self.m.read(f"{prefix}_user")[k]))


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
        node.attrib.setdefault(key, format_attribute("joint", key, getattr(item, key)))
