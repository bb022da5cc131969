"""What a body has, under MuJoCo's names: joints, geoms, sites, cameras and lights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.attributes import defaults
from sim.attributes.keywords import KEYWORDS
from sim.enums import JNT_FREE
from sim.mujoco.specs.base import Classed, Mjs, OrientationField, Placed, add_field
from sim.mujoco.specs.fields import Field
from sim.mujoco.specs.plugin import MjsPlugin

if TYPE_CHECKING:
    from sim.mujoco.specs.bodies import MjsBody, MjsFrame

POSE = "pos:f3 quat:f4"


class Member(Mjs):
    """An element in a body, and maybe in a frame."""

    @property
    def parent(self) -> MjsBody | None:
        above = self._element.body if self._element.exists else None
        return self._spec.facade(above) if above is not None else None

    @property
    def frame(self) -> MjsFrame | None:
        above = self._element.frame if self._element.exists else None
        return self._spec.facade(above) if above is not None else None

    def set_frame(self, frame: MjsFrame) -> None:
        if frame.parent is not self.parent:
            name = f"{self.kind} '{self.name}'"
            raise ValueError(
                f"Error: Frame and {name} have mismatched parents\nElement name '{self.name}', id {self.id}"
            )
        self._spec.flush()
        self._element.move(frame._element)


class MjsJoint(
    Member,
    Classed,
    kind="joint",
    rows="""
    type:mjtJoint pos:f3 axis:f3 ref:f align:mjtAlignFree stiffness:f3 springref:f springyield:f springdamper:f2
    limited:mjtLimited range:f2 margin:f solref_limit:f2:solreflimit solimp_limit:f5:solimplimit
    actfrclimited:mjtLimited:actuatorfrclimited actfrcrange:f2:actuatorfrcrange armature:f damping:f3 frictionloss:f
    solref_friction:f2:solreffriction solimp_friction:f5:solimpfriction group:i actgravcomp:b:actuatorgravcomp
    userdata:F:user""",
):
    """A joint; a free joint is written as <freejoint> as long as that can say it."""

    def _load(self, field: Field) -> Any:
        if self._element.tag == "freejoint":
            if field.name == "type":
                return field.from_attribute(JNT_FREE)
            if field.name not in ("group", "align"):
                # it has no default class
                return field.from_attribute(defaults("joint").get(field.key))
        elif field.name == "align":
            return field.from_attribute(self._own.get("align", 2))
        return super()._load(field)

    def _store(self, field: Field, value: Any) -> None:
        element = self._element
        if element.tag == "freejoint" and field.name not in ("group", "align"):
            if field.name == "type" and int(value) == JNT_FREE:
                return
            align = element.own("align")
            if align is not None:
                self._keep_align(align)
            element.set("align", None)
            element.spec.tree.set_tag(element.node, "joint")
            element.set("type", JNT_FREE)
            # it had no class, whose values it would get now
            for key, plain in defaults("joint").items():
                if key not in ("name", "type", "align") and plain != () and key not in element.node.attrib:
                    if element.get(key) != plain:
                        element.set(key, plain)
        if element.tag == "joint" and field.name == "align":
            self._keep_align(int(value))
            if element.own("type") == JNT_FREE and not set(element.node.attrib) - {"name", "group", "type"}:
                element.set("type", None)
                element.spec.tree.set_tag(element.node, "freejoint")
                element.set("align", int(value))
            return
        super()._store(field, value)

    def _keep_align(self, value: int) -> None:
        """Keep what <joint> has no attribute for."""
        self._own["align"] = value
        self._element.spec.set_beyond(self._element, "align", value)


class WithPlugin(Mjs):
    """An element that could have a plugin."""

    @property
    def plugin(self) -> MjsPlugin:
        found = self._own.get("plugin")
        if found is None:
            found = self._own["plugin"] = MjsPlugin()
        assert isinstance(found, MjsPlugin)
        return found

    @plugin.setter
    def plugin(self, plugin: MjsPlugin) -> None:
        self.plugin._assign(plugin)

    def _take(self, arguments: dict[str, Any], function: str) -> None:
        plugin = arguments.pop("plugin", None)
        super()._take(arguments, function)
        if plugin is not None:
            self.plugin = plugin


class MjsGeom(
    Member,
    Classed,
    WithPlugin,
    Placed,
    kind="geom",
    rows=f"""
    type:mjtGeom {POSE} fromto:f6? size:f3 contype:i conaffinity:i condim:i priority:i friction:f3 solmix:f solref:f2
    solimp:f5 margin:f gap:f surfacevel:f6 adhesion:f mass:f? density:f typeinertia:mjtGeomInertia:shellinertia
    fluid_ellipsoid:f:fluidshape fluid_coefs:f5:fluidcoef material:s rgba:g4 group:i castshadow:b hfieldname:s:hfield
    meshname:s:mesh fitscale:f userdata:F:user""",
):
    """A geom."""

    def _write(self, key: str, value: Any) -> None:
        if key == "fluidshape":
            value = int(value != 0)
        super()._write(key, value)


class MjsSite(
    Member,
    Classed,
    Placed,
    kind="site",
    rows=f"""{POSE} fromto:f6? size:f3 type:mjtGeom material:s group:i rgba:g4 meshname:s:mesh userdata:F:user""",
):
    """A site."""

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        return self._spec.attach_part(self, body, prefix, suffix)


class MjsCamera(
    Member,
    Classed,
    Placed,
    kind="camera",
    rows=f"""{POSE} mode:mjtCamLight targetbody:s:target proj:mjtProjection:projection resolution:i2 output:i fovy:f
    ipd:f intrinsic:g4:- sensor_size:g2:sensorsize focal_length:g2:focal focal_pixel:g2:focalpixel
    principal_length:g2:principal principal_pixel:g2:principalpixel userdata:F:user""",
):
    """A camera."""

    def _write(self, key: str, value: Any) -> None:
        # a size of zero is none, and excludes fovy
        if key in ("sensorsize", "focal", "focalpixel", "principal", "principalpixel") and not np.any(value):
            value = None
        elif key == "sensorsize":
            super()._write("fovy", None)
        super()._write(key, value)


class MjsLight(
    Member,
    Classed,
    kind="light",
    rows="""pos:f3 dir:f3 mode:mjtCamLight targetbody:s:target active:b type:mjtLightType texture:s castshadow:b
    bulbradius:g intensity:g range:g attenuation:g3 cutoff:g softness:g exponent:g ambient:g3 diffuse:g3 specular:g3""",
):
    """A light."""

    def _load(self, field: Field) -> Any:
        directional = self._element.own("directional") if field.name == "type" else None
        if directional is not None:
            return field.from_attribute(KEYWORDS["lighttype"]["directional" if directional else "spot"])
        return super()._load(field)

    def _write(self, key: str, value: Any) -> None:
        if key == "type":
            super()._write("directional", None)
        super()._write(key, value)


for _class in (MjsGeom, MjsSite, MjsCamera):
    add_field(_class, OrientationField("alt", ""))
